// Fault: the right end goes one past the end of the prefix sums.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static int stoneGameV(int[] stoneValue) {
        int n = stoneValue.length;
        int[] prefix = new int[n + 1];
        for (int i = 0; i < n; i++) {
            prefix[i + 1] = prefix[i] + stoneValue[i];
        }
        int[][] score = new int[n + 1][n + 1];
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 2; j <= n + 1; j++) {
                int best = 0;
                for (int cut = i + 1; cut < j; cut++) {
                    int left = prefix[cut] - prefix[i];
                    int right = prefix[j] - prefix[cut];
                    if (2 * Math.min(left, right) <= best) {
                        continue;
                    }
                    if (left <= right) {
                        best = Math.max(best, left + score[i][cut]);
                    }
                    if (right <= left) {
                        best = Math.max(best, right + score[cut][j]);
                    }
                }
                score[i][j] = best;
            }
        }
        return score[0][n];
    }

    public static void main(String[] args) throws IOException {
        int n = next();
        int[] stoneValue = new int[n];
        for (int i = 0; i < n; i++) {
            stoneValue[i] = next();
        }
        System.out.println(stoneGameV(stoneValue));
    }
}
