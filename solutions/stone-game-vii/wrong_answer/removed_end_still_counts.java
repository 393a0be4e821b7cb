// Fault: the removed stone is still in the sum that is scored.
class Solution {
    public int stoneGameVII(int[] stones) {
        int n = stones.length;
        int[] prefix = new int[n + 1];
        for (int i = 0; i < n; i++) {
            prefix[i + 1] = prefix[i] + stones[i];
        }
        int[][] lead = new int[n][n];
        for (int left = n - 2; left >= 0; left--) {
            for (int right = left + 1; right < n; right++) {
                int withoutFirst = prefix[right + 1] - prefix[left] - lead[left + 1][right];
                int withoutLast = prefix[right + 1] - prefix[left] - lead[left][right - 1];
                lead[left][right] = Math.max(withoutFirst, withoutLast);
            }
        }
        return lead[0][n - 1];
    }
}
