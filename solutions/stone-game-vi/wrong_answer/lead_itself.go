// Fault: prints by how much Alice leads instead of who wins.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func stoneGameVI(aliceValues []int, bobValues []int) int {
	var count [201]int
	lead := 0
	for i, a := range aliceValues {
		count[a+bobValues[i]]++
		lead -= bobValues[i]
	}
	turn := 0
	for sum := 200; sum > 0; sum-- {
		for ; count[sum] > 0; count[sum]-- {
			if turn%2 == 0 {
				lead += sum
			}
			turn++
		}
	}
	return lead
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	aliceValues := make([]int, n)
	for i := range aliceValues {
		fmt.Fscan(in, &aliceValues[i])
	}
	bobValues := make([]int, n)
	for i := range bobValues {
		fmt.Fscan(in, &bobValues[i])
	}
	fmt.Println(stoneGameVI(aliceValues, bobValues))
}
