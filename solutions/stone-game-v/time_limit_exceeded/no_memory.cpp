// Fault: the search remembers nothing.
class Solution {
public:
    int stoneGameV(vector<int>& stoneValue) {
        function<int(int, int)> score = [&](int i, int j) -> int {
            int best = 0;
            for (int cut = i + 1; cut < j; ++cut) {
                int left = accumulate(stoneValue.begin() + i, stoneValue.begin() + cut, 0);
                int right = accumulate(stoneValue.begin() + cut, stoneValue.begin() + j, 0);
                if (left <= right) best = max(best, left + score(i, cut));
                if (right <= left) best = max(best, right + score(cut, j));
            }
            return best;
        };
        return score(0, stoneValue.size());
    }
};
