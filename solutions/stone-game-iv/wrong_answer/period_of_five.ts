// Fault: the pattern of the first heaps is taken for a period.
function winnerSquareGame(n: number): boolean {
    return n % 5 !== 0 && n % 5 !== 2;
}
