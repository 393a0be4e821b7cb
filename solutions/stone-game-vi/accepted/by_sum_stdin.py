# Her lead is the sum of a + b over her stones, less all of b: both players fight over the same numbers.
import sys


def stone_game_vi(aliceValues, bobValues):
    both = sorted((a + b for a, b in zip(aliceValues, bobValues)), reverse=True)
    lead = sum(both[::2]) - sum(bobValues)
    return (lead > 0) - (lead < 0)


numbers = list(map(int, sys.stdin.buffer.read().split()))
n = numbers[0]
print(stone_game_vi(numbers[1:n + 1], numbers[n + 1:]))
