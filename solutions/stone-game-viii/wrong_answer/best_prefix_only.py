# Fault: Alice takes the largest prefix sum and Bob the rest, without any thought of later moves.
import sys
from itertools import accumulate


def stone_game_viii(stones):
    prefix = list(accumulate(stones))
    best = max(prefix[1:])
    return best if best == prefix[-1] else best - prefix[-1]


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(stone_game_viii(numbers[1:]))
