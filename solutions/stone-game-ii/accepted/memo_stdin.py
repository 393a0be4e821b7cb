# Memoised search; when 2M reaches the end, the mover takes everything.
import sys
from functools import cache

sys.setrecursionlimit(10_000)


def stone_game_ii(piles):
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


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(stone_game_ii(numbers[1:]))
