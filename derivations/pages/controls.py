"""Reference values for the sliders of the pages: 50 digits, from the proved definitions.

`assets/kernel.js` computes the same with a browser's floats. The page compares the two when it opens:
|theirs − ours| may be ALLOWED · ε · max(1, 1/τ) times the size of the terms that were summed [S3]. A reference is a
number with this size, `Sized` or (number, size), or a number that is its own size; or lists of such.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from inspect import signature
from itertools import combinations, product
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import numpy as np
from mpmath import mpf

from ..common.pairs import positives
from ..common.softmax import COLD, SOFTMAX
from ..evidence.plain import Given
from ..losses.clip import CLIP
from ..losses.dhn_nce import BY_LOGIT, DIFFERENTIATED
from ..losses.nce import NCE
from ..losses.ntxent import NTXENT
from ..prover.evaluate import evaluator, evaluators
from ..symbols import P, cross_correlation, i, k, l, m
from ..theory import debiased_clamp, estimators_from_scores, learned_temperature
from ..theory.several_positives import CANDIDATES, IS_POSITIVE, TOGETHER
from . import geometry
from .geometry import Sized

DIGITS = 50
ALLOWED = 64


class Control(NamedTuple):
    """A control: the reference computation, and the points of comparison."""

    compute: Callable[..., dict[str, Any]]
    points: tuple[dict[str, Any], ...]


CONTROLS: dict[str, Control] = {}


def control(name: str, *points: tuple[Any, ...]) -> Callable[[Callable[..., dict]], None]:
    """Register the decorated function as the reference of a control, to be compared at these arguments."""

    def register(compute: Callable[..., dict]) -> None:
        CONTROLS[name] = Control(
            compute, tuple(dict(zip(signature(compute).parameters, point, strict=True)) for point in points)
        )

    return register


def evaluate(here: Given, environment: Mapping[str, Any], row: int = 0, /, **forms: str) -> dict[str, Any]:
    """Evaluate forms in the notation of the claims, with their definitions, at i = row; a form with other free
    indices has a list over the range of each. environment: by the names of the letters."""
    values = {here.letter(name): value for name, value in environment.items()}
    read = [here.read(form) for form in forms.values()]

    def spread(run: Callable, at: dict, free: list) -> Any:
        if not free:
            return run(at)
        range_of = range(values[here.notation.sizes[free[0]]])
        return [spread(run, at | {free[0]: place}, free[1:]) for place in range_of]

    runs = evaluators(read, values, names=here.names)
    return {
        name: spread(
            run, {i: row}, sorted(expression.free_symbols & here.notation.sizes.keys() - {i}, key=str)
        )
        for name, expression, run in zip(forms, read, runs, strict=True)
    }


# 1 − P of the positive, as the sum of the other probabilities [S2], and with it the error G
OTHERS = "(Σ_m 1[m ≠ p(i)] P[i,m])"
ANCHOR = COLD.also(f"G[i,j] := 1[j ≠ p(i)] P[i,j] - 1[j = p(i)] {OTHERS}")


@control(
    "anchor",
    ([0.5, 0.25, -0.25], 0.5),
    ([0.9, 1.0, 0.7, 0.1, -0.5], 0.1),
    ([-0.4, 0.8, 0.3], 0.05),
    ([1.0, 0.2, 0.0, -0.2], 0.02),
    ([0.3, 0.3], 2.0),
)
def _(similarities, temperature):
    """Evaluate softmax row 0, whose positive is candidate 0."""
    size = len(similarities)
    return evaluate(
        ANCHOR,
        {"N": size, "s": [similarities] * size, "τ": temperature, "p": [0] * size},
        loss="ℓ[i]",
        decoupled=f"log({OTHERS}/P[i,p(i)])",
        effective=f"{OTHERS}^2/(Σ_m 1[m ≠ p(i)] P[i,m]^2)",
        probabilities="P[i,j]",
        push="G[i,j] √(1 - s[i,j]^2)/τ",
    )


@control("bars", ([1.0, 0.5, -1.0],), ([4.0, -4.0, -3.5],), ([-2.0, 3.0, 1.0],))
def _(scores):
    """Evaluate a softmax of these scores and its derivative; the first score is that of the right answer."""
    environment = {"N": len(scores), "L": [scores] * len(scores), "p": [0] * len(scores)}
    return evaluate(ANCHOR, environment, loss="ℓ[i]", probabilities="P[i,j]", error="G[i,j]")


def _place(angles) -> list[list[Any]]:
    """Return points of a circle at these angles, in degrees."""
    turned = [mpmath.radians(angle) for angle in angles]
    return [[mpmath.cos(angle), mpmath.sin(angle)] for angle in turned]


@control(
    "batch",
    ([60, 150, 285, 95, 185, 230], 0, 0.5),
    ([60, 150, 285, 95, 185, 230], 4, 0.1),
    ([0, 10, 180, 190], 1, 1.0),
)
def _(angles, row, temperature):
    """Evaluate G/(Nτ) of NT-Xent, and a step's two parts for one row: as an anchor and as a candidate [D1.12]."""
    points = np.array(_place(angles), object)
    slopes = geometry.compute("ntxent", points, temperature=temperature)["gradient"]
    return {
        "slopes": slopes,
        "as_anchor": -(slopes[row] @ points),
        "as_candidate": -(slopes[:, row] @ points),
    }


