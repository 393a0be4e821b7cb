# The cut at half of the sum only moves forward; prefix and suffix maxima say what either side of it is worth.
class Solution:
    def stoneGameV(self, stoneValue: List[int]) -> int:
        n = len(stoneValue)
        prefix = [0, *accumulate(stoneValue)]
        left = [[0] * n for _ in range(n)]
        right = [[0] * n for _ in range(n)]
        score = 0
        for i in reversed(range(n)):
            left[i][i] = right[i][i] = stoneValue[i]
            cut = i
            score = 0
            for j in range(i + 1, n):
                total = prefix[j + 1] - prefix[i]
                while 2 * (prefix[cut + 1] - prefix[i]) < total:
                    cut += 1
                score = right[cut + 1][j] if cut < j else 0
                if cut > i:
                    score = max(score, left[i][cut - 1])
                if 2 * (prefix[cut + 1] - prefix[i]) == total:
                    score = max(score, left[i][cut])
                left[i][j] = max(left[i][j - 1], total + score)
                right[i][j] = max(right[i + 1][j], total + score)
        return score
