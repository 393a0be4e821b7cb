// Heaps in ascending order, each asking the heaps a square below it.
class Solution {
    public boolean winnerSquareGame(int n) {
        boolean[] won = new boolean[n + 1];
        for (int heap = 1; heap <= n; heap++) {
            for (int root = 1; root * root <= heap; root++) {
                if (!won[heap - root * root]) {
                    won[heap] = true;
                    break;
                }
            }
        }
        return won[n];
    }
}