@control("circle", ([40, -55, 150], 0.5), ([40, -55, 150], 0.05), ([75, 10, -120, 180], 1.0))
def _(angles, temperature):
    """Evaluate an anchor at the angle 0 and its candidates, the positive first: −τ times each proved gradient."""
    points = _place((0, *angles))
    rows = {"query": [0], "positive": [1], "negatives": [range(2, len(points))]}
    value, pulls, run = geometry.differentiate("query_key", points, rows, {"temperature": temperature}, ())
    negatives = [run(P[i, m])({i: 0, m: place}) for place in range(len(angles) - 1)]
    anchor, *candidates = temperature * pulls
    return {
        "loss": value,
        "probabilities": [1 - sum(negatives), *negatives],
        "anchor": anchor,
        "candidates": candidates,
    }


@control("channel", (2, 2, 0.25), (5, 3, 0.1), (7, 2, 0.01))
def _(candidates, symbols, error):
    """Evaluate the loss by its definition over every outcome."""
    joint = [
        [(1 - error) if x == c else error / (symbols - 1) for x in range(symbols)] for c in range(symbols)
    ]
    terms = [q * mpmath.log(q * symbols) for q in joint[0]]
    value = mpf(0)
    for c, *drawn in product(range(symbols), repeat=candidates + 1):
        scores = [joint[c][x] * symbols for x in drawn]
        value -= joint[c][drawn[0]] / mpf(symbols) ** candidates * mpmath.log(scores[0] / sum(scores))
    bound = Sized(mpmath.log(candidates)) - value
    return {"information": sum(map(Sized, terms)), "loss": value, "bound": bound}


@control("game", (4, 17, 3, 0.8), (4, 0, 1, 0.97))
def _(candidates, right, wrong, trust):
    """Evaluate log N less the mean loss of a player who gives the chosen candidate this probability."""
    other = (1 - trust) / (candidates - 1)
    loss = -(right * mpmath.log(trust) + wrong * mpmath.log(other)) / (right + wrong)
    return {"other": other, "score": Sized(mpmath.log(candidates)) - loss}


def _draw(pairs, symbols, error, batch) -> list[tuple[int, int]]:
    """Draw pairs (x, c) from the channel with the generator that the page uses."""
    state, uniform = (batch + 1) * 2654435761 % 2**32, []
    for _ in range(3 + 3 * pairs):
        state = (1664525 * state + 1013904223) % 2**32
        uniform.append(mpf(state) / 2**32)
    found = []
    for symbol, slip, other in zip(uniform[3::3], uniform[4::3], uniform[5::3], strict=True):
        x = int(symbols * symbol)
        found.append((x, (x + (1 + int((symbols - 1) * other) if slip < error else 0)) % symbols))
    return found


