"""Reference values for the sliders of the pages: 50 digits, from the proved definitions.

`assets/kernel.js` computes the same with a browser's floats. The page compares the two when it opens:
|theirs − ours| may be ALLOWED · ε · max(1, 1/τ) times the size of the terms that were summed [S3].
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations, product
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
from mpmath import mpf
from sympy import Expr, log, sqrt

from ..common.softmax import SOFTMAX
from ..losses import clip, dhn_nce, nce, ntxent
from ..prover.evaluate import evaluator
from ..prover.notation import Definition, Differ, delta, sum_over
from ..symbols import (
    A,
    B,
    G,
    L,
    L_positive,
    M,
    N,
    P,
    Q,
    S,
    a,
    also_positive,
    beta,
    beta1,
    columns,
    count,
    cross_correlation,
    ell,
    ell_in,
    ell_out,
    hardness,
    i,
    j,
    k,
    l,
    log_p,
    log_p_noise,
    loss,
    m,
    n,
    nu,
    odds_of_class,
    off_diagonal,
    own_score,
    p,
    posterior,
    s,
    tau,
    u_data,
    u_noise,
)
from ..theory import debiased_clamp, estimators_from_scores, learned_temperature
from ..theory.several_positives import CANDIDATES, IS_POSITIVE, TOGETHER
from . import geometry

DIGITS = 50
ALLOWED = 64

Pair = list[float]  # a number, and the size of the terms that were summed for it
Names = tuple[Definition, ...]


def evaluate_at(expression: Expr, names: Names, environment: Mapping[Any, Any], column: int = 0) -> Pair:
    """Evaluate the expression with these definitions at row i = 0 and this column j, as a pair."""
    run = evaluator(expression, environment, names=names)
    return [float(number) for number in run({i: 0, j: column})]


def _anchor(similarities, temperature) -> dict[str, Any]:
    """Evaluate softmax row 0, whose positive is candidate 0."""
    names = (Definition(L[i, j], s[i, j] / tau), *SOFTMAX.names)
    size = len(similarities)
    environment = {N: size, s: [similarities] * size, tau: temperature, p: [0] * size}
    others = sum_over(Differ(m, p[i]) * P[i, m], (m, N))  # 1 − P_p [S2]
    error = Differ(j, p[i]) * P[i, j] - delta(j, p[i]) * others
    shares = sum_over(Differ(m, p[i]) * P[i, m] ** 2, (m, N)) / others**2
    forms = {"loss": ell[i], "decoupled": log(others / P[i, p[i]]), "effective": 1 / shares}
    lists = {"probabilities": P[i, j], "push": error * sqrt(1 - s[i, j] ** 2) / tau}
    return {name: evaluate_at(form, names, environment) for name, form in forms.items()} | {
        name: [evaluate_at(form, names, environment, place) for place in range(size)]
        for name, form in lists.items()
    }


def _bars(scores) -> dict[str, Any]:
    """Evaluate a softmax of these scores and its derivative; the first score is that of the right answer."""
    names = SOFTMAX.names
    others = sum_over(Differ(m, p[i]) * P[i, m], (m, N))
    environment = {N: len(scores), L: [scores] * len(scores), p: [0] * len(scores)}
    forms = {"probabilities": P[i, j], "error": Differ(j, p[i]) * P[i, j] - delta(j, p[i]) * others}
    return {"loss": evaluate_at(ell[i], names, environment)} | {
        name: [evaluate_at(form, names, environment, place) for place in range(len(scores))]
        for name, form in forms.items()
    }


def _place(angles) -> list[list[Any]]:
    """Return points of a circle at these angles, in degrees."""
    turned = [mpmath.radians(angle) for angle in angles]
    return [[mpmath.cos(angle), mpmath.sin(angle)] for angle in turned]


def _batch(angles, row, temperature) -> dict[str, Any]:
    """Evaluate G/(Nτ) of NT-Xent, and a step's two parts for one row: as an anchor and as a candidate [D1.12]."""
    points = _place(angles)
    every = range(len(points))
    _, _, evaluate = geometry.differentiate("ntxent", points, {"w": every}, {"temperature": temperature}, ())
    run = evaluate(G[i, j] / (nu * tau))
    slopes = [[run({i: x, j: y}) for y in every] for x in every]

    def step(entries) -> list[Pair]:
        parts = [[(-g * z[f], size * abs(z[f])) for (g, size), z in zip(entries, points)] for f in range(2)]
        return [_pair(map(sum, zip(*part))) for part in parts]

    return {
        "slopes": [[_pair(entry) for entry in line] for line in slopes],
        "as_anchor": step(slopes[row]),
        "as_candidate": step([line[row] for line in slopes]),
    }


