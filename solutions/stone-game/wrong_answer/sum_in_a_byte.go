// Fault: leads are kept in 8 bits.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func stoneGame(piles []int) bool {
	lead := make([]int8, len(piles))
	for i, pile := range piles {
		lead[i] = int8(pile)
	}
	for width := 1; width < len(piles); width++ {
		for left := 0; left+width < len(piles); left++ {
			lead[left] = max(int8(piles[left])-lead[left+1], int8(piles[left+width])-lead[left])
		}
	}
	return lead[0] > 0
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
