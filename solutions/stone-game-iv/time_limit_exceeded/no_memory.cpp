// Fault: the search remembers nothing.
class Solution {
public:
    bool winnerSquareGame(int n) {
        function<bool(int)> wins = [&](int heap) -> bool {
            for (int root = 1; root * root <= heap; ++root) {
                if (!wins(heap - root * root)) return true;
            }
            return false;
        };
        return wins(n);
    }
};
