// Points on a circle or a sphere that a reader moves: an arrow shows the force of a loss on each, a button runs gradient
// descent, and beside them stands the matrix of the loss. All numbers come from `evaluate`.

// How a control starts: its loss, its settings as the sliders show them, its matrix, and its points, by angles or drawn from
// a seed. apart: the distance within pairs · lean: how far all points lean to the pole · flat: all lie in one plane.
const PRESETS = {
  sphere: { loss: "query_key", sphere: "1", pairs: 5, apart: 0.5, seed: 4, matrix: "P" },
  anchor: { loss: "infonce", pairs: 4, temperature: 0.25, angles: [60, 150, 250, 330, 95, 185, 225, 0], matrix: "P" },
  collapse: { loss: "alignment", sphere: "1", pairs: 8, chain: "1", apart: 2, seed: 3, speed: 6, matrix: "S" },
  lowest: { loss: "ntxent", sphere: "1", pairs: 6, temperature: 0.5, apart: 0.6, seed: 2, matrix: "P" },
  easy: { loss: "dhn_nce", pairs: 3, temperature: 0.6, angles: [100, 215, 330, 75, 140, 300], matrix: "G" },
  classes: { loss: "supcon", sphere: "1", pairs: 9, temperature: 0.32, apart: 0.5, seed: 5, matrix: "S" },
  threshold: { loss: "siglip", sphere: "1", pairs: 5, bias: -2, temperature: 0.2, apart: 0.8, seed: 3, matrix: "P" },
  plane: { loss: "ntxent", sphere: "1", pairs: 6, temperature: 0.5, flat: true, apart: 0.6, seed: 2, matrix: "both" },
  uniformity: {
    loss: "uniformity", sphere: "1", pairs: 32, temperature: 0.05, lean: 2, apart: 0.3, seed: 1, matrix: "P",
  },
};

const fieldsOf = () => Object.fromEntries([
  logarithmic("temperature", "temperature τ", 0.02, 2, 0.2),
  slider("beta", "hardness β", 0, 4, 0.05, 1),
  slider("prior", "prior π⁺ of the anchor's class", 0, 0.4, 0.01, 0.1),
  slider("bias", "bias b", -10, 5, 0.1, -2),
  slider("margin", "margin μ", 0, 2, 0.05, 0.5),
  slider("uniformity", "weight λ of uniformity", 0, 2, 0.05, 0),
  slider("classes", "classes", 2, 8, 1, 3),
  slider("pairs", "pairs of points", 2, 32, 1, 6),
  { ...slider("speed", "step size, degrees at most", 0.2, 8, 0.1, 2), view: true },
  { ...slider("turn", "the sphere turned, degrees", -180, 180, 1, 20), view: true },
  { name: "held", label: "weights held constant", tick: true, view: true },
  { name: "inside", label: "the mean inside the logarithm", tick: true },
  { name: "mask", label: "mask: leave out candidates of the anchor's own class", tick: true },
  { name: "local", label: "two GPUs, no all_gather: each sees its own rows", tick: true },
  { name: "queue", label: "queue: the squares are constants, without a force", tick: true },
  { name: "chain", label: "in a chain: each point is a view of the next", tick: true },
  { name: "sphere", label: "on a sphere", tick: true },
].map((one) => [one.name, one]));

const STEPS_A_KEY = 15;
const SWITCHES = ["mask", "local", "queue"];

const MATRICES = {
  S: {
    name: "S, similarities", tones: ["green", "violet"], of: ({ S }, i, j) => S[i][j],
    title: "S, the similarities; struck out is what no anchor compares",
  },
  P: { name: "P, what the loss compares", tones: ["green", "violet"], of: ({ P }, i, j) => P[i][j] },
  G: {
    name: "G = ∂𝓛/∂S", tones: ["red", "blue"], of: ({ G }, i, j) => G[i][j],
    title: "G = ∂𝓛/∂S: red pushes, blue pulls",
  },
  both: {
    name: "G + Gᵀ", tones: ["red", "blue"], of: ({ G }, i, j) => G[i][j] + G[j][i],
    title: "G + Gᵀ, of each two points together: red pushes, blue pulls",
  },
};
const TONES = ["blue", "red", "green", "amber", "violet", "quiet"];
const RADIUS = 100;

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const degrees = (radians) => Math.round((radians * 180) / Math.PI);

// The angle of a point of the circle; longitude and latitude of one on the sphere.
const anglesOf = (z) => (z.length === 2
  ? [Math.atan2(z[1], z[0])]
  : [Math.atan2(z[0], z[2]), Math.asin(clamp(z[1], -1, 1))]);
