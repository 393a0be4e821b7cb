// Alice can take all piles in even places or all in odd ones, and one of the two holds more than half.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static boolean stoneGame(int[] piles) {
        return true;
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
