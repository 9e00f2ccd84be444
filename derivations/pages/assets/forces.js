// What a loss does to points on the sphere. A batch is B pairs: point i + B is the other view of point i, or its text.
// Each loss is a function of the matrix S of their similarities. With G = ∂𝓛/∂S, what moves point k along the sphere
// in a step down the loss is −(I − z zᵀ) Σ_j (G + Gᵀ)_kj z_j, with z = z_k [D1.13, M5].

const dot = (a, b) => {
  let total = 0;
  for (let f = 0; f < a.length; f++) total += a[f] * b[f];
  return total;
};
const unit = (a) => a.map((x) => x / Math.hypot(...a));
const square = (size) => Array.from({ length: size }, () => new Float64Array(size));

// The loss of one anchor: s are its similarities, `positives` and `others` its candidates. P receives its
// probabilities, G its slope by each similarity. Temperatures divide the similarities first: L = s/τ.
const softmaxOf = (s, candidates, { temperature }, power = 1) =>
  softmax(candidates.map((j) => (power * s[j]) / temperature));

const ROWS = {
  crossEntropy(s, [p], others, options, P, G) {
    const { temperature } = options;
    const { shares, lse } = softmaxOf(s, others, options);
    const lead = lse - s[p] / temperature;
    const wrong = sigmoid(lead); // 1 − P_p, which does not cancel [S2]
    others.forEach((j, n) => { P[j] = wrong * shares[n]; G[j] = P[j] / temperature; });
    P[p] = sigmoid(-lead);
    G[p] = -wrong / temperature;
    return softplus(lead);
  },

  // The positive is in no denominator [F1].
  decoupled(s, [p], others, options, P, G) {
    const { temperature } = options;
    const { shares, lse } = softmaxOf(s, others, options);
    others.forEach((j, n) => { P[j] = shares[n]; G[j] = P[j] / temperature; });
    G[p] = -1 / temperature;
    return lse - s[p] / temperature;
  },

  // Likewise, and each negative has a weight that is proportional to e^{βL} [D4.2, D4.3, M20].
  weighed(s, [p], others, options, P, G) {
    const { temperature, beta, held } = options;
    const [hard, weight] = [1 + beta, beta].map((power) => softmaxOf(s, others, options, power));
    others.forEach((j, n) => {
      P[j] = hard.shares[n];
      G[j] = (held ? P[j] : (1 + beta) * P[j] - beta * weight.shares[n]) / temperature;
    });
    G[p] = -1 / temperature;
    return Math.log(others.length) + hard.lse - weight.lse - s[p] / temperature;
  },

  // The same weights, with the positive, and with the correction for the anchor's own class, in units of the positive's e^L [F29, F30].
  debiased(s, [p], others, options, P, G) {
    const { temperature, beta, prior } = options;
    const [hard, weight] = [1 + beta, beta].map((power) => softmaxOf(s, others, options, power));
    const mean = Math.exp(hard.lse - weight.lse - s[p] / temperature);
    const [estimate, least] = [(mean - prior) / (1 - prior), Math.exp(-(1 + s[p]) / temperature)];
    const clamped = estimate <= least;
    const negatives = others.length * Math.max(estimate, least);
    const push = clamped ? 0 : (others.length * mean) / (1 - prior) / (1 + negatives);
    others.forEach((j, n) => {
      P[j] = push * hard.shares[n];
      G[j] = ((1 + beta) * P[j] - beta * weight.shares[n] * push) / temperature;
    });
    G[p] = -(clamped ? negatives / (1 + negatives) : push) / temperature;
    return Math.log1p(negatives);
  },

  // Several positives, their mean outside of the logarithm or inside [F21, F22].
  severalPositives(s, positives, others, options, P, G) {
    const { temperature, inside } = options;
    const [own, other] = [positives, others].map((candidates) => softmaxOf(s, candidates, options));
    const [lead, count] = [other.lse - own.lse, positives.length];
    const wrong = others.length ? sigmoid(lead) : 0;
    others.forEach((j, n) => { P[j] = wrong * other.shares[n]; G[j] = P[j] / temperature; });
    positives.forEach((j, n) => {
      P[j] = (1 - wrong) * own.shares[n];
      G[j] = (inside ? -wrong * own.shares[n] : P[j] - (1 - wrong) / count - wrong / count) / temperature;
    });
    const spread = sum(positives.map((j) => own.lse - s[j] / temperature)) / count;
    return (inside ? Math.log(count) : spread) + (others.length ? softplus(lead) : 0);
  },

  // Each similarity is classified by itself as a pair or not [F9, F10].
  sigmoids(s, [p], others, { temperature, bias }, P, G) {
    const logit = (j) => s[j] / temperature + bias;
    for (const j of others) { P[j] = sigmoid(logit(j)); G[j] = P[j] / temperature; }
    P[p] = sigmoid(logit(p));
    G[p] = -sigmoid(-logit(p)) / temperature;
    return softplus(-logit(p)) + sum(others.map((j) => softplus(logit(j))));
  },

  squares(s, [p], others, options, P, G) { // [F7, F8]
    for (const j of others) G[j] = (2 * s[j]) / others.length;
    G[p] = -2;
    return sum(others.map((j) => s[j] ** 2)) / others.length - 2 * s[p];
  },

  // Of unit rows ‖a − p‖² − ‖a − n‖² is 2(s_n − s_p); each of the others is the negative of a triplet [M12].
  hinges(s, [p], others, { margin }, P, G) {
    const hinge = (j) => 2 * (s[j] - s[p]) + margin;
    const open = others.filter((j) => hinge(j) > 0);
    for (const j of open) { P[j] = 1; G[j] = 2 / others.length; }
    G[p] = (-2 * open.length) / others.length;
    return sum(open.map(hinge)) / others.length;
  },

  distance(s, [p], others, options, P, G) { // ‖a − p‖² [F12]
    G[p] = -2;
    return 2 - 2 * s[p];
  },
};

