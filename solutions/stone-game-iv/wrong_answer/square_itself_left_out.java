// Fault: a heap that is a square itself is not taken whole, since the loop ends before it.
class Solution {
    public boolean winnerSquareGame(int n) {
        boolean[] won = new boolean[n + 1];
        for (int heap = 1; heap <= n; heap++) {
            for (int root = 1; root * root < heap; root++) {
                if (!won[heap - root * root]) {
                    won[heap] = true;
                    break;
                }
            }
        }
        return won[n];
    }
}
