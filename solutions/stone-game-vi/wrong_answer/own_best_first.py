# Fault: each player takes what is worth most to himself and never hinders the other.
class Solution:
    def stoneGameVI(self, aliceValues: List[int], bobValues: List[int]) -> int:
        n = len(aliceValues)
        hers = sorted(range(n), key=lambda i: -aliceValues[i])
        his = sorted(range(n), key=lambda i: -bobValues[i])
        gone = [False] * n
        lead = at = bt = 0
        for turn in range(n):
            if turn % 2 == 0:
                while gone[hers[at]]:
                    at += 1
                gone[hers[at]] = True
                lead += aliceValues[hers[at]]
            else:
                while gone[his[bt]]:
                    bt += 1
                gone[his[bt]] = True
                lead -= bobValues[his[bt]]
        return (lead > 0) - (lead < 0)
