# Fault: plays the forced games on a sorted list, and searches it from its front for each stone.
class Solution:
    def stoneGameIX(self, stones: List[int]) -> bool:
        def wins(first):
            left = sorted(stone % 3 for stone in stones)
            if first not in left:
                return False
            left.remove(first)
            sum_so_far, turns = first, 1
            while sum_so_far in left:
                left.remove(sum_so_far)
                sum_so_far = sum_so_far * 2 % 3
                turns += 1
            turns += left.count(0)
            return left.count(0) < len(left) and turns % 2 == 1

        return wins(1) or wins(2)
