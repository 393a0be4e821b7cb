// Memoised search over stretches of the row.
func stoneGame(piles []int) bool {
	n := len(piles)
	lead := make([]int, n*n)
	known := make([]bool, n*n)
	var search func(left, right int) int
	search = func(left, right int) int {
		if left > right {
			return 0
		}
		at := left*n + right
		if !known[at] {
			known[at] = true
			lead[at] = max(piles[left]-search(left+1, right), piles[right]-search(left, right-1))
		}
		return lead[at]
	}
	return search(0, n-1) > 0
}