def _circle(angles, temperature) -> dict[str, Any]:
    """Evaluate an anchor at the angle 0 and its candidates, the positive first: −τ times each proved gradient."""
    points = _place((0, *angles))
    rows = {"query": [0], "positive": [1], "negatives": [range(2, len(points))]}
    options = {"temperature": temperature}
    value, pulls, evaluate = geometry.differentiate("query_key", points, rows, options, ())
    at = {i: 0}
    negatives = [_pair(evaluate(P[i, m])(at | {m: place})) for place in range(len(angles) - 1)]
    anchor, *candidates = [[_pair([temperature * x for x in part]) for part in pull] for pull in pulls]
    return {
        "loss": _pair(value),
        "probabilities": [_pair(evaluate(1 - sum_over(P[i, m], (m, M)))(at)), *negatives],
        "anchor": anchor,
        "candidates": candidates,
    }


def _channel(candidates, symbols, error) -> dict[str, Any]:
    """Evaluate the loss by its definition over every outcome."""
    joint = [
        [(1 - error) if x == c else error / (symbols - 1) for x in range(symbols)] for c in range(symbols)
    ]
    information = [
        sum(q * mpmath.log(q * symbols) for q in joint[0]),
        sum(abs(q * mpmath.log(q * symbols)) for q in joint[0]),
    ]
    value = mpf(0)
    for c, *drawn in product(range(symbols), repeat=candidates + 1):
        scores = [joint[c][x] * symbols for x in drawn]
        value -= joint[c][drawn[0]] / mpf(symbols) ** candidates * mpmath.log(scores[0] / sum(scores))
    most = mpmath.log(candidates)
    return {
        "information": [float(x) for x in information],
        "loss": [float(value)] * 2,
        "bound": [float(most - value), float(most + value)],
    }


def _game(candidates, right, wrong, trust) -> dict[str, Any]:
    """Evaluate log N less the mean loss of a player who gives the chosen candidate this probability."""
    other = (1 - trust) / (candidates - 1)
    loss = -(right * mpmath.log(trust) + wrong * mpmath.log(other)) / (right + wrong)
    most = mpmath.log(candidates)
    return {"other": [float(other)] * 2, "score": [float(most - loss), float(most + loss)]}


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


def _estimators(pairs, symbols, error, strength, shift, clip, batch) -> dict[str, Any]:
    """Evaluate the estimators on the batch and on the law."""
    law = [
        [((1 - error) if x == c else error / (symbols - 1)) / symbols for c in range(symbols)]
        for x in range(symbols)
    ]
    scores = [[strength * mpmath.log(symbols**2 * p) + shift for p in row] for row in law]
    drawn = _draw(pairs, symbols, error, batch)
    matrix = [[scores[x][c] for _, c in drawn] for x, _ in drawn]

    def of(name, scores, **options) -> Pair:
        statement = estimators_from_scores.STATEMENTS[f"information.{name}"]
        return evaluate_at(statement.form, statement.names, statement.bind(scores, **options))

    information = sum(p * symbols * mpmath.log(symbols**2 * p) for p in law[0])
    return {name: of(name, matrix) for name in ("infonce", "nwj", "mine")} | {
        "smile": of("smile", matrix, clip=clip),
        "law": of("donsker_varadhan", scores, joint=law),
        "information": [float(information), float(abs(information)) + 1],
    }


