// Memoised search from the front: the best lead of the player who faces the piles from `from` on.
class Solution {
    vector<int> piles;
    vector<optional<int>> known;

    int lead(int from) {
        if (from == (int)piles.size()) return 0;
        if (known[from]) return *known[from];
        int best = numeric_limits<int>::min();
        int taken = 0;
        for (int next = from + 1; next <= min<int>(from + 3, piles.size()); ++next) {
            taken += piles[next - 1];
            best = max(best, taken - lead(next));
        }
        known[from] = best;
        return best;
    }

public:
    string stoneGameIII(vector<int>& stoneValue) {
        piles = stoneValue;
        known.assign(piles.size(), nullopt);
        int result = lead(0);
        return result == 0 ? "Tie" : result > 0 ? "Alice" : "Bob";
    }
};
