# Fault: a best lead is remembered by the first pile of its row alone, so rows with other ends get it too.
import sys


def main():
    piles = list(map(int, sys.stdin.read().split()))[1:]
    known = {}

    def lead(first, last):
        if first > last:
            return 0
        if first not in known:
            from_left = piles[first] - lead(first + 1, last)
            from_right = piles[last] - lead(first, last - 1)
            known[first] = max(from_left, from_right)
        return known[first]

    print("true" if lead(0, len(piles) - 1) > 0 else "false")


sys.setrecursionlimit(10_000)
main()