const pointAt = ([angle, latitude]) => (latitude === undefined
  ? [Math.cos(angle), Math.sin(angle)]
  : [Math.cos(latitude) * Math.sin(angle), Math.sin(latitude), Math.cos(latitude) * Math.cos(angle)]);

// Unit vectors to the right, up and, on the sphere, towards the reader, who looks from a little above.
function viewOf(features, turned) {
  if (features === 2) return [[1, 0], [0, 1]];
  const [c, s] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)];
  const [cosine, sine] = [Math.cos(0.35), Math.sin(0.35)];
  return [[c, 0, s], [sine * s, cosine, -sine * c], [-cosine * s, sine, cosine * c]];
}

function startOf({ angles, seed = 1, apart = 0.5, lean = 0, flat }, pairs, features) {
  if (features === 2 && angles?.length === 2 * pairs) return angles.map((a) => pointAt([(a * Math.PI) / 180]));
  const uniform = uniformFrom(Number(seed));
  const normal = (f) => (uniform() + uniform() + uniform() + uniform() - 2) * (flat && f === 1 ? 0 : 1);
  const first = range(pairs).map(() => unit(range(features).map((f) => normal(f) + (f === 1 ? Number(lean) : 0))));
  return [...first, ...first.map((z) => unit(z.map((x, f) => x + apart * normal(f))))];
}

// Three great circles of a sphere; only their visible halves are drawn.
const CIRCLES = [[0, 1], [1, 2], [2, 0]].map(([f, g]) => Array.from({ length: 61 }, (_, n) => {
  const z = [0, 0, 0];
  [z[f], z[g]] = [Math.cos((n * Math.PI) / 30), Math.sin((n * Math.PI) / 30)];
  return z;
}));
const inFront = (circle) => {
  const pen = (n) => (n && circle[n][2] > 0 && circle[n - 1][2] > 0 ? "L" : "M");
  return circle.map((at, n) => `${pen(n)}${written(at)}`).join("");
};

const lengthOf = (a) => Math.hypot(...a);
const meanOf = (points) => points[0].map((_, f) => sum(points.map((z) => z[f])) / points.length);

