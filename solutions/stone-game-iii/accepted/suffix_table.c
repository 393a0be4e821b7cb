// Leads from the back of the row in one table.
char* stoneGameIII(int* stoneValue, int stoneValueSize) {
    int* lead = calloc(stoneValueSize + 1, sizeof *lead);
    for (int start = stoneValueSize - 1; start >= 0; start--) {
        int taken = 0;
        int best = INT_MIN;
        for (int end = start; end < stoneValueSize && end < start + 3; end++) {
            taken += stoneValue[end];
            if (taken - lead[end + 1] > best) best = taken - lead[end + 1];
        }
        lead[start] = best;
    }
    int result = lead[0];
    free(lead);
    return result > 0 ? "Alice" : result < 0 ? "Bob" : "Tie";
}
