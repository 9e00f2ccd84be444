// The controls: the sliders of each, its readouts and its drawing. All numbers come from `kernel`.

const fixed = (digits) => (x) => (Math.abs(x) >= 1e-3 || x === 0 ? x.toFixed(digits) : x.toExponential(2));
const css = (name) => `var(--${name})`;

// A slider: name, label, from, to, step, start, scale. The number that it shows is the one that is computed with: it has
// the digits of a step, and is whole if the slider has a scale.
const slider = (name, label, from, to, step, start, scale = null) => {
  const digits = scale ? 0 : String(step).split(".")[1]?.length ?? 0;
  return { name, label, from, to, step, start, scale: scale ?? linearly, show: (x) => x.toFixed(digits) };
};
// A logarithmic slider moves through numbers of two digits, 90 in a decade: places −1, 0 and 1 are 0.99, 1 and 1.1.
// `from`, `to` and `start` are numbers; `of` may map them to their complements, for numbers near 1.
const atPlace = (place) => Number(`${10 + (((place % 90) + 90) % 90)}e${Math.floor(place / 90) - 1}`);
const placeOf = (x) => {
  const decade = Math.floor(Math.log10(x) + 1e-9);
  return 90 * decade + Math.round(x / 10 ** (decade - 1)) - 10;
};
const logarithmic = (name, label, from, to, start, of = linearly) => {
  const place = (x) => placeOf(of(x));
  const show = (x) => String(Number(x.toPrecision(5)));
  return { name, label, from: place(from), to: place(to), step: 1, start, scale: (at) => of(atPlace(at)), place, show };
};
const TEMPERATURE = logarithmic("temperature", "temperature τ", 0.01, 3.2, 0.2);

// Similarities of negatives: the hardest, and the others evenly below it, down to a distance of 1.
const spread = (hardest, count) => range(count).map((n) => hardest - (count > 1 ? n / (count - 1) : 0));

const written = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;

function arrow([x, y], [dx, dy]) {
  const length = Math.hypot(dx, dy);
  if (length < 0.5) return "";
  const tip = [x + dx, y + dy];
  const [ux, uy] = [dx, dy].map((v) => (v / length) * Math.min(6, length / 2));
  const [left, right] = [0.6, -0.6].map((side) => [tip[0] - ux - side * uy, tip[1] - uy + side * ux]);
  return `M${written([x, y])}L${written(tip)}M${written(left)}L${written(tip)}L${written(right)}`;
}

// Draws slopes as bars over similarities; wide pale bars show the slopes that they are compared with.
function drawSlopes(canvas, of, xLabel, similarities, slopes, others, toneOf, low) {
  const most = Math.max(...[...slopes, ...others].map(Math.abs), 1e-300);
  const view = canvas.axes({ x: [-1, 1], y: [low, 1.08], height: 240, xLabel, yTicks: [] });
  view.level(0, "quiet", 1);
  view.label(-1, 1, `${of}, up to ${most.toPrecision(3)}`, "start");
  similarities.forEach((s, n) => {
    view.line([[s, 0], [s, others[n] / most]], "quiet", 7, { "stroke-opacity": 0.35 });
    view.line([[s, 0], [s, slopes[n] / most]], toneOf(n), 3);
    view.dot(s, slopes[n] / most, toneOf(n));
  });
}
// Ticks: numbers with so many digits; and powers of a base at their exponents.
const ticks = (numbers, digits) => numbers.map((x) => [x, x.toFixed(digits)]);
const halves = (top, digits) => ticks([0, top / 2, top], digits);
const powers = (base, exponents) => exponents.map((e) => [e, base ** e]);
const DASHED = { "stroke-dasharray": "5 3" };

const BATCH = [60, 150, 285, 95, 185, 230]; // angles of six rows
// Four pictures and their captions; the columns are the words red, blue, circle, square.
const WORDS = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1]];
const DRAWN = { pictures: WORDS, captions: WORDS };
const CANDIDATES = [["partner", 40], ["near stranger", -55], ["far stranger", 150]]; // and their angles from the anchor

