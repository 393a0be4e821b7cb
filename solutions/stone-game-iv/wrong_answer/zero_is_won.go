// Fault: the empty heap counts as won by the player who cannot move.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func winnerSquareGame(n int) bool {
	won := make([]bool, n+1)
	won[0] = true
	for heap := 1; heap <= n; heap++ {
		for root := 1; root*root <= heap; root++ {
			if !won[heap-root*root] {
				won[heap] = true
			}
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
