// Fault: the table has room for 10,000 positions, a fifth of what the largest row needs.
import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        int[] values = new int[10_000];
        for (int i = 0; i < n; i++) {
            values[i] = in.nextInt();
        }
        int[] lead = new int[n + 1];
        for (int i = n - 1; i >= 0; i--) {
            lead[i] = Integer.MIN_VALUE;
            int taken = 0;
            for (int j = i; j < Math.min(i + 3, n); j++) {
                taken += values[j];
                lead[i] = Math.max(lead[i], taken - lead[j + 1]);
            }
        }
        System.out.println(lead[0] > 0 ? "Alice" : lead[0] < 0 ? "Bob" : "Tie");
    }
}
