# Fault: searches all remaining stones for the best one in every turn, which is quadratic.
import sys


def stone_game_vi(aliceValues, bobValues):
    both = [a + b for a, b in zip(aliceValues, bobValues)]
    lead = -sum(bobValues)
    for turn in range(len(both)):
        best = both.pop(both.index(max(both)))
        if turn % 2 == 0:
            lead += best
    return (lead > 0) - (lead < 0)


numbers = list(map(int, sys.stdin.buffer.read().split()))
n = numbers[0]
print(stone_game_vi(numbers[1:n + 1], numbers[n + 1:]))
