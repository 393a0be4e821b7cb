// Fault: with an odd number of zeros a difference of two is taken for enough.
class Solution {
public:
    bool stoneGameIX(vector<int>& stones) {
        int count[3] = {};
        for (int stone : stones) count[stone % 3]++;
        if (count[0] % 2 == 0) return count[1] > 0 && count[2] > 0;
        return abs(count[1] - count[2]) > 1;
    }
};
