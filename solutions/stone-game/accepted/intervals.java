// The best lead on each stretch of the row, shortest stretches first; one row of the table is enough.
class Solution {
    public boolean stoneGame(int[] piles) {
        int[] lead = piles.clone();
        for (int width = 1; width < piles.length; width++) {
            for (int left = 0; left + width < piles.length; left++) {
                lead[left] = Math.max(piles[left] - lead[left + 1], piles[left + width] - lead[left]);
            }
        }
        return lead[0] > 0;
    }
}
