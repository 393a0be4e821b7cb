// Lost heaps, in ascending order, win every heap a square above them.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func winnerSquareGame(n int) bool {
	won := make([]bool, n+1)
	for heap := 0; heap < n; heap++ {
		if won[heap] {
			continue
		}
		for root := 1; heap+root*root <= n; root++ {
			won[heap+root*root] = true
		}
	}
	return won[n]
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	fmt.Println(winnerSquareGame(n))
}
