# Fault: the rest of the row is copied and summed again for every candidate move, which is quadratic.
class Solution:
    def stoneGameIII(self, stoneValue: List[int]) -> str:
        n = len(stoneValue)
        total = [0] * (n + 1)
        for i in range(n - 1, -1, -1):
            total[i] = max(sum(stoneValue[i:]) - total[j] for j in range(i + 1, min(i + 3, n) + 1))
        bob = sum(stoneValue) - total[0]
        if total[0] == bob:
            return "Tie"
        return "Alice" if total[0] > bob else "Bob"
