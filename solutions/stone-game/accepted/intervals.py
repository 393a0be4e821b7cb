# The best lead on each stretch of the row, from the stretches one shorter.
class Solution:
    def stoneGame(self, piles: List[int]) -> bool:
        lead = piles[:]
        n = len(piles)
        for width in range(1, n):
            lead = [max(piles[i] - lead[i + 1], piles[i + width] - lead[i]) for i in range(n - width)]
        return lead[0] > 0
