# The leads of the next three positions are all that the backward walk needs.
import sys


def main() -> None:
    n, *values = map(int, sys.stdin.buffer.read().split())
    leads = [0, 0, 0]
    for i in reversed(range(n)):
        moves = range(1, min(3, n - i) + 1)
        best = max(sum(values[i:i + k]) - leads[k - 1] for k in moves)
        leads = [best, leads[0], leads[1]]
    print("Alice" if leads[0] > 0 else "Bob" if leads[0] < 0 else "Tie")


main()
