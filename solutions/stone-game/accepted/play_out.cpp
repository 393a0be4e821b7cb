// Plays the game out along the table of best leads, and counts what each of the two takes.
class Solution {
public:
    bool stoneGame(vector<int>& piles) {
        size_t n = piles.size();
        vector<vector<int>> lead(n, vector<int>(n));
        for (size_t left = n; left-- > 0;) {
            lead[left][left] = piles[left];
            for (size_t right = left + 1; right < n; ++right) {
                lead[left][right] = max(piles[left] - lead[left + 1][right], piles[right] - lead[left][right - 1]);
            }
        }
        int alice = 0, bob = 0;
        size_t left = 0, right = n - 1;
        for (size_t turn = 0; turn < n; ++turn) {
            bool fromLeft = left == right || lead[left][right] == piles[left] - lead[left + 1][right];
            int taken = fromLeft ? piles[left++] : piles[right--];
            (turn % 2 == 0 ? alice : bob) += taken;
        }
        return alice > bob;
    }
};
