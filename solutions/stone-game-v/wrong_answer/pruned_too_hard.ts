// Fault: a cut is left out when its smaller part alone cannot beat the best.
function stoneGameV(stoneValue: number[]): number {
    const n = stoneValue.length;
    const prefix = [0];
    for (const value of stoneValue) prefix.push(prefix[prefix.length - 1] + value);
    const score = Array.from({ length: n + 1 }, () => new Int32Array(n + 1));
    for (let i = n - 1; i >= 0; i--) {
        for (let j = i + 2; j <= n; j++) {
            let best = 0;
            for (let cut = i + 1; cut < j; cut++) {
                const left = prefix[cut] - prefix[i];
                const right = prefix[j] - prefix[cut];
                if (Math.min(left, right) <= best) continue;
                if (left <= right) best = Math.max(best, left + score[i][cut]);
                if (right <= left) best = Math.max(best, right + score[cut][j]);
            }
            score[i][j] = best;
        }
    }
    return score[0][n];
}
