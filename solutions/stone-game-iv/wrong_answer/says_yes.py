# Fault: most heaps are won, so it says that all are.
import sys


def winner_square_game(n):
    return True


n = int(input())
print(str(winner_square_game(n)).lower())
