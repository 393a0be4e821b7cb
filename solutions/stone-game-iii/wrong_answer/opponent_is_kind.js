// Fault: both players' points are added up as if they played on one side; Bob never hinders Alice.
var stoneGameIII = function (stoneValue) {
    const n = stoneValue.length;
    const alice = new Array(n + 1).fill(0);
    const bob = new Array(n + 1).fill(0);
    for (let i = n - 1; i >= 0; i--) {
        let taken = 0;
        alice[i] = bob[i] = -Infinity;
        for (let j = i; j < Math.min(i + 3, n); j++) {
            taken += stoneValue[j];
            alice[i] = Math.max(alice[i], taken + bob[j + 1]);
            bob[i] = Math.max(bob[i], alice[j + 1]);
        }
    }
    const rest = stoneValue.reduce((sum, value) => sum + value, 0) - alice[0];
    return alice[0] > rest ? "Alice" : alice[0] < rest ? "Bob" : "Tie";
};
