# Fault: takes the piles with the largest sum now and never thinks of what the opponent gets after.
class Solution:
    def stoneGameIII(self, stoneValue: List[int]) -> str:
        totals = [0, 0]
        start = turn = 0
        while start < len(stoneValue):
            options = list(accumulate(stoneValue[start:start + 3]))
            best = max(options)
            totals[turn] += best
            start += options.index(best) + 1
            turn = 1 - turn
        alice, bob = totals
        return "Alice" if alice > bob else "Bob" if bob > alice else "Tie"
