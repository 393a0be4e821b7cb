# By the counts of the three remainders.
import sys


def stone_game_ix(stones):
    zeros, ones, twos = (sum(stone % 3 == remainder for stone in stones) for remainder in range(3))
    if zeros % 2 == 0:
        return min(ones, twos) > 0
    return abs(ones - twos) > 2


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(str(stone_game_ix(numbers[1:])).lower())
