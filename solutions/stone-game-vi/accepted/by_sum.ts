// Indices sorted by the sum of both values; the players take them in turns.
function stoneGameVI(aliceValues: number[], bobValues: number[]): number {
    const order = aliceValues.map((_, i) => i);
    order.sort((x, y) => aliceValues[y] + bobValues[y] - aliceValues[x] - bobValues[x]);
    let alice = 0;
    let bob = 0;
    order.forEach((stone, turn) => {
        if (turn % 2 === 0) alice += aliceValues[stone];
        else bob += bobValues[stone];
    });
    return alice > bob ? 1 : alice < bob ? -1 : 0;
}