const CONTROLS = {
  bars: {
    sliders: [
      slider("right", "right answer", -4, 4, 0.1, 1),
      slider("second", "second answer", -4, 4, 0.1, 1),
      slider("third", "third answer", -4, 4, 0.1, -1),
    ],
    compute: ({ right, second, third }) => kernel.bars({ scores: [right, second, third] }),
    readouts: { loss: ["loss ℓ, nats", fixed(3)] },
    key: [["blue", "probability of the right answer"], ["red", "of the wrong ones"], ["ink", "arrow: where a step moves its score"]],
    box: "0 0 360 190",
    draw(canvas, state, { probabilities, error }) {
      canvas.line([10, 160], [350, 160], "quiet", 1);
      ["right", "second", "third"].forEach((name, n) => {
        const [x, tone, height] = [70 + 110 * n, n ? "red" : "blue", 130 * probabilities[n]];
        canvas.box([x - 25, 160 - height], [50, height], tone, { "fill-opacity": 0.75 });
        canvas.box([x - 25, n ? 159 : 30], [50, n ? 1 : 130], "none", { stroke: tone, "stroke-dasharray": "4 3" });
        canvas.arrow([x + 38, 160 - height], [0, 130 * error[n]], "ink", 2);
        canvas.text([x, 24], fixed(3)(probabilities[n]));
        canvas.text([x, 177], name);
      });
    },
  },

  batch: {
    pick: ["row"],
    sliders: [
      slider("row", "row k", 0, 5, 1, 0),
      logarithmic("temperature", "temperature τ", 0.05, 2, 0.5),
    ],
    compute(state) {
      const o = kernel.batch({ angles: BATCH, ...state });
      return { ...o, both: o.as_anchor.map((x, f) => x + o.as_candidate[f]) };
    },
    readouts: {
      as_anchor: ["as an anchor", (o) => Math.hypot(...o.as_anchor), fixed(3)],
      as_candidate: ["as a candidate", (o) => Math.hypot(...o.as_candidate), fixed(3)],
      both: ["both together", (o) => Math.hypot(...o.both), fixed(3)],
    },
    key: [["blue", "pulls"], ["red", "pushes"], ["amber", "the other view"], ["green", "arrow: as an anchor"], ["violet", "as a candidate"], ["ink", "both"]],
    note: "Six rows, 0 and 3, 1 and 4, 2 and 5 being two views of one thing. The table is G: line k is what row k expects less " +
      "what happened, column k what the others do of it. The arrows are the two sums, and both together. Click a row.",
    box: "0 -18 400 228",
    draw(canvas, { row }, { slopes, ...o }) {
      const place = ([x, y]) => [105 + 62 * x, 105 - 62 * y];
      canvas.circle([105, 105], 62, "none", { stroke: "line", "stroke-width": 1.5 });
      const at = circular(BATCH).map(place);
      const tones = { as_anchor: "green", as_candidate: "violet", both: "ink" };
      const others = range(6).map((k) => this.compute({ row: k, temperature: 1 }));
      const lengths = [o, ...others].flatMap((one) => Object.keys(tones).map((name) => Math.hypot(...one[name])));
      for (const [name, tone] of Object.entries(tones)) {
        canvas.arrow(at[row], o[name].map((x, f) => ((f ? -55 : 55) * x) / Math.max(...lengths)), tone, 2.2);
      }
      at.forEach((point, k) => canvas.named(point, k, k === row ? "ink" : k % 3 === row % 3 ? "amber" : "quiet"));
      const most = Math.max(...slopes.flat().map(Math.abs));
      canvas.cells([220, 28], 28, 2, slopes, (g, i, j) => {
        const opacity = i === j ? 0 : Math.sqrt(Math.abs(g) / most) * (i === row || j === row ? 1 : 0.25);
        return [g > 0 ? "red" : "blue", opacity, { "data-pick": i }];
      });
      const frame = { stroke: "ink", "stroke-width": 1.5, "pointer-events": "none" };
      canvas.box([218, 26 + 28 * row], [170, 30], "none", frame);
      canvas.box([218 + 28 * row, 26], [30, 170], "none", frame);
      range(6).forEach((k) => {
        canvas.text([233 + 28 * k, 20], k);
        canvas.text([210, 45 + 28 * k], k);
      });
    },
  },

  circle: {
    sliders: [logarithmic("temperature", "temperature τ", 0.02, 3.2, 0.5)],
    compute: ({ temperature }) => kernel.circle({ angles: CANDIDATES.map(([, angle]) => angle), temperature }),
    says({ loss, probabilities, candidates }) {
      const [own, near, far] = probabilities.map(fixed(3));
      return `The anchor expects its partner with ${own}, and the strangers with ${near} and ${far}. So the partner is ` +
        `pulled nearer with ${fixed(3)(candidates[0][0])}, what its probability is short of 1, the strangers are pushed away ` +
        `with ${near} and ${far}, and the anchor moves from what it expects to its partner. The loss is ${fixed(3)(loss)}.`;
    },
    key: [["blue", "partner"], ["red", "strangers"], ["quiet", "a line as wide as the probability; ring: what the anchor expects"]],
    box: "-180 -130 360 240",
    draw(canvas, state, { probabilities, candidates, anchor }) {
      const place = ([x, y]) => [100 * y, -100 * x]; // the anchor is at the top
      canvas.circle([0, 0], 100, "none", { stroke: "line", "stroke-width": 1.5 });
      const points = circular(CANDIDATES.map(([, angle]) => angle));
      const [from, at] = [place([1, 0]), points.map(place)];
      at.forEach((to, a) => canvas.line(from, to, "quiet", 12 * probabilities[a], { "stroke-opacity": 0.35 }));
      const expected = place(points[0].map((x, f) => x - anchor[f]));
      canvas.circle(expected, 6, "none", { stroke: "ink", "stroke-width": 2 });
      [[from, anchor], ...at.map((to, a) => [to, candidates[a]])].forEach(([point, force]) =>
        canvas.arrow(point, place(force.map((x) => 0.9 * x)), "ink", 2));
      canvas.circle(from, 8, "ink");
      canvas.text([from[0], from[1] - 14], "anchor", { tone: "ink" });
      at.forEach(([x, y], a) => {
        const [tone, side] = [a ? "red" : "blue", x < 0 ? -14 : 14];
        const look = { tone, "text-anchor": x < 0 ? "end" : "start" };
        canvas.circle([x, y], 8, tone);
        canvas.text([x + side, y - 2], CANDIDATES[a][0], look);
        canvas.text([x + side, y + 12], `P = ${fixed(2)(probabilities[a])}`, look);
      });
    },
  },

  anchor: {
    sliders: [
      TEMPERATURE,
      slider("candidates", "candidates", 2, 65, 1, 9),
      slider("positive", "positive's similarity", -1, 1, 0.01, 0.6),
      slider("hardest", "hardest negative's similarity", 0, 1, 0.01, 0.5),
      { name: "self", label: "the anchor among its own candidates (D1)", tick: true, asked: true },
    ],
    compute(state) {
      const negatives = spread(state.hardest, state.candidates - 1);
      const similarities = [state.positive, ...(state.self ? [1] : []), ...negatives];
      return { similarities, ...kernel.anchor({ similarities, temperature: state.temperature }) };
    },
    readouts: {
      loss: ["loss ℓ, nats", fixed(4)],
      decoupled: ["loss, positive left out of the sum", fixed(4)],
      positive: ["P of the positive", (o) => o.probabilities[0], fixed(4)],
      push: ["pull on the positive", (o) => -o.push[0], fixed(4)],
      effective: ["negatives that count", fixed(2)],
    },
    key: [["blue", "positive"], ["red", "negatives"], ["quiet", "the anchor itself", "self"]],
    note: "Up: the probability P of each candidate, against its similarity. Down: how hard a step moves it along " +
      "the sphere, |P − 1[positive]| √(1 − s²)/τ.",
    draw(canvas, state, o) {
      const tone = (a) => a === 0 ? "blue" : state.self && a === 1 ? "quiet" : "red";
      const most = Math.max(...o.push.map(Math.abs), 1e-300);
      const view = canvas.axes({ x: [-1, 1], y: [-1.08, 1.08], height: 250, xLabel: "similarity", yTicks: [] });
      view.level(0, "quiet", 1);
      view.label(-1, 1, "P, up to 1", "start");
      view.label(-1, -1.02, `push and pull, up to ${most.toPrecision(3)}`, "start");
      o.similarities.forEach((s, a) => {
        view.line([[s, 0], [s, o.probabilities[a]]], tone(a), a === 0 ? 5 : 3.5);
        view.line([[s, 0], [s, -Math.abs(o.push[a]) / most]], tone(a), a === 0 ? 5 : 3.5, { "stroke-opacity": 0.55 });
        view.dot(s, 0, tone(a));
      });
    },
  },

  game: {
    sliders: [slider("trust", "probability that you give your choice", 0.3, 0.99, 0.01, 0.6)],
    compute: ({ trust }, { right, wrong }) => ({
      ...kernel.game({ candidates: 4, right, wrong, trust }), rounds: right + wrong, right, wrong,
      best: kernel.channel({ candidates: 4, symbols: 6, error: 0.2 }).bound,
    }),
    readouts: {
      rounds: ["rounds", fixed(0)],
      right: ["of them right", fixed(0)],
      other: ["P of each other", fixed(3)],
      score: ["score: log N − loss", fixed(3)],
      best: ["who knows the law", fixed(3)],
    },
    key: [["blue", "your score after these rounds, against the probability"], ["green", "the mean of one who knows the law"]],
    note: "Six letters. A candidate that belongs is the letter of the context in 8 rounds of 10; all others are drawn blindly.",
    // A round shows a context and four candidates; one belongs to it. The reader clicks a letter.
    play(section, update) {
      const rounds = { right: 0, wrong: 0 };
      const [asked, buttons] = [element(section, "p", { className: "says", ariaLive: "polite" }), element(section, "div", { className: "buttons" })];
      const any = (count) => Math.floor(count * Math.random());
      const ask = (before) => {
        const [context, own] = [any(6), any(4)];
        const letters = range(4).map(() => any(6));
        letters[own] = Math.random() < 0.8 ? context : (context + 1 + any(5)) % 6;
        asked.textContent = `${before}The context is ${"ABCDEF"[context]}. Which candidate was drawn with it?`;
        buttons.replaceChildren();
        letters.forEach((letter, n) => {
          const button = element(buttons, "button", { type: "button", textContent: "ABCDEF"[letter] });
          button.addEventListener("click", () => {
            rounds[n === own ? "right" : "wrong"] += 1;
            ask(n === own ? "Right. " : `No: it was candidate ${own + 1}. `);
            update();
          });
        });
      };
      section.prepend(asked, buttons);
      ask("");
      return rounds;
    },
    draw(canvas, state, o) {
      const top = Math.log(4) * 1.1;
      const view = canvas.axes({
        x: [0.3, 1], y: [-top / 2, top], height: 190, xLabel: "probability of your choice",
        xTicks: [0.4, 0.6, 0.8, 1].map((x) => [x, x]), yTicks: ticks([0, Math.log(4)], 2),
      });
      view.level(o.best, "green", 1.6, DASHED);
      view.curve((trust) => kernel.game({ ...o, candidates: 4, trust }).score, "blue", state.trust);
    },
  },

  channel: {
    sliders: [
      slider("candidates", "candidates N", 1, 9, 0.1, 3, (x) => Math.round(2 ** x)),
      slider("symbols", "symbols of the alphabet", 2, 64, 1, 16),
      slider("error", "how often c is not x", 0.01, 0.9, 0.01, 0.1),
    ],
    readouts: {
      information: ["information 𝓘, nats", fixed(4)],
      loss: ["loss 𝓛, nats", fixed(4)],
      bound: ["log N − 𝓛", fixed(4)],
    },
    key: [["blue", "log N − 𝓛"], ["green", "the information 𝓘"], ["quiet", "log N"]],
    note: "x is one of the symbols, c the same symbol but for errors; the score is the best there is. The bound stays " +
      "below both the information and log N, however good the score.",
    draw(canvas, state, o) {
      const numbers = range(46).map((n) => Math.round(2 ** (1 + n / 5.625)));
      const bound = numbers.map((candidates) => [Math.log2(candidates), kernel.channel({ ...state, candidates }).bound]);
      const top = Math.max(o.information * 1.35, 0.3);
      const view = canvas.axes({
        x: [1, 9], y: [Math.min(0, ...bound.map((b) => b[1])), top], height: 250, xLabel: "candidates N",
        xTicks: powers(2, [1, 3, 5, 7, 9]), yTicks: halves(top, 2),
      });
      view.level(o.information, "green", 2);
      view.line(bound.map(([e]) => [e, e * Math.log(2)]), "quiet", 1.2, DASHED);
      view.line(bound, "blue", 2.4);
      view.dot(Math.log2(state.candidates), o.bound, "blue", 5);
    },
  },

  estimators: {
    sliders: [
      { ...slider("pairs", "pairs of a batch N", 2, 8, 0.1, 3, (x) => Math.round(2 ** x)), run: true },
      slider("symbols", "symbols of the alphabet", 2, 64, 1, 32),
      slider("error", "how often c is not x", 0.01, 0.9, 0.01, 0.1),
      slider("strength", "strength of the score", 0, 4, 0.05, 1),
      slider("shift", "a shift of every score", -3, 3, 0.1, 1),
      slider("clip", "SMILE's clip b", 0.5, 8, 0.1, 5),
    ],
    compute(state) {
      const batches = range(60).map((batch) => kernel.estimators({ ...state, batch }));
      const of = (name) => batches.map((found) => found[name]);
      const values = Object.fromEntries(["infonce", "nwj", "mine", "smile"].map((name) => [name, of(name)]));
      const means = Object.fromEntries(Object.entries(values).map(([name, all]) => [name, sum(all) / all.length]));
      return { ...means, values, law: batches[0].law, information: batches[0].information };
    },
    readouts: {
      information: ["information 𝓘, nats", fixed(3)],
      law: ["DV, of the law", fixed(3)],
      infonce: ["InfoNCE, mean", fixed(3)],
      nwj: ["NWJ, mean", fixed(3)],
      mine: ["MINE, mean", fixed(3)],
      smile: ["SMILE, mean", fixed(3)],
    },
    key: [["blue", "InfoNCE"], ["red", "NWJ"], ["amber", "MINE"], ["violet", "SMILE"], ["green", "the information 𝓘"], ["quiet", "log N"]],
    note: "Lines are the means of 60 batches, dots the batches, the same for all four. Press Run: N grows from 4 to 256.",
    draw(canvas, state, o) {
      const tones = { infonce: "blue", nwj: "red", mine: "amber", smile: "violet" };
      const top = 1.5 * Math.max(o.information, Math.log(256));
      const view = canvas.axes({
        x: [2, 8.1], y: [-top / 4, top], height: 260, xLabel: "pairs of a batch N", xTicks: powers(2, [2, 4, 6, 8]),
        yTicks: halves(top, 1),
      });
      view.level(o.information, "green", 2);
      view.line([2, 8].map((e) => [e, e * Math.log(2)]), "quiet", 1.2, DASHED);
      const now = Math.log2(state.pairs);
      const sizes = [...range(13).map((n) => 2 + n / 2).filter((e) => e < now), now];
      const means = sizes.map((e) => [e, this.compute({ ...state, pairs: Math.round(2 ** e) })]);
      for (const [name, tone] of Object.entries(tones)) {
        const inside = ([, y]) => y <= top && y >= -top / 4;
        o.values[name].map((value) => [now, value]).filter(inside).forEach((at) => view.dot(...at, tone, 1.5));
        view.line(means.map(([e, found]) => [e, found[name]]), tone, 2.4);
      }
    },
  },

  dhn: {
    sliders: [
      slider("beta", "hardness β", 0, 4, 0.05, 1),
      TEMPERATURE,
      slider("negatives", "negatives", 1, 32, 1, 12),
      slider("positive", "positive's similarity", -1, 1, 0.01, 0.6),
      slider("hardest", "hardest negative's similarity", 0, 1, 0.01, 0.5),
    ],
    compute({ temperature, beta, negatives, positive, hardest }) {
      const similarities = [positive, ...spread(hardest, negatives)];
      return { similarities, ...kernel.dhn({ similarities, temperature, beta }) };
    },
    readouts: {
      loss: ["loss of the row, nats", fixed(4)],
      heaviest: ["weight of the hardest", (o) => o.weights[0], fixed(3)],
      attracted: ["negatives attracted", (o) => o.differentiated.filter((g) => g < 0).length, fixed(0)],
    },
    key: [["red", "weights differentiated"], ["quiet", "weights held constant"], ["blue", "attracted"]],
    note: "The gradient by each negative's score, against its similarity: up is pushed away, down is pulled in.",
    draw(canvas, state, { similarities, differentiated, constant }) {
      const toneOf = (n) => (differentiated[n] < 0 ? "blue" : "red");
      const negatives = similarities.slice(1);
      drawSlopes(canvas, "∂ℓ/∂S", "similarity of the negative", negatives, differentiated, constant, toneOf, -0.5);
    },
  },

  noise: {
    sliders: [
      slider("datum", "score of the datum", -6, 6, 0.1, 1),
      slider("noise", "score of the noise", -6, 6, 0.1, -1),
      slider("log_noise", "log of the noise's density", -6, 2, 0.1, -2),
      slider("samples", "noise samples of a datum", 1, 32, 1, 4),
      slider("shift", "a shift of every score", -6, 6, 0.1, 0),
    ],
    readouts: {
      posterior: ["h of the datum", fixed(4)],
      nce: ["NCE, nats", fixed(4)],
      infonce: ["InfoNCE, nats", fixed(4)],
    },
    key: [["red", "NCE"], ["blue", "InfoNCE"]],
    note: "Both losses against the shift of every score. InfoNCE compares scores and does not see it; NCE has one " +
      "shift that it likes best, for its scores are log-probabilities.",
    draw(canvas, state, o) {
      const top = Math.max(o.nce, o.infonce, 1) * 1.6;
      const view = canvas.axes({
        x: [-6, 6], y: [0, top], height: 220, xLabel: "shift of every score", xTicks: [-6, -3, 0, 3, 6].map((x) => [x, x]),
        yTicks: halves(top, 1),
      });
      for (const [name, tone] of [["nce", "red"], ["infonce", "blue"]]) {
        view.curve((shift) => kernel.noise({ ...state, shift })[name], tone, state.shift);
      }
    },
  },

  average: {
    sliders: [
      logarithmic("momentum", "momentum m", 0.9999, 0.2, 0.99, (x) => 1 - x),
      slider("queue", "keys in the queue", 8, 17, 1, 16, (x) => 2 ** x),
      slider("batch", "keys of a batch", 5, 10, 1, 8, (x) => 2 ** x),
      { ...slider("time", "time", 0, 2, 0.01, 0), run: true, view: true },
    ],
    compute(state) {
      const { stale } = kernel.average({ ...state, age: 0 });
      return { stale, kept: kernel.average({ ...state, age: stale }).kept };
    },
    readouts: {
      stale: ["steps until a key leaves", fixed(0)],
      kept: ["of its encoder, left by then", fixed(4)],
    },
    key: [["blue", "a card: keys of one age, as dark as the share of their encoder that is still in the key encoder"]],
    note: "The belt of the queue, from new on the left to old on the right; below each card its age in steps.",
    box: "0 0 400 96",
    draw(canvas, state, { stale }) {
      canvas.line([4, 70], [396, 70], "quiet", 2);
      const [cards, moved] = [8, (8 * state.time) % 1];
      range(cards).forEach((n) => {
        const place = (n + moved) / cards;
        const { kept } = kernel.average({ ...state, age: stale * place });
        canvas.box([6 + 392 * place, 16], [36, 50], "blue", { rx: 4, "fill-opacity": kept, stroke: "blue" });
        canvas.text([24 + 392 * place, 88], fixed(0)(stale * place));
      });
    },
  },

  phase: {
    pick: ["a", "b"],
    sliders: [
      slider("a", "encoder a at the start", 0, 1.5, 0.1, 1),
      slider("b", "predictor b at the start", 0, 1.5, 0.1, 0.5),
      slider("noise", "variance v of the noise", 0, 1, 0.05, 0.25),
      { name: "held", label: "stop-gradient", tick: true, start: "1" },
    ],
    compute: (state) => kernel.phase({ ...state, steps: 3000 }),
    readouts: {
      encoder: ["a in the end", (o) => o.path.at(-1)[0], fixed(2)],
      predictor: ["b in the end", (o) => o.path.at(-1)[1], fixed(2)],
    },
    key: [["blue", "the way of a and b"], ["green", "where the predictor guesses best"], ["red", "collapse: a is 0"]],
    note: "Click anywhere to start there. Short lines show where a step goes.",
    box: "-34 -8 300 282",
    draw(canvas, state, { path }) {
      const place = ([a, b]) => [150 * a, 240 - 150 * b];
      const best = 1 / (1 + state.noise);
      canvas.line(place([0, 0]), place([0, 1.6]), "red", 2);
      canvas.line(place([0, best]), place([1.6, best]), "green", 2);
      for (const [a, b] of range(64).map((n) => [0.1 + 0.2 * (n % 8), 0.1 + 0.2 * Math.floor(n / 8)])) {
        const [, [x, y]] = kernel.phase({ ...state, a, b, steps: 1 }).path;
        const length = Math.max(Math.hypot(x - a, y - b), 1e-3) / 0.12;
        canvas.arrow(place([a, b]), [150 * (x - a) / length, -150 * (y - b) / length], "quiet", 1.2);
      }
      canvas.add("polyline", { points: path.map((at) => written(place(at))).join(" "), stroke: "blue", "stroke-width": 2.5 });
      canvas.circle(place(path[0]), 6, "blue");
      canvas.circle(place(path.at(-1)), 4, "blue");
      for (const at of [0, 0.5, 1, 1.5]) {
        canvas.text([150 * at, 255], at);
        canvas.text([-8, 244 - 150 * at], at, { "text-anchor": "end" });
      }
      canvas.text([120, 272], "encoder a");
      canvas.text([-26, 120], "predictor b", { transform: "rotate(-90 -26 120)" });
      for (const [x, y] of range(256).map((n) => [n % 16, Math.floor(n / 16)])) { // what a click is on
        canvas.box([15 * x - 7.5, 232.5 - 15 * y], [15, 15], "ink", { "fill-opacity": 0, "data-pick": `${x / 10},${y / 10}` });
      }
    },
  },

  positives: {
    sliders: [
      TEMPERATURE,
      slider("count", "positives", 1, 16, 1, 4),
      slider("nearest", "nearest positive's similarity", -1, 1, 0.01, 0.9),
      slider("spread", "from the nearest positive to the furthest", 0, 1, 0.01, 0.6),
      slider("negatives", "negatives", 1, 64, 1, 12),
      slider("hardest", "hardest negative's similarity", 0, 1, 0.01, 0.3),
    ],
    compute({ temperature, count, nearest, spread: width, negatives, hardest }) {
      const positives = range(count).map((n) => Math.max(-1, nearest - (count > 1 ? (width * n) / (count - 1) : 0)));
      const others = spread(hardest, negatives);
      return { positives, others, ...kernel.positives({ positives, negatives: others, temperature }) };
    },
    readouts: {
      out: ["loss, mean outside", fixed(4)],
      within: ["loss, mean inside", fixed(4)],
      floor: ["floor log n⁺", fixed(4)],
      repelled: ["positives repelled", (o) => o.positives.filter((_, n) => o.by_out[n] > 0).length, fixed(0)],
    },
    key: [["blue", "positives"], ["red", "negatives"], ["quiet", "the same with the mean inside"]],
    note: "The slope by each candidate's logit, against its similarity: up is pushed away, down is pulled in. A blue bar " +
      "that points up is a positive that its own class pushes away.",
    draw(canvas, state, { positives, others, by_out, by_in }) {
      const toneOf = (n) => (n < positives.length ? "blue" : "red");
      drawSlopes(canvas, "∂ℓ/∂L", "similarity", [...positives, ...others], by_out, by_in, toneOf, -1.08);
    },
  },

  temperature: {
    sliders: [
      { ...slider("steps", "Newton's steps, of 1% at most", 0, 400, 1, 0), run: true },
      slider("mistaken", "rows of 64 with a mistake", 0, 64, 1, 2),
      slider("ahead", "by how much a mistake is ahead", 0.01, 0.3, 0.01, 0.15),
      slider("positive", "positive's similarity", -0.2, 1, 0.01, 0.3),
      slider("candidates", "candidates of a row", 2, 15, 0.1, 8, (x) => Math.round(2 ** x)),
      logarithmic("clamp", "clamp of the scale", 10, 300, 100),
    ],
    compute: (state) => {
      const given = { ...state, others: 0.1, rows: 64 };
      return { given, ...kernel.temperature(given) };
    },
    readouts: {
      scale: ["scale 1/τ now", fixed(2)],
      temperature: ["temperature τ now", (o) => 1 / o.scale, fixed(4)],
      rest: ["it will end at", (o) => Math.min(o.rest, o.given.clamp), (x) => (x < 1e-5 ? "0" : fixed(2)(x))],
      loss: ["loss, nats", fixed(4)],
    },
    key: [["blue", "loss"], ["green", "where the slope is 0"], ["quiet", "the clamp"]],
    note: "The loss against the scale 1/τ, from τ = 0.07, the other candidates at similarity 0.1. Press Run. Then take " +
      "every mistake away and run again.",
    draw(canvas, state, o) {
      const top = 1.15 * Math.max(Math.log(state.candidates), o.loss);
      const view = canvas.axes({
        x: [0, 3], y: [0, top], height: 240, xLabel: "scale 1/τ", xTicks: powers(10, [0, 1, 2, 3]), yTicks: halves(top, 1),
      });
      for (const [scale, tone, dashes] of [[state.clamp, "quiet", DASHED], [o.rest, "green", { "stroke-dasharray": "2 3" }]]) {
        const at = Math.log10(scale);
        if (at >= 0 && at <= 3) view.line([[at, 0], [at, top]], tone, 1.4, dashes);
      }
      const loss = (e) => kernel.temperature({ ...o.given, start: 10 ** e, clamp: Infinity, steps: 0 }).loss;
      view.curve(loss, "blue", o.scale < 1 ? undefined : Math.log10(o.scale));
    },
  },

  clamp: {
    sliders: [
      logarithmic("temperature", "temperature τ", 0.05, 1, 0.25),
      slider("prior", "prior π⁺ of the anchor's class", 0, 0.4, 0.005, 0.1),
      slider("positive", "positive's similarity", -1, 1, 0.01, 0.6),
      slider("hardest", "hardest negative's similarity", -0.5, 1, 0.01, 0.4),
      slider("count", "negatives", 1, 256, 1, 30),
    ],
    compute({ temperature, prior, positive, hardest, count }) {
      const given = { temperature, prior, negatives: spread(hardest, count).map((s) => Math.max(s, -1)) };
      return { given, ...kernel.clamp({ ...given, positive }) };
    },
    readouts: {
      loss: ["loss, nats", fixed(4)],
      pull: ["pull on the positive", fixed(4)],
      push: ["push on the hardest", fixed(4)],
      held: ["estimate", (o) => o.held, (x) => (x ? "at its floor" : "free")],
      factor: ["drop at the clamp, times", fixed(1)],
    },
    key: [["blue", "debiased"], ["quiet", "without a prior"]],
    note: "The pull on the positive, against its similarity. Where the estimate of the true negatives meets its floor " +
      "the pull falls off a cliff.",
    draw(canvas, state, o) {
      const pull = (prior) => (positive) => kernel.clamp({ ...o.given, prior, positive }).pull;
      const curves = [[pull(0), "quiet"], [pull(state.prior), "blue", state.positive]];
      const top = 1.05 * Math.max(...curves.flatMap(([of]) => range(401).map((n) => of(n / 200 - 1))));
      const view = canvas.axes({ x: [-1, 1], y: [0, top], height: 230, xLabel: "similarity of the positive", yTicks: halves(top, 1) });
      for (const [of, tone, now] of curves) view.curve(of, tone, now, 400);
    },
  },

  run: {
    sliders: [
      { ...slider("checkpoint", "checkpoint", 1, 6, 1, 1), run: true },
      slider("setting", "temperature: the first to the fourth", 1, 4, 1, 3),
    ],
    compute({ checkpoint, setting }) {
      const recorded = REFERENCES.filter((point) => point.control === "run").map((point) => point.state);
      const now = recorded[6 * (setting - 1) + checkpoint - 1];
      return { ...now, ...kernel.run(now) };
    },
    readouts: {
      temperature: ["temperature τ", fixed(2)],
      step: ["training step", fixed(0)],
      loss: ["loss", fixed(2)],
      floor: ["its floor", fixed(2)],
      accuracy: ["probe, part right", fixed(3)],
    },
    key: [["blue", "first views"], ["amber", "second views"], ["green", "P: the probability that a row gives another"]],
    note: "SimCLR on handwritten digits, 128 in a batch. Left: both views of six digits that it has not seen, in the plane " +
      "in which they vary most. Right: P of these twelve rows; framed are the partners.",
    box: "0 0 400 200",
    draw(canvas, state, { points, matrix }) {
      const names = [0, 1, 3, 4, 7, 8];
      points.forEach(([x, y], n) => canvas.named([95 + 88 * x, 98 - 88 * y], names[n % 6], n < 6 ? "blue" : "amber"));
      canvas.cells([200, 2], 16, 1, matrix, (share, i, j) =>
        ["green", Math.sqrt(share), { stroke: j === (i + 6) % 12 ? "ink" : "line" }]);
    },
  },

  columns: {
    sliders: [
      { ...slider("steps", "steps of descent", 0, 200, 1, 0), run: true },
      slider("rows", "rows of the batch B", 3, 24, 1, 6),
      logarithmic("weight", "weight λ", 0.005, 1, 0.2),
    ],
    compute({ steps, rows, weight }) {
      const view = (by) => range(8).map((f) => range(rows).map((n) => Math.sin(1 + by * (f + 1) * (n + 2) ** 2)));
      const [first, other] = [view(1.3), view(2.7)];
      const second = first.map((column, f) => column.map((x, n) => x + other[f][n]));
      return kernel.columns({ first, second, weight, steps });
    },
    readouts: {
      loss: ["loss", fixed(3)],
      floor: ["its floor", fixed(3)],
      diagonal: ["mean of the diagonal", (o) => sum(o.matrix.map((line, f) => line[f])) / o.matrix.length, fixed(3)],
    },
    key: [["blue", "correlated"], ["red", "correlated negatively"]],
    note: "The matrix C of eight features: the first view's in lines, the second's in columns. Press Run: the rows of " +
      "both views move down the loss.",
    box: "0 0 360 216",
    draw(canvas, state, { matrix }) {
      canvas.cells([74, 4], 26, 2, matrix, (c, f, g) =>
        [c > 0 ? "blue" : "red", Math.min(1, Math.abs(c)), { stroke: f === g ? "ink" : "line" }]);
    },
  },

  questions: {
    sliders: [
      TEMPERATURE,
      slider("hub", "added to caption 2, for every picture", -0.5, 1, 0.01, 0.3),
    ],
    compute: (state) => kernel.questions({ ...state, ...DRAWN }),
    readouts: {
      rows: ["pictures ask", fixed(4)],
      columns: ["captions ask", fixed(4)],
      clip: ["CLIP", fixed(4)],
    },
    key: [["blue", "left in a cell: the probability that the picture gives the caption"], ["green", "right: that the caption gives the picture"]],
    note: "A picture and a caption are lists of four words, of which two hold: red, blue, circle, square. Their similarity is " +
      "the cosine: 1 for two words in common, 0.5 for one, 0 for none.",
    box: "0 0 380 220",
    draw(canvas, state, o) {
      range(4).forEach((n) => {
        const [tone, round, y] = [n < 2 ? "red" : "blue", n % 2 === 0, 44 + 44 * n];
        if (round) canvas.circle([24, y + 20], 14, tone);
        else canvas.box([10, y + 6], [28, 28], tone);
        canvas.text([92 + 80 * n, 18], `${n + 1}: a ${tone}`);
        canvas.text([92 + 80 * n, 34], round ? "circle" : "square");
        range(4).forEach((m) => {
          for (const [share, side, tone] of [[o.by_rows[n][m], 0, "blue"], [o.by_columns[m][n], 1, "green"]]) {
            const x = 54 + 80 * m + 38 * side;
            canvas.box([x, y], [38, 40], tone, { "fill-opacity": 0.6 * share, stroke: "line" });
            canvas.text([x + 19, y + 24], share.toFixed(2));
          }
        });
      });
    },
  },

  ranks: {
    sliders: [
      { name: "gather", label: "each rank gathers the rows of all others", tick: true, start: "1" },
      { name: "back", label: "the gather sends gradients back", tick: true },
      slider("ranks", "ranks", 1, 7, 1, 1, (x) => 2 ** x),
      slider("pairs", "pairs of the whole batch", 7, 15, 1, 12, (x) => 2 ** x),
      TEMPERATURE,
      slider("positive", "positive's similarity", -1, 1, 0.01, 0.6),
      slider("negative", "similarity of the negatives", -1, 1, 0.01, 0),
      { ...slider("time", "time", 0, 2, 0.01, 0.3), run: true, view: true },
    ],
    compute(state) {
      const sizes = { whole: 2 * state.pairs - 2, alone: (2 * state.pairs) / state.ranks - 2 };
      const { whole, whole_pull, alone, alone_pull, kept } = kernel.ranks({ ...state, ...sizes });
      const [loss, pull] = state.gather ? [whole, whole_pull] : [alone, alone_pull];
      return { loss, pull, kept: state.gather && !state.back ? kept : 1 };
    },
    readouts: {
      loss: ["loss of a row", fixed(4)],
      pull: ["pull on its positive", fixed(4)],
      kept: ["part of the pushes that arrives", fixed(4)],
    },
    key: [["blue", "rows of rank 0, and their copies"], ["amber", "rows of rank 1"], ["red", "what an anchor wants of a row, on its way to it"]],
    note: "Two of the ranks; press Run. A ring is a copy that is a constant. Negatives all have one similarity. Each rank " +
      "computes the loss of its own anchors.",
    box: "0 0 380 170",
    draw(canvas, { gather, back, time }) {
      const [there, home] = [Math.min(1, time), Math.max(0, time - 1)];
      const dot = (at, tone, r = 7, hollow = false) =>
        canvas.circle(at, r, hollow ? "none" : tone, { stroke: tone, "stroke-width": 2 });
      [0, 1].forEach((rank) => {
        const [left, other, tone] = [10 + 200 * rank, 10 + 200 * (1 - rank), rank ? "amber" : "blue"];
        canvas.box([left, 24], [160, 140], "none", { rx: 8, stroke: "line", "stroke-width": 2 });
        canvas.text([left + 80, 16], `rank ${rank}`);
        range(4).forEach((n) => {
          const [own, copy] = [[left + 35, 48 + 30 * n], [other + 125, 48 + 30 * n]];
          const between = (share) => own.map((x, f) => x + share * (copy[f] - x));
          dot(own, tone);
          if (gather) dot(between(there), tone, 7, !back);
          if (gather && back && home) dot(between(1 - home), "red", 4);
          if (home) dot([own[0] + 45 * (1 - home), own[1]], "red", 4);
        });
      });
    },
  },

  queue: {
    sliders: [
      slider("queue", "keys in the queue", 5, 17, 1, 16, (x) => 2 ** x),
      slider("batch", "keys of a batch", 1, 12, 1, 8, (x) => 2 ** x),
      TEMPERATURE,
      slider("positive", "positive's similarity", -1, 1, 0.01, 0.6),
      slider("negative", "similarity of the negatives", -1, 1, 0.01, 0),
    ],
    compute: ({ queue, batch, ...state }) => kernel.queue({ ...state, whole: queue, alone: batch - 1 }),
    readouts: {
      batch: ["loss, the batch alone", (o) => o.alone, fixed(4)],
      batch_pull: ["pull, the batch alone", (o) => o.alone_pull, fixed(4)],
      queue: ["loss, the queue", (o) => o.whole, fixed(4)],
      queue_pull: ["pull, the queue", (o) => o.whole_pull, fixed(4)],
    },
    key: [["blue", "pull on the positive, 1 − P"], ["red", "the batch alone"], ["green", "the queue"]],
    note: "How hard a query's positive is pulled, against the number of negatives it is compared with: the queue sets that " +
      "number, whatever the batch is.",
    draw(canvas, state, o) {
      const view = canvas.axes({
        x: [0, 17], y: [0, 1.05], height: 220, xLabel: "negatives", xTicks: powers(2, [0, 4, 8, 12, 16]),
        yTicks: [0, 0.5, 1].map((y) => [y, y]),
      });
      view.curve((e) => kernel.queue({ ...state, whole: 2 ** e, alone: 1 }).whole_pull, "blue");
      view.dot(Math.log2(state.batch - 1), o.alone_pull, "red", 6);
      view.dot(Math.log2(state.queue), o.whole_pull, "green", 6);
    },
  },
};

