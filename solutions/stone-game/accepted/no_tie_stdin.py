# Keeping to the even places or to the odd ones Alice gets at least half, and an odd total rules out a tie.
import sys


def stone_game(piles):
    return sum(piles) % 2 == 1


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(str(stone_game(numbers[1:])).lower())
