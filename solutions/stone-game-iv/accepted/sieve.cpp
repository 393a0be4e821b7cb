// A heap is won when some square leads to a heap that is lost.
class Solution {
public:
    bool winnerSquareGame(int n) {
        vector<char> won(n + 1, false);
        for (int heap = 1; heap <= n; ++heap) {
            for (int root = 1; root * root <= heap && !won[heap]; ++root) won[heap] = !won[heap - root * root];
        }
        return won[n];
    }
};
