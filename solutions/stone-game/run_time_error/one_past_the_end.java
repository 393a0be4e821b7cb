// Fault: the right end is the length of the row, one past its last pile.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static boolean stoneGame(int[] piles) {
        int left = 0;
        int right = piles.length;
        int[] totals = new int[2];
        for (int turn = 0; left < right; turn++) {
            totals[turn % 2] += piles[left] > piles[right] ? piles[left++] : piles[right--];
        }
        return totals[0] > totals[1];
    }

    public static void main(String[] args) throws IOException {
        int n = next();
        int[] piles = new int[n];
        for (int i = 0; i < n; i++) {
            piles[i] = next();
        }
        System.out.println(stoneGame(piles));
    }
}
