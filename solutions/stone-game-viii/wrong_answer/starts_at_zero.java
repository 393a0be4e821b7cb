// Fault: the best lead starts at 0, as if the last merge could be left out.
class Solution {
    public int stoneGameVIII(int[] stones) {
        int prefix = 0;
        for (int stone : stones) {
            prefix += stone;
        }
        int lead = 0;
        for (int i = stones.length - 1; i >= 2; i--) {
            prefix -= stones[i];
            lead = Math.max(lead, prefix - lead);
        }
        return lead;
    }
}
