// Memoised search for the lead of the mover; half of the total and the lead is what Alice gets.
function stoneGameII(piles: number[]): number {
    const n = piles.length;
    const total = piles.reduce((sum, pile) => sum + pile, 0);
    const known = new Map<number, number>();
    const lead = (i: number, m: number): number => {
        if (i === n) return 0;
        const key = i * (n + 1) + m;
        if (!known.has(key)) {
            let best = -Infinity;
            for (let x = 1, taken = 0; x <= 2 * m && i + x <= n; x++) {
                taken += piles[i + x - 1];
                best = Math.max(best, taken - lead(i + x, Math.max(m, x)));
            }
            known.set(key, best);
        }
        return known.get(key)!;
    };
    return (total + lead(0, 1)) / 2;
}
