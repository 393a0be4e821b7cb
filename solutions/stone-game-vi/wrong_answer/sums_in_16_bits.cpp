// Fault: what each of them has is kept in 16 bits.
class Solution {
public:
    int stoneGameVI(vector<int>& aliceValues, vector<int>& bobValues) {
        int n = aliceValues.size();
        vector<int> order(n);
        iota(order.begin(), order.end(), 0);
        sort(order.begin(), order.end(), [&](int one, int other) {
            return aliceValues[one] + bobValues[one] > aliceValues[other] + bobValues[other];
        });
        short alice = 0, bob = 0;
        for (int turn = 0; turn < n; turn++) {
            if (turn % 2 == 0) alice += aliceValues[order[turn]];
            else bob += bobValues[order[turn]];
        }
        return alice > bob ? 1 : alice < bob ? -1 : 0;
    }
};