// The explorable of the course has the switches of each loss, and experiments to begin with.
function geometry(section, { preset }) {
  const course = section.dataset.control === "course";
  let chosen = course ? EXPERIMENTS[0].start : PRESETS[preset];
  let raw = { ...chosen }; // what each slider shows
  let { loss: name, matrix } = chosen;
  let selected = 0; // the point whose pulls and pushes are shown
  let fields, settings, points, now; // `now` is the result for these points
  let longest, rate; // the largest force so far; it sets the length of a step
  section.classList.add("geometry");

  // --- what is on the page ---
  const choose = (parent, label, entries, first, change) => {
    const box = element(parent, "label");
    element(box, "span", { textContent: label });
    const select = element(box, "select", { ariaLabel: label });
    for (const [value, textContent] of entries) element(select, "option", { value, textContent });
    select.value = first;
    select.addEventListener("change", () => change(select.value));
    return select;
  };
  const tries = course && element(section, "div", { className: "buttons tries", role: "group", ariaLabel: "try this" });
  const tried = course && element(section, "p", { className: "tried", ariaLive: "polite" });
  for (const [place, { title }] of course ? EXPERIMENTS.entries() : []) {
    const button = element(tries, "button", { type: "button", textContent: title, ariaPressed: "false" });
    button.addEventListener("click", () => attempt(place));
  }
  const choices = element(section, "div", { className: "sliders choices" });
  const titles = (table, key) => Object.entries(table).map(([value, entry]) => [value, entry[key]]);
  const lossChoice = choose(choices, "loss", titles(LOSSES, "title"), name, (value) => {
    name = value;
    build();
  });
  const matrixChoice = choose(choices, "matrix", titles(MATRICES, "name"), matrix, (value) => {
    matrix = value;
    draw();
  });
  const buttons = element(section, "div", { className: "buttons" });
  const runButton = element(buttons, "button", { type: "button" });
  const coolButton = element(buttons, "button", { type: "button", title: "run while τ falls" });
  const ageButton = element(buttons, "button", { type: "button", hidden: true });
  const resetButton = element(buttons, "button", { type: "button", textContent: "Reset" });
  const views = element(section, "div", { className: "views" });
  const scene = svg(views, "svg", { viewBox: "-128 -122 256 244", role: "group", "aria-label": "points to be moved" });
  const heat = element(views, "div", { className: "heat" });
  const canvas = element(heat, "canvas", { role: "img" });
  const struck = svg(heat, "svg", { "aria-hidden": "true" });
  const caption = element(heat, "p", { className: "key" });
  const largest = () => Math.max(...now.forces.map(lengthOf));
  const between = (k) => now.S[k][(k + settings.pairs) % points.length];
  const show = shownIn(section, {
    loss: ["loss", () => now.loss, fixed(4)],
    partners: ["similarity of partners", () => sum(points.map((_, k) => between(k))) / points.length, fixed(3)],
    mean: ["length of the mean point", () => lengthOf(meanOf(points)), fixed(3)],
  });
  const sliders = element(section, "div", { className: "sliders" });
  keyOf(section, [
    ["ink", "arrow: the force, where a step moves a point"],
    ["blue", "what pulls the ringed point"],
    ["red", "what pushes it"],
  ]);
  const hint = "Points of one number are a pair, a disc and a square its two views. Drag one, or reach it by Tab and " +
    "move it by the arrow keys.";
  element(section, "p", { className: "key live", textContent: hint });
  let parts; // of the picture
  let crossed, frames; // of the matrix: what is struck out; about the ringed point's row and column

  // --- settings ---
  function build() {
    const all = fieldsOf();
    const { uses, switches } = LOSSES[name];
    const classes = course && switches.includes("mask") && !uses.includes("classes") ? ["classes"] : [];
    const offered = [...uses, ...classes, ...(course ? SWITCHES : [])];
    sliders.replaceChildren();
    fields = [];
    for (const key of [...offered, "pairs", "speed", "sphere", ...(raw.sphere === "1" ? ["turn"] : [])]) {
      if (SWITCHES.includes(key) && !switches.includes(key)) refuse(all[key]);
      else fields.push(field(sliders, all[key], raw[key]));
    }
    coolButton.hidden = !uses.includes("temperature");
    reset();
  }
  // Disables a switch: no proved statement of this loss leaves out those candidates or forces.
  function refuse(tick) {
    const { input } = field(sliders, { ...tick, label: `${tick.label} (not of this loss)` }, "0");
    [input.disabled, input.name] = [true, ""];
  }
  function attempt(place) {
    chosen = EXPERIMENTS[place].start;
    raw = { ...chosen };
    [name, matrix] = [chosen.loss, chosen.matrix];
    [lossChoice.value, matrixChoice.value] = [name, matrix];
    tried.textContent = EXPERIMENTS[place].words;
    [...tries.children].forEach((button, at) => { button.ariaPressed = String(at === place); });
    build();
  }
  function read() {
    const of = (key) => fields.find(({ input }) => input.name === key)?.input;
    of("pairs").min = of("local")?.checked ? 4 : 2; // so that a row of a rank has a negative
    settings = Object.fromEntries(fields.map(({ input, read: value }) => [input.name, value()]));
    ageButton.hidden = !settings.queue;
    for (const { input } of fields) {
      raw[input.name] = input.type === "range" ? settings[input.name] : String(Number(input.checked));
    }
  }
  function reset() {
    played.stop();
    read();
    points = startOf(chosen, settings.pairs, settings.sphere ? 3 : 2);
    assemble();
    refresh();
  }
  // Computes the forces on these points again. before: the largest force so far, to whose scale the arrows are kept.
  function recompute(before = 1e-12) {
    now = evaluate(name, points, settings);
    longest = Math.max(largest(), before);
    rate = fastest();
  }
  function refresh() {
    recompute();
    strike();
    draw();
  }
  const fastest = () => (settings.speed * Math.PI) / 180 / longest;

  // --- a step down the loss ---
  // Each point moves along its force and is projected back onto the sphere. If the loss does not fall, the step is halved.
  function step() {
    for (rate = Math.min(2 * rate, fastest()); rate > 1e-9 * fastest(); rate /= 2) {
      const moved = points.map((z, k) => unit(z.map((x, f) => x + rate * now.forces[k][f])));
      const next = evaluate(name, moved, settings);
      if (next.loss < now.loss) {
        [points, now] = [moved, next];
        longest = Math.max(longest, largest());
        return true;
      }
    }
    return false; // at rest
  }
  // Lowers the temperature and its slider by one step; returns false if they are at their end.
  function cool() {
    const { input } = fields.find((one) => one.input.name === "temperature");
    if (Number(input.value) <= Number(input.min)) return false;
    input.value = Number(input.value) - Number(input.step);
    read();
    recompute(); // the forces are of another size
    return true;
  }
  function anneal() {
    let steps = 0;
    return () => {
      const moved = step();
      steps += 1;
      return steps % 2 ? true : cool() || moved; // slowly enough to be watched
    };
  }
  // The queue ages: every few steps the oldest key is replaced by the present place of its disc, twice around.
  function refill() {
    let steps = 0;
    return () => {
      step();
      steps += 1;
      if (steps % STEPS_A_KEY === 0) {
        const oldest = (steps / STEPS_A_KEY - 1) % settings.pairs;
        points = points.map((z, k) => (k === oldest + settings.pairs ? points[oldest] : z));
        recompute(longest);
      }
      return steps < 2 * STEPS_A_KEY * settings.pairs;
    };
  }
  const played = player(
    [[runButton, "Run", () => step], [coolButton, "Anneal", anneal], [ageButton, "Refill", refill]], () => draw());
  resetButton.addEventListener("click", reset);

  // --- the picture ---
  const axes = () => viewOf(points[0].length, settings.turn);
  const place = (z) => axes().map((axis, n) => (n === 1 ? -RADIUS : RADIUS) * dot(axis, z)); // on the screen y goes down
  const toneOf = (k) => css(TONES[(k % settings.pairs) % (settings.classes ?? TONES.length) % TONES.length]);
  function assemble() {
    scene.replaceChildren();
    svg(scene, "circle", { r: RADIUS, class: "rim" });
    const globe = svg(scene, "path", { class: "globe" });
    const lines = points.map(() => svg(scene, "line"));
    const [arrows, ring] = [svg(scene, "path", { class: "arrows" }), svg(scene, "circle", { class: "ring", r: 11 })];
    const size = settings.pairs > 12 ? 5 : 8;
    const dots = points.map((_, k) => {
      const [pair, first] = [k % settings.pairs, k < settings.pairs];
      const group = svg(scene, "g", {
        class: "point", role: "slider", tabindex: 0, "data-point": k, "aria-valuemin": -180, "aria-valuemax": 180,
        "aria-label": `point ${pair + 1} of the ${first ? "first" : "second"} view`,
      });
      svg(group, "circle", { r: 18, class: "reach" });
      const [shape, outline] = first
        ? ["circle", { r: size }]
        : ["rect", { x: 1 - size, y: 1 - size, width: 2 * size - 2, height: 2 * size - 2 }];
      svg(group, shape, { ...outline, fill: toneOf(k) });
      if (size === 8) svg(group, "text", { y: 3.4 }).textContent = pair + 1;
      return group;
    });
    parts = { globe, lines, arrows, ring, dots };
    selected = Math.min(selected, points.length - 1);
    canvas.width = canvas.height = points.length;
  }
  function draw() {
    const at = points.map(place);
    const circles = points[0].length === 3 ? CIRCLES.map((circle) => circle.map(place)) : [];
    parts.globe.setAttribute("d", circles.map(inFront).join(""));
    const reach = Math.min(45, 400 / Math.sqrt(points.length)) / longest / RADIUS;
    const forces = now.forces.map((force) => place(force).map((v) => v * reach));
    parts.arrows.setAttribute("d", at.map((from, k) => arrow(from, forces[k])).join(""));
    drawPulls(at);
    const put = (node, k) => node.setAttribute("transform", `translate(${written(at[k])})`);
    put(parts.ring, selected);
    parts.dots.forEach((group, k) => {
      put(group, k);
      group.setAttribute("opacity", at[k][2] < 0 ? 0.45 : 1);
      if (!played.isRunning()) describe(group, k);
    });
    paint();
    show();
  }
  // Draws a line from the ringed point to each other; its width is the root of the force between them.
  function drawPulls(at) {
    const pulls = points.map((_, j) => (j === selected ? 0 : MATRICES.both.of(now, selected, j)));
    const strongest = Math.max(...pulls.map(Math.abs), 1e-300);
    const [x1, y1] = at[selected].map((v) => v.toFixed(1));
    parts.lines.forEach((line, j) => {
      const [x2, y2] = at[j].map((v) => v.toFixed(1));
      const share = Math.sqrt(Math.abs(pulls[j]) / strongest);
      const width = share < 0.1 ? 0 : (4 * share).toFixed(2);
      set(line, { x1, y1, x2, y2, stroke: css(pulls[j] > 0 ? "red" : "blue"), "stroke-width": width });
    });
  }
  function describe(group, k) {
    const [angle, latitude] = anglesOf(points[k]).map(degrees);
    const where = latitude === undefined ? `${angle}°` : `longitude ${angle}°, latitude ${latitude}°`;
    group.setAttribute("aria-valuenow", angle);
    group.setAttribute("aria-valuetext", `${where}, force ${fixed(4)(lengthOf(now.forces[k]))}`);
  }
  // Paints one pixel for each two points; the style sheet enlarges them.
  function paint() {
    const size = points.length;
    const { of, tones, title = LOSSES[name].matrix || "P, of which this loss has none" } = MATRICES[matrix];
    const cells = range(size * size).map((n) => of(now, Math.floor(n / size), n % size));
    const most = matrix === "S" ? 1 : cells.reduce((top, x) => Math.max(top, Math.abs(x)), 1e-300);
    const fullness = matrix === "S" ? (share) => share : Math.sqrt; // so that small slopes are visible too
    const [above, below] = tones.map((tone) => {
      canvas.style.color = css(tone);
      return getComputedStyle(canvas).color.match(/\d+/g).map(Number);
    });
    const image = new ImageData(size, size);
    cells.forEach((x, n) => {
      image.data.set([...(x > 0 ? above : below), 255 * fullness(Math.min(1, Math.abs(x) / most))], 4 * n);
    });
    canvas.getContext("2d").putImageData(image, 0, 0);
    canvas.ariaLabel = `matrix ${title}`;
    const scale = `The fullest colour is ${most.toPrecision(3)}`;
    caption.textContent = `${title}. Framed: the ringed point's row and column. ${scale}.`;
    crossed.setAttribute("opacity", matrix === "both" ? 0 : 1);
    frames.forEach((frame, side) => frame.setAttribute(side ? "x" : "y", selected));
  }
  // Strikes out the pairs that no anchor compares, except in G + Gᵀ, where each pair has an entry.
  function strike() {
    const size = points.length;
    struck.setAttribute("viewBox", `0 0 ${size} ${size}`);
    struck.replaceChildren();
    const out = range(size * size).map((n) => [Math.floor(n / size), n % size]).filter(([i, j]) => !now.seen[i][j]);
    crossed = svg(struck, "path", { class: "struck", d: out.map(([i, j]) => `M${j},${i + 1}l1,-1`).join("") });
    frames = [{ width: size, height: 1 }, { width: 1, height: size }].map((of) => svg(struck, "rect", of));
  }

  // --- moving points ---
  const moved = (k, z) => {
    points = points.map((old, j) => (j === k ? unit(z) : old));
    recompute(longest);
    draw();
  };
  const pointOf = (event) => event.target.closest("[data-point]")?.dataset.point;
  scene.addEventListener("focusin", (event) => {
    selected = Number(pointOf(event));
    draw();
  });
  scene.addEventListener("pointerdown", (event) => {
    const k = pointOf(event);
    if (k === undefined) return;
    event.preventDefault();
    parts.dots[k].focus();
    scene.setPointerCapture(event.pointerId);
    const drag = ({ clientX, clientY }) => {
      const inside = new DOMPoint(clientX, clientY).matrixTransform(scene.getScreenCTM().inverse());
      const [x, y] = [inside.x / RADIUS, -inside.y / RADIUS];
      const side = place(points[k])[2] < 0 ? -1 : 1; // behind stays behind
      const seen = [x, y, side * Math.sqrt(Math.max(0, 1 - x * x - y * y))];
      if (x || y) moved(Number(k), points[k].map((_, f) => sum(axes().map((axis, n) => axis[f] * seen[n]))));
    };
    scene.addEventListener("pointermove", drag);
    const end = () => scene.removeEventListener("pointermove", drag);
    scene.addEventListener("lostpointercapture", end, { once: true });
  });
  scene.addEventListener("keydown", (event) => {
    const turns = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const k = pointOf(event);
    if (!turns || k === undefined) return;
    event.preventDefault();
    const [angle, latitude] = anglesOf(points[k]);
    const by = turns.map((turn) => (turn * (event.shiftKey ? 1 : 5) * Math.PI) / 180);
    moved(Number(k), pointAt(latitude === undefined
      ? [angle + by[0] + by[1]]
      : [angle + by[0], clamp(latitude + by[1], -1.57, 1.57)]));
  });
  section.addEventListener("input", (event) => {
    const { name: changed, checked } = event.target;
    if (changed === "sphere") {
      raw.sphere = String(Number(checked));
      build();
      sliders.querySelector("[name=sphere]").focus(); // the tick box is another, and still in use
    } else if (changed === "pairs" || changed === "local") {
      reset();
    } else if (changed) {
      read();
      if (changed === "classes") assemble();
      if (changed === "turn") draw();
      else refresh();
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  new MutationObserver(() => draw()).observe(document.body, { attributeFilter: ["data-theme"] }); // furo's switch
  if (compare(section)) {
    if (course) attempt(0);
    else build();
    section.append(section.querySelector(".check"));
  } else {
    section.replaceChildren(section.querySelector(".check")); // no picture of wrong numbers
  }
}

