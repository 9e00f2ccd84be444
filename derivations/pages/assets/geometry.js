// Points on a circle or a sphere that can be moved: the force of a loss on each as an arrow, a step down the loss that
// can be run, and beside them the matrix that the forces come from. The numbers come from `evaluate` alone.

// Where a control starts: the loss, its settings, and the points, by their angles or drawn from a seed, the two of a pair
// as near as `apart` says, all of them near the pole as far as they `lean` to it; the point whose pulls and pushes are shown; the matrix.
const PRESETS = {
  sphere: { loss: "query_key", sphere: "1", pairs: 5, apart: 0.5, seed: 4, selected: 0, matrix: "P" },
  anchor: { loss: "infonce", pairs: 4, temperature: -0.6, angles: [60, 150, 250, 330, 95, 185, 225, 0], selected: 0, matrix: "P" },
  collapse: { loss: "alignment", sphere: "1", pairs: 8, chain: "1", apart: 2, seed: 3, selected: 0, matrix: "S" },
  easy: { loss: "dhn_nce", pairs: 3, temperature: -0.2, angles: [100, 215, 330, 75, 140, 300], selected: 0, matrix: "G" },
  classes: { loss: "supcon", sphere: "1", pairs: 9, temperature: -0.5, apart: 0.5, seed: 5, selected: 0, matrix: "S" },
  spectral: { loss: "spectral", pairs: 5, angles: [80, 140, 200, 290, 350, 110, 175, 250, 320, 20], selected: 0, matrix: "G" },
  uniformity: { loss: "uniformity", sphere: "1", pairs: 32, temperature: -1.3, lean: 2, apart: 0.3, seed: 1, selected: 0, matrix: "P" },
};

const fieldsOf = () => Object.fromEntries([
  slider("temperature", "temperature τ", -1.7, 0.3, 0.01, -0.7, power, 3),
  slider("beta", "hardness β", 0, 4, 0.05, 1),
  slider("prior", "prior τ⁺ of the anchor's class", 0, 0.4, 0.01, 0.1),
  slider("bias", "bias b", -10, 5, 0.1, -2, linear, 1),
  slider("margin", "margin μ", 0, 2, 0.05, 0.5),
  slider("uniformity", "weight λ of uniformity", 0, 2, 0.05, 0),
  slider("classes", "classes", 2, 8, 1, 3, linear, 0),
  slider("pairs", "pairs of points", 2, 32, 1, 6, linear, 0),
  slider("speed", "speed, degrees a step at most", 0.2, 8, 0.1, 2, linear, 1),
  { ...slider("turn", "the sphere turned, degrees", -180, 180, 1, 20, linear, 0), view: true },
  { name: "held", label: "weights held constant", tick: true },
  { name: "inside", label: "the mean inside the logarithm", tick: true },
  { name: "chain", label: "in a chain: each point is a view of the next", tick: true },
  { name: "sphere", label: "on a sphere", tick: true },
].map((one) => [one.name, one]));

const MATRICES = {
  S: { tones: ["green", "violet"], title: "S, the similarities; struck out is what no anchor compares" },
  P: { tones: ["green", "violet"] },
  G: { tones: ["red", "blue"], title: "G = ∂𝓛/∂S: red pushes, blue pulls" },
  both: { tones: ["red", "blue"], title: "G + Gᵀ: each pair's push or pull, red or blue" },
};
const TONES = ["blue", "red", "green", "amber", "violet", "quiet"];
const RADIUS = 100;

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const degrees = (radians) => Math.round((radians * 180) / Math.PI);

// On the circle an angle; on the sphere the longitude and the latitude.
const anglesOf = (z) => (z.length === 2 ? [Math.atan2(z[1], z[0])] : [Math.atan2(z[0], z[2]), Math.asin(clamp(z[1], -1, 1))]);
const pointAt = ([angle, latitude]) => (latitude === undefined
  ? [Math.cos(angle), Math.sin(angle)]
  : [Math.cos(latitude) * Math.sin(angle), Math.sin(latitude), Math.cos(latitude) * Math.cos(angle)]);

// The directions that are right, up and, on the sphere, towards the reader, who looks from a little above.
function viewOf(features, turned) {
  if (features === 2) return [[1, 0], [0, 1]];
  const [c, s] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)];
  const [cosine, sine] = [Math.cos(0.35), Math.sin(0.35)];
  return [[c, 0, s], [sine * s, cosine, -sine * c], [-cosine * s, sine, cosine * c]];
}

