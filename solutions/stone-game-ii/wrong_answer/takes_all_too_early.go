// Fault: takes everything when 2M is one short of the end.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func stoneGameII(piles []int) int {
	n := len(piles)
	rest := make([]int, n+2)
	for i := n - 1; i >= 0; i-- {
		rest[i] = rest[i+1] + piles[i]
	}
	known := map[[2]int]int{}
	var most func(i, m int) int
	most = func(i, m int) int {
		if i+2*m >= n-1 {
			return rest[min(i, n)]
		}
		key := [2]int{i, m}
		if found, ok := known[key]; ok {
			return found
		}
		least := rest[i]
		for x := 1; x <= 2*m; x++ {
			least = min(least, most(i+x, max(m, x)))
		}
		known[key] = rest[i] - least
		return known[key]
	}
	return most(0, 1)
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	piles := make([]int, n)
	for i := range piles {
		fmt.Fscan(in, &piles[i])
	}
	fmt.Println(stoneGameII(piles))
}
