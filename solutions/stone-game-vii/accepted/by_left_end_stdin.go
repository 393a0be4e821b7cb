// Stretches by their left end, from the back; one row of leads over right ends.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func stoneGameVII(stones []int) int {
	n := len(stones)
	lead := make([]int, n)
	for left := n - 1; left >= 0; left-- {
		inside := 0
		for right := left + 1; right < n; right++ {
			inside += stones[right]
			lead[right] = max(inside-lead[right], inside+stones[left]-stones[right]-lead[right-1])
		}
	}
	return lead[n-1]
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	stones := make([]int, n)
	for i := range stones {
		fmt.Fscan(in, &stones[i])
	}
	fmt.Println(stoneGameVII(stones))
}
