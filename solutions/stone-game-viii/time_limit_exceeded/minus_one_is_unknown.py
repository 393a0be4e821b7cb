# Fault: -1 stands for "not known yet", and leads may be -1: such a lead is worked out twice at every call.
class Solution:
    def stoneGameVIII(self, stones: List[int]) -> int:
        prefix = list(accumulate(stones))
        leads = [-1] * len(stones)

        def lead(end: int) -> int:
            if end == len(stones) - 1:
                return prefix[end]
            if leads[end] == -1:
                leads[end] = max(lead(end + 1), prefix[end] - lead(end + 1))
            return leads[end]

        return lead(1)
