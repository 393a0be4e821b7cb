// Recursion over the first stone that a move may end at, one level for each stone.
func stoneGameVIII(stones []int) int {
	n := len(stones)
	prefix := make([]int, n)
	sum := 0
	for i, stone := range stones {
		sum += stone
		prefix[i] = sum
	}
	known := make([]bool, n)
	lead := make([]int, n)
	var search func(i int) int
	search = func(i int) int {
		if i == n-1 {
			return prefix[i]
		}
		if !known[i] {
			known[i] = true
			later := search(i + 1)
			lead[i] = max(later, prefix[i]-later)
		}
		return lead[i]
	}
	return search(1)
}
