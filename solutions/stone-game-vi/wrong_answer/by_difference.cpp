// Fault: stones are ordered by the difference of the two values instead of their sum.
class Solution {
public:
    int stoneGameVI(vector<int>& aliceValues, vector<int>& bobValues) {
        int stones = aliceValues.size();
        vector<int> order(stones);
        iota(order.begin(), order.end(), 0);
        sort(order.begin(), order.end(), [&](int x, int y) { return aliceValues[x] - bobValues[x] > aliceValues[y] - bobValues[y]; });
        int lead = 0;
        for (int turn = 0; turn < stones; ++turn) lead += turn % 2 == 0 ? aliceValues[order[turn]] : -bobValues[order[turn]];
        return (lead > 0) - (lead < 0);
    }
};
