// Backward over the row with the leads of the next three positions.
/**
 * @param {number[]} stoneValue
 * @return {string}
 */
var stoneGameIII = function (stoneValue) {
    const n = stoneValue.length;
    let leads = [0, 0, 0];
    for (let i = n - 1; i >= 0; i--) {
        let taken = 0;
        let best = -Infinity;
        for (let k = 0; k < 3 && i + k < n; k++) {
            taken += stoneValue[i + k];
            best = Math.max(best, taken - leads[k]);
        }
        leads = [best, leads[0], leads[1]];
    }
    return leads[0] > 0 ? "Alice" : leads[0] < 0 ? "Bob" : "Tie";
};