@control(
    "estimators",
    (5, 3, 0.25, 1.0, 0.0, 0.5, 0),
    (2, 2, 0.05, 4.0, 1.5, 3.0, 17),
    (7, 4, 0.6, 0.5, -2.0, 8.0, 59),
)
def _(pairs, symbols, error, strength, shift, clip, batch):
    """Evaluate the estimators on the batch and on the law."""
    law = [
        [((1 - error) if x == c else error / (symbols - 1)) / symbols for c in range(symbols)]
        for x in range(symbols)
    ]
    scores = [[strength * mpmath.log(symbols**2 * p) + shift for p in row] for row in law]
    drawn = _draw(pairs, symbols, error, batch)
    matrix = [[scores[x][c] for _, c in drawn] for x, _ in drawn]

    def of(name, scores, **options) -> tuple[Any, Any]:
        statement = estimators_from_scores.STATEMENTS[f"information.{name}"]
        return evaluator(
            statement.form, statement.environment(scores=scores, **options), names=statement.names
        )({})

    information = sum(p * symbols * mpmath.log(symbols**2 * p) for p in law[0])
    return {name: of(name, matrix) for name in ("infonce", "nwj", "mine")} | {
        "smile": of("smile", matrix, clip=clip),
        "law": of("donsker_varadhan", scores, joint=law),
        "information": (information, abs(information) + 1),
    }


@control(
    "dhn",
    ([0.8, 0.5, 0.1, -0.4], 0.5, 1.0),
    ([0.2, 0.9, 0.3], 0.1, 0.25),
    ([0.6, 0.4, 0.2, 0.0, -0.2], 0.2, 0.0),
)
def _(similarities, temperature, beta):
    """Evaluate DHN-NCE in row 0 of a batch of identical rows."""
    size = len(similarities)
    mask = [[int(row != column) for column in range(size)] for row in range(size)]
    environment = {"B": size, "S": [similarities] * size, "τ": temperature, "β₁": beta, "O": mask}
    forms = {"weights": "W[i,l]", "differentiated": f"({BY_LOGIT})/τ", "constant": "Q[i,l]/τ"}
    found = evaluate(DIFFERENTIATED.without("S"), environment, loss="ℓ[i]", **forms)
    return found | {name: found[name][1:] for name in forms}  # of the negatives


@control("noise", (1.5, -0.5, -2.0, 4, 0.0), (-3.0, 2.0, -1.0, 1, 1.25), (6.0, -6.0, 0.5, 16, -2.0))
def _(datum, noise, log_noise, samples, shift):
    """Evaluate NCE, and InfoNCE for comparison."""
    environment = {"N": 1, "ν": 1, "M": samples, "u⁺": [datum + shift], "u′": [[noise + shift] * samples]}
    environment |= {"λ": [log_noise], "λ′": [[log_noise] * samples]}
    row = {"N": samples + 1, "L": [[datum, *[noise] * samples]], "p": [0]}
    return evaluate(NCE, environment, posterior="h[i]", nce="𝓛") | evaluate(SOFTMAX, row, infonce="ℓ[i]")


@control("average", (0.999, 700, 65536, 256), (0.5, 3, 4096, 128))
def _(momentum, age, queue, batch):
    """Run the moving average step by step."""
    kept = mpf(1)
    for _ in range(age):
        kept *= momentum
    return {"kept": kept, "stale": mpf(queue) / batch}


@control("phase", (1.0, 0.5, 0.25, True, 6), (0.5, 1.5, 0.5, False, 6))
def _(a, b, noise, held, steps):
    """Descend the loss of one feature, over every outcome of a signal ±1 and noise ±√v in each view [D3.44]."""
    spread, path = mpmath.sqrt(noise), [[a, b]]
    views = [(x + spread * y, x + spread * t) for x, y, t in product((1, -1), repeat=3)]
    for _ in range(steps):
        errors = [(b * a * x - a * y, x, y) for x, y in views]
        by_a = sum(e * (b * x - (0 if held else y)) for e, x, y in errors) / len(views)
        by_b = sum(e * a * x for e, x, _ in errors) / len(views)
        a, b = a - by_a / 20, b - by_b / 20
        path.append([a, b])
    return {"path": _change_each(lambda x: (x, 1 + steps), path)}


