# Fault: only a square is thought to be won.
class Solution:
    def winnerSquareGame(self, n: int) -> bool:
        root = int(n ** 0.5)
        return root * root == n
