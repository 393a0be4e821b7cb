// Backward over the row; a ring of four cells holds the leads that are still needed.
import java.io.IOException;
import java.io.StreamTokenizer;

public class StoneGame {
    private static int next(StreamTokenizer in) throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new java.io.BufferedInputStream(System.in));
        int n = next(in);
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
            values[i] = next(in);
        }
        int[] lead = new int[4];
        for (int i = n - 1; i >= 0; i--) {
            int best = Integer.MIN_VALUE;
            int taken = 0;
            for (int j = i; j < n && j < i + 3; j++) {
                taken += values[j];
                best = Math.max(best, taken - lead[(j + 1) % 4]);
            }
            lead[i % 4] = best;
        }
        System.out.println(lead[0] > 0 ? "Alice" : lead[0] < 0 ? "Bob" : "Tie");
    }
}
