# Fault: every prefix is summed again, which is quadratic.
class Solution:
    def stoneGameVIII(self, stones: List[int]) -> int:
        lead = sum(stones)
        for i in range(len(stones) - 2, 0, -1):
            lead = max(lead, sum(stones[:i + 1]) - lead)
        return lead
