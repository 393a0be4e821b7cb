// Fault: a single stone scores its own value, though nothing remains when it is removed.
func stoneGameVII(stones []int) int {
	n := len(stones)
	lead := make([]int, n)
	for left := n - 1; left >= 0; left-- {
		inside := 0
		lead[left] = stones[left]
		for right := left + 1; right < n; right++ {
			inside += stones[right]
			lead[right] = max(inside-lead[right], inside+stones[left]-stones[right]-lead[right-1])
		}
	}
	return lead[n-1]
}
