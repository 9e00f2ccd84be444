"use strict";
// The losses at a handful of numbers, each by a form that does not cancel [S1, S2]. Nothing here depends on a page.

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

// Points of a circle at these angles, in degrees.
const circular = (angles) => angles.map((angle) => (angle * Math.PI) / 180).map((angle) => [Math.cos(angle), Math.sin(angle)]);

// Pairs of a channel, by a linear congruential generator that Python has too.
function drawn(pairs, symbols, error, batch) {
  let state = Math.imul(batch + 1, 2654435761) >>> 0;
  const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let n = 0; n < 3; n++) uniform();
  const [x, c] = [[], []];
  for (let n = 0; n < pairs; n++) {
    const [symbol, slip, other] = [uniform(), uniform(), uniform()];
    x.push(Math.floor(symbols * symbol));
    c.push((x[n] + (slip < error ? 1 + Math.floor((symbols - 1) * other) : 0)) % symbols);
  }
  return [x, c];
}

const kernel = {
  // One anchor: similarities[0] is the positive's, the others are the negatives'.
  anchor({ similarities, temperature }) {
    const logits = similarities.map((s) => s / temperature);
    const { shares, lse } = softmax(logits.slice(1));
    const wrong = sigmoid(lse - logits[0]); // 1 − P_p
    const probabilities = [sigmoid(logits[0] - lse), ...shares.map((r) => wrong * r)];
    const error = [-wrong, ...probabilities.slice(1)];
    const loss = softplus(lse - logits[0]);
    return {
      loss,
      decoupled: lse - logits[0], // DCL
      probabilities,
      push: error.map((g, a) => (g * Math.sqrt((1 - similarities[a]) * (1 + similarities[a]))) / temperature),
      effective: 1 / sum(shares.map((r) => r * r)),
    };
  },

  // One softmax, the right answer first: its loss, and the derivative by each score.
  bars({ scores }) {
    const { loss, probabilities } = kernel.anchor({ similarities: scores, temperature: 1 });
    const others = probabilities.slice(1);
    return { loss, probabilities, error: [-sum(others), ...others] };
  },

  // NT-Xent of points on a circle, row i + B being the other view of row i: G/(Nτ), and a step's two parts for one row.
  batch({ angles, row, temperature }) {
    const count = angles.length;
    const points = circular(angles);
    const slopes = points.map((z, k) => {
      const partner = (k + count / 2) % count;
      const order = [partner, ...points.keys()].filter((j, n) => j !== k && (n === 0 || j !== partner));
      const { error } = kernel.bars({ scores: order.map((j) => (z[0] * points[j][0] + z[1] * points[j][1]) / temperature) });
      const line = points.map(() => 0);
      order.forEach((j, n) => { line[j] = error[n] / (count * temperature); });
      return line;
    });
    const step = (entries) => [0, 1].map((f) => -sum(entries.map((g, j) => g * points[j][f])));
    return { slopes, as_anchor: step(slopes[row]), as_candidate: step(slopes.map((line) => line[row])) };
  },

  // One anchor at the angle 0 of a circle, and its candidates, the positive first. Forces are −τ times the derivatives.
  circle({ angles, temperature }) {
    const at = circular(angles);
    const { loss, probabilities } = kernel.anchor({ similarities: at.map(([x]) => x), temperature });
    const strangers = probabilities.slice(1);
    const towards = (f) => sum(strangers.map((share, n) => share * (at[0][f] - at[n + 1][f])));
    const candidates = [[sum(strangers), 0], ...strangers.map((share) => [-share, 0])];
    return { loss, probabilities, candidates, anchor: [towards(0), towards(1)] };
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
    const negatives = similarities.slice(1).map((s) => s / temperature);
    const of = (power) => softmax(negatives.map((x) => power * x));
    const [hard, weight] = [of(1 + beta), of(beta)];
    return {
      loss: Math.log(negatives.length) + hard.lse - weight.lse - similarities[0] / temperature,
      weights: weight.shares.map((r) => negatives.length * r),
      differentiated: hard.shares.map((r, j) => ((1 + beta) * r - beta * weight.shares[j]) / temperature),
      constant: hard.shares.map((r) => r / temperature),
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
    const at = (x, y) => cosines[x * size - (x * (x + 1)) / 2 + y - x - 1];
    const rows = new Array(size).fill(0).map((_, x) => {
      const order = [(x + size / 2) % size];
      for (let y = 0; y < size; y++) if (y !== x && y !== order[0]) order.push(y);
      const { loss, probabilities } = kernel.bars({
        scores: order.map((y) => at(Math.min(x, y), Math.max(x, y)) / temperature),
      });
      const line = new Array(size).fill(0);
      order.forEach((y, n) => { line[y] = probabilities[n]; });
      return { loss, line };
    });
    return {
      losses: rows.map(({ loss }) => loss),
      matrix: rows.map(({ line }) => line),
      first: rows[0].line.slice(1),
      floor: Math.log1p(254 * Math.exp(-128 / (127 * temperature))),
    };
  },

  // Several positives of one anchor: the mean over them of the logarithms, and within the logarithm.
  positives({ positives, negatives, temperature }) {
    const [own, other] = [positives, negatives].map((row) => softmax(row.map((s) => s / temperature)));
    const wrong = sigmoid(other.lse - own.lse); // the probability of all negatives
    const rest = softplus(other.lse - own.lse);
    const chances = own.shares.map((r) => (1 - wrong) * r);
    const pushed = other.shares.map((r) => wrong * r);
    const count = positives.length;
    return {
      out: sum(positives.map((s) => own.lse - s / temperature)) / count + rest,
      within: Math.log(count) + rest,
      floor: Math.log(count),
      by_out: [...chances.map((c) => c - 1 / count), ...pushed],
      by_in: [...own.shares.map((r) => -r * wrong), ...pushed],
    };
  },

  // Rows of one positive and equal candidates; in some rows one candidate scores above the positive.
  // The scale 1/τ after so many of Newton's steps on the convex loss, each of 1% at most; where it would converge.
  temperature({ positive, others, ahead, mistaken, rows, candidates, clamp, steps, start = 1 / 0.07 }) {
    const gap = others - positive;
    const right = (scale) => {
      const lead = Math.log(candidates - 1) + gap * scale;
      return { loss: softplus(lead), slope: sigmoid(lead) * gap, curvature: sigmoid(lead) * sigmoid(-lead) * gap ** 2 };
    };
    const wrong = (scale) => {
      const logits = [ahead * scale, Math.log(candidates - 2) + gap * scale];
      const { shares, lse } = softmax(logits);
      const [none, first, second] = [sigmoid(-lse), sigmoid(lse) * shares[0], sigmoid(lse) * shares[1]];
      return {
        loss: softplus(lse),
        slope: first * ahead + second * gap,
        curvature: none * (first * ahead ** 2 + second * gap ** 2) + first * second * (ahead - gap) ** 2,
      };
    };
    const share = mistaken / rows;
    const mean = (scale, name) => (1 - share) * right(scale)[name] + share * wrong(scale)[name];
    let scale = start;
    for (let step = 0; step < steps; step++) {
      const wanted = -mean(scale, "slope") / mean(scale, "curvature");
      scale = Math.min(clamp, scale + Math.max(-scale / 100, Math.min(scale / 100, wanted)));
    }
    let [low, high] = [1e-6, 1e6];
    let rest = Infinity;
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

  // The debiased loss of one row, all in units of the positive's e^L; its estimate never falls below e^(-1/τ).
  clamp({ positive, negatives, temperature, prior }) {
    const odds = prior / (1 - prior);
    const terms = negatives.map((s) => Math.exp((s - positive) / temperature));
    const estimate = (sum(terms) / terms.length - prior) / (1 - prior);
    const least = Math.exp(-(1 + positive) / temperature);
    const held = estimate < least;
    const sumOfNegatives = terms.length * (held ? least : estimate);
    return {
      held: Number(held),
      loss: Math.log1p(sumOfNegatives),
      pull: (sumOfNegatives + (held ? 0 : terms.length * odds)) / (1 + sumOfNegatives),
      push: held ? 0 : (terms[0] * (1 + odds)) / (1 + sumOfNegatives),
      factor: 1 + odds * Math.exp((1 + positive) / temperature),
    };
  },

  // Barlow Twins after some steps of descent. A view is a list of columns, which are centred and of length 1 after each
  // step, so that C holds inner products; floor: the least loss of so many rows and features [R4].
  columns({ first, second, weight, steps }) {
    const [features, rows] = [first.length, first[0].length];
    const product = (x, y) => sum(x.map((entry, n) => entry * y[n]));
    const standard = (column) => {
      const centred = column.map((x) => x - sum(column) / rows);
      return centred.map((x) => x / Math.hypot(...centred));
    };
    let views = [first, second].map((view) => view.map(standard));
    const correlate = ([x, y]) => x.map((column) => y.map((other) => product(column, other)));
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
    const product = (x, y) => sum(x.map((entry, n) => entry * y[n]));
    const logits = pictures.map((x) => captions.map((y, column) =>
      (product(x, y) / Math.sqrt(product(x, x) * product(y, y)) + (column === 1 ? hub : 0)) / temperature));
    const ask = (table) => table.map((scores, own) => {
      const others = scores.filter((_, n) => n !== own);
      const { shares, lse } = softmax(others);
      const wrong = sigmoid(lse - scores[own]);
      return {
        loss: softplus(lse - scores[own]),
        chances: scores.map((_, n) => (n === own ? 1 - wrong : wrong * shares[n - (n > own)])),
      };
    });
    const [byRows, byColumns] = [ask(logits), ask(logits[0].map((_, n) => logits.map((line) => line[n])))];
    const [rows, columns] = [byRows, byColumns].map((all) => sum(all.map((a) => a.loss)) / all.length);
    return {
      rows, columns, clip: (rows + columns) / 2,
      by_rows: byRows.map((a) => a.chances), by_columns: byColumns.map((a) => a.chances),
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
