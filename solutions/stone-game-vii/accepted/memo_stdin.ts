// Memoised search that carries the sum of the stretch along.
import { readFileSync } from "fs";

function stoneGameVII(stones: number[]): number {
    const n = stones.length;
    const lead = new Int32Array(n * n);
    const known = new Uint8Array(n * n);
    const search = (left: number, right: number, sum: number): number => {
        if (left === right) return 0;
        const at = left * n + right;
        if (!known[at]) {
            known[at] = 1;
            const withoutFirst = sum - stones[left];
            const withoutLast = sum - stones[right];
            lead[at] = Math.max(
                withoutFirst - search(left + 1, right, withoutFirst),
                withoutLast - search(left, right - 1, withoutLast),
            );
        }
        return lead[at];
    };
    return search(0, n - 1, stones.reduce((a, b) => a + b, 0));
}

const [, ...values] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
console.log(stoneGameVII(values));
