// Fault: the sums are sorted as text, so 9 comes after 10.
import { readFileSync } from "fs";

function stoneGameVI(aliceValues: number[], bobValues: number[]): number {
    const both = aliceValues.map((value, i) => value + bobValues[i]);
    both.sort().reverse();
    let lead = -bobValues.reduce((sum, value) => sum + value, 0);
    for (let turn = 0; turn < both.length; turn += 2) lead += both[turn];
    return Math.sign(lead);
}

const [n, ...values] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
console.log(stoneGameVI(values.slice(0, n), values.slice(n)));
