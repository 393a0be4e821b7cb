// Lost heaps, in ascending order, win every heap a square above them.
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
