// Fault: the order is ascending, so the poorest stones go first.
function stoneGameVI(aliceValues: number[], bobValues: number[]): number {
    const order = aliceValues.map((_, i) => i);
    order.sort((x, y) => aliceValues[x] + bobValues[x] - aliceValues[y] - bobValues[y]);
    let alice = 0;
    let bob = 0;
    order.forEach((stone, turn) => {
        if (turn % 2 === 0) alice += aliceValues[stone];
        else bob += bobValues[stone];
    });
    return alice > bob ? 1 : alice < bob ? -1 : 0;
}
