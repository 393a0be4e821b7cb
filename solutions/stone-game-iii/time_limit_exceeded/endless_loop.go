// Fault: the backward loop never steps past the first pile, so it does not end.
package main

import "fmt"

func main() {
	var n int
	fmt.Scan(&n)
	values := make([]int, n)
	for i := range values {
		fmt.Scan(&values[i])
	}
	lead := make([]int, n+1)
	for i := n - 1; i >= 0; {
		taken, best := 0, -1000000000
		for j := i; j < min(i+3, n); j++ {
			taken += values[j]
			best = max(best, taken-lead[j+1])
		}
		lead[i] = best
		if i > 0 {
			i--
		}
	}
	switch {
	case lead[0] > 0:
		fmt.Println("Alice")
	case lead[0] < 0:
		fmt.Println("Bob")
	default:
		fmt.Println("Tie")
	}
}
