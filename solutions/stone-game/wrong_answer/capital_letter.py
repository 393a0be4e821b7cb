# Fault: prints the word as Python writes it, with a capital letter.
n = int(input())
piles = list(map(int, input().split()))
even, odd = sum(piles[::2]), sum(piles[1::2])
print(max(even, odd) * 2 > even + odd)