@control(
    "positives",
    ([0.9, 0.5, 0.1], [0.4, -0.2], 0.2),
    ([0.3], [0.8, 0.0, -0.5], 0.05),
    ([1.0, 1.0, 0.2, 0.0], [-0.9], 1.0),
)
def _(positives, negatives, temperature):
    """Evaluate several positives in row 0: the first candidates are the positives, the others negatives."""
    logits = [x / temperature for x in (*positives, *negatives)]
    more = [int(0 < place < len(positives)) for place in range(len(logits))]
    return evaluate(
        CANDIDATES,
        {"N": 1, "A": len(logits), "L": [logits], "p": [0], "Y⁺": [more]},
        out="ℓᵒᵘᵗ[i]",
        within="ℓⁱⁿ[i]",
        floor="log(n⁺[i])",
        by_out=f"P[i,a] - {IS_POSITIVE}/n⁺[i]",
        by_in=f"P[i,a] - {IS_POSITIVE} P[i,a]/{TOGETHER}",
    )


@control(
    "temperature",
    (0.3, 0.1, 0.05, 24, 64, 5, 100.0, 6),
    (0.6, 0.0, 0.2, 0, 64, 4, 14.5, 8),
    (0.2, 0.1, 0.1, 32, 64, 3, 100.0, 0),
)
def _(positive, others, ahead, mistaken, rows, candidates, clamp, steps):
    """Run Newton steps of at most 1% from a scale of 1/0.07."""
    right = [positive, *[others] * (candidates - 1)]
    wrong = [positive, positive + ahead, *[others] * (candidates - 2)]
    environment = {"N": 2, "A": candidates, "s": [right, wrong], "p": [0, 0]}
    weights = (mpf(rows - mistaken) / rows, mpf(mistaken) / rows)
    forms = {
        "slope": f"{learned_temperature.MEAN} - s[i,p(i)]",
        "loss": "ℓ[i]",
        "curvature": "(Σ_an P[i,a] P[i,n] (s[i,a] - s[i,n])^2)/2",
    }

    def mean(name: str, scale) -> Sized:
        here = environment | {"β": scale}
        found = [evaluate(learned_temperature.ROWS, here, row, mean=forms[name])["mean"] for row in range(2)]
        return sum(w * Sized(*x) for w, x in zip(weights, found, strict=True))

    scale = 1 / mpf("0.07")
    for _ in range(steps):
        wanted = -mean("slope", scale).value / mean("curvature", scale).value
        scale = min(clamp, scale + max(-scale / 100, min(scale / 100, wanted)))
    end = scale * (1 + steps)
    slope = mean("slope", scale)
    # the slope of the score at a scale known to full accuracy
    found = {"scale": (scale, end), "loss": mean("loss", scale), "slope": (slope.value, slope.size + end)}
    low, high = mpf("1e-6"), mpf("1e6")
    if mean("slope", high).value <= 0:
        return found
    for _ in range(120):
        middle = mpmath.sqrt(low * high)
        low, high = (middle, high) if mean("slope", middle).value < 0 else (low, middle)
    return found | {"rest": (low, 64 * low)}


