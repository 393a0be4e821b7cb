# Memoised search from the front for the best lead of whoever moves.
class Solution:
    def stoneGameIII(self, stoneValue: List[int]) -> str:
        n = len(stoneValue)

        @cache
        def lead(start: int) -> int:
            if start == n:
                return 0
            taken = 0
            best = -inf
            for end in range(start + 1, min(start + 3, n) + 1):
                taken += stoneValue[end - 1]
                best = max(best, taken - lead(end))
            return best

        outcome = lead(0)
        if outcome > 0:
            return "Alice"
        return "Bob" if outcome < 0 else "Tie"