// --- drawing ---------------------------------------------------------------------------------------------

const set = (node, attributes) => {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
};
const svg = (parent, name, attributes = {}) => {
  const node = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
  set(node, attributes);
  return node;
};

class Canvas {
  constructor(parent) {
    this.svg = svg(parent, "svg", { "aria-hidden": "true" }); // the readouts say it in words
  }

  clear(viewBox) {
    set(this.svg, { viewBox });
    this.svg.replaceChildren();
  }

  // Adds a node; fill and stroke are names of colours.
  add(name, { fill, stroke, ...more }, text = "") {
    const tones = Object.entries({ fill, stroke }).filter(([, tone]) => tone);
    const painted = tones.map(([key, tone]) => [key, tone === "none" ? tone : css(tone)]);
    svg(this.svg, name, { ...more, ...Object.fromEntries(painted) }).textContent = text;
  }

  box([x, y], [width, height], fill, more = {}) {
    this.add("rect", { x, y, width, height, fill, ...more });
  }

  // Draws a matrix as boxes; `look` returns the colour, the opacity and further attributes of each.
  cells([left, top], step, gap, matrix, look) {
    matrix.forEach((line, i) => line.forEach((value, j) => {
      const [fill, opacity, more] = look(value, i, j);
      this.box([left + step * j, top + step * i], [step - gap, step - gap], fill, { "fill-opacity": opacity, stroke: "line", ...more });
    }));
  }

