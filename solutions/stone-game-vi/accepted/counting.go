// Counts how often each sum of both values occurs, and shares each sum out in turns.
func stoneGameVI(aliceValues []int, bobValues []int) int {
	var count [201]int
	lead := 0
	for i, a := range aliceValues {
		count[a+bobValues[i]]++
		lead -= bobValues[i]
	}
	turn := 0
	for sum := 200; sum > 0; sum-- {
		for ; count[sum] > 0; count[sum]-- {
			if turn%2 == 0 {
				lead += sum
			}
			turn++
		}
	}
	switch {
	case lead > 0:
		return 1
	case lead < 0:
		return -1
	}
	return 0
}
