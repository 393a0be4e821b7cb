// The mover's best total at each position is the rest of the row less the opponent's smallest best total.
const tokens = require("fs").readFileSync(0, "utf8").split(/\s+/).filter(Boolean).map(Number);
const n = tokens[0];
const values = tokens.slice(1, n + 1);

const total = new Array(n + 4).fill(Infinity);
total[n] = 0;
let rest = 0;
for (let i = n - 1; i >= 0; i--) {
    rest += values[i];
    total[i] = rest - Math.min(total[i + 1], total[i + 2], total[i + 3]);
}

const lead = 2 * total[0] - rest;
console.log(lead > 0 ? "Alice" : lead < 0 ? "Bob" : "Tie");
