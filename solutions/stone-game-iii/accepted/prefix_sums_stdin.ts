// worth[j] is a move that ends at j, before the prefix sum at its start is taken off: the best of the next three wins.
import { readFileSync } from "fs";

const [n, ...values] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);

const sums: number[] = [0];
for (const value of values) sums.push(sums[sums.length - 1] + value);

const worth: number[] = new Array(n + 1).fill(-Infinity);
worth[n] = sums[n];
let lead = 0;
for (let start = n - 1; start >= 0; start--) {
    lead = Math.max(...worth.slice(start + 1, start + 4)) - sums[start];
    worth[start] = sums[start] - lead;
}

console.log(lead > 0 ? "Alice" : lead < 0 ? "Bob" : "Tie");
