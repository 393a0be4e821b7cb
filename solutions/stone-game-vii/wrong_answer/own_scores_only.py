# Fault: Bob takes what gives himself most at once instead of what keeps the difference small.
import sys


def stone_game_vii(stones):
    n = len(stones)
    left, right = 0, n - 1
    rest = sum(stones)
    lead = 0
    while left < right:
        first, last = stones[left], stones[right]
        drop_first = first + min(stones[left + 1], last) < last + min(first, stones[right - 1])
        rest -= first if drop_first else last
        left, right = (left + 1, right) if drop_first else (left, right - 1)
        lead += rest if (n - 1 - (right - left)) % 2 == 1 else -rest
    return lead


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(stone_game_vii(numbers[1:]))
