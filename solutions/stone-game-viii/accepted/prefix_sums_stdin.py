# Prefix sums from the back: stop here, or leave it to go further.
import sys
from itertools import accumulate


def stone_game_viii(stones):
    prefix = list(accumulate(stones))
    lead = prefix.pop()
    while len(prefix) > 1:
        lead = max(lead, prefix.pop() - lead)
    return lead


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(stone_game_viii(numbers[1:]))
