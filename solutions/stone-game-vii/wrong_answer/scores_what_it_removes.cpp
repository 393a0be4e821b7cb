// Fault: scores the stone that is removed instead of those that remain.
class Solution {
public:
    int stoneGameVII(vector<int>& stones) {
        int n = stones.size();
        vector<int> lead(stones);
        for (int width = 1; width < n; ++width) {
            for (int left = 0; left + width < n; ++left) lead[left] = max(stones[left] - lead[left + 1], stones[left + width] - lead[left]);
        }
        return lead[0];
    }
};