  circle([cx, cy], r, fill, more = {}) {
    this.add("circle", { cx, cy, r, fill, ...more });
  }

  line([x1, y1], [x2, y2], stroke, width, more = {}) {
    this.add("line", { x1, y1, x2, y2, stroke, "stroke-width": width, ...more });
  }

  arrow(from, by, stroke, width) {
    this.add("path", { d: arrow(from, by), fill: "none", stroke, "stroke-width": width });
  }

  text([x, y], words, { tone = "quiet", ...more } = {}) {
    this.add("text", { x, y, "text-anchor": "middle", style: `fill: ${css(tone)}`, ...more }, words);
  }

  // Draws a dot with its name in it; a click on it picks it.
  named([x, y], name, tone) {
    this.circle([x, y], 9, tone, { "data-pick": name });
    this.text([x, y + 4], name, { "data-pick": name, tone: "card" });
  }

  axes({ x, y, height, xLabel, yTicks, xTicks = [-1, -0.5, 0, 0.5, 1].map((v) => [v, v]) }) {
    const width = Math.max(this.svg.parentNode.clientWidth - 32, 240);
    this.clear(`0 0 ${width} ${height}`);
    const [left, right, top, bottom] = [yTicks.length ? 40 : 12, width - 18, 8, height - 36];
    const across = (v) => left + ((v - x[0]) / (x[1] - x[0])) * (right - left);
    const down = (v) => bottom - ((v - y[0]) / (y[1] - y[0])) * (bottom - top);
    const clamped = (v) => Math.min(bottom, Math.max(top, down(v)));
    for (const [at, label] of xTicks) {
      this.text([across(at), bottom + 15], label);
    }
    for (const [at, label] of yTicks) {
      this.line([left, down(at)], [right, down(at)], "line", 1);
      this.text([left - 6, down(at) + 4], label, { "text-anchor": "end" });
    }
    this.text([(left + right) / 2, height - 4], xLabel);
    const line = (points, stroke, width, more = {}) => {
      const inside = points.filter(([, b]) => b >= y[0] && b <= y[1]);
      const at = inside.map(([a, b]) => written([across(a), down(b)])).join(" ");
      this.add("polyline", { points: at, stroke, "stroke-width": width, ...more });
    };
    const dot = (a, b, fill, r = 2.5) => this.circle([across(a).toFixed(1), clamped(b).toFixed(1)], r, fill);
    return {
      line,
      dot,
      level: (height, ...look) => line(x.map((end) => [end, height]), ...look),
      // a function of x, in so many parts, with a dot at `now`
      curve(of, tone, now, parts = 120) {
        line(range(parts + 1).map((n) => x[0] + (n / parts) * (x[1] - x[0])).map((a) => [a, of(a)]), tone, 2.4);
        if (now !== undefined) dot(now, of(now), tone, 5);
      },
      label: (a, b, words, anchor) => this.text([across(a), down(b) + 4], words, { "text-anchor": anchor }),
    };
  }
}

