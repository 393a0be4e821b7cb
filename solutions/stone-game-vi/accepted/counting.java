// Sums of both values are at most 200, so they are counted instead of sorted.
class Solution {
    public int stoneGameVI(int[] aliceValues, int[] bobValues) {
        int[] count = new int[201];
        int lead = 0;
        for (int i = 0; i < aliceValues.length; i++) {
            count[aliceValues[i] + bobValues[i]]++;
            lead -= bobValues[i];
        }
        boolean hers = true;
        for (int sum = 200; sum > 0; sum--) {
            int taken = count[sum] / 2 + (hers ? count[sum] % 2 : 0);
            lead += sum * taken;
            hers ^= count[sum] % 2 == 1;
        }
        return Integer.signum(lead);
    }
}
