// Fault: the best lead starts at 0, as if a player who can only lose points could pass.
class Solution {
public:
    string stoneGameIII(vector<int>& stoneValue) {
        int n = stoneValue.size();
        vector<int> lead(n + 1, 0);
        for (int i = n - 1; i >= 0; --i) {
            int best = 0, taken = 0;
            for (int j = i; j < min(n, i + 3); ++j) {
                taken += stoneValue[j];
                best = max(best, taken - lead[j + 1]);
            }
            lead[i] = best;
        }
        if (lead[0] == 0) return "Tie";
        return lead[0] > 0 ? "Alice" : "Bob";
    }
};
