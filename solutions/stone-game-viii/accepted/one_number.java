// Stones are taken off the total again from the back, so no table is needed.
class Solution {
    public int stoneGameVIII(int[] stones) {
        int prefix = 0;
        for (int stone : stones) {
            prefix += stone;
        }
        int lead = prefix;
        for (int i = stones.length - 1; i >= 2; i--) {
            prefix -= stones[i];
            lead = Math.max(lead, prefix - lead);
        }
        return lead;
    }
}
