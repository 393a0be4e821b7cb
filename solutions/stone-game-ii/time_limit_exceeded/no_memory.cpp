// Fault: the search remembers nothing.
class Solution {
public:
    int stoneGameII(vector<int>& piles) {
        int n = piles.size();
        function<int(int, int)> lead = [&](int i, int m) -> int {
            if (i == n) return 0;
            int best = INT_MIN, taken = 0;
            for (int x = 1; x <= 2 * m && i + x <= n; ++x) {
                taken += piles[i + x - 1];
                best = max(best, taken - lead(i + x, max(m, x)));
            }
            return best;
        };
        return (accumulate(piles.begin(), piles.end(), 0) + lead(0, 1)) / 2;
    }
};
