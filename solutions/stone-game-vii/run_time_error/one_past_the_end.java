// Fault: the loop over right ends goes one too far.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static int stoneGameVII(int[] stones) {
        int n = stones.length;
        int[] prefix = new int[n + 1];
        for (int i = 0; i < n; i++) {
            prefix[i + 1] = prefix[i] + stones[i];
        }
        int[][] lead = new int[n][n];
        for (int left = n - 2; left >= 0; left--) {
            for (int right = left + 1; right <= n; right++) {
                int withoutFirst = prefix[right + 1] - prefix[left + 1] - lead[left + 1][right];
                int withoutLast = prefix[right] - prefix[left] - lead[left][right - 1];
                lead[left][right] = Math.max(withoutFirst, withoutLast);
            }
        }
        return lead[0][n - 1];
    }

    public static void main(String[] args) throws IOException {
        int n = next();
        int[] stones = new int[n];
        for (int i = 0; i < n; i++) {
            stones[i] = next();
        }
        System.out.println(stoneGameVII(stones));
    }
}