@control(
    "clamp",
    (0.5, [0.4, 0.1, -0.3], 0.5, 0.1),
    (0.95, [0.2, 0.0], 0.25, 0.25),
    (-0.5, [0.9, 0.3, 0.3, -0.9], 0.1, 0.05),
)
def _(positive, negatives, temperature, prior):
    """Evaluate the debiased loss of one row; an estimate below its floor is replaced by the floor."""
    logits, own = [x / temperature for x in negatives], positive / temperature
    mean = sum(map(mpmath.exp, logits)) / len(logits)
    held = (mean - prior * mpmath.exp(own)) / (1 - prior) < mpmath.exp(-1 / temperature)
    found = evaluate(
        debiased_clamp.CLAMPED if held else debiased_clamp.MEAN,
        {"N": 1, "M": len(logits), "L": [logits], "L⁺": [own], "τ": temperature, "s⁺": [positive]}
        | {"θ⁺": prior / (1 - prior)},
        loss="ℓ[i]",
        pull=f"-({debiased_clamp.CLAMPED_PULL if held else debiased_clamp.PULL})",
        push=debiased_clamp.PUSH,
        factor=f"1 + {debiased_clamp.DROP}",
    )
    return found | {"held": (mpf(held), 1), "push": mpf(0) if held else found["push"][0]}


@control(
    "columns",
    (
        [[1.0, 2.0, -1.0], [0.5, -1.0, 2.0], [3.0, 0.0, 1.0]],
        [[1.5, 1.0, -2.0], [0.0, -1.5, 2.0], [2.0, 1.0, 1.5]],
        *(0.25, 2),
    ),
    ([[1.0, 2.0, -1.0, 0.5], [0.5, -1.0, 2.0, 1.0]], [[1.5, 1.0, -2.0, 0.25], [0.0, -1.5, 2.0, 1.5]], 1.0, 1),
)
def _(first, second, weight, steps):
    """Evaluate Barlow Twins after steps along the proved slopes, each followed by standardising the columns."""
    rows, features = len(first[0]), len(first)

    def standardise(column) -> list[Any]:
        centred = [x - sum(column) / rows for x in column]
        return [x / mpmath.norm(centred) for x in centred]

    views = [first, second]
    given = {"z1": range(rows), "z2": range(rows, 2 * rows)}
    for _ in range(steps + 1):
        views = [[standardise(column) for column in view] for view in views]
        points = np.array([list(row) for view in views for row in zip(*view, strict=True)], object)
        value, pulls, run = geometry.differentiate("barlow_twins", points, given, {"weight": weight}, ())
        moved = points + np.frompyfunc(lambda pull: pull.value / 10, 1, 1)(pulls)
        views = [moved[:rows].T.tolist(), moved[rows:].T.tolist()]
    correlation = run(cross_correlation[k, l])
    matrix = [[correlation({k: x, l: y}).value for y in range(features)] for x in range(features)]
    kappa = max(mpf(features) / (rows - 1) - 1, mpf(0))
    found = {"matrix": matrix, "loss": value.value, "floor": features * weight * kappa / (1 + weight * kappa)}
    size = features * (1 + features * weight) * (1 + steps)
    return {name: _change_each(lambda x: (x, size), numbers) for name, numbers in found.items()}


def _change_each(change: Callable[[Any], Any], nested: Any) -> Any:
    """Change each number of nested lists."""
    is_list = isinstance(nested, list | np.ndarray)
    return [_change_each(change, one) for one in nested] if is_list else change(nested)


