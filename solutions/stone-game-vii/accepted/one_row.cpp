// Stretches of one width at a time; leads and sums need one row each.
class Solution {
public:
    int stoneGameVII(vector<int>& stones) {
        int n = stones.size();
        vector<int> lead(n, 0), sum(stones);
        for (int width = 1; width < n; ++width) {
            for (int left = 0; left + width < n; ++left) {
                lead[left] = max(sum[left + 1] - lead[left + 1], sum[left] - lead[left]);
                sum[left] += stones[left + width];
            }
        }
        return lead[0];
    }
};
