// Fault: takes the smaller of the two outcomes for both players.
function stoneGame(piles: number[]): boolean {
    const lead = [...piles];
    for (let width = 1; width < piles.length; width++) {
        for (let left = 0; left + width < piles.length; left++) {
            lead[left] = Math.min(piles[left] - lead[left + 1], piles[left + width] - lead[left]);
        }
    }
    return lead[0] > 0;
}
