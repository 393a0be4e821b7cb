// Sums of both values are at most 200, so they are counted instead of sorted.
import java.io.*;
import java.util.*;

public class Main {
    static final StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    static int stoneGameVI(int[] aliceValues, int[] bobValues) {
        int[] count = new int[201];
        int lead = 0;
        for (int i = 0; i < aliceValues.length; i++) {
            count[aliceValues[i] + bobValues[i]]++;
            lead -= bobValues[i];
        }
        boolean hers = true;
        for (int sum = 200; sum > 0; sum--) {
            int taken = count[sum] / 2 + (hers ? count[sum] % 2 : 0);
            lead += sum * taken;
            hers ^= count[sum] % 2 == 1;
        }
        return Integer.signum(lead);
    }

    public static void main(String[] args) throws IOException {
        int n = next();
        int[] aliceValues = new int[n];
        for (int i = 0; i < n; i++) {
            aliceValues[i] = next();
        }
        int[] bobValues = new int[n];
        for (int i = 0; i < n; i++) {
            bobValues[i] = next();
        }
        System.out.println(stoneGameVI(aliceValues, bobValues));
    }
}
