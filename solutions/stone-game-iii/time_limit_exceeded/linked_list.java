// Fault: piles and leads are fetched by index from linked lists, so each access walks up to half of the row.
class Solution {
    public String stoneGameIII(int[] stoneValue) {
        List<Integer> values = new LinkedList<>();
        List<Integer> lead = new LinkedList<>();
        for (int value : stoneValue) {
            values.add(value);
            lead.add(0);
        }
        lead.add(0);
        int n = values.size();
        for (int i = n - 1; i >= 0; i--) {
            int best = Integer.MIN_VALUE;
            for (int j = i; j < Math.min(i + 3, n); j++) {
                int taken = 0;
                for (int k = i; k <= j; k++) {
                    taken += values.get(k);
                }
                best = Math.max(best, taken - lead.get(j + 1));
            }
            lead.set(i, best);
        }
        return lead.get(0) > 0 ? "Alice" : lead.get(0) < 0 ? "Bob" : "Tie";
    }
}
