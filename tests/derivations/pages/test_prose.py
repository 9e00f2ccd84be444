"""What the formulas of the prose state, computed from what a reader sees of them: their MathML.

A formula that relates two things is a setting ($N = 2B$), or is computed here: by itself, if it is of numbers, or
at drawn values of its letters, which MEANINGS says. So are the VALUES that a text gives. What else a page displays
is rendered from the evidence of a claim.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from unicodedata import normalize
from xml.etree import ElementTree

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from infonce_ref.derivations.common.pairs import positives
from infonce_ref.derivations.pages.controls import CONTROLS
from infonce_ref.derivations.pages.lesson import lessons, texts
from infonce_ref.derivations.pages.mathematics import mathml
from infonce_ref.derivations.theory import barlow_twins_floor
from infonce_ref.losses import (
    byol,
    clip,
    cpc,
    dhn_nce,
    infonce,
    ntxent,
    query_key,
    siglip,
    simsiam,
    supcon,
    triplet,
)

RELATIONS = {"=": "==", "≤": "<=", "≥": ">=", "<": "<", ">": ">", "≈": "~"}
OPERATORS = {"−": "-", "⋅": "@", "×": "@", "mod": "%"}
FUNCTIONS = {"log", "exp", "cos", "sin", "max", "min", "softplus"}
DRAWS = 8
Letters = dict[str, object]
Meaning = Callable[[np.random.Generator], Letters]


# --- reading --------------------------------------------------------------------------------------------


def read(formula: str) -> list[str]:
    """Python's tokens for the MathML of the formula; @ multiplies, numbers or matrices."""
    node = ElementTree.fromstring(mathml(formula).replace("&ApplyFunction;", ""))
    return _multiplied(_sequence(node))


def name_of(node: ElementTree.Element) -> str:
    """A letter and its scripts as one name, in the letters to which Python brings a name."""
    parts = [name_of(child) for child in node] if node.tag in ("msub", "msup") else ["".join(node.itertext())]
    return re.sub(r"\W", "_", normalize("NFKC", "_".join(parts)).strip("\ufe00"))


def _sequence(node: ElementTree.Element) -> list[str]:
    return [token for child in node for token in _tokens(child)]


def _tokens(node: ElementTree.Element) -> list[str]:
    text = (node.text or "").strip()
    match node.tag, list(node):
        case "mn", _:
            return [text]
        case (("mi" | "mtext"), _):
            return ["%"] if text == "mod" else [name_of(node)]
        case "mo", _ if text in ("‖", "∥"):
            return ["‖"]
        case "mo", _:
            return [RELATIONS.get(text, OPERATORS.get(text, text))] if text else []
        case "mspace", _:
            return []
        case "mfrac", (above, below):
            return ["(", *_inner(above), "/", *_inner(below), ")"]
        case "msqrt", _:
            return ["sqrt", "(", *_multiplied(_sequence(node)), ")"]
        case "msub", _:
            return [name_of(node)]
        case "msup", (base, above) if name_of(above) == "T":
            return [*_inner(base), ".T"]
        case "msup", (base, above) if (above.text or "") == "∘":
            return ["(", *_inner(base), "@", "pi", "/", "180", ")"]
        case "msup", (base, above) if name_of(above) and set("".join(above.itertext())) <= set("′+"):
            return [name_of(node)]
        case "msup", (base, above) if name_of(base) == "e":
            return ["exp", "(", *_inner(above), ")"]
        case "msup", (base, above) if (base.text or "") == ")":  # the bracket's power, not the sign's
            return [")", "**", *_inner(above)]
        case "msup", (base, above):
            return ["(", *_inner(base), "**", *_inner(above), ")"]
        case "msubsup", (base, below, above):
            return ["(", f"{name_of(base)}{name_of(below)}", "**", *_inner(above), ")"]
    return _sequence(node)


def _inner(node: ElementTree.Element) -> list[str]:
    inside = _tokens(node)
    return inside if len(inside) == 1 else ["(", *_multiplied(inside), ")"]


