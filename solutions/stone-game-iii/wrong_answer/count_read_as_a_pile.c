// Fault: reads numbers until the input ends and takes the count in front of them for the first pile.
#include <stdio.h>

int main(void) {
    static int values[50001];
    int n = 0;
    while (n < 50001 && scanf("%d", &values[n]) == 1) n++;
    int lead[4] = {0};
    for (int i = n - 1; i >= 0; i--) {
        int taken = 0, best = -1000000000;
        for (int j = i; j < n && j < i + 3; j++) {
            taken += values[j];
            int candidate = taken - lead[(j + 1) % 4];
            if (candidate > best) best = candidate;
        }
        lead[i % 4] = best;
    }
    puts(lead[0] > 0 ? "Alice" : lead[0] < 0 ? "Bob" : "Tie");
    return 0;
}
