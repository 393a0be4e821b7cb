// The prefix sum shrinks from the total to the first two stones.
import { readFileSync } from "fs";

function stoneGameVIII(stones: number[]): number {
    let prefix = stones.reduce((sum, stone) => sum + stone, 0);
    let lead = prefix;
    for (let i = stones.length - 1; i > 1; i--) {
        prefix -= stones[i];
        lead = Math.max(lead, prefix - lead);
    }
    return lead;
}

const [, ...values] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
console.log(stoneGameVIII(values));