// --- the page --------------------------------------------------------------------------------------------

function element(parent, tag, properties = {}) {
  return parent.appendChild(Object.assign(document.createElement(tag), properties));
}

// A slider or a tick box with its label and value. One with `view` turns or moves the picture and changes no number.
function field(parent, slider, first = slider.start) {
  const label = element(parent, "label", { className: slider.tick ? "tick" : "" });
  if (slider.tick) {
    const input = element(label, "input", { type: "checkbox", name: slider.name, checked: first === "1" });
    if (slider.view) input.dataset.view = "";
    element(label, "span", { textContent: slider.label });
    return { input, read: () => input.checked };
  }
  element(label, "span", { textContent: slider.label });
  const output = element(label, "output");
  const input = element(label, "input", { type: "range", name: slider.name, ariaLabel: slider.label, min: slider.from, max: slider.to, step: slider.step });
  if (slider.view) input.dataset.view = "";
  input.value = slider.place ? slider.place(first) : first;
  const read = () => {
    output.textContent = slider.show(slider.scale(Number(input.value)));
    input.setAttribute("aria-valuetext", output.textContent);
    return Number(output.textContent);
  };
  if (slider.run) runner(label, input);
  return { input, read };
}

// Adds readouts, each [label, function of the results (default: the result of its name), format]; returns their update.
function shownIn(section, readouts) {
  const list = element(section, "dl", { className: "readouts" });
  const shown = Object.entries(readouts).map(([name, [label, ...last]]) => {
    const [format, of = (outputs) => outputs[name]] = last.reverse();
    const cell = element(list, "div");
    element(cell, "dt", { textContent: label });
    const value = element(cell, "dd");
    value.dataset.output = name;
    return (outputs) => { value.textContent = format(of(outputs)); };
  });
  return (outputs) => shown.forEach((show) => show(outputs));
}

