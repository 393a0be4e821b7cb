# Her lead is the sum of a + b over her stones, less all of b: both players fight over the same numbers.
class Solution:
    def stoneGameVI(self, aliceValues: List[int], bobValues: List[int]) -> int:
        both = sorted((a + b for a, b in zip(aliceValues, bobValues)), reverse=True)
        lead = sum(both[::2]) - sum(bobValues)
        return (lead > 0) - (lead < 0)
