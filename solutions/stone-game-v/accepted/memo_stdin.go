// Memoised search over stretches; cuts whose smaller part cannot beat the best are left out.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func stoneGameV(stoneValue []int) int {
	n := len(stoneValue)
	prefix := make([]int, n+1)
	for i, value := range stoneValue {
		prefix[i+1] = prefix[i] + value
	}
	known := make([]int, (n+1)*(n+1))
	var score func(i, j int) int
	score = func(i, j int) int {
		if j-i < 2 {
			return 0
		}
		at := i*(n+1) + j
		if known[at] > 0 {
			return known[at]
		}
		best := 0
		for cut := i + 1; cut < j; cut++ {
			left, right := prefix[cut]-prefix[i], prefix[j]-prefix[cut]
			if 2*min(left, right) <= best {
				continue
			}
			if left <= right {
				best = max(best, left+score(i, cut))
			}
			if right <= left {
				best = max(best, right+score(cut, j))
			}
		}
		known[at] = best
		return best
	}
	return score(0, n)
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	stoneValue := make([]int, n)
	for i := range stoneValue {
		fmt.Fscan(in, &stoneValue[i])
	}
	fmt.Println(stoneGameV(stoneValue))
}