// Adds a sentence about the results; returns its update.
function sayIn(section, write) {
  const sentence = element(section, "p", { className: "says", ariaLive: "polite" });
  sentence.dataset.output = "says";
  return (outputs) => { sentence.textContent = write(outputs); };
}

function keyOf(section, tones) {
  const key = element(section, "p", { className: "key" });
  for (const [tone, meaning] of tones) {
    element(key, "i").style.background = css(tone);
    key.append(meaning);
  }
}

function start(section) {
  const control = CONTROLS[section.dataset.control];
  const preset = JSON.parse(section.dataset.start);
  section.replaceChildren(...section.querySelectorAll(":scope > .ask")); // not the words for those without JavaScript
  if (["geometry", "course"].includes(section.dataset.control)) return geometry(section, preset);
  const sliders = element(section, "div", { className: "sliders" });
  const offered = control.sliders.filter((slider) => !slider.asked || slider.name in preset);
  const inputs = offered.map((slider) => field(sliders, slider, preset[slider.name]));
  const names = preset.show?.split(",") ?? Object.keys(control.readouts ?? {});
  const readouts = Object.fromEntries(names.map((name) => [name, control.readouts[name]]));
  const show = control.readouts ? shownIn(section, readouts) : sayIn(section, control.says);
  const canvas = new Canvas(section);
  keyOf(section, control.key.filter(([, , needed]) => !needed || needed in preset));
  if (control.note) element(section, "p", { className: "key", textContent: control.note });
  const update = () => {
    const state = Object.fromEntries(inputs.map(({ input, read }) => [input.name, read()]));
    const outputs = control.compute ? control.compute(state, played) : kernel[section.dataset.control](state);
    show(outputs);
    if (control.box) canvas.clear(control.box);
    control.draw(canvas, state, outputs);
  };
  const played = control.play?.(section, update);
  section.addEventListener("input", update);
  if (control.pick) {
    canvas.svg.addEventListener("click", ({ target }) => {
      if (!target.dataset.pick) return;
      const picked = target.dataset.pick.split(",");
      control.pick.forEach((name, n) => { inputs.find((one) => one.input.name === name).input.value = picked[n]; });
      update();
    });
  }
  new ResizeObserver(update).observe(section);
  update();
  compare(section);
}

