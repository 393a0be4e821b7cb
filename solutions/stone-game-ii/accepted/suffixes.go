// Bottom up over suffixes of the row and values of M.
func stoneGameII(piles []int) int {
	n := len(piles)
	most := make([][]int, n+1)
	for i := range most {
		most[i] = make([]int, n+1)
	}
	rest := 0
	for i := n - 1; i >= 0; i-- {
		rest += piles[i]
		for m := 1; m <= n; m++ {
			opponent := rest
			for x := 1; x <= min(2*m, n-i); x++ {
				opponent = min(opponent, most[i+x][max(m, x)])
			}
			most[i][m] = rest - opponent
		}
	}
	return most[0][1]
}
