# Fault: the rest is summed again for every stretch, which is cubic.
class Solution:
    def stoneGameVII(self, stones: List[int]) -> int:
        n = len(stones)
        lead = [0] * n
        for width in range(1, n):
            lead = [max(sum(stones[i + 1:i + width + 1]) - lead[i + 1], sum(stones[i:i + width]) - lead[i]) for i in range(n - width)]
        return lead[0]