// A button that moves a slider from its start to its end.
function runner(label, input) {
  const button = element(label, "button", { type: "button", ariaLabel: `Run: ${input.ariaLabel}` });
  const isAtEnd = () => Number(input.value) >= Number(input.max);
  const step = () => {
    const width = Math.max(Number(input.step), Number(input.max) / 200);
    input.value = Math.min(Number(input.value) + width, Number(input.max));
    return !isAtEnd();
  };
  const start = () => {
    if (isAtEnd()) input.value = input.min;
    return step;
  };
  player([[button, "Run", start]], () => input.dispatchEvent(new Event("input", { bubbles: true })));
}

// Buttons [button, name, start], one of which runs at a time. A click calls start, which returns `next`; `next` is called
// for every frame while it returns true, or at once for a reader who wants no motion. A second click stops.
function player(buttons, draw) {
  let running = 0;
  const stop = () => {
    cancelAnimationFrame(running);
    running = 0;
    for (const [button, name] of buttons) button.textContent = name;
  };
  const play = (button, next) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const end = performance.now() + 3000; // ms
      for (let n = 0; n < 1000 && performance.now() < end && next(); n++);
      return draw();
    }
    button.textContent = "Stop";
    const frame = () => {
      running = next() ? requestAnimationFrame(frame) : 0;
      if (!running) stop();
      draw();
    };
    running = requestAnimationFrame(frame);
  };
  for (const [button, , start] of buttons) {
    button.addEventListener("click", () => {
      if (!running) return play(button, start());
      stop();
      draw();
    });
  }
  stop();
  return { stop, isRunning: () => running > 0 };
}

// Compares the kernel with Python's 50-digit values, and shows the result.
function compare(section) {
  const points = REFERENCES.filter((point) => point.control === section.dataset.control);
  let worst = 0;
  for (const { control, state, expected, tolerance } of points) {
    const got = kernel[control](state);
    for (const [name, pairs] of Object.entries(expected)) {
      const [numbers, all] = [[got[name]].flat(Infinity), [pairs].flat(Infinity)];
      all.forEach((_, place, flat) => {
        if (place % 2) return;
        const error = Math.abs(numbers[place / 2] - flat[place]);
        worst = Math.max(worst, error === 0 ? 0 : error / (tolerance * flat[place + 1]) || Infinity);
      });
      if (numbers.length * 2 !== all.length) worst = Infinity;
    }
  }
  const holds = points.length > 0 && worst <= 1;
  const line = element(section, "p", { className: "check" });
  line.dataset.state = holds ? "pass" : "fail";
  line.textContent = holds
    ? "✓ Computed in your browser; checked against values with 50 digits."
    : "✗ Your browser's numbers differ from the values with 50 digits: do not rely on these sliders.";
  return holds;
}

document.querySelectorAll("[data-control]").forEach(start); // pictures of controls have none
