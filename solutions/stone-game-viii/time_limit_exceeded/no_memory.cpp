// Fault: the search remembers nothing.
class Solution {
public:
    int stoneGameVIII(vector<int>& stones) {
        int n = stones.size();
        vector<int> prefix(n);
        partial_sum(stones.begin(), stones.end(), prefix.begin());
        function<int(int)> lead = [&](int from) -> int {
            int best = prefix[n - 1];
            for (int end = from; end < n - 1; ++end) best = max(best, prefix[end] - lead(end + 1));
            return best;
        };
        return lead(1);
    }
};
