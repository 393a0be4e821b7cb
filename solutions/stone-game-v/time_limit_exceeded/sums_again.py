# Fault: both parts are summed again for every cut of every stretch.
class Solution:
    def stoneGameV(self, stoneValue: List[int]) -> int:
        n = len(stoneValue)
        score = [[0] * (n + 1) for _ in range(n + 1)]
        for i in reversed(range(n)):
            for j in range(i + 2, n + 1):
                best = 0
                for cut in range(i + 1, j):
                    left, right = sum(stoneValue[i:cut]), sum(stoneValue[cut:j])
                    if left <= right:
                        best = max(best, left + score[i][cut])
                    if right <= left:
                        best = max(best, right + score[cut][j])
                score[i][j] = best
        return score[0][n]
