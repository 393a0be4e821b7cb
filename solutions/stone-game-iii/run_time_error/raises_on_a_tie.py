# Fault: a tie is looked up in a table that has no entry for it.
class Solution:
    def stoneGameIII(self, stoneValue: List[int]) -> str:
        n = len(stoneValue)
        lead = [0] * (n + 1)
        for i in reversed(range(n)):
            sums = accumulate(stoneValue[i:i + 3])
            lead[i] = max(taken - lead[i + k] for k, taken in enumerate(sums, 1))
        sign = (lead[0] > 0) - (lead[0] < 0)
        return {1: "Alice", -1: "Bob"}[sign]