function startOf({ angles, seed = 1, apart = 0.5, lean = 0 }, pairs, features) {
  if (angles && features === 2 && angles.length === 2 * pairs) return angles.map((a) => pointAt([(a * Math.PI) / 180]));
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const normal = () => uniform() + uniform() + uniform() + uniform() - 2;
  const first = range(pairs).map(() => unit(range(features).map((f) => normal() + (f === 1 ? lean : 0))));
  return [...first, ...first.map((z) => unit(z.map((x) => x + apart * normal())))];
}

const svg = (parent, name, attributes = {}) => {
  const node = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

function arrow([x, y], [dx, dy]) {
  const length = Math.hypot(dx, dy);
  if (length < 0.5) return "";
  const [ux, uy] = [dx, dy].map((v) => (v / length) * Math.min(6, length / 2));
  const [tx, ty] = [x + dx, y + dy];
  const wing = (side) => `L${(tx - ux - side * 0.6 * uy).toFixed(1)},${(ty - uy + side * 0.6 * ux).toFixed(1)}`;
  return `M${x.toFixed(1)},${y.toFixed(1)}L${tx.toFixed(1)},${ty.toFixed(1)}${wing(1)}M${tx.toFixed(1)},${ty.toFixed(1)}${wing(-1)}`;
}

function geometry(section, { preset }) {
  const chosen = PRESETS[preset];
  const raw = { ...chosen }; // where each slider stands
  let [name, matrix, selected] = [chosen.loss, chosen.matrix, chosen.selected];
  let fields, points, now, longest, rate, settings, running = 0;
  section.classList.add("geometry");

  // --- what is on the page ---
  const choose = (parent, label, entries, first, change) => {
    const box = element(parent, "label");
    element(box, "span", { textContent: label });
    const select = element(box, "select", { ariaLabel: label });
    for (const [value, text] of entries) element(select, "option", { value, textContent: text, selected: value === first });
    select.addEventListener("change", () => change(select.value));
  };
  const choices = element(section, "div", { className: "sliders" });
  choose(choices, "loss", Object.entries(LOSSES).map(([key, { title }]) => [key, title]), name, (value) => {
    name = value;
    build();
  });
  choose(choices, "matrix", [["S", "S, similarities"], ["P", "P, what the loss compares"], ["G", "G = ∂𝓛/∂S"], ["both", "G + Gᵀ"]], matrix, (value) => {
    matrix = value;
    draw();
  });
  const buttons = element(section, "div", { className: "buttons" });
  const runButton = element(buttons, "button", { type: "button", textContent: "Run" });
  const resetButton = element(buttons, "button", { type: "button", textContent: "Reset" });
  const views = element(section, "div", { className: "views" });
  const scene = svg(views, "svg", { viewBox: "-128 -122 256 244", role: "group", "aria-label": "points that can be moved" });
  const heat = element(views, "div", { className: "heat" });
  const canvas = element(heat, "canvas", { role: "img" });
  const struck = svg(heat, "svg", { "aria-hidden": "true" });
  const caption = element(heat, "p", { className: "key" });
  const show = shownIn(section, {
    loss: ["loss", () => now.loss, fixed(4)],
    force: ["largest force", () => Math.max(...now.forces.map((f) => Math.hypot(...f))), fixed(4)],
    partners: ["similarity of partners", () => sum(range(points.length).map((k) => now.S[k][(k + points.length / 2) % points.length])) / points.length, fixed(3)],
    mean: ["length of the mean point", () => Math.hypot(...points[0].map((_, f) => sum(points.map((z) => z[f])) / points.length)), fixed(3)],
    move: ["a step's longest move", () => (rate * Math.max(...now.forces.map((f) => Math.hypot(...f))) * 180) / Math.PI, (x) => `${x.toFixed(2)}°`],
  });
  const sliders = element(section, "div", { className: "sliders" });
  keyOf(section, [["ink", "arrow: the force, where a step moves a point"], ["blue", "what pulls the ringed point"], ["red", "what pushes it"]]);
  element(section, "p", { className: "key live", textContent: "Points of one number are a pair, a disc and a square its two views. Drag one, or reach it by Tab and move it by the arrow keys." });
  let parts;

  // --- settings ---
  function build() {
    const all = fieldsOf();
    const names = [...LOSSES[name].uses, "pairs", "speed", "sphere", ...(raw.sphere === "1" ? ["turn"] : [])];
    sliders.replaceChildren();
    fields = names.map((key) => field(sliders, all[key], raw[key]));
    reset();
  }
  function read() {
    settings = Object.fromEntries(fields.map(({ input, read: value }) => [input.name, value()]));
    for (const { input } of fields) raw[input.name] = input.type === "checkbox" ? String(Number(input.checked)) : input.value;
  }
  function reset() {
    stop();
    read();
    points = startOf(chosen, settings.pairs, settings.sphere ? 3 : 2);
    assemble();
    refresh();
  }
  // The forces of these points anew, and the scale of the arrows.
  function refresh() {
    now = evaluate(name, points, settings);
    longest = Math.max(...now.forces.map((f) => Math.hypot(...f)), 1e-12);
    rate = fastest();
    strike();
    draw();
  }
  const fastest = () => (settings.speed * Math.PI) / 180 / longest;

  // --- a step down the loss ---
  // Each point goes along its force and back onto the sphere. Where the loss did not fall, half as far.
  function step() {
    for (rate = Math.min(2 * rate, fastest()); rate > 1e-9 * fastest(); rate /= 2) {
      const moved = points.map((z, k) => unit(z.map((x, f) => x + rate * now.forces[k][f])));
      const next = evaluate(name, moved, settings);
      if (next.loss < now.loss) {
        [points, now] = [moved, next];
        longest = Math.max(longest, ...now.forces.map((f) => Math.hypot(...f)));
        return true;
      }
    }
    return false; // at rest
  }
  function stop() {
    cancelAnimationFrame(running);
    running = 0;
    runButton.textContent = "Run";
  }
  function frame() {
    running = step() ? requestAnimationFrame(frame) : 0;
    if (!running) stop();
    draw();
  }
  runButton.addEventListener("click", () => {
    if (running) {
      stop();
      draw();
    } else if (matchMedia("(prefers-reduced-motion: reduce)").matches) { // there at once
      for (let n = 0; n < 200 && step(); n++);
      draw();
    } else {
      runButton.textContent = "Stop";
      running = requestAnimationFrame(frame);
    }
  });
  resetButton.addEventListener("click", reset);

  // --- the picture ---
  const project = (z) => viewOf(points[0].length, settings.turn).map((axis) => dot(axis, z) * RADIUS);
  const toneOf = (k) => css(TONES[(k % settings.pairs) % (settings.classes ?? TONES.length) % TONES.length]);
  function assemble() {
    scene.replaceChildren();
    svg(scene, "circle", { r: RADIUS, class: "rim" });
    const globe = svg(scene, "path", { class: "globe" });
    const lines = points.map(() => svg(scene, "line"));
    const [arrows, ring] = [svg(scene, "path", { class: "arrows" }), svg(scene, "circle", { class: "ring", r: 11 })];
    const dots = points.map((_, k) => {
      const pair = k % settings.pairs;
      const group = svg(scene, "g", {
        class: "point", role: "slider", tabindex: 0, "data-point": k, "aria-valuemin": -180, "aria-valuemax": 180,
        "aria-label": `point ${pair + 1} of the ${k < settings.pairs ? "first" : "second"} view`,
      });
      svg(group, "circle", { r: 18, class: "reach" });
      const size = settings.pairs > 12 ? 5 : 8;
      if (k < settings.pairs) svg(group, "circle", { r: size, fill: toneOf(k) });
      else svg(group, "rect", { x: 1 - size, y: 1 - size, width: 2 * size - 2, height: 2 * size - 2, fill: toneOf(k) });
      if (size === 8) svg(group, "text", { y: 3.4 }).textContent = pair + 1;
      return group;
    });
    parts = { globe, lines, arrows, ring, dots };
    selected = Math.min(selected, points.length - 1);
    [canvas.width, canvas.height] = [points.length, points.length];
  }
  function draw() {
    const at = points.map(project);
    const place = ([x, y]) => [x, -y];
    // three great circles, of which what is behind is left out
    const circles = points[0].length < 3 ? [] : [[0, 1], [1, 2], [2, 0]].map(([f, g]) => range(61).map((n) => {
      const z = [0, 0, 0];
      [z[f], z[g]] = [Math.cos((n * Math.PI) / 30), Math.sin((n * Math.PI) / 30)];
      return project(z);
    }));
    parts.globe.setAttribute("d", circles.map((circle) => circle.map(([x, y, depth], n) =>
      `${n && depth > 0 && circle[n - 1][2] > 0 ? "L" : "M"}${x.toFixed(1)},${(-y).toFixed(1)}`).join("")).join(""));
    const reach = Math.min(45, 400 / Math.sqrt(points.length)) / longest;
    parts.arrows.setAttribute("d", at.map((p, k) => arrow(place(p), place(project(now.forces[k]).map((v) => (v / RADIUS) * reach)))).join(""));
    const pulls = points.map((_, j) => (j === selected ? 0 : now.G[selected][j] + now.G[j][selected]));
    const strongest = Math.max(...pulls.map(Math.abs), 1e-300);
    parts.lines.forEach((line, j) => {
      const [[x1, y1], [x2, y2]] = [place(at[selected]), place(at[j])].map((p) => p.map((v) => v.toFixed(1)));
      const share = Math.sqrt(Math.abs(pulls[j]) / strongest);
      const drawn = { x1, y1, x2, y2, stroke: css(pulls[j] > 0 ? "red" : "blue"), "stroke-width": share < 0.1 ? 0 : (4 * share).toFixed(2) };
      for (const [key, value] of Object.entries(drawn)) line.setAttribute(key, value);
    });
    parts.ring.setAttribute("transform", `translate(${place(at[selected]).map((v) => v.toFixed(1))})`);
    parts.dots.forEach((group, k) => {
      group.setAttribute("transform", `translate(${place(at[k]).map((v) => v.toFixed(1))})`);
      group.setAttribute("opacity", (at[k][2] ?? 0) < 0 ? 0.45 : 1);
      if (!running) describe(group, k);
    });
    paint();
    show();
  }
  function describe(group, k) {
    const [angle, latitude] = anglesOf(points[k]).map(degrees);
    const where = latitude === undefined ? `${angle}°` : `longitude ${angle}°, latitude ${latitude}°`;
    group.setAttribute("aria-valuenow", angle);
    group.setAttribute("aria-valuetext", `${where}, force ${fixed(4)(Math.hypot(...now.forces[k]))}`);
  }
  // One pixel for each pair of points; the style sheet makes it large.
  function paint() {
    const size = points.length;
    const of = { S: (i, j) => now.S[i][j], P: (i, j) => now.P[i][j], G: (i, j) => now.G[i][j], both: (i, j) => now.G[i][j] + now.G[j][i] }[matrix];
    const cells = range(size * size).map((n) => of(Math.floor(n / size), n % size));
    const most = matrix === "S" ? 1 : cells.reduce((top, x) => Math.max(top, Math.abs(x)), 1e-300);
    const fullness = matrix === "S" ? (share) => share : Math.sqrt; // small slopes are seen too
    const style = getComputedStyle(section);
    const [above, below] = MATRICES[matrix].tones.map((tone) => rgbOf(style.getPropertyValue(`--${tone}`)));
    const image = new ImageData(size, size);
    cells.forEach((x, n) => image.data.set([...(x > 0 ? above : below), 255 * fullness(Math.min(1, Math.abs(x) / most))], 4 * n));
    canvas.getContext("2d").putImageData(image, 0, 0);
    const title = matrix === "P" ? (LOSSES[name].of ?? "P, of which this loss has none") : MATRICES[matrix].title;
    caption.textContent = `${title}. Row and column of the ringed point are framed; the fullest colour is ${most.toPrecision(3)}.`;
    canvas.ariaLabel = `matrix ${title}`;
    frames.forEach((frame, side) => frame.setAttribute(side ? "x" : "y", selected));
  }
  // What no anchor compares is struck out, but for G + Gᵀ, in which the two of a pair meet.
  let frames = [];
  function strike() {
    const size = points.length;
    struck.setAttribute("viewBox", `0 0 ${size} ${size}`);
    struck.replaceChildren();
    const out = range(size * size).map((n) => [Math.floor(n / size), n % size]).filter(([i, j]) => !now.seen(i, j));
    svg(struck, "path", { class: "struck", d: out.map(([i, j]) => `M${j},${i + 1}l1,-1`).join("") });
    frames = [{ width: size, height: 1 }, { width: 1, height: size }].map((of) => svg(struck, "rect", of));
  }

  // --- moving points ---
  const moved = (k, z) => {
    points = points.map((old, j) => (j === k ? unit(z) : old));
    now = evaluate(name, points, settings);
    longest = Math.max(longest, ...now.forces.map((f) => Math.hypot(...f)));
    rate = fastest();
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
      const axes = viewOf(points[0].length, settings.turn);
      const side = project(points[k])[2] < 0 ? -1 : 1; // behind stays behind
      const seen = [x, y, side * Math.sqrt(Math.max(0, 1 - x * x - y * y))];
      if (Math.hypot(x, y) > 0) moved(Number(k), axes[0].map((_, f) => sum(axes.map((axis, n) => axis[f] * seen[n]))));
    };
    scene.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel"]) {
      scene.addEventListener(end, () => scene.removeEventListener("pointermove", drag), { once: true });
    }
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
    } else if (changed === "pairs") {
      reset();
    } else if (changed) {
      read();
      if (changed === "classes") assemble();
      if (changed === "turn") draw();
      else refresh();
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  if (compare(section)) {
    build();
    section.append(section.querySelector(".check"));
  } else {
    section.replaceChildren(section.querySelector(".check")); // no picture of wrong numbers
  }
}

const rgbOf = (hex) => [1, 3, 5].map((n) => parseInt(hex.trim().slice(n, n + 2), 16));
