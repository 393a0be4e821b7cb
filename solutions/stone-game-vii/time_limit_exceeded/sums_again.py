# Fault: the rest is added up again, stone by stone, for every stretch, which is cubic.
class Solution:
    def stoneGameVII(self, stones: List[int]) -> int:
        def rest(start, end):
            total = 0
            for i in range(start, end):
                total += stones[i]
            return total

        n = len(stones)
        lead = [0] * n
        for width in range(1, n):
            lead = [
                max(rest(i + 1, i + width + 1) - lead[i + 1], rest(i, i + width) - lead[i]) for i in range(n - width)
            ]
        return lead[0]
