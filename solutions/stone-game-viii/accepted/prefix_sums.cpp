// A move scores the prefix sum up to where it reaches; the best of stopping there or going further.
class Solution {
public:
    int stoneGameVIII(vector<int>& stones) {
        int n = stones.size();
        vector<int> prefix(n);
        partial_sum(stones.begin(), stones.end(), prefix.begin());
        int lead = prefix[n - 1];
        for (int i = n - 2; i >= 1; --i) lead = max(lead, prefix[i] - lead);
        return lead;
    }
};
