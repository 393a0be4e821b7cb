# Fault: only words made of digits are read, so every negative pile vanishes from the row.
import sys


def main():
    numbers = [int(word) for word in sys.stdin.read().split() if word.isdigit()]
    values = numbers[1:]
    n = len(values)
    lead = [0] * (n + 1)
    for i in range(n - 1, -1, -1):
        lead[i] = max(sum(values[i:j]) - lead[j] for j in range(i + 1, min(i + 3, n) + 1))
    print("Alice" if lead[0] > 0 else "Bob" if lead[0] < 0 else "Tie")


main()
