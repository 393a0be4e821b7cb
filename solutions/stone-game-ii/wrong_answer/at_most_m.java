// Fault: X is at most M + 1 instead of 2M, which is the same only at the beginning.
class Solution {
    public int stoneGameII(int[] piles) {
        int n = piles.length;
        int[][] most = new int[n + 1][n + 2];
        int rest = 0;
        for (int i = n - 1; i >= 0; i--) {
            rest += piles[i];
            for (int m = 1; m <= n; m++) {
                int opponent = rest;
                for (int x = 1; x <= Math.min(m + 1, n - i); x++) {
                    opponent = Math.min(opponent, most[i + x][Math.max(m, x)]);
                }
                most[i][m] = rest - opponent;
            }
        }
        return most[0][1];
    }
}
