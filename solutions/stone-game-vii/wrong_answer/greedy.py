# Fault: both remove the smaller end without looking ahead.
class Solution:
    def stoneGameVII(self, stones: List[int]) -> int:
        left, right = 0, len(stones) - 1
        rest = sum(stones)
        lead = 0
        for turn in range(len(stones)):
            if stones[left] < stones[right]:
                rest -= stones[left]
                left += 1
            else:
                rest -= stones[right]
                right -= 1
            lead += rest if turn % 2 == 0 else -rest
        return lead
