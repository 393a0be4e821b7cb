// Fault: Bob is given what his stones are worth to Alice.
class Solution {
    public int stoneGameVI(int[] aliceValues, int[] bobValues) {
        Integer[] order = new Integer[aliceValues.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (x, y) -> aliceValues[y] + bobValues[y] - aliceValues[x] - bobValues[x]);
        int lead = 0;
        for (int turn = 0; turn < order.length; turn++) {
            lead += turn % 2 == 0 ? aliceValues[order[turn]] : -aliceValues[order[turn]];
        }
        return Integer.signum(lead);
    }
}