def _dhn(similarities, temperature, beta) -> dict[str, Any]:
    """Evaluate DHN-NCE in row 0 of a batch of identical rows."""
    size = len(similarities)
    mask = [[int(row != column) for column in range(size)] for row in range(size)]
    environment = {B: size, S: [similarities] * size, tau: temperature, beta1: beta, off_diagonal: mask}
    names = dhn_nce.DIFFERENTIATED.without("S").names
    gradient = dhn_nce.DIFFERENTIATED.read(dhn_nce.BY_LOGIT).subs(l, j) / tau
    constant = Q[i, j] / tau
    lists = {"weights": hardness[i, j], "differentiated": gradient, "constant": constant}
    return {"loss": evaluate_at(ell[i], names, environment)} | {
        name: [evaluate_at(form, names, environment, place) for place in range(1, size)]
        for name, form in lists.items()
    }


def _noise(datum, noise, log_noise, samples, shift) -> dict[str, Any]:
    """Evaluate NCE, and InfoNCE for comparison."""
    environment = {N: 1, nu: 1, M: samples, u_data: [datum + shift], u_noise: [[noise + shift] * samples]}
    environment |= {log_p: [log_noise], log_p_noise: [[log_noise] * samples]}
    logits = [[datum, *[noise] * samples]] * (samples + 1)
    return {
        "posterior": evaluate_at(posterior[i], nce.NAMES, environment),
        "nce": evaluate_at(loss, nce.NAMES, environment),
        "infonce": evaluate_at(ell[i], SOFTMAX.names, {N: samples + 1, L: logits, p: [0] * (samples + 1)}),
    }


def _average(momentum, age, queue, batch) -> dict[str, Any]:
    """Run the moving average step by step."""
    kept = mpf(1)
    for _ in range(age):
        kept *= momentum
    return {name: [float(x)] * 2 for name, x in (("kept", kept), ("stale", mpf(queue) / batch))}


def _phase(a, b, noise, held, steps) -> dict[str, Any]:
    """Descend the loss of one feature, over every outcome of a signal ±1 and noise ±√v in each view [D3.44]."""
    spread, path = mpmath.sqrt(noise), [(a, b)]
    views = [(x + spread * y, x + spread * t) for x, y, t in product((1, -1), repeat=3)]
    for _ in range(steps):
        errors = [(b * a * x - a * y, x, y) for x, y in views]
        by_a = sum(e * (b * x - (0 if held else y)) for e, x, y in errors) / len(views)
        by_b = sum(e * a * x for e, x, _ in errors) / len(views)
        a, b = a - by_a / 20, b - by_b / 20
        path.append((a, b))
    return {"path": _with_size([list(place) for place in path], 1 + steps)}


def _positives(positives, negatives, temperature) -> dict[str, Any]:
    """Evaluate several positives in row 0: the first candidates are the positives, the others negatives."""
    logits = [x / temperature for x in (*positives, *negatives)]
    more = [[int(0 < place < len(positives)) for place in range(len(logits))]]
    environment = {N: 1, A: len(logits), L: [logits], p: [0], also_positive: more}
    names = CANDIDATES.names
    forms = {"out": ell_out[i], "within": ell_in[i], "floor": log(count[i])}
    slopes = {
        "by_out": CANDIDATES.read(f"P[i,a] - {IS_POSITIVE}/n⁺[i]"),
        "by_in": CANDIDATES.read(f"P[i,a] - {IS_POSITIVE} P[i,a]/{TOGETHER}"),
    }
    run = {name: evaluator(form, environment, names=names) for name, form in (forms | slopes).items()}
    return {name: _pair(run[name]({i: 0})) for name in forms} | {
        name: [_pair(run[name]({i: 0, a: place})) for place in range(len(logits))] for name in slopes
    }


def _pair(found) -> Pair:
    return [float(number) for number in found]


