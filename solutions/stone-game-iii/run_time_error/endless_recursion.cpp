// Fault: the end is tested by equality after steps of up to three, so the search runs past it for ever.
class Solution {
    unordered_map<int, int> known;

    int lead(const vector<int>& values, int start) {
        if (start == (int)values.size()) return 0;
        if (auto found = known.find(start); found != known.end()) return found->second;
        int best = INT_MIN, taken = 0;
        for (int step = 1; step <= 3; ++step) {
            int at = start + step - 1;
            taken += at < (int)values.size() ? values[at] : 0;
            best = max(best, taken - lead(values, start + step));
        }
        return known[start] = best;
    }

public:
    string stoneGameIII(vector<int>& stoneValue) {
        int result = lead(stoneValue, 0);
        return result > 0 ? "Alice" : result < 0 ? "Bob" : "Tie";
    }
};
