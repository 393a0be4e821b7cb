# Fault: every number up to the heap is tested for being a square, which is quadratic.
class Solution:
    def winnerSquareGame(self, n: int) -> bool:
        won = [False] * (n + 1)
        for heap in range(1, n + 1):
            won[heap] = any(int(taken ** 0.5) ** 2 == taken and not won[heap - taken] for taken in range(heap, 0, -1))
        return won[n]
