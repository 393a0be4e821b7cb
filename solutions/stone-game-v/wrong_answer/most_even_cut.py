# Fault: always cuts where the smaller part is as large as it can be.
class Solution:
    def stoneGameV(self, stoneValue: List[int]) -> int:
        score = 0
        row = stoneValue
        while len(row) > 1:
            total, left, best = sum(row), 0, (-1, 0)
            for cut in range(1, len(row)):
                left += row[cut - 1]
                best = max(best, (min(left, total - left), cut))
            score += best[0]
            cut = best[1]
            row = row[:cut] if 2 * sum(row[:cut]) <= total else row[cut:]
        return score
