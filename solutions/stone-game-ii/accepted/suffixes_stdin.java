// From the back of the row: what is left, less the best that the opponent can do with it.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static int stoneGameII(int[] piles) {
        int n = piles.length;
        int[][] most = new int[n + 1][n + 1];
        int rest = 0;
        for (int i = n - 1; i >= 0; i--) {
            rest += piles[i];
            for (int m = 1; m <= n; m++) {
                int opponent = rest;
                for (int x = 1; x <= Math.min(2 * m, n - i); x++) {
                    opponent = Math.min(opponent, most[i + x][Math.max(m, x)]);
                }
                most[i][m] = rest - opponent;
            }
        }
        return most[0][1];
    }

    public static void main(String[] args) throws IOException {
        int n = next();
        int[] piles = new int[n];
        for (int i = 0; i < n; i++) {
            piles[i] = next();
        }
        System.out.println(stoneGameII(piles));
    }
}
