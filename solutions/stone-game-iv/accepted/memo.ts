// Memoised search from the whole heap, large squares first.
function winnerSquareGame(n: number): boolean {
    const known = new Map<number, boolean>([[0, false]]);
    const wins = (heap: number): boolean => {
        const remembered = known.get(heap);
        if (remembered !== undefined) return remembered;
        let found = false;
        for (let root = Math.floor(Math.sqrt(heap)); root >= 1 && !found; root--) {
            found = !wins(heap - root * root);
        }
        known.set(heap, found);
        return found;
    };
    return wins(n);
}
