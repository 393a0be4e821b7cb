// Fault: only the cuts near the even one are tried; the best may lie far from it.
class Solution {
public:
    int stoneGameV(vector<int>& stoneValue) {
        int n = stoneValue.size();
        vector<int> prefix(n + 1, 0);
        for (int i = 0; i < n; i++) prefix[i + 1] = prefix[i] + stoneValue[i];
        vector<vector<int>> score(n + 1, vector<int>(n + 1, 0));
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 2; j <= n; j++) {
                int half = prefix[i] + (prefix[j] - prefix[i] + 1) / 2;
                int middle = lower_bound(prefix.begin() + i + 1, prefix.begin() + j, half) - prefix.begin();
                for (int cut = max(i + 1, middle - 8); cut <= min(j - 1, middle + 8); cut++) {
                    int left = prefix[cut] - prefix[i], right = prefix[j] - prefix[cut];
                    if (left <= right) score[i][j] = max(score[i][j], left + score[i][cut]);
                    if (right <= left) score[i][j] = max(score[i][j], right + score[cut][j]);
                }
            }
        }
        return score[0][n];
    }
};
