# Fault: the table of squares stops short of the largest.
from typing import List


class Solution:
    def winnerSquareGame(self, n: int) -> bool:
        squares: List[int] = [root * root for root in range(1, 300)]
        won = [False] * (n + 1)
        for heap in range(1, n + 1):
            for square in squares:
                if square > heap:
                    break
                if not won[heap - square]:
                    won[heap] = True
                    break
        return won[n]
