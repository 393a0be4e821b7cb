// The mover's best total from each position on: the rest of the row less the opponent's smallest best total.
class Solution {
    public String stoneGameIII(int[] stoneValue) {
        int n = stoneValue.length;
        int[] total = new int[n + 1];
        int rest = 0;
        for (int i = n - 1; i >= 0; i--) {
            rest += stoneValue[i];
            int opponent = total[i + 1];
            for (int next = i + 2; next <= Math.min(i + 3, n); next++) {
                opponent = Math.min(opponent, total[next]);
            }
            total[i] = rest - opponent;
        }
        int comparison = Integer.compare(total[0], rest - total[0]);
        return comparison > 0 ? "Alice" : comparison < 0 ? "Bob" : "Tie";
    }
}