def _ends(token: str) -> bool:
    return token in (")", ".T") or (token[0].isalnum() and token not in (*FUNCTIONS, "sqrt"))


def _multiplied(tokens: list[str]) -> list[str]:
    """With a sign between two factors, arguments in brackets, lengths as names."""
    said: list[str] = []
    waiting = list(tokens)
    while waiting:
        token = waiting.pop(0)
        if token == "‖":
            token = f"length_{waiting.pop(0)}"
            assert waiting.pop(0) == "‖"
        begins = token == "(" or token[0].isalnum()
        if begins and said and _ends(said[-1]):
            said.append("@")
        said.append(token)
        if token in FUNCTIONS and waiting and waiting[0] != "(":
            said += ["(", waiting.pop(0), ")"]
    return said


class Number(np.ndarray):
    """@ multiplies matrices, and numbers with anything."""

    def __matmul__(self, other):
        other = number(other)
        return number(np.multiply(self, other) if 0 in (self.ndim, other.ndim) else np.matmul(self, other))

    def __rmatmul__(self, other):
        return number(other) @ self


def number(x) -> Number:
    return np.asarray(x, dtype=float).view(Number)


WORLD = {name: getattr(np, name) for name in ("log", "exp", "cos", "sin", "sqrt")} | {
    "pi": np.pi,
    "max": np.maximum,
    "min": np.minimum,
    "softplus": lambda x: np.logaddexp(0, x),
    "number": number,
}


def computed(tokens: list[str], letters: Letters):
    """The expression's value."""
    code = "".join(f"number({t})" if t[0].isdigit() else t for t in tokens)
    for name in (name for name, value in letters.items() if callable(value)):
        code = code.replace(f"{name}@(", f"{name}(")
    given = {name: value if callable(value) else number(value) for name, value in letters.items()}
    return eval(code, {"__builtins__": {}}, WORLD | given)


def sides(tokens: list[str]) -> list[list[str]]:
    """The tokens between signs of relation, and the signs."""
    parts: list[list[str]] = [[]]
    depth = 0  # 1[j = p(i)] relates nothing
    for token in tokens:
        depth += (token in "([") - (token in ")]")
        if token in RELATIONS.values() and not depth:
            parts += [[token], []]
        else:
            parts[-1].append(token)
    return parts


def holds(tokens: list[str], letters: Letters) -> bool:
    """Whether each relation of the formula holds; a number with decimals was rounded to them."""
    parts = sides(tokens)
    for left, (sign,), right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
        x, y = computed(left, letters), computed(right, letters)
        decimals = [t.partition(".")[2] for t in (*left, *right) if re.fullmatch(r"\d+\.\d+", t)]
        last = min((0.5 * 10.0 ** -len(digits) for digits in decimals), default=0.0)
        room = 1e-12 * (1 + np.abs(x) + np.abs(y)).max() + (last if not letters else 0)
        if sign == "~":
            shown = right[0].partition(".")[2] if len(right) == 1 else None  # a number alone was rounded
            room = min(0.01 * np.abs(y).max(), math.inf if shown is None else 0.501 * 10.0 ** -len(shown))
        truth = {
            "==": np.abs(x - y) <= room,
            "~": np.abs(x - y) <= room,
            "<=": x <= y + room,
            ">=": x >= y - room,
            "<": x < y,
            ">": x > y,
        }[sign]
        if not np.all(truth):
            return False
    return True


