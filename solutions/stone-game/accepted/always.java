// Alice can take all piles in even places or all in odd ones, and one of the two holds more than half.
class Solution {
    public boolean stoneGame(int[] piles) {
        return true;
    }
}
