// Fault: a move that takes a single stone is allowed.
class Solution {
public:
    int stoneGameVIII(vector<int>& stones) {
        int n = stones.size();
        vector<int> prefix(n);
        partial_sum(stones.begin(), stones.end(), prefix.begin());
        int lead = prefix[n - 1];
        for (int i = n - 2; i >= 0; --i) lead = max(lead, prefix[i] - lead);
        return lead;
    }
};
