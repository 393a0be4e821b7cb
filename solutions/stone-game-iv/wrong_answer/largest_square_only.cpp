// Fault: only the largest square is tried.
class Solution {
public:
    bool winnerSquareGame(int n) {
        vector<char> won(n + 1, false);
        for (int heap = 1, root = 1; heap <= n; ++heap) {
            while ((root + 1) * (root + 1) <= heap) ++root;
            won[heap] = !won[heap - root * root];
        }
        return won[n];
    }
};