def formulas() -> Iterator[tuple[str, str]]:
    """Each $…$ of the lessons, with the lesson's name, code aside."""
    for lesson in lessons().values():
        for text in (lesson.summary, *(text for block in lesson.blocks for text in texts(block))):
            for found in re.findall(r"\$([^$]+)\$", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
                yield lesson.name, found


_SETTING = re.compile(
    r"(?:\\?[A-Za-z]+(?:_(?:\w|\{[^{}]*\}))?)"  # a letter
    r" (?:=|>|<|\\ge|\\le) "
    r"(?:-?[\d.]*|-?\d*\\?[A-Za-z]+(?:_(?:\w|\{[^{}]*\}))?(?:\(\w\))?)"  # a number, a letter, or one times another
)


def relates(formula: str) -> bool:
    return len(sides(read(formula))) > 1


STATED = list(
    dict.fromkeys(
        formula for _, formula in formulas() if not _SETTING.fullmatch(formula) and relates(formula)
    )
)


# --- what the letters are -------------------------------------------------------------------------------


def numbers(*names: str, low: float = -2.0, high: float = 2.0) -> Meaning:
    return lambda rng: {name: rng.uniform(low, high) for name in names}


def answer(rng: np.random.Generator) -> Letters:
    """A row of a softmax: its entry of the positive, and of another."""
    scores = rng.standard_normal((1, 5))
    P = np.exp(scores) / np.exp(scores).sum()
    _, cache = cpc.forward(scores, positive=np.array([0]))
    G = cpc.backward(cache).scores[0]
    return {"P_p": P[0, 0], "P_i_p_i_": P[0, 0], "q": -G[0], "q_i": -G[0], "P_kj": P[0, 1], "G_kj": G[1]}


def with_itself(rng: np.random.Generator) -> Letters:
    """Unit rows, the anchor among its own candidates."""
    z = rng.standard_normal((6, 3))
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    tau = rng.uniform(0.05, 1)
    L = z @ z.T / tau
    P = np.exp(L - L.max()) / np.exp(L - L.max()).sum(axis=1, keepdims=True)
    return {"L_ii": L[0, 0], "L_ip": L[0, 3], "P_ip": P[0, 3], "τ": tau}


def column(rng: np.random.Generator) -> Letters:
    w = rng.standard_normal((3, 1))
    return {"w": w, "length_w": np.linalg.norm(w), "z": w / np.linalg.norm(w)}


def alike(rng: np.random.Generator) -> Letters:
    """An anchor before M negatives that are alike, by the library."""
    M, tau, s_p, s_n = int(rng.integers(1, 9)), rng.uniform(0.1, 2), *rng.uniform(-1, 1, 2)
    _, cache = cpc.forward(np.array([[s_p] + [s_n] * M]) / tau, positive=np.array([0]))
    return {"M": M, "τ": tau, "s_p": s_p, "s_n": s_n, "P_p": 1 + cpc.backward(cache).scores[0, 0]}


def half(rng: np.random.Generator) -> Letters:
    m = rng.uniform(0.5, 0.999)
    return {"m": m, "t": math.log(0.5, m)}


def noise(rng: np.random.Generator) -> Letters:
    """The score at which the judge says one half, of a noise that is uniform on K samples."""
    M, K = rng.integers(1, 20, 2)
    u = math.log(M / K)
    return {
        "M": M,
        "K": K,
        "u": u,
        "h": 1 / (1 + math.exp(-(u - math.log(M * (1 / K))))),
        "P": math.exp(u),
        "P_n": 1 / K,
    }


def shut(rng: np.random.Generator) -> Letters:
    """Unit rows at which the triplet loss has no gradient any more, by the library."""
    while True:
        rows = rng.standard_normal((3, 1, 3))
        rows /= np.linalg.norm(rows, axis=2, keepdims=True)
        margin = rng.uniform(0, 1)
        _, cache = triplet.forward(*rows, margin=margin)
        if not triplet.backward(cache).anchor.any():
            a, p, n = rows[:, 0]
            return {"s_p": a @ p, "s_n": a @ n, "μ": margin}


def pairing(rng: np.random.Generator) -> Letters:
    B = int(rng.integers(2, 9))
    i = int(rng.integers(0, 2 * B))
    return {"B": B, "N": 2 * B, "i": i, "p": lambda row: positives(2 * B)[int(row)]}


def channel(rng: np.random.Generator) -> Letters:
    """The bound's two sides, every outcome counted."""
    N = int(rng.integers(2, 4))
    found = CONTROLS["channel"].compute(candidates=N, symbols=3, error=mpf(float(rng.uniform(0.05, 0.6))))
    return {"I": found["information"][0], "N": N, "L": found["loss"][0]}


def crowded(rng: np.random.Generator) -> Letters:
    """κ by the best diagonal, 1/(1 + λκ), of 256 rows and 1,024 features."""
    weight = Fraction(1, 200)
    _, level = barlow_twins_floor.floor(256, 1024, weight)
    return {"κ": float((1 / level - 1) / weight)}


def at_rest(rng: np.random.Generator) -> Letters:
    """The scale, and e to a tenth of it, at which the library's loss of two rows has no slope."""
    scores, positive, low, high = np.array([[0.2, 0.0], [0.0, 0.1]]), np.zeros(2, dtype=int), 1.0, 20.0
    for _ in range(60):
        scale = (low + high) / 2
        slope = np.sum(cpc.backward(cpc.forward(scale * scores, positive=positive)[1]).scores * scores)
        low, high = (scale, high) if slope < 0 else (low, scale)
    return {"x": np.exp(low / 10)}


MEANINGS: dict[str, Meaning] = {
    "q = 1 - P_{p}": answer,
    "q_i = 1 - P_{i,p(i)}": answer,
    r"-\log \frac{e^u}{e^u + e^v} = \log(1 + e^{v - u})": numbers("u", "v"),
    "G_{kj} = P_{kj} > 0": answer,
    "P_{kj} - 1 < 0": answer,
    r"L_{ii} = 1/\tau": with_itself,
    r"e^{L_{ii}} \ge e^{L_{ip}}": with_itself,
    r"P_{ip} \le 1/2": with_itself,
    r"-\log P_{ip} \ge \log 2": with_itself,
    r"z = w/\lVert w \rVert": column,
    "z^T z = 1": column,
    "z - z = 0": column,
    r"1 - P_p = \frac{M}{M + e^{(s_p - s_n)/\tau}}": alike,
    r"1 - P_p = M/(M + e^{(s_p - s_n)/\tau})": alike,
    r"u = \log P": lambda rng: {"u": -0.5, "P": math.exp(-0.5)},
    r"h = \frac{e^u}{e^u + M/K}": noise,
    "e^u = M/K": noise,
    "P = M P_n": noise,
    r"\log x \le x - 1": numbers("x", low=0.01, high=9),
    r"\log t \le t - 1": numbers("t", low=0.01, high=9),
    r"\log Z \le Z/e": lambda rng: {"Z": rng.uniform(0.01, 9), "e": math.e},
    r"H(Y) = \log 2": lambda rng: {"H": lambda y: -2 * 0.5 * math.log(0.5), "Y": 0.0},
    r"t = \log 2 / (-\log m)": half,
    r"s_p - s_n \ge \mu/2": shut,
    r"p(i) = (i + B) \bmod N": pairing,
    r"\mathcal{I} \ge \log N - \mathcal{L}": channel,
    r"\log a \le \log r + a/r - 1": numbers("a", "r", low=0.01, high=9),
    "2(1 + x) = x(1 + x^2)": at_rest,
    r"\kappa = 1024/255 - 1": crowded,
    "(1 + v)(b^2 + 1) - 2b = (b - 1)^2 + v(b^2 + 1)": numbers("v", "b"),
    "B - 1 = 1": lambda rng: {"B": 2},
}


# --- what a text gives as the value of something ---------------------------------------------------------


def aligned(loss) -> Callable[[np.random.Generator], tuple[Letters, float]]:
    """Aligned pairs, all else at a right angle."""

    def at(rng: np.random.Generator) -> tuple[Letters, float]:
        pairs, tau = int(rng.integers(2, 6)), rng.uniform(0.2, 1)
        rows = np.concatenate([np.eye(pairs)] * 2)
        return {"N": 2 * pairs, "τ": tau}, loss.forward(rows, temperature=tau)[0]

    return at


def simplex(rng: np.random.Generator) -> tuple[Letters, float]:
    """Images at the corners of a regular simplex, partners on one point."""
    B, tau = int(rng.integers(2, 9)), rng.uniform(0.1, 1)
    corners = np.eye(B) - 1 / B
    value = ntxent.forward(np.concatenate([corners, corners]), temperature=tau)[0]
    return {"N": 2 * B, "B": B, "τ": tau}, value


def classes_at_a_simplex(rng: np.random.Generator) -> tuple[Letters, float]:
    """SupCon's loss of classes of one size, each on one corner of a regular simplex."""
    classes, members, tau = int(rng.integers(2, 6)), int(rng.integers(2, 6)), rng.uniform(0.1, 2)
    labels = np.repeat(np.arange(classes), members)
    rows = (np.eye(classes) - 1 / classes)[labels]
    value = supcon.forward(rows, labels=labels, temperature=tau)[0]
    return {"n__": members - 1, "M": (classes - 1) * members, "C": classes, "τ": tau}, value


def equal_rows(rng: np.random.Generator) -> tuple[Letters, float]:
    N = 2 * int(rng.integers(2, 9))
    return {"N": N}, ntxent.forward(np.tile([0.6, 0.8], (N, 1)), temperature=0.1)[0]


def of_triplet(rng: np.random.Generator) -> tuple[Letters, float]:
    rows = rng.standard_normal((3, 1, 3))
    a, p, n = rows / np.linalg.norm(rows, axis=2, keepdims=True)
    margin = rng.uniform(0, 1)
    letters = {"s_p": (a @ p.T)[0, 0], "s_n": (a @ n.T)[0, 0], "μ": margin}
    return letters, triplet.forward(a, p, n, margin=margin)[0]


def of_dhn(rng: np.random.Generator) -> tuple[Letters, float]:
    rows = rng.standard_normal((2, 3))  # texts like their images, so that both directions are alike
    tau = rng.uniform(0.2, 1)
    S = rows @ rows.T
    betas = {"beta1": rng.uniform(0, 2), "beta2": rng.uniform(0, 2)}
    value, _ = dhn_nce.forward(rows, rows, temperature=tau, reduction="none", **betas)
    return {"S_12": S[0, 1], "S_11": S[0, 0], "τ": tau}, value[0] / 2


def two_crowds(rng: np.random.Generator) -> tuple[Letters, float]:
    """Pairs on one point, half of which turned by θ to one side, half to the other."""
    pairs, theta, tau = 2 * int(rng.integers(1, 5)), rng.uniform(0, np.pi / 2), rng.uniform(0.1, 1)
    side = np.tile([1, -1], pairs)
    rows = np.stack([np.full(2 * pairs, np.cos(theta)), side * np.sin(theta)], axis=1)
    return {"N": 2 * pairs, "θ": theta, "τ": tau}, infonce.forward(rows, temperature=tau)[0]


def equal_keys(rng: np.random.Generator) -> tuple[Letters, float]:
    K = int(rng.integers(1, 20))
    key = np.array([[0.6, 0.8]])
    value = query_key.forward(np.array([[1.0, 0.0]]), key, np.repeat(key, K, axis=0), temperature=0.1)[0]
    return {"K": K}, value


def angle(rng: np.random.Generator) -> tuple[float, np.ndarray, np.ndarray]:
    theta, length = rng.uniform(0, np.pi), rng.uniform(0.5, 3)
    return theta, length * np.array([[np.cos(theta), np.sin(theta)]]), np.array([[1.0, 0.0]])


def of_byol(rng: np.random.Generator) -> tuple[Letters, float]:
    theta, prediction, target = angle(rng)
    return {"θ": theta}, byol.forward(prediction, target)[0]


def of_byol_gradient(rng: np.random.Generator) -> tuple[Letters, float]:
    theta, prediction, target = angle(rng)
    gradient = byol.backward(byol.forward(prediction, target)[1]).prediction
    return {"θ": theta, "length_q": np.linalg.norm(prediction)}, np.linalg.norm(gradient)


def of_simsiam(rng: np.random.Generator) -> tuple[Letters, float]:
    _, p, z = angle(rng)
    return {"D": simsiam.forward(p, z, p, z)[0]}, byol.forward(p, z)[0]


def products(times: int) -> Callable[[np.random.Generator], tuple[Letters, float]]:
    """The operations of so many products of N rows of d features with N rows, a product and a sum each."""

    def at(rng: np.random.Generator) -> tuple[Letters, float]:
        N, d = (int(x) for x in rng.integers(2, 50, 2))
        return {"N": N, "d": d}, times * 2 * N * N * d

    return at


def of_clip(rng: np.random.Generator) -> tuple[Letters, float]:
    B = int(rng.integers(2, 9))
    same = np.tile([0.6, 0.8], (B, 1))
    return {"B": B}, clip.forward(same, same, temperature=0.07)[0]


def of_infonce(rng: np.random.Generator) -> tuple[Letters, float]:
    N = 2 * int(rng.integers(2, 9))
    return {"N": N}, infonce.forward(np.tile([0.6, 0.8], (N, 1)), temperature=0.1)[0]


def unrelated(rng: np.random.Generator) -> tuple[int, np.ndarray, np.ndarray]:
    """Images and texts of which every score is 0."""
    B = int(rng.integers(2, 9))
    return B, np.eye(B, 2 * B), np.eye(B, 2 * B, k=B)


def of_siglip(rng: np.random.Generator) -> tuple[Letters, float]:
    B, image, text = unrelated(rng)
    b = rng.uniform(-12, 2)
    losses, _ = siglip.forward(image, text, temperature=1.0, bias=b, reduction="none")
    return {"B": B, "b": b}, losses[0]


def best_bias(rng: np.random.Generator) -> tuple[Letters, float]:
    B, image, text = unrelated(rng)
    low, high = -20.0, 20.0
    for _ in range(60):
        b = (low + high) / 2
        slope = siglip.backward(siglip.forward(image, text, temperature=1.0, bias=b)[1]).bias
        low, high = (b, high) if slope < 0 else (low, b)
    return {"B": B}, b


def two_groups(rng: np.random.Generator) -> tuple[Letters, float]:
    """Twice as many negatives as those before which the row's loss is 2 nats."""
    M = int(rng.integers(1, 9))
    negatives = [math.log(math.expm1(2) / M)] * (2 * M)
    return {}, cpc.forward(np.array([[0.0, *negatives]]), positive=np.array([0]))[0]


def deviation(rng: np.random.Generator) -> tuple[Letters, float]:
    x, epsilon = rng.uniform(0.01, 1), rng.uniform(1e-4, 0.1)

    def of(x):
        return mpmath.sqrt(((x - 0) ** 2 + (-x - 0) ** 2) / (2 - 1) + epsilon)

    return {"x": x, "ε": epsilon}, float(mpmath.diff(of, x))


def lag(rng: np.random.Generator) -> tuple[Letters, float]:
    """How far an average stays behind weights that go one further at each step."""
    m, average = rng.uniform(0.5, 0.9), 0.0
    for step in range(1000):
        average = m * average + (1 - m) * step
    return {"m": m}, 1000 - average


def averaged_noise(rng: np.random.Generator) -> tuple[Letters, float]:
    """The variance of an average of noise of variance 1, after many steps."""
    m, variance = rng.uniform(0.5, 0.9), 0.0
    for _ in range(1000):
        variance = m**2 * variance + (1 - m) ** 2
    return {"m": m}, variance


def one_feature(by: str, *, held: bool, without: bool = False):
    """A slope of SimSiam's loss of one feature, over every outcome: a signal ±1, noise ±√v in each view."""

    def at(rng: np.random.Generator) -> tuple[Letters, float]:
        a, v = rng.uniform(0.2, 2, 2)
        b = 1.0 if without else rng.uniform(0.2, 2)
        draws = np.array(list(itertools.product([1, -1], repeat=3)), dtype=float)
        first, second = (draws[:, 0] + math.sqrt(v) * draws[:, view] for view in (1, 2))

        def loss(a, b, target):
            return (
                sum((b * a * x - target * y) ** 2 for x, y in zip(first, second, strict=True))
                / 2
                / len(draws)
            )

        def moved(x):
            return loss(x, b, a if held else x) if by == "a" else loss(a, x, a)

        return {"a": a, "b": b, "v": v}, float(mpmath.diff(moved, a if by == "a" else b))

    return at


VALUES: dict[str, Callable[[np.random.Generator], tuple[Letters, float]]] = {
    r"\log(1 + (N - 2)e^{-1/\tau})": aligned(ntxent),
    r"\log(2 + (N - 2)e^{-1/\tau})": aligned(infonce),
    r"\log(N/2) + \log(1 + e^{(\cos(2\theta) - 1)/\tau})": two_crowds,
    r"\log(1 + (N - 2)e^{-B/((B - 1)\tau)})": simplex,
    r"\log(n^+ + M e^{-C/((C - 1)\tau)})": classes_at_a_simplex,
    r"\log(N - 1)": equal_rows,
    r"\max(0, 2(s_n - s_p) + \mu)": of_triplet,
    r"(S_{12} - S_{11})/\tau": of_dhn,
    r"\log(K + 1)": equal_keys,
    r"2 - 2\cos\theta": of_byol,
    r"2 \sin\theta/\lVert q \rVert": of_byol_gradient,
    r"2 + 2\mathcal{D}": of_simsiam,
    "4N^2d": products(2),
    "6N^2d": products(3),
    r"\log(1 + e^{-b}) + (B - 1) \log(1 + e^{b})": of_siglip,
    r"-\log(B - 1)": best_bias,
    r"\log(1 + 2(e^2 - 1))": two_groups,
    r"2x/\sqrt{2x^2 + \varepsilon}": deviation,
    r"\log B": of_clip,
    r"\log N": of_infonce,
    "a((1 + v)(b^2 + 1) - 2b)": one_feature("a", held=False),
    "ab((1 + v)b - 1)": one_feature("a", held=True),
    "a^2((1 + v)b - 1)": one_feature("b", held=True),
    "av": one_feature("a", held=True, without=True),
    "1/(1 - m)": lag,
    "(1 - m)/(1 + m)": averaged_noise,
}


# --- the tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", STATED)
def test_what_is_stated_holds(formula):
    tokens = read(formula)
    rng = np.random.default_rng(0)
    draws = [MEANINGS[formula](rng) for _ in range(DRAWS)] if formula in MEANINGS else [{}]
    assert all(holds(tokens, letters) for letters in draws)


@pytest.mark.parametrize("formula", VALUES)
def test_what_is_given_is_the_value(formula):
    rng = np.random.default_rng(0)
    for _ in range(DRAWS):
        letters, value = VALUES[formula](rng)
        assert computed(read(formula), letters) == pytest.approx(value, rel=1e-10, abs=1e-12)


def test_each_meaning_is_of_a_formula():
    assert set(MEANINGS) <= set(STATED)
    assert set(VALUES) <= {formula for _, formula in formulas()}


@pytest.mark.parametrize(
    ("formula", "letters"),
    [
        (r"1 - P_p = \frac{M}{M + e^{(s_n - s_p)/\tau}}", alike),
        (r"\log x \le x - 2", numbers("x", low=0.01, high=9)),
        (r"P_{ip} \le 1/9", with_itself),
        ("z^T z = 2", column),
        ("2/3 > 3/4", lambda rng: {}),
        (r"5.545 - 0.5 = 5.047", lambda rng: {}),
        (r"\log 256 \approx 5.544", lambda rng: {}),
    ],
)
def test_a_slip_is_seen(formula, letters):
    rng = np.random.default_rng(0)
    assert not all(holds(read(formula), letters(rng)) for _ in range(DRAWS))


def test_a_script_that_swallows_a_letter_is_seen():
    letters, value = products(2)(np.random.default_rng(0))
    assert computed(read("4N^2d"), letters) == value
    assert computed(read("4N^{2d}"), letters) != value
