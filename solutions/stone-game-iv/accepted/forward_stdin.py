# Every heap that nothing has won yet is lost, and it wins the heaps a square above it.
import sys


def winner_square_game(n):
    won = [False] * (n + 1)
    squares = [root * root for root in range(1, int(n ** 0.5) + 1)]
    for heap in range(n):
        if not won[heap]:
            for square in squares:
                if heap + square > n:
                    break
                won[heap + square] = True
    return won[n]


n = int(input())
print(str(winner_square_game(n)).lower())