def _temperature(positive, others, ahead, mistaken, rows, candidates, clamp, steps) -> dict[str, Any]:
    """Run Newton steps of at most 1% from a scale of 1/0.07."""
    right = [positive, *[others] * (candidates - 1)]
    wrong = [positive, positive + ahead, *[others] * (candidates - 2)]
    environment = {N: 2, A: candidates, s: [right, wrong], p: [0, 0]}
    weights = (mpf(rows - mistaken) / rows, mpf(mistaken) / rows)
    squares = sum_over(P[i, a] * P[i, n] * (s[i, a] - s[i, n]) ** 2, (n, A), (a, A)) / 2
    forms = {
        "slope": learned_temperature.ROWS.read(f"{learned_temperature.MEAN} - s[i,p(i)]"),
        "loss": ell[i],
        "curvature": squares,
    }

    def mean(name: str, scale) -> list:
        run = evaluator(forms[name], environment | {beta: scale}, names=learned_temperature.NAMES)
        found = [run({i: row}) for row in range(2)]
        return [sum(w * x[part] for w, x in zip(weights, found, strict=True)) for part in range(2)]

    scale = 1 / mpf("0.07")
    for _ in range(steps):
        wanted = -mean("slope", scale)[0] / mean("curvature", scale)[0]
        scale = min(clamp, scale + max(-scale / 100, min(scale / 100, wanted)))
    low, high = mpf("1e-6"), mpf("1e6")
    if mean("slope", high)[0] <= 0:
        rest = mpmath.inf
    else:
        for _ in range(120):
            middle = mpmath.sqrt(low * high)
            low, high = (middle, high) if mean("slope", middle)[0] < 0 else (low, middle)
        rest = low
    end = [float(scale), float(scale * (1 + steps))]
    found = {"scale": end, "loss": _pair(mean("loss", scale)), "slope": _pair(mean("slope", scale))}
    found["slope"][1] += end[1]  # the slope of the score at a scale known to full accuracy
    return found | ({} if rest == mpmath.inf else {"rest": [float(rest), float(64 * rest)]})


def _clamp(positive, negatives, temperature, prior) -> dict[str, Any]:
    """Evaluate the debiased loss of one row; an estimate below its floor is replaced by the floor."""
    logits, own = [x / temperature for x in negatives], positive / temperature
    mean = sum(map(mpmath.exp, logits)) / len(logits)
    estimate, least = (mean - prior * mpmath.exp(own)) / (1 - prior), mpmath.exp(-1 / temperature)
    held = estimate < least
    environment = {N: 1, M: len(logits), L: [logits], L_positive: [own], tau: temperature}
    environment |= {odds_of_class: prior / (1 - prior)}
    here = debiased_clamp.CLAMPED if held else debiased_clamp.MEAN
    names, drop = here.names, here.read(f"1 + {debiased_clamp.DROP}")
    pull = here.read(debiased_clamp.CLAMPED_PULL if held else debiased_clamp.PULL)
    push = evaluator(here.read(debiased_clamp.PUSH), environment, names=names)
    return {
        "held": [float(held), 1.0],
        "loss": evaluate_at(ell[i], names, environment),
        "pull": evaluate_at(-pull, names, environment),
        "push": [0.0, 0.0] if held else _pair(push({i: 0, a: 0})),
        "factor": evaluate_at(drop, (), environment | {own_score: [positive]}),
    }


def _columns(first, second, weight, steps) -> dict[str, Any]:
    """Evaluate Barlow Twins after steps along the proved slopes, each followed by standardising the columns."""
    rows, features = len(first[0]), len(first)

    def standardise(column) -> list[Any]:
        centred = [x - sum(column) / rows for x in column]
        return [x / mpmath.norm(centred) for x in centred]

    views = [first, second]
    given = {"z1": range(rows), "z2": range(rows, 2 * rows)}
    for _ in range(steps + 1):
        views = [[standardise(column) for column in view] for view in views]
        points = [list(row) for view in views for row in zip(*view, strict=True)]
        value, pulls, evaluate = geometry.differentiate("barlow_twins", points, given, {"weight": weight}, ())
        moved = [
            [x + pull / 10 for x, (pull, _) in zip(*each, strict=True)]
            for each in zip(points, pulls, strict=True)
        ]
        views = [list(zip(*part, strict=True)) for part in (moved[:rows], moved[rows:])]
    correlation = evaluate(cross_correlation[k, l])
    matrix = [[correlation({k: x, l: y})[0] for y in range(features)] for x in range(features)]
    kappa = max(mpf(features) / (rows - 1) - 1, mpf(0))
    named = {"matrix": matrix, "loss": value[0], "floor": features * weight * kappa / (1 + weight * kappa)}
    return {
        name: _with_size(x, features * (1 + features * weight) * (1 + steps)) for name, x in named.items()
    }


