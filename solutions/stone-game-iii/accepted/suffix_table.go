// Leads from the back of the row in one table, one cell for each position.
func stoneGameIII(stoneValue []int) string {
	n := len(stoneValue)
	lead := make([]int, n+1)
	for i := n - 1; i >= 0; i-- {
		taken := stoneValue[i]
		lead[i] = taken - lead[i+1]
		for j := i + 1; j < min(i+3, n); j++ {
			taken += stoneValue[j]
			lead[i] = max(lead[i], taken-lead[j+1])
		}
	}
	switch {
	case lead[0] > 0:
		return "Alice"
	case lead[0] < 0:
		return "Bob"
	}
	return "Tie"
}
