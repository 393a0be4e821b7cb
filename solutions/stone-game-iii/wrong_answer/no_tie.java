// Fault: whoever is not ahead is said to lose, so a tie is given to Bob.
class Solution {
    public String stoneGameIII(int[] stoneValue) {
        int n = stoneValue.length;
        int[] lead = new int[n + 1];
        for (int i = n - 1; i >= 0; i--) {
            lead[i] = Integer.MIN_VALUE;
            int taken = 0;
            for (int j = i; j < Math.min(i + 3, n); j++) {
                taken += stoneValue[j];
                lead[i] = Math.max(lead[i], taken - lead[j + 1]);
            }
        }
        return lead[0] > 0 ? "Alice" : "Bob";
    }
}
