# Fault: looks only at whether the sum of all stones is divisible by 3.
import sys


def stone_game_ix(stones):
    return sum(stones) % 3 != 0


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(str(stone_game_ix(numbers[1:])).lower())
