// After the first stone the order is forced; both beginnings are played out on the counts.
class Solution {
    public boolean stoneGameIX(int[] stones) {
        int[] count = new int[3];
        for (int stone : stones) {
            count[stone % 3]++;
        }
        for (int first = 1; first <= 2; first++) {
            int[] left = count.clone();
            if (left[first]-- == 0) {
                continue;
            }
            int sum = first;
            int turns = 1;
            while (left[sum] > 0) {
                left[sum]--;
                sum = sum * 2 % 3;
                turns++;
            }
            turns += left[0];
            boolean stonesAreLeft = left[1] + left[2] > 0;
            if (stonesAreLeft && turns % 2 == 1) {
                return true;
            }
        }
        return false;
    }
}
