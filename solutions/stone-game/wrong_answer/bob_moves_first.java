// Fault: the two players are swapped: it is Bob who is given the first move.
class Solution {
    public boolean stoneGame(int[] piles) {
        int n = piles.length;
        int[] lead = piles.clone();
        for (int width = 1; width < n; width++) {
            for (int left = 0; left + width < n; left++) {
                int ifLeft = piles[left] - lead[left + 1];
                int ifRight = piles[left + width] - lead[left];
                lead[left] = Math.max(ifLeft, ifRight);
            }
        }
        return -lead[0] > 0;
    }
}
