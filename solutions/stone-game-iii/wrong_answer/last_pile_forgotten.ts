// Fault: a move may never reach the last pile of the row, except by taking it alone.
function stoneGameIII(stoneValue: number[]): string {
    const n = stoneValue.length;
    const lead = new Array(n + 1).fill(0);
    for (let i = n - 1; i >= 0; i--) {
        let taken = stoneValue[i];
        lead[i] = taken - lead[i + 1];
        for (let j = i + 1; j < Math.min(i + 3, n - 1); j++) {
            taken += stoneValue[j];
            lead[i] = Math.max(lead[i], taken - lead[j + 1]);
        }
    }
    if (lead[0] === 0) return "Tie";
    return lead[0] > 0 ? "Alice" : "Bob";
}
