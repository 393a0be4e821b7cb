// Plays the two forced games, one for each remainder that Alice may begin with.
function stoneGameIX(stones: number[]): boolean {
    const count = [0, 0, 0];
    for (const stone of stones) count[stone % 3]++;
    const aliceWins = (first: number): boolean => {
        const left = [...count];
        if (left[first] === 0) return false;
        left[first]--;
        let turns = 1 + left[0];
        let sum = first;
        while (left[sum] > 0) {
            left[sum]--;
            sum = (sum + sum) % 3;
            turns++;
        }
        return left[1] + left[2] > 0 && turns % 2 === 1;
    };
    return aliceWins(1) || aliceWins(2);
}