def _with_size(numbers, size) -> Any:
    """Pair each number with this size."""
    return (
        [_with_size(x, size) for x in numbers] if isinstance(numbers, list) else [float(numbers), float(size)]
    )


def _questions(pictures, captions, hub, temperature) -> dict[str, Any]:
    """Evaluate CLIP for pictures and captions, compared by the cosine; hub is added to the second caption's."""
    size = len(pictures)
    unit = [[[x / mpmath.norm(row) for x in row] for row in rows] for rows in (pictures, captions)]
    scores = [[mpmath.fdot(x, y) + hub * (column == 1) for column, y in enumerate(unit[1])] for x in unit[0]]
    environment = {B: size, L: [[x / temperature for x in row] for row in scores]}
    names = clip.NAMES[1:]
    means = {"rows": -log(P[i, i]), "columns": -log(columns[i, i])}
    forms = {"by_rows": P[i, j], "by_columns": columns[j, i]}
    run = {name: evaluator(form, environment, names=names) for name, form in forms.items()}
    return {
        name: evaluate_at(sum_over(form, (i, B)) / B, names, environment) for name, form in means.items()
    } | {
        "clip": evaluate_at(loss, names, environment),
        "by_rows": [[_pair(run["by_rows"]({i: x, j: y})) for y in range(size)] for x in range(size)],
        "by_columns": [[_pair(run["by_columns"]({i: x, j: y})) for y in range(size)] for x in range(size)],
    }


