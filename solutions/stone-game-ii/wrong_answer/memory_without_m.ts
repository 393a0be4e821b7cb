// Fault: the memory is keyed by the position alone, though M matters too.
function stoneGameII(piles: number[]): number {
    const n = piles.length;
    const rest = new Array(n + 1).fill(0);
    for (let i = n - 1; i >= 0; i--) rest[i] = rest[i + 1] + piles[i];
    const known = new Map<number, number>();
    const most = (i: number, m: number): number => {
        if (i + 2 * m >= n) return rest[i];
        if (!known.has(i)) {
            let least = Infinity;
            for (let x = 1; x <= 2 * m; x++) least = Math.min(least, most(i + x, Math.max(m, x)));
            known.set(i, rest[i] - least);
        }
        return known.get(i)!;
    };
    return most(0, 1);
}
