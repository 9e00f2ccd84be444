// What a loss does to points on the sphere. A batch is B pairs: point i + B is the other view of point i, or its text.
// Each loss is a function of the matrix S of their similarities. With G = ∂𝓛/∂S, what moves point k along the sphere
// in a step down the loss is −(I − z zᵀ) Σ_j (G + Gᵀ)_kj z_j, with z = z_k [D1.13, M5].

// Whether row i sees row j or is an anchor, and the positives of row i among the rows of its rank.
const everyone = () => true;
const notItself = (i, j) => i !== j;
const otherView = (i, j, { pairs }) => i < pairs !== j < pairs;
const firstView = (i, { pairs }) => i < pairs;
const partner = (i, rows) => [rows[(rows.indexOf(i) + rows.length / 2) % rows.length]];
const sameClass = (i, rows, { pairs, classes }) => rows.filter((j) => j !== i && ((i % pairs) - (j % pairs)) % classes === 0);

// Each loss: its title in the menu; its settings; row, the loss of one anchor, if it has anchors; the name of P;
// perPair: divide by the number of pairs, not of anchors; its switches, as Python's geometry.py has them.
const loss = (title, more = {}) => ({
  title, uses: ["temperature"], row: ROWS.crossEntropy, sees: notItself, matrix: "P", anchors: everyone, positives: partner,
  switches: ["local"], ...more,
});
const LOSSES = {
  infonce: loss("InfoNCE, the anchor in its own denominator", { sees: everyone, switches: ["local", "mask"] }),
  ntxent: loss("NT-Xent", { switches: ["local", "mask"] }),
  supcon: loss("SupCon, classes by colour", { uses: ["temperature", "classes", "inside"], positives: sameClass }),
  hard_negative: loss("hard and debiased negatives", {
    uses: ["temperature", "beta", "prior"], row: ROWS.debiased, matrix: "P of the negatives",
  }),
  dcl: loss("DCL", { row: ROWS.decoupled, matrix: "P of the negatives" }),
  clip: loss("CLIP: each view asks the other", { sees: otherView, switches: ["local", "mask"] }),
  siglip: loss("SigLIP", {
    uses: ["temperature", "bias"], row: ROWS.sigmoids, sees: otherView, anchors: firstView, matrix: "P: the chance of a pair",
    switches: ["local", "queue"],
  }),
  dhn_nce: loss("DHN-NCE", {
    uses: ["temperature", "beta", "held"], row: ROWS.decoupled, sees: otherView, matrix: "P: each negative's share", perPair: true,
  }),
  query_key: loss("query-key: the first view asks the other", {
    sees: otherView, anchors: firstView, switches: ["local", "mask", "queue"],
  }),
  triplet: loss("triplet, every negative", {
    uses: ["margin"], row: ROWS.hinges, sees: otherView, anchors: firstView, matrix: "P: 1 where a hinge is open",
    switches: ["local", "queue"],
  }),
  alignment: loss("alignment, and λ times uniformity", {
    uses: ["uniformity", "chain"], row: ROWS.distance, sees: () => false, matrix: "P: each pair's share in uniformity",
    anchors: (i, { pairs, chain }) => chain || i < pairs,
    positives: (i, rows, { chain }) => (chain ? [rows[(rows.indexOf(i) + 1) % rows.length]] : partner(i, rows)),
  }),
  uniformity: loss("uniformity", { row: null, matrix: "P: each pair's share" }),
  spectral: loss("spectral", {
    uses: [], row: ROWS.squares, sees: otherView, anchors: firstView, matrix: "", switches: ["local", "queue"],
  }),
};

// The logarithm of the mean of e^{−t‖z_i − z_j‖²} over all rows i ≠ j, with t = 1/(2τ), `weight` times [F19, F20].
function uniformity(rows, S, { temperature }, P, G, weight) {
  const each = rows.map((i) => softmax(rows.map((j) => (j === i ? -Infinity : (S[i][j] - 1) / temperature))));
  const { shares, lse } = softmax(each.map((row) => row.lse)); // the share of each row in the total
  rows.forEach((i, x) => rows.forEach((j, y) => {
    P[i][j] = shares[x] * each[x].shares[y];
    G[i][j] += (weight * P[i][j]) / temperature;
  }));
  return weight * (lse - Math.log(rows.length * (rows.length - 1)));
}

// The loss of the points; S, P and G; the force on each point; what an anchor sees. Switches, each for the losses that
// have it: local, the mean of two ranks, each with half of the pairs; mask, no candidates of the anchor's own class;
// queue, no force on the second view.
function evaluate(name, points, options) {
  const { row, perPair, sees, anchors, positives } = LOSSES[name];
  const [count, pairs] = [points.length, points.length / 2];
  const given = { ...options, pairs };
  const S = points.map((a) => points.map((b) => dot(a, b)));
  const [P, G, seen] = [square(count), square(count), square(count)];
  const first = options.local ? Math.floor(pairs / 2) : pairs;
  const ranks = [range(count).filter((i) => i % pairs < first), range(count).filter((i) => i % pairs >= first)];
  let loss = 0;
  for (const rows of ranks.slice(0, options.local ? 2 : 1)) {
    const asking = row ? rows.filter((i) => anchors(i, given)) : [];
    const share = options.local ? 1 / 2 : 1;
    const weight = (share * (perPair ? 2 : 1)) / asking.length;
    for (const i of asking) {
      const own = positives(i, rows, given);
      const out = [...own, ...(options.mask ? sameClass(i, rows, given) : [])];
      const others = rows.filter((j) => sees(i, j, given) && !out.includes(j));
      loss += weight * row(S[i], own, others, options, P[i], G[i]);
      G[i] = G[i].map((slope) => weight * slope);
      for (const j of [...own, ...others]) seen[i][j] = 1;
    }
    if (!row) rows.forEach((i) => rows.forEach((j) => { seen[i][j] = i !== j; }));
    if (!row) loss += uniformity(rows, S, options, P, G, share);
    else if (options.uniformity) loss += uniformity(rows, S, { temperature: 1 / 4 }, P, G, share * options.uniformity); // t = 2
  }
  const forces = points.map((z, k) => {
    if (options.queue && k >= pairs) return z.map(() => 0);
    const down = z.map(() => 0);
    points.forEach((other, j) => other.forEach((x, f) => { down[f] -= (G[k][j] + G[j][k]) * x; }));
    const along = dot(down, z);
    return down.map((x, f) => x - along * z[f]);
  });
  return { loss, S, P, G, forces, seen };
}

// For the comparison with Python's numbers.
kernel.geometry = ({ loss: name, points, ...options }) => {
  const { loss, P, G, forces } = evaluate(name, points.map(unit), options);
  return { loss, forces, shares: P.map((row) => [...row]), gradient: G.map((row) => [...row]) };
};
kernel.course = kernel.geometry;
