// Fault: with an even number of zeros one of the other remainders is taken for enough.
func stoneGameIX(stones []int) bool {
	var count [3]int
	for _, stone := range stones {
		count[stone%3]++
	}
	if count[0]%2 == 0 {
		return count[1] > 0 || count[2] > 0
	}
	return max(count[1], count[2])-min(count[1], count[2]) > 2
}
