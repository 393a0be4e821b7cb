// Fault: the search remembers nothing, so the number of calls grows as 1.84 to the power n.
class Solution {
    int lead(const vector<int>& values, size_t start) {
        if (start == values.size()) return 0;
        int best = INT_MIN, taken = 0;
        for (size_t end = start; end < min(values.size(), start + 3); ++end) {
            taken += values[end];
            best = max(best, taken - lead(values, end + 1));
        }
        return best;
    }

public:
    string stoneGameIII(vector<int>& stoneValue) {
        int result = lead(stoneValue, 0);
        return result > 0 ? "Alice" : result < 0 ? "Bob" : "Tie";
    }
};
