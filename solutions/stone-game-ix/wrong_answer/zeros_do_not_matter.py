# Fault: stones that are multiples of 3 are left out of account.
class Solution:
    def stoneGameIX(self, stones: List[int]) -> bool:
        ones = sum(stone % 3 == 1 for stone in stones)
        twos = sum(stone % 3 == 2 for stone in stones)
        return ones > 0 and twos > 0
