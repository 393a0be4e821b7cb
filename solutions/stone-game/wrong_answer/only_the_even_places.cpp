// Fault: takes the even places for granted, though the odd ones may hold more.
class Solution {
public:
    bool stoneGame(vector<int>& piles) {
        int even = 0, odd = 0;
        for (size_t i = 0; i < piles.size(); ++i) (i % 2 == 0 ? even : odd) += piles[i];
        return even > odd;
    }
};
