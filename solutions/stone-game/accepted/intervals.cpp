// The best lead on each stretch of the row, shortest stretches first; one row of the table is enough.
class Solution {
public:
    bool stoneGame(vector<int>& piles) {
        vector<int> lead = piles;
        int n = piles.size();
        for (int width = 1; width < n; ++width) {
            for (int left = 0; left + width < n; ++left) {
                lead[left] = max(piles[left] - lead[left + 1], piles[left + width] - lead[left]);
            }
        }
        return lead[0] > 0;
    }
};
