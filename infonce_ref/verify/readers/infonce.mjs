// Check an implementation of infonce: node infonce.mjs infonce.json
// Put your own function in the place of `infonce`; infonce.py says what each line computes.
import { readFileSync } from "node:fs";

function infonce(z, n, d, tau, weights, keep) {
  let value = 0, slope = 0;
  const dz = new Float64Array(n * d);
  for (let i = 0; i < n; i++) {
    const p = (i + n / 2) % n, gap = [], e = [];
    for (let j = 0; j < n; j++) {
      gap[j] = 0;
      for (let k = 0; k < d; k++) gap[j] += z[i * d + k] * (z[j * d + k] - z[p * d + k]) / tau;
    }
    const other = gap.map((_, j) => j !== p && (j === i || keep[i * n + j]));
    const most = Math.max(...gap.filter((_, j) => other[j]));
    for (let j = 0; j < n; j++) e[j] = other[j] ? Math.exp(gap[j] - most) : 0;
    const others = e.reduce((a, b) => a + b), excess = most + Math.log1p(others - 1);
    const rest = excess > -700 ? 1 / (1 + Math.exp(-excess)) : Math.exp(excess); // 1 − P
    value += weights[i] * (Math.max(excess, 0) + Math.log1p(Math.exp(-Math.abs(excess))));
    for (let j = 0; j < n; j++) {
      const g = weights[i] * rest * e[j] / others;
      slope -= g * gap[j] / tau;
      for (let k = 0; k < d; k++) {
        dz[i * d + k] += g * (z[j * d + k] - z[p * d + k]) / tau;
        dz[j * d + k] += g * z[i * d + k] / tau;
        dz[p * d + k] -= g * z[i * d + k] / tau;
      }
    }
  }
  return { value: [value], z: dz, temperature: [slope] };
}

function float(hex) { // 53 bits are an integer below 2^53; two powers, so that none overflows
  const [, sign, whole, digits, power] = /^(-?)0x([01])\.([0-9a-f]+)p([+-]\d+)$/.exec(hex);
  const scale = Number(power) - 4 * digits.length, half = Math.trunc(scale / 2);
  return (sign ? -1 : 1) * parseInt(whole + digits, 16) * 2 ** half * 2 ** (scale - half);
}
const numbers = (x) => x.integers ?? x.hex.map(float);

const { cases } = JSON.parse(readFileSync(process.argv[2], "utf8"));
let wrong = 0;
for (const { label, dtype, options, inputs, value, gradients } of cases) {
  const [n, d] = inputs.z.shape, share = options.reduction === "sum" ? 1 : 1 / n;
  const weights = inputs.upstream ? numbers(inputs.upstream) : Array(n).fill(share);
  const keep = inputs.keep ? numbers(inputs.keep) : Array(n * n).fill(1);
  const got = infonce(numbers(inputs.z), n, d, numbers(inputs.temperature)[0], weights, keep);
  const differ = Object.entries({ value, ...gradients }).filter(([name, { exact, within }]) =>
    got[name].length !== exact.length || !exact.every((e, k) => Math.abs(got[name][k] - e) <= within[k]));
  for (const [name] of differ) console.log(`${name} differs: ${label}, ${dtype}`);
  wrong += differ.length > 0;
}
const count = cases.length;
console.log(count ? `${count - wrong} of ${count} points agree` : "no point found: nothing was compared");
process.exitCode = wrong > 0 || !count ? 1 : 0;
