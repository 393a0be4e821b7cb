# By the counts of the three remainders.
class Solution:
    def stoneGameIX(self, stones: List[int]) -> bool:
        zeros, ones, twos = (sum(stone % 3 == remainder for stone in stones) for remainder in range(3))
        if zeros % 2 == 0:
            return min(ones, twos) > 0
        return abs(ones - twos) > 2
