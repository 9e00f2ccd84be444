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
    const others = x.map((symbol, n) => c.filter((other) => other === symbol).length - own[n]);
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

  // MoCo's key encoder: the weight of the query encoder of `age` steps ago in it, and of all older ones.
  average({ momentum, age, queue, batch }) {
    return {
      weight: (1 - momentum) * momentum ** age,
      older: momentum ** (age + 1),
      stale: queue / batch,
    };
  },

  // BYOL and SimSiam: two rows that enclose an angle, in degrees; the prediction has the given length.
  angle({ angle, length }) {
    const half = (angle * Math.PI) / 360;
    return {
      byol: 4 * Math.sin(half) ** 2,
      simsiam: 2 * Math.sin(half) ** 2 - 1,
      gradient: (2 * Math.abs(Math.sin(2 * half))) / length,
    };
  },

  // One positive, one negative, on the unit sphere: the hinge of the triplet loss, and InfoNCE times τ.
  hinge({ positive, negative, margin, temperature }) {
    const inside = 2 * (negative - positive) + margin;
    return {
      triplet: Math.max(0, inside),
      triplet_pull: inside > 0 ? 2 : 0,
      infonce: temperature * softplus((negative - positive) / temperature),
      infonce_pull: sigmoid((negative - positive) / temperature),
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

  // Barlow Twins: the least loss of a batch whose diagonal correlations are all the same.
  floor({ pairs, features, weight, diagonal }) {
    const kappa = Math.max(features / (pairs - 1) - 1, 0);
    const factor = 1 + weight * kappa;
    return {
      floor: (features * weight * kappa) / factor,
      best: 1 / factor,
      aligned: features * weight * kappa,
      loss: features * ((1 - diagonal) ** 2 + weight * kappa * diagonal ** 2),
    };
  },

  // CLIP: four images and their texts; the second text is nearer to every image by `hub`.
  questions({ own, other, hub, temperature }) {
    const four = [0, 1, 2, 3];
    const logit = (x, y) => ((x === y ? own : other) + (y === 1 ? hub : 0)) / temperature;
    const asked = (scores) => {
      const { shares, lse } = softmax(scores.slice(1));
      const wrong = sigmoid(lse - scores[0]);
      return { loss: softplus(lse - scores[0]), chances: [1 - wrong, ...shares.map((r) => wrong * r)] };
    };
    const first = (k) => [k, ...four.filter((n) => n !== k)];
    const back = (k, chances) => four.map((n) => chances[first(k).indexOf(n)]);
    const rowsAsked = four.map((x) => asked(first(x).map((y) => logit(x, y))));
    const columnsAsked = four.map((y) => asked(first(y).map((x) => logit(x, y))));
    const [rows, columns] = [rowsAsked, columnsAsked].map((all) => sum(all.map((a) => a.loss)) / 4);
    const matrix = rowsAsked.map((a, x) => back(x, a.chances));
    const transposed = columnsAsked.map((a, y) => back(y, a.chances));
    return {
      rows, columns, clip: (rows + columns) / 2,
      by_rows: matrix[0], by_columns: four.map((y) => transposed[y][0]),
      matrix, across: four.map((x) => four.map((y) => transposed[y][x])),
    };
  },

  // NT-Xent with equal negatives: of the whole batch, and of the rows of one rank alone. kept: what is left of the
  // pushes between a row and its negatives if rows of other ranks are constants, so that only anchors push [R2].
  ranks({ positive, negative, temperature, pairs, ranks }) {
    const [whole, alone] = [2 * pairs - 2, (2 * pairs) / ranks - 2]; // negatives
    const ahead = (size) => Math.log(size) + (negative - positive) / temperature;
    return {
      whole: softplus(ahead(whole)), whole_pull: sigmoid(ahead(whole)),
      alone: softplus(ahead(alone)), alone_pull: sigmoid(ahead(alone)),
      kept: (1 + alone / whole) / 2,
    };
  },

  // MoCo: one query with equal negatives, those of the queue, and those of its batch alone.
  queue({ positive, negative, temperature, queue, batch }) {
    const ahead = (size) => Math.log(size) + (negative - positive) / temperature;
    return {
      queue: softplus(ahead(queue)), queue_pull: sigmoid(ahead(queue)),
      batch: softplus(ahead(batch - 1)), batch_pull: sigmoid(ahead(batch - 1)),
    };
  },
};
