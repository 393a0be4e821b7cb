# Fault: always takes the larger end, whatever that opens to the opponent.
class Solution:
    def stoneGame(self, piles: List[int]) -> bool:
        left, right = 0, len(piles) - 1
        totals = [0, 0]
        for turn in range(len(piles)):
            if piles[left] > piles[right]:
                totals[turn % 2] += piles[left]
                left += 1
            else:
                totals[turn % 2] += piles[right]
                right -= 1
        return totals[0] > totals[1]
