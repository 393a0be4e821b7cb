// For each left end the cut at half of the sum moves forward with the right end.
import { readFileSync } from "fs";

function stoneGameV(stoneValue: number[]): number {
    const n = stoneValue.length;
    const prefix = [0];
    for (const value of stoneValue) prefix.push(prefix[prefix.length - 1] + value);
    const left = stoneValue.map(() => new Int32Array(n));
    const right = stoneValue.map(() => new Int32Array(n));
    let score = 0;
    for (let i = n - 1; i >= 0; i--) {
        left[i][i] = right[i][i] = stoneValue[i];
        score = 0;
        for (let j = i + 1, cut = i; j < n; j++) {
            const total = prefix[j + 1] - prefix[i];
            while (2 * (prefix[cut + 1] - prefix[i]) < total) cut++;
            score = cut < j ? right[cut + 1][j] : 0;
            if (cut > i) score = Math.max(score, left[i][cut - 1]);
            if (2 * (prefix[cut + 1] - prefix[i]) === total) score = Math.max(score, left[i][cut]);
            left[i][j] = Math.max(left[i][j - 1], total + score);
            right[i][j] = Math.max(right[i + 1][j], total + score);
        }
    }
    return score;
}

const [, ...values] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
console.log(stoneGameV(values));
