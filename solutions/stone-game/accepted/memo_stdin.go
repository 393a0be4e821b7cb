// Memoised search over stretches of the row.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func stoneGame(piles []int) bool {
	n := len(piles)
	lead := make([]int, n*n)
	known := make([]bool, n*n)
	var search func(left, right int) int
	search = func(left, right int) int {
		if left > right {
			return 0
		}
		at := left*n + right
		if !known[at] {
			known[at] = true
			lead[at] = max(piles[left]-search(left+1, right), piles[right]-search(left, right-1))
		}
		return lead[at]
	}
	return search(0, n-1) > 0
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	piles := make([]int, n)
	for i := range piles {
		fmt.Fscan(in, &piles[i])
	}
	fmt.Println(stoneGame(piles))
}