// The anchors, their other candidates, and their positives: the choices that the cards of the losses name.
const WHO = {
  everyone: () => true,
  nobody: () => false,
  notItself: (i, j) => i !== j,
  otherView: (i, j, pairs) => i < pairs !== j < pairs,
  firstView: (i, pairs) => i < pairs,
  firstViewOrChain: (i, pairs, { chain }) => chain || i < pairs,
  partner: (i, pairs) => [(i + pairs) % (2 * pairs)],
  partnerOrNext: (i, pairs, { chain }) => (chain ? [(i + 1) % (2 * pairs)] : WHO.partner(i, pairs)),
  sameClass: (i, pairs, { classes }) =>
    range(2 * pairs).filter((j) => j !== i && ((i % pairs) - (j % pairs)) % classes === 0),
};

// The logarithm of the mean of e^{−t‖z_i − z_j‖²} over all i ≠ j, with t = 1/(2τ), `weight` times [F19, F20].
function uniformity(S, { temperature }, P, G, weight = 1) {
  const rows = S.map((row, i) => softmax([...row].map((s, j) => (j === i ? -Infinity : (s - 1) / temperature))));
  const { shares, lse } = softmax(rows.map((row) => row.lse)); // the share of each row in the total
  rows.forEach((row, i) => row.shares.forEach((share, j) => {
    P[i][j] = shares[i] * share;
    G[i][j] += (weight * P[i][j]) / temperature;
  }));
  return weight * (lse - Math.log(S.length * (S.length - 1)));
}

// Two ranks, each with half of the pairs, that see no others: the mean of the two.
function evaluateByRanks(name, points, options) {
  const [count, pairs] = [points.length, points.length / 2];
  const [S, P, G] = [points.map((a) => points.map((b) => dot(a, b))), square(count), square(count)];
  const half = Math.floor(pairs / 2);
  const placeOf = (i) => { // whether on the first rank, and which of its rows
    const first = i % pairs < half;
    const [from, size] = first ? [0, half] : [half, pairs - half];
    return [first, (i % pairs) - from + (i < pairs ? 0 : size)];
  };
  const forces = Array(count);
  let loss = 0;
  const parts = [range(half), range(pairs - half).map((n) => n + half)].map((rank) => {
    const rows = [...rank, ...rank.map((row) => row + pairs)];
    const part = evaluate(name, rows.map((row) => points[row]), { ...options, local: false });
    loss += part.loss / 2;
    rows.forEach((row, x) => {
      forces[row] = part.forces[x].map((f) => f / 2);
      rows.forEach((other, y) => { P[row][other] = part.P[x][y]; G[row][other] = part.G[x][y] / 2; });
    });
    return part;
  });
  const seen = (i, j) => {
    const [[first, x], [other, y]] = [placeOf(i), placeOf(j)];
    return first === other && parts[first ? 0 : 1].seen(x, y);
  };
  return { loss, S, P, G, forces, seen };
}

// The loss of the points; S, P and G; the force on each point; what an anchor sees. Switches, each for the losses that
// have it: local, two ranks; mask, no candidates of the anchor's own class; queue, no force on the second view.
function evaluate(name, points, options) {
  if (options.local) return evaluateByRanks(name, points, options);
  const { row, per_pair: perPair, ...who } = LOSSES[name];
  const [sees, anchors, positives] = [who.sees, who.anchors, who.positives].map((called) => WHO[called]);
  const [count, pairs] = [points.length, points.length / 2];
  const S = points.map((a) => points.map((b) => dot(a, b)));
  const [P, G] = [square(count), square(count)];
  const asking = row ? range(count).filter((i) => anchors(i, pairs, options)) : [];
  const weight = 1 / (perPair ? pairs : asking.length);
  const leftOut = (i) => (options.mask ? WHO.sameClass(i, pairs, options) : []);
  let loss = 0;
  for (const i of asking) {
    const own = positives(i, pairs, options);
    const out = [...own, ...leftOut(i)];
    const others = range(count).filter((j) => sees(i, j, pairs) && !out.includes(j));
    loss += weight * ROWS[row](S[i], own, others, options, P[i], G[i]);
    G[i] = G[i].map((slope) => weight * slope);
  }
  if (!row) loss = uniformity(S, options, P, G);
  else if (options.uniformity) loss += uniformity(S, { temperature: 1 / 4 }, P, G, options.uniformity); // t = 2
  const forces = points.map((z, k) => {
    if (options.queue && k >= pairs) return z.map(() => 0);
    const down = z.map(() => 0);
    points.forEach((other, j) => other.forEach((x, f) => { down[f] -= (G[k][j] + G[j][k]) * x; }));
    const along = dot(down, z);
    return down.map((x, f) => x - along * z[f]);
  });
  const seen = (i, j) =>
    (!row || asking.includes(i)) &&
    (positives(i, pairs, options).includes(j) || (sees(i, j, pairs) && !leftOut(i).includes(j)));
  return { loss, S, P, G, forces, seen };
}

// For the comparison with Python's numbers.
kernel.geometry = ({ loss: name, points, ...options }) => {
  const { loss, P, G, forces } = evaluate(name, points.map(unit), options);
  return { loss, forces, shares: P.map((row) => [...row]), gradient: G.map((row) => [...row]) };
};
kernel.course = kernel.geometry;
