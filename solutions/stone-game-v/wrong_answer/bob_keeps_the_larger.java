// Fault: the part with the larger sum is kept.
class Solution {
    public int stoneGameV(int[] stoneValue) {
        int n = stoneValue.length;
        int[] prefix = new int[n + 1];
        for (int i = 0; i < n; i++) {
            prefix[i + 1] = prefix[i] + stoneValue[i];
        }
        int[][] score = new int[n + 1][n + 1];
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 2; j <= n; j++) {
                for (int cut = i + 1; cut < j; cut++) {
                    int left = prefix[cut] - prefix[i];
                    int right = prefix[j] - prefix[cut];
                    int kept = left >= right ? left + score[i][cut] : right + score[cut][j];
                    score[i][j] = Math.max(score[i][j], kept);
                }
            }
        }
        return score[0][n];
    }
}
