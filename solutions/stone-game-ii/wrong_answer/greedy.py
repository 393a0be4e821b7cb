# Fault: always takes as many piles as it may.
class Solution:
    def stoneGameII(self, piles: List[int]) -> int:
        alice, i, m, turn = 0, 0, 1, 0
        while i < len(piles):
            x = 2 * m
            if turn == 0:
                alice += sum(piles[i:i + x])
            i += x
            m = max(m, x)
            turn = 1 - turn
        return alice
