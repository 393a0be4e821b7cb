# The best lead on each stretch of the row, from the stretches one shorter.
import sys


def stone_game(piles):
    lead = piles[:]
    n = len(piles)
    for width in range(1, n):
        lead = [max(piles[i] - lead[i + 1], piles[i + width] - lead[i]) for i in range(n - width)]
    return lead[0] > 0


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(str(stone_game(numbers[1:])).lower())