def _equal(positive, negative, temperature, whole, alone) -> dict[str, Any]:
    """Evaluate NT-Xent with so many equal negatives, of the whole batch and of one rank's rows; sum the pushes
    between row 0 and its negatives, with and without the pushes on rows that are held constant [R2]."""
    found: dict[str, Any] = {}
    names = (ntxent.SOFTMAX, ntxent.ERROR, ntxent.ROW)
    for name, negatives in (("whole", whole), ("alone", alone)):
        size, things = negatives + 2, negatives // 2 + 1
        partner = [(row + things) % size for row in range(size)]
        similarities = [[positive if partner[x] == y else negative for y in range(size)] for x in range(size)]
        logits = [[x / temperature for x in row] for row in similarities]
        environment = {N: size, L: logits, p: partner}
        found[name] = evaluate_at(ell[i], names, environment)
        found[f"{name}_pull"] = evaluate_at(-G[i, p[i]], names, environment)
        if name == "whole":
            run = evaluator(G[i, j], environment, names=names)
            others = [row for row in range(size) if row not in (0, partner[0])]
            push = {(x, y): run({i: x, j: y})[0] for row in others for x, y in ((0, row), (row, 0))}
            near = {row for row in others if row % things <= alone // 2}  # those on the rank of row 0
            kept = sum(value for (x, y), value in push.items() if x == 0 or x in near)
            found["kept"] = [float(kept / sum(push.values())), 1.0]
    return found


def _run(cosines, temperature, **_) -> dict[str, Any]:
    """Evaluate NT-Xent of the rows of a recorded run, by their cosines above the diagonal."""
    size = (1 + isqrt(1 + 8 * len(cosines))) // 2
    given = dict(zip(combinations(range(size), 2), cosines, strict=True))
    logits = [[given.get((min(x, y), max(x, y)), 1) / temperature for y in range(size)] for x in range(size)]
    environment = {N: size, L: logits, p: [(row + size // 2) % size for row in range(size)]}
    run = {
        form: evaluator(form, environment, names=(ntxent.SOFTMAX, ntxent.ROW)) for form in (P[i, j], ell[i])
    }
    return {
        "losses": [_pair(run[ell[i]]({i: row})) for row in range(size)],
        "first": [_pair(run[P[i, j]]({i: 0, j: column})) for column in range(1, size)],
        "floor": [float(mpmath.log1p(254 * mpmath.exp(-mpf(128) / (127 * temperature))))] * 2,
    }


class Control(NamedTuple):
    """A control: the reference computation, and the points of comparison."""

    compute: Callable[..., dict[str, Any]]
    points: tuple[dict[str, Any], ...]


EQUAL = Control(
    _equal,
    (
        {"positive": 0.5, "negative": 0.1, "temperature": 0.2, "whole": 14, "alone": 6},
        {"positive": 0.9, "negative": -0.25, "temperature": 0.5, "whole": 14, "alone": 2},
        {"positive": 0.25, "negative": 0.5, "temperature": 0.1, "whole": 10, "alone": 2},
    ),
)
# Pictures and captions by the words red, blue, circle, square.
WORDS = [[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]

CONTROLS: dict[str, Control] = {
    "anchor": Control(
        _anchor,
        (
            {"similarities": [0.5, 0.25, -0.25], "temperature": 0.5},
            {"similarities": [0.9, 1.0, 0.7, 0.1, -0.5], "temperature": 0.1},
            {"similarities": [-0.4, 0.8, 0.3], "temperature": 0.05},
            {"similarities": [1.0, 0.2, 0.0, -0.2], "temperature": 0.02},
            {"similarities": [0.3, 0.3], "temperature": 2.0},
        ),
    ),
    "bars": Control(
        _bars,
        ({"scores": [1.0, 0.5, -1.0]}, {"scores": [4.0, -4.0, -3.5]}, {"scores": [-2.0, 3.0, 1.0]}),
    ),
    "batch": Control(
        _batch,
        (
            {"angles": [60, 150, 285, 95, 185, 230], "row": 0, "temperature": 0.5},
            {"angles": [60, 150, 285, 95, 185, 230], "row": 4, "temperature": 0.1},
            {"angles": [0, 10, 180, 190], "row": 1, "temperature": 1.0},
        ),
    ),
    "circle": Control(
        _circle,
        (
            {"angles": [40, -55, 150], "temperature": 0.5},
            {"angles": [40, -55, 150], "temperature": 0.05},
            {"angles": [75, 10, -120, 180], "temperature": 1.0},
        ),
    ),
    "game": Control(
        _game,
        (
            {"candidates": 4, "right": 17, "wrong": 3, "trust": 0.8},
            {"candidates": 4, "right": 0, "wrong": 1, "trust": 0.97},
        ),
    ),
    "channel": Control(
        _channel,
        (
            {"candidates": 2, "symbols": 2, "error": 0.25},
            {"candidates": 5, "symbols": 3, "error": 0.1},
            {"candidates": 7, "symbols": 2, "error": 0.01},
        ),
    ),
    "estimators": Control(
        _estimators,
        tuple(
            {"pairs": pairs, "symbols": symbols, "error": error, "strength": strength, "shift": shift}
            | {"clip": clip, "batch": batch}
            for pairs, symbols, error, strength, shift, clip, batch in (
                (5, 3, 0.25, 1.0, 0.0, 0.5, 0),
                (2, 2, 0.05, 4.0, 1.5, 3.0, 17),
                (7, 4, 0.6, 0.5, -2.0, 8.0, 59),
            )
        ),
    ),
    "dhn": Control(
        _dhn,
        (
            {"similarities": [0.8, 0.5, 0.1, -0.4], "temperature": 0.5, "beta": 1.0},
            {"similarities": [0.2, 0.9, 0.3], "temperature": 0.1, "beta": 0.25},
            {"similarities": [0.6, 0.4, 0.2, 0.0, -0.2], "temperature": 0.2, "beta": 0.0},
        ),
    ),
    "noise": Control(
        _noise,
        (
            {"datum": 1.5, "noise": -0.5, "log_noise": -2.0, "samples": 4, "shift": 0.0},
            {"datum": -3.0, "noise": 2.0, "log_noise": -1.0, "samples": 1, "shift": 1.25},
            {"datum": 6.0, "noise": -6.0, "log_noise": 0.5, "samples": 16, "shift": -2.0},
        ),
    ),
    "average": Control(
        _average,
        (
            {"momentum": 0.999, "age": 700, "queue": 65536, "batch": 256},
            {"momentum": 0.5, "age": 3, "queue": 4096, "batch": 128},
        ),
    ),
    "phase": Control(
        _phase,
        (
            {"a": 1.0, "b": 0.5, "noise": 0.25, "held": True, "steps": 6},
            {"a": 0.5, "b": 1.5, "noise": 0.5, "held": False, "steps": 6},
        ),
    ),
    "positives": Control(
        _positives,
        (
            {"positives": [0.9, 0.5, 0.1], "negatives": [0.4, -0.2], "temperature": 0.2},
            {"positives": [0.3], "negatives": [0.8, 0.0, -0.5], "temperature": 0.05},
            {"positives": [1.0, 1.0, 0.2, 0.0], "negatives": [-0.9], "temperature": 1.0},
        ),
    ),
    "temperature": Control(
        _temperature,
        tuple(
            {"positive": positive, "others": others, "ahead": ahead, "mistaken": mistaken, "rows": 64}
            | {"candidates": candidates, "clamp": clamp, "steps": steps}
            for positive, others, ahead, mistaken, candidates, clamp, steps in (
                (0.3, 0.1, 0.05, 24, 5, 100.0, 6),
                (0.6, 0.0, 0.2, 0, 4, 14.5, 8),
                (0.2, 0.1, 0.1, 32, 3, 100.0, 0),
            )
        ),
    ),
    "clamp": Control(
        _clamp,
        (
            {"positive": 0.5, "negatives": [0.4, 0.1, -0.3], "temperature": 0.5, "prior": 0.1},
            {"positive": 0.95, "negatives": [0.2, 0.0], "temperature": 0.25, "prior": 0.25},
            {"positive": -0.5, "negatives": [0.9, 0.3, 0.3, -0.9], "temperature": 0.1, "prior": 0.05},
        ),
    ),
    "columns": Control(
        _columns,
        (
            {"first": [[1.0, 2.0, -1.0], [0.5, -1.0, 2.0], [3.0, 0.0, 1.0]], "weight": 0.25, "steps": 2}
            | {"second": [[1.5, 1.0, -2.0], [0.0, -1.5, 2.0], [2.0, 1.0, 1.5]]},
            {"first": [[1.0, 2.0, -1.0, 0.5], [0.5, -1.0, 2.0, 1.0]], "weight": 1.0, "steps": 1}
            | {"second": [[1.5, 1.0, -2.0, 0.25], [0.0, -1.5, 2.0, 1.5]]},
        ),
    ),
    "questions": Control(
        _questions,
        (
            {"pictures": WORDS, "captions": WORDS, "hub": 0.3, "temperature": 0.1},
            {
                "pictures": WORDS,
                "captions": [[1.0, 1.0, 0.0, 0.0], *WORDS[1:]],
                "hub": -0.25,
                "temperature": 0.5,
            },
        ),
    ),
    "queue": EQUAL,
    "ranks": EQUAL,
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
            expected = compute(**{key: _exact(value) for key, value in point.items()})
        tolerance = ALLOWED * 2.0**-52 * max(1.0, 1 / point.get("temperature", 1.0))
        found.append({"control": name, "state": point, "expected": expected, "tolerance": tolerance})
    return found


def _exact(value):
    if isinstance(value, list):
        return [_exact(entry) for entry in value]
    return mpf(value) if isinstance(value, float) else value
