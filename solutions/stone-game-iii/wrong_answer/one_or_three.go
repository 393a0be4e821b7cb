// Fault: a move of two piles is left out.
func stoneGameIII(stoneValue []int) string {
	n := len(stoneValue)
	lead := make([]int, n+1)
	for i := n - 1; i >= 0; i-- {
		lead[i] = stoneValue[i] - lead[i+1]
		if i+3 <= n {
			taken := stoneValue[i] + stoneValue[i+1] + stoneValue[i+2]
			lead[i] = max(lead[i], taken-lead[i+3])
		}
	}
	if lead[0] > 0 {
		return "Alice"
	}
	if lead[0] < 0 {
		return "Bob"
	}
	return "Tie"
}
