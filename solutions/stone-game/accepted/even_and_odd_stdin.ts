// One of the two halves, even places or odd, is larger than the other, and Alice can take all of it.
import { readFileSync } from "fs";

function stoneGame(piles: number[]): boolean {
    let difference = 0;
    piles.forEach((pile, index) => (difference += index % 2 === 0 ? pile : -pile));
    return difference !== 0;
}

const [, ...values] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
console.log(stoneGame(values));
