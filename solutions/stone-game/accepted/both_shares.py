# What the player who moves gets on each stretch, and what the other gets.
class Solution:
    def stoneGame(self, piles: List[int]) -> bool:
        n = len(piles)
        shares = [(pile, 0) for pile in piles]
        for width in range(1, n):
            for left in range(n - width):
                from_left = (piles[left] + shares[left + 1][1], shares[left + 1][0])
                from_right = (piles[left + width] + shares[left][1], shares[left][0])
                shares[left] = max(from_left, from_right)
        alice, bob = shares[0]
        return alice > bob
