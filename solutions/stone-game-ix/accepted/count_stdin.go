// By the counts of the three remainders.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func stoneGameIX(stones []int) bool {
	var count [3]int
	for _, stone := range stones {
		count[stone%3]++
	}
	if count[0]%2 == 0 {
		return count[1] > 0 && count[2] > 0
	}
	return max(count[1], count[2])-min(count[1], count[2]) > 2
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	stones := make([]int, n)
	for i := range stones {
		fmt.Fscan(in, &stones[i])
	}
	fmt.Println(stoneGameIX(stones))
}
