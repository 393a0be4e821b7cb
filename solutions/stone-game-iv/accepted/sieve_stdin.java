// Heaps in ascending order, each asking the heaps a square below it.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static boolean winnerSquareGame(int n) {
        boolean[] won = new boolean[n + 1];
        for (int heap = 1; heap <= n; heap++) {
            for (int root = 1; root * root <= heap; root++) {
                if (!won[heap - root * root]) {
                    won[heap] = true;
                    break;
                }
            }
        }
        return won[n];
    }

    public static void main(String[] args) throws IOException {
        int n = next();
        System.out.println(winnerSquareGame(n));
    }
}
