// The prefix sum shrinks from the total to the first two stones.
function stoneGameVIII(stones: number[]): number {
    let prefix = stones.reduce((sum, stone) => sum + stone, 0);
    let lead = prefix;
    for (let i = stones.length - 1; i > 1; i--) {
        prefix -= stones[i];
        lead = Math.max(lead, prefix - lead);
    }
    return lead;
}
