# Wrong: starts at 0, which is no sum of at least one value, and is too large when all values are negative.
n = int(input())
best = ending_here = 0
for value in map(int, input().split()):
    ending_here = max(value, ending_here + value)
    best = max(best, ending_here)
print(best)
