// Memoised search from the front; a separate table says which positions are known.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var (
	values []int
	lead   []int
	known  []bool
)

func search(from int) int {
	if from == len(values) {
		return 0
	}
	if known[from] {
		return lead[from]
	}
	taken := values[from]
	best := taken - search(from+1)
	for next := from + 1; next < len(values) && next < from+3; next++ {
		taken += values[next]
		best = max(best, taken-search(next+1))
	}
	known[from], lead[from] = true, best
	return best
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n int
	fmt.Fscan(in, &n)
	values = make([]int, n)
	for i := range values {
		fmt.Fscan(in, &values[i])
	}
	lead = make([]int, n)
	known = make([]bool, n)
	switch result := search(0); {
	case result > 0:
		fmt.Println("Alice")
	case result < 0:
		fmt.Println("Bob")
	default:
		fmt.Println("Tie")
	}
}
