// Fault: of two equal parts the left one is always kept.
class Solution {
public:
    int stoneGameV(vector<int>& stoneValue) {
        int n = stoneValue.size();
        vector<int> prefix(n + 1, 0);
        for (int i = 0; i < n; ++i) prefix[i + 1] = prefix[i] + stoneValue[i];
        vector<vector<int>> score(n + 1, vector<int>(n + 1, 0));
        for (int width = 2; width <= n; ++width) {
            for (int i = 0, j = width; j <= n; ++i, ++j) {
                int best = 0;
                for (int cut = i + 1; cut < j; ++cut) {
                    int left = prefix[cut] - prefix[i], right = prefix[j] - prefix[cut];
                    if (left <= right) best = max(best, left + score[i][cut]);
                    if (right < left) best = max(best, right + score[cut][j]);
                }
                score[i][j] = best;
            }
        }
        return score[0][n];
    }
};
