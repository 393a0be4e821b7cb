// Fault: scores the stone that a move ends at instead of the sum up to it.
func stoneGameVIII(stones []int) int {
	n := len(stones)
	lead := 0
	for _, stone := range stones {
		lead += stone
	}
	for i := n - 2; i >= 1; i-- {
		lead = max(lead, stones[i]-lead)
	}
	return lead
}
