# Fault: piles are counted one by one without asking whether there are so many.
class Solution:
    def stoneGameII(self, piles: List[int]) -> int:
        @cache
        def lead(i, m):
            if i == len(piles):
                return 0
            taken, best = 0, -inf
            for x in range(1, 2 * m + 1):
                taken += piles[i + x - 1]
                best = max(best, taken - lead(i + x, max(m, x)))
            return best

        return (sum(piles) + lead(0, 1)) // 2
