// Stones are taken off the total again from the back, so no table is needed.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static int stoneGameVIII(int[] stones) {
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

    public static void main(String[] args) throws IOException {
        int n = next();
        int[] stones = new int[n];
        for (int i = 0; i < n; i++) {
            stones[i] = next();
        }
        System.out.println(stoneGameVIII(stones));
    }
}
