# Fault: Alice always merges all stones at once.
class Solution:
    def stoneGameVIII(self, stones: List[int]) -> int:
        return sum(stones)
