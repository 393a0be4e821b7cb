// Fault: tries every order of the three kinds of stones and remembers nothing.
class Solution {
public:
    bool stoneGameIX(vector<int>& stones) {
        int count[3] = {};
        for (int stone : stones) count[stone % 3]++;
        function<bool(int, int)> wins = [&](int sum, int turn) -> bool {
            if (count[0] + count[1] + count[2] == 0) return turn == 1;
            bool found = false;
            for (int kind = 0; kind < 3; ++kind) {
                if (count[kind] == 0 || (sum + kind) % 3 == 0) continue;
                count[kind]--;
                found |= !wins((sum + kind) % 3, 1 - turn);
                count[kind]++;
            }
            return found;
        };
        return wins(0, 0);
    }
};
