// Fault: tries every order in which stones can be taken.
class Solution {
public:
    int stoneGameVI(vector<int>& aliceValues, vector<int>& bobValues) {
        int stones = aliceValues.size();
        vector<char> gone(stones, false);
        function<int(int)> best = [&](int turn) -> int {
            if (turn == stones) return 0;
            int found = INT_MIN;
            for (int i = 0; i < stones; ++i) {
                if (gone[i]) continue;
                gone[i] = true;
                found = max(found, (turn % 2 == 0 ? aliceValues[i] : bobValues[i]) - best(turn + 1));
                gone[i] = false;
            }
            return found;
        };
        int lead = best(0);
        return (lead > 0) - (lead < 0);
    }
};
