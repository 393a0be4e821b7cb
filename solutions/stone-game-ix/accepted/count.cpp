// Only remainders by 3 matter: an even number of zeros asks for both others, an odd one for a difference above two.
class Solution {
public:
    bool stoneGameIX(vector<int>& stones) {
        int count[3] = {};
        for (int stone : stones) count[stone % 3]++;
        if (count[0] % 2 == 0) return count[1] > 0 && count[2] > 0;
        return abs(count[1] - count[2]) > 2;
    }
};
