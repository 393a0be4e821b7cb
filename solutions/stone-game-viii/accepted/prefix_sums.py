# Prefix sums from the back: stop here, or leave it to go further.
class Solution:
    def stoneGameVIII(self, stones: List[int]) -> int:
        prefix = list(accumulate(stones))
        lead = prefix.pop()
        while len(prefix) > 1:
            lead = max(lead, prefix.pop() - lead)
        return lead
