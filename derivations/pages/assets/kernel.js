"use strict";
// The losses at a handful of numbers, each by a form that does not cancel [S1, S2]. No page's own business is here.

const sum = (x) => x.reduce((total, term) => total + term, 0);
const sigmoid = (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

function softmax(logits) {
  const top = Math.max(...logits);
  const terms = logits.map((x) => Math.exp(x - top));
  const total = sum(terms);
  return { shares: terms.map((t) => t / total), lse: top + Math.log(total) };
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
      bound: Math.log(similarities.length) - loss,
    };
  },

  // x is the symbol c with probability 1 − error, else any other; the candidates' best score is p(x|c)/p(x).
  channel({ candidates, symbols, error }) {
    const hit = symbols * (1 - error);
    const miss = (symbols * error) / (symbols - 1);
    let loss = 0;
    let chance = (1 - 1 / symbols) ** (candidates - 1); // of n negatives that are c
    for (let n = 0; n < candidates; n++) {
      const rest = n * hit + (candidates - 1 - n) * miss;
      loss += chance * ((1 - error) * Math.log1p(rest / hit) + error * Math.log1p(rest / miss));
      chance *= (candidates - 1 - n) / ((n + 1) * (symbols - 1));
    }
    const information = (1 - error) * Math.log(hit) + error * Math.log(miss);
    return { information, loss, bound: Math.log(candidates) - loss };
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

  // MoCo's key encoder: how much of it is the query encoder of `age` steps ago, and how much is older still.
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
};
