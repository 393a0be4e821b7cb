// Fault: the loop over squares does not stop at the heap.
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
            for (int root = 1; root <= n; root++) {
                won[heap] |= !won[heap - root * root];
            }
        }
        return won[n];
    }

    public static void main(String[] args) throws IOException {
        int n = next();
        System.out.println(winnerSquareGame(n));
    }
}
