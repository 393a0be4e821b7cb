// Backward over the row; lead[i % 4] is the best lead of the player who moves at i.
#include <stdio.h>

static int values[50000];

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &values[i]) != 1) return 1;
    }
    int lead[4] = {0};
    for (int i = n - 1; i >= 0; i--) {
        int taken = values[i];
        int best = taken - lead[(i + 1) % 4];
        for (int j = i + 1; j < n && j < i + 3; j++) {
            taken += values[j];
            int candidate = taken - lead[(j + 1) % 4];
            if (candidate > best) best = candidate;
        }
        lead[i % 4] = best;
    }
    puts(lead[0] > 0 ? "Alice" : lead[0] < 0 ? "Bob" : "Tie");
    return 0;
}
