# Whole rows at once: leads and sums of all stretches of one width.
class Solution:
    def stoneGameVII(self, stones: List[int]) -> int:
        n = len(stones)
        lead = [0] * n
        sums = stones[:]
        for width in range(1, n):
            lead = [max(b - y, a - x) for a, b, x, y in zip(sums, sums[1:], lead, lead[1:])]
            sums = [a + stone for a, stone in zip(sums, stones[width:])]
        return lead[0]