# Pictures and captions by the words red, blue, circle, square.
WORDS = [[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]


@control("questions", (WORDS, WORDS, 0.3, 0.1), (WORDS, [[1.0, 1.0, 0.0, 0.0], *WORDS[1:]], -0.25, 0.5))
def _(pictures, captions, hub, temperature):
    """Evaluate CLIP for pictures and captions, compared by the cosine; hub is added to the second caption's."""
    unit = [[[x / mpmath.norm(row) for x in row] for row in rows] for rows in (pictures, captions)]
    scores = [[mpmath.fdot(x, y) + hub * (column == 1) for column, y in enumerate(unit[1])] for x in unit[0]]
    return evaluate(
        CLIP.without("L"),
        {"B": len(pictures), "L": [[x / temperature for x in row] for row in scores]},
        rows="(Σ_j (-log P[j,j]))/B",
        columns="(Σ_j (-log Pᶜ[j,j]))/B",
        clip="𝓛",
        by_rows="P[j,k]",
        by_columns="Pᶜ[k,j]",
    )


@control("queue", (0.5, 0.1, 0.2, 14, 6), (0.9, -0.25, 0.5, 14, 2), (0.25, 0.5, 0.1, 10, 2))
def _(positive, negative, temperature, whole, alone):
    """Evaluate NT-Xent with so many equal negatives, of the whole batch and of one rank's rows; sum the pushes
    between row 0 and its negatives, with and without the pushes on rows that are held constant [R2]."""

    def batch(size: int, **forms: str) -> dict[str, Any]:
        partner = positives(size)
        alike = [[positive if partner[x] == y else negative for y in range(size)] for x in range(size)]
        environment = {"N": size, "s": alike, "τ": temperature, "p": partner}
        return evaluate(NTXENT.only("L", "P", "G", "ℓ"), environment, loss="ℓ[i]", pull="-G[i,p(i)]", **forms)

    (loss, pull, slopes), few = batch(whole + 2, slopes="G[j,k]").values(), batch(alone + 2)
    things = whole // 2 + 1
    others = [row for row in range(whole + 2) if row % things]
    push = {(x, y): slopes[x][y][0] for row in others for x, y in ((0, row), (row, 0))}
    near = {row for row in others if row % things <= alone // 2}  # those on the rank of row 0
    kept = sum(value for (x, y), value in push.items() if x == 0 or x in near)
    return {
        "whole": loss,
        "whole_pull": pull,
        "alone": few["loss"],
        "alone_pull": few["pull"],
        "kept": (kept / sum(push.values()), 1),
    }


def _run(cosines, temperature, **_) -> dict[str, Any]:
    """Evaluate NT-Xent of the rows of a recorded run, by their cosines above the diagonal."""
    size = (1 + isqrt(1 + 8 * len(cosines))) // 2
    given = dict(zip(combinations(range(size), 2), cosines, strict=True))
    logits = [[given.get((min(x, y), max(x, y)), 1) / temperature for y in range(size)] for x in range(size)]
    environment = {"N": size, "L": logits, "p": positives(size)}
    found = evaluate(NTXENT, environment, losses="ℓ[j]", first="P[i,j]")
    floor = mpmath.log1p(254 * mpmath.exp(-mpf(128) / (127 * temperature)))
    return found | {"first": found["first"][1:], "floor": floor}


CONTROLS |= {
    "ranks": CONTROLS["queue"],
    "run": Control(_run, tuple(json.loads(Path(__file__).with_name("run.json").read_text(encoding="utf-8")))),
    "geometry": Control(geometry.compute, geometry.POINTS),
    "course": Control(geometry.compute, geometry.POINTS + geometry.SWITCHED),
}


def require_known(name: str) -> str:
    """Return the name if there is such a control, else raise ValueError."""
    if name not in CONTROLS:
        raise ValueError(f"control: unknown {name}; known are {', '.join(CONTROLS)}")
    return name


@cache
def references(name: str) -> list[dict[str, Any]]:
    """Return the control's points as the page reads them: input, expected pairs, tolerance."""
    compute, points = CONTROLS[require_known(name)]
    found = []
    for point in points:
        with mpmath.workdps(DIGITS):
            expected = compute(**{key: _change_each(_exact, value) for key, value in point.items()})
        tolerance = ALLOWED * 2.0**-52 * max(1.0, 1 / point.get("temperature", 1.0))
        pairs = {name: _change_each(_round, value) for name, value in expected.items()}
        found.append({"control": name, "state": point, "expected": pairs, "tolerance": tolerance})
    return found


def _exact(value: Any) -> Any:
    return mpf(value) if isinstance(value, float) else value


def _round(found: Any) -> list[float]:
    """Return a number as a float with its size, of three digits."""
    sized = found if isinstance(found, Sized) else Sized(*(found if isinstance(found, tuple) else (found,)))
    return [float(sized.value), float(f"{float(sized.size):.2e}")]
