# The best sum that ends at each value: either the value alone, or the best sum that ends before it and the value.
class Solution:
    def FUNCTION(self, values: List[int]) -> int:
        best = ending_here = values[0]
        for value in values[1:]:
            ending_here = max(value, ending_here + value)
            best = max(best, ending_here)
        return best
