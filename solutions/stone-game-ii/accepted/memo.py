# Memoised search; when 2M reaches the end, the mover takes everything.
class Solution:
    def stoneGameII(self, piles: List[int]) -> int:
        n = len(piles)
        rest = [0] * (n + 1)
        for i in reversed(range(n)):
            rest[i] = rest[i + 1] + piles[i]

        @cache
        def most(i, m):
            if i + 2 * m >= n:
                return rest[i]
            return rest[i] - min(most(i + x, max(m, x)) for x in range(1, 2 * m + 1))

        return most(0, 1)
