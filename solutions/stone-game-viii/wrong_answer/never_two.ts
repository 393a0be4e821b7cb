// Fault: the smallest move of two stones is left out.
function stoneGameVIII(stones: number[]): number {
    let prefix = stones.reduce((sum, stone) => sum + stone, 0);
    let lead = prefix;
    for (let i = stones.length - 1; i > 2; i--) {
        prefix -= stones[i];
        lead = Math.max(lead, prefix - lead);
    }
    return lead;
}
