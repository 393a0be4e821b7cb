// Memoised search for the best lead; a Map remembers every position that was searched.
function stoneGameIII(stoneValue: number[]): string {
    const known = new Map<number, number>([[stoneValue.length, 0]]);

    const lead = (start: number): number => {
        const remembered = known.get(start);
        if (remembered !== undefined) return remembered;
        let taken = 0;
        let best = -Infinity;
        for (let end = start; end < Math.min(start + 3, stoneValue.length); end++) {
            taken += stoneValue[end];
            best = Math.max(best, taken - lead(end + 1));
        }
        known.set(start, best);
        return best;
    };

    return ["Bob", "Tie", "Alice"][Math.sign(lead(0)) + 1];
}
