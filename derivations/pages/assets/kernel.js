"use strict";
// The losses of a few numbers, each in a form in which nothing cancels [S1, S2]. Nothing here depends on a page.

const sum = (x) => x.reduce((total, term) => total + term, 0);
const sigmoid = (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

function softmax(logits) {
  const top = Math.max(...logits);
  const terms = logits.map((x) => Math.exp(x - top));
  const total = sum(terms);
  return { shares: terms.map((t) => t / total), lse: top + Math.log(total) };
}

const linearly = (x) => x;
const range = (count) => Array.from({ length: count }, (_, place) => place);
const dot = (a, b) => {
  let total = 0;
  for (let f = 0; f < a.length; f++) total += a[f] * b[f];
  return total;
};
const unit = (a) => a.map((x) => x / Math.hypot(...a));
const square = (size) => Array.from({ length: size }, () => new Float64Array(size));

// Points of a circle at these angles, in degrees.
const circular = (angles) => angles.map((angle) => (angle * Math.PI) / 180).map((angle) => [Math.cos(angle), Math.sin(angle)]);

// A linear congruential generator, the same as in controls.py.
function uniformFrom(seed) {
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

// Draws pairs (x, c) from a channel.
function drawn(pairs, symbols, error, batch) {
  const uniform = uniformFrom(batch);
  for (let n = 0; n < 3; n++) uniform();
  const [x, c] = [[], []];
  for (let n = 0; n < pairs; n++) {
    const [symbol, slip, other] = [uniform(), uniform(), uniform()];
    x.push(Math.floor(symbols * symbol));
    c.push((x[n] + (slip < error ? 1 + Math.floor((symbols - 1) * other) : 0)) % symbols);
  }
  return [x, c];
}

// The losses of one anchor. s: its similarities · positives, others: its candidates. Each fills P with the probabilities
// and G with the slope by each similarity, and returns the loss. Logits are L = s/τ.
const softmaxOf = (s, candidates, { temperature }, power = 1) =>
  softmax(candidates.map((j) => (power * s[j]) / temperature));

const ROWS = {
  // Softmax over all candidates. The mean over the positives is outside of the logarithm, or inside [F21, F22].
  crossEntropy(s, positives, others, options, P, G) {
    const { temperature, inside } = options;
    const [own, other] = [positives, others].map((candidates) => softmaxOf(s, candidates, options));
    const [lead, count] = [other.lse - own.lse, positives.length]; // −∞ without others
    const [wrong, right] = [sigmoid(lead), sigmoid(-lead)]; // 1 − wrong would cancel [S2]
    others.forEach((j, n) => { P[j] = wrong * other.shares[n]; G[j] = P[j] / temperature; });
    positives.forEach((j, n) => {
      P[j] = right * own.shares[n];
      G[j] = (inside ? -wrong * own.shares[n] : P[j] - right / count - wrong / count) / temperature;
    });
    const spread = sum(positives.map((j) => own.lse - s[j] / temperature)) / count;
    return (inside ? Math.log(count) : spread) + softplus(lead);
  },

  // No positive in the denominator [F1]; a negative weighs in proportion to e^{βL} [D4.2, D4.3, M20].
  decoupled(s, [p], others, options, P, G) {
    const { temperature, beta = 0, held } = options;
    const [hard, weight] = [1 + beta, beta].map((power) => softmaxOf(s, others, options, power));
    others.forEach((j, n) => {
      P[j] = hard.shares[n];
      G[j] = (held ? P[j] : (1 + beta) * P[j] - beta * weight.shares[n]) / temperature;
    });
    G[p] = -1 / temperature;
    return Math.log(others.length) + hard.lse - weight.lse - s[p] / temperature;
  },

  // The same weights with the positive, less the anchor's own class, in units of the positive's e^L [F29, F30].
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

  // Classifies each similarity by itself, as a pair or not [F9, F10].
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

// One of these losses of similarities alone. By default the first candidate is the positive, all others are negatives.
function ask(row, s, options, positives = [0], sees = () => true) {
  const [P, G] = [s.map(() => 0), s.map(() => 0)];
  const others = range(s.length).filter((j) => !positives.includes(j) && sees(j));
  return { loss: ROWS[row](s, positives, others, options, P, G), P, G };
}
// The cross-entropy of each row of a matrix. own: a row's positive; no row is its own candidate.
const askAll = (S, own, options) =>
  S.map((s, i) => ask("crossEntropy", s, options, [own(i)], (j) => j !== i));

const kernel = {
  // One anchor: similarities[0] is the positive's, the others are the negatives'.
  anchor({ similarities, temperature }) {
    const { loss, P, G } = ask("crossEntropy", similarities, { temperature });
    const apart = ask("decoupled", similarities, { temperature }); // DCL
    return {
      loss,
      decoupled: apart.loss,
      probabilities: P,
      push: G.map((g, a) => g * Math.sqrt((1 - similarities[a]) * (1 + similarities[a]))),
      effective: 1 / sum(apart.P.map((r) => r * r)),
    };
  },

  // One softmax, the right answer first: its loss, and the derivative by each score.
  bars({ scores }) {
    const { loss, P, G } = ask("crossEntropy", scores, { temperature: 1 });
    return { loss, probabilities: P, error: G };
  },

  // NT-Xent of points on a circle, row i + B being the other view of row i: G/(Nτ), and a step's two parts for one row.
  batch({ angles, row, temperature }) {
    const [count, points] = [angles.length, circular(angles)];
    const S = points.map((a) => points.map((b) => dot(a, b)));
    const asked = askAll(S, (i) => (i + count / 2) % count, { temperature });
    const slopes = asked.map(({ G }) => G.map((g) => g / count));
    const step = (entries) => [0, 1].map((f) => -sum(entries.map((g, j) => g * points[j][f])));
    return { slopes, as_anchor: step(slopes[row]), as_candidate: step(slopes.map((line) => line[row])) };
  },

  // One anchor at the angle 0 of a circle, and its candidates, the positive first. Forces are −τ times the derivatives.
  circle({ angles, temperature }) {
    const at = circular(angles);
    const { loss, P, G } = ask("crossEntropy", at.map(([x]) => x), { temperature });
    const forces = G.map((g) => -temperature * g);
    const anchor = [0, 1].map((f) => sum(forces.map((force, a) => force * at[a][f])));
    return { loss, probabilities: P, candidates: forces.map((force) => [force, 0]), anchor };
  },

  // A player gives the chosen candidate the probability `trust` and shares the rest: log N less the mean loss.
  game({ candidates, right, wrong, trust }) {
    const other = (1 - trust) / (candidates - 1);
    const loss = -(right * Math.log(trust) + wrong * Math.log(other)) / Math.max(1, right + wrong);
    return { other, score: right + wrong ? Math.log(candidates) - loss : 0 };
  },

  // x is the symbol c with probability 1 − error, else any other; the candidates' best score is p(x|c)/p(x).
  channel({ candidates, symbols, error }) {
    const hit = symbols * (1 - error);
    const miss = (symbols * error) / (symbols - 1);
    let loss = 0;
    let chance = (1 - 1 / symbols) ** (candidates - 1); // that n of the negatives are c
    for (let n = 0; n < candidates; n++) {
      const rest = n * hit + (candidates - 1 - n) * miss;
      loss += chance * ((1 - error) * Math.log1p(rest / hit) + error * Math.log1p(rest / miss));
      chance *= (candidates - 1 - n) / ((n + 1) * (symbols - 1));
    }
    const information = (1 - error) * Math.log(hit) + error * Math.log(miss);
    return { information, loss, bound: Math.log(candidates) - loss };
  },

  // A batch of pairs of that channel, scored strength · log p(x|c)/p(x) + shift, and the results of four estimators;
  // and Donsker and Varadhan's bound for the law. The batch enters by how often each symbol is among its contexts.
  estimators({ pairs, symbols, error, strength, shift, clip, batch }) {
    const hit = strength * Math.log(symbols * (1 - error)) + shift;
    const miss = strength * Math.log((symbols * error) / (symbols - 1)) + shift;
    const [x, c] = drawn(pairs, symbols, error, batch);
    const own = x.map((symbol, n) => (symbol === c[n] ? 1 : 0));
    const times = new Array(symbols).fill(0);
    for (const symbol of c) times[symbol] += 1;
    const others = x.map((symbol, n) => times[symbol] - own[n]);
    const mean = (hits, count, f = linearly) => (hits * f(hit) + (count - hits) * f(miss)) / count;
    const logMean = (hits, count, clipped = linearly) => {
      const top = Math.max(clipped(hit), clipped(miss));
      return top + Math.log(mean(hits, count, (score) => Math.exp(clipped(score) - top)));
    };
    const [together, fits, count] = [mean(sum(own), pairs), sum(others), pairs * (pairs - 1)];
    const rows = own.map((fit, n) => (fit ? hit : miss) - logMean(others[n] + fit, pairs));
    return {
      infonce: sum(rows) / pairs,
      nwj: together - mean(fits, count, (score) => Math.exp(score - 1)),
      mine: together - logMean(fits, count),
      smile: together - logMean(fits, count, (score) => Math.min(Math.max(score, -clip), clip)),
      law: (1 - error) * hit + error * miss - logMean(1, symbols),
      information: (1 - error) * Math.log(symbols * (1 - error)) + error * Math.log((symbols * error) / (symbols - 1)),
    };
  },

  // One image: similarities[0] is its own text's, the others are the negatives'.
  dhn({ similarities, temperature, beta }) {
    const [live, still] = [false, true].map((held) => ask("decoupled", similarities, { temperature, beta, held }));
    const { shares } = softmax(similarities.slice(1).map((s) => (beta * s) / temperature));
    return {
      loss: live.loss,
      weights: shares.map((r) => shares.length * r),
      differentiated: live.G.slice(1),
      constant: still.G.slice(1),
    };
  },

  // One datum against M equal noise samples, all scores raised by the same shift.
  noise({ datum, noise, log_noise, samples, shift }) {
    const threshold = log_noise + Math.log(samples);
    const [u, v] = [datum + shift - threshold, noise + shift - threshold];
    return {
      posterior: sigmoid(u),
      nce: softplus(-u) + samples * softplus(v),
      infonce: softplus(Math.log(samples) + noise - datum),
    };
  },

  // MoCo: after how many steps a key leaves the queue, and the share of an encoder of `age` steps ago in the key encoder.
  average({ momentum, age, queue, batch }) {
    return { kept: momentum ** age, stale: queue / batch };
  },

  // SimSiam of one feature with noise in each view: the encoder's factor a and the predictor's b, after each step of
  // descent. held: with the stop-gradient.
  phase({ a, b, noise, held, steps }) {
    const path = [[a, b]];
    for (let n = 0; n < steps; n++) {
      const wrong = (1 + noise) * b - 1;
      const byEncoder = held ? a * b * wrong : a * ((1 + noise) * (b * b + 1) - 2 * b);
      [a, b] = [a - 0.05 * byEncoder, b - 0.05 * a * a * wrong];
      path.push([a, b]);
    }
    return { path };
  },

  // NT-Xent of the rows of a recorded run, by their cosines above the diagonal; floor: the least loss of 128 pairs [M4].
  run({ cosines, temperature }) {
    const size = Math.round((1 + Math.sqrt(1 + 8 * cosines.length)) / 2);
    const above = (x, y) => cosines[x * size - (x * (x + 1)) / 2 + y - x - 1];
    const S = range(size).map((x) => range(size).map((y) => above(Math.min(x, y), Math.max(x, y))));
    const rows = askAll(S, (x) => (x + size / 2) % size, { temperature });
    return {
      losses: rows.map(({ loss }) => loss),
      matrix: rows.map(({ P }) => P),
      first: rows[0].P.slice(1),
      floor: Math.log1p(254 * Math.exp(-128 / (127 * temperature))),
    };
  },

  // Several positives of one anchor: the mean over them of the logarithms, and within the logarithm.
  positives({ positives, negatives, temperature }) {
    const [outside, inside] = [false, true].map((inside) =>
      ask("crossEntropy", [...positives, ...negatives], { temperature, inside }, range(positives.length)));
    const [out, within] = [outside, inside].map(({ G }) => G.map((g) => g * temperature));
    return { out: outside.loss, within: inside.loss, floor: Math.log(positives.length), by_out: out, by_in: within };
  },

  // Rows of one positive and equal candidates; in some rows one candidate scores above the positive.
  // The scale 1/τ after so many of Newton's steps on the convex loss, each of 1% at most; where it would converge.
  temperature({ positive, others, ahead, mistaken, rows, candidates, clamp, steps, start = 1 / 0.07 }) {
    const gap = others - positive;
    // A row with counts[a] candidates that lead the positive by leads[a]. Its curvature is a variance, summed over pairs.
    const row = (scale, leads, counts) => {
      const { shares, lse } = softmax(leads.map((lead, a) => Math.log(counts[a]) + lead * scale));
      const [P, all] = [[sigmoid(-lse), ...shares.map((r) => sigmoid(lse) * r)], [0, ...leads]];
      const pairs = P.flatMap((p, a) => range(a).map((b) => p * P[b] * (all[a] - all[b]) ** 2));
      return { loss: softplus(lse), slope: sum(P.map((p, a) => p * all[a])), curvature: sum(pairs) };
    };
    const share = mistaken / rows;
    const mean = (scale, name) => (1 - share) * row(scale, [gap], [candidates - 1])[name]
      + share * row(scale, [ahead, gap], [1, candidates - 2])[name];
    let scale = start;
    for (let step = 0; step < steps; step++) {
      const wanted = -mean(scale, "slope") / mean(scale, "curvature") || 0; // 0/0 if all scores are tied
      scale = Math.min(clamp, scale + Math.max(-scale / 100, Math.min(scale / 100, wanted)));
    }
    let [low, high] = [1e-6, 1e6];
    let rest = mean(scale, "slope") === 0 ? scale : Infinity;
    if (mean(high, "slope") > 0) {
      for (let n = 0; n < 120; n++) {
        const middle = Math.sqrt(low * high);
        if (mean(middle, "slope") < 0) low = middle;
        else high = middle;
      }
      rest = low;
    }
    return { scale, loss: mean(scale, "loss"), slope: mean(scale, "slope"), rest };
  },

  // The debiased loss of one row; its estimate never falls below e^(-1/τ), and at that floor no negative is pushed.
  clamp({ positive, negatives, temperature, prior }) {
    const { loss, G } = ask("debiased", [positive, ...negatives], { temperature, prior, beta: 0 });
    return {
      held: Number(G[1] === 0), loss, pull: -temperature * G[0], push: temperature * G[1],
      factor: 1 + (prior / (1 - prior)) * Math.exp((1 + positive) / temperature),
    };
  },

  // Barlow Twins after some steps of descent. A view is a list of columns, which are centred and of length 1 after each
  // step, so that C holds inner products; floor: the least loss of so many rows and features [R4].
  columns({ first, second, weight, steps }) {
    const [features, rows] = [first.length, first[0].length];
    const standard = (column) => {
      const centred = column.map((x) => x - sum(column) / rows);
      return centred.map((x) => x / Math.hypot(...centred));
    };
    let views = [first, second].map((view) => view.map(standard));
    const correlate = ([x, y]) => x.map((column) => y.map((other) => dot(column, other)));
    const slope = (c, f, g) => (f === g ? 2 * (c - 1) : 2 * weight * c);
    for (let n = 0; n < steps; n++) {
      const C = correlate(views);
      const moved = (own, other, by) => own.map((column, f) =>
        standard(column.map((x, row) => x - 0.1 * sum(other.map((z, g) => slope(by(f, g), f, g) * (z[row] - by(f, g) * x))))));
      views = [moved(views[0], views[1], (f, g) => C[f][g]), moved(views[1], views[0], (f, g) => C[g][f])];
    }
    const matrix = correlate(views);
    const kappa = Math.max(features / (rows - 1) - 1, 0);
    return {
      matrix,
      loss: sum(matrix.flatMap((line, f) => line.map((c, g) => (f === g ? (1 - c) ** 2 : weight * c ** 2)))),
      floor: (features * weight * kappa) / (1 + weight * kappa),
    };
  },

  // CLIP: pictures and captions as vectors, compared by the cosine; `hub` is added to the similarities of caption 2.
  questions({ pictures, captions, hub, temperature }) {
    const S = pictures.map((x) => captions.map((y, column) =>
      dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y)) + (column === 1 ? hub : 0)));
    const asking = (table) => table.map((s, own) => ask("crossEntropy", s, { temperature }, [own]));
    const [forth, back] = [asking(S), asking(captions.map((_, n) => S.map((line) => line[n])))];
    const [rows, columns] = [forth, back].map((all) => sum(all.map(({ loss }) => loss)) / all.length);
    return {
      rows, columns, clip: (rows + columns) / 2, by_rows: forth.map(({ P }) => P), by_columns: back.map(({ P }) => P),
    };
  },
};

// One anchor with so many equal negatives, the whole or those that it would see alone. kept: what is left of the pushes
// between a row and its negatives if only the anchors push those that it does not see alone [R2].
kernel.queue = kernel.ranks = ({ positive, negative, temperature, whole, alone }) => {
  const ahead = (size) => Math.log(size) + (negative - positive) / temperature;
  return {
    whole: softplus(ahead(whole)), whole_pull: sigmoid(ahead(whole)),
    alone: softplus(ahead(alone)), alone_pull: sigmoid(ahead(alone)),
    kept: (1 + alone / whole) / 2,
  };
};
