// Fault: keeps the sum of every stretch of the row in a table of n × n cells. touchstone: expect MLE
class Solution {
public:
    string stoneGameIII(vector<int>& stoneValue) {
        int n = stoneValue.size();
        vector<vector<int>> sum(n);
        for (int i = 0; i < n; ++i) {
            sum[i].assign(n, 0);
            int running = 0;
            for (int j = i; j < n; ++j) sum[i][j] = running += stoneValue[j];
        }
        vector<int> lead(n + 1, 0);
        for (int i = n - 1; i >= 0; --i) {
            lead[i] = INT_MIN;
            for (int j = i; j < min(n, i + 3); ++j) lead[i] = max(lead[i], sum[i][j] - lead[j + 1]);
        }
        return lead[0] > 0 ? "Alice" : lead[0] < 0 ? "Bob" : "Tie";
    }
};
