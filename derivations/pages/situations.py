"""Values of the letters in the formulas of lessons, to 50 digits, from the proved definitions.

A situation draws a case and returns its letters; "value" is the number that a formula without a relation must
equal.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import mpmath
from mpmath import mpf

from .. import losses, symbols
from ..common.pairs import positives
from ..prover.evaluate import evaluator
from ..symbols import G, L, P, a, i, p, posterior
from ..theory import barlow_twins_floor, flat_optimum
from .controls import CONTROLS

Number = Any  # an mpmath number, or a matrix of them
Letters = dict[str, Any]
Situation = Callable[[Random], Letters]
SITUATIONS: dict[str, Situation] = {}


def situation(name: str, *kinds: Any) -> Callable[[Callable[..., Letters]], None]:
    """Register the decorated function under the name that lessons write after `for`. kinds: what stands in the
    braces of the name; the function gets it as its first arguments."""

    def register(draw: Callable[..., Letters]) -> None:
        for kind in kinds or [()]:
            given = kind if isinstance(kind, tuple) else (kind,)
            SITUATIONS[name.format(*given)] = partial(draw, *given)

    return register


# --- helpers of the situations ----------------------------------------------------------------------------


def evaluate(loss: str, arguments: Mapping[str, Any], expression: Any = None, **indices: int) -> Number:
    """Evaluate the loss at these arguments, or another expression with its definitions."""
    statement = losses.statement(loss, arguments)
    run = evaluator(expression or statement.form, statement.environment(**arguments), names=statement.names)
    return run({getattr(symbols, name): place for name, place in indices.items()})[0]


def value(loss: str, **arguments: Any) -> Number:
    return evaluate(loss, arguments)


def slope(loss: str, by: str, *entry: int, **arguments: Any) -> Number:
    """Evaluate the proved gradient by one entry of an input."""
    gradient = losses.statement(loss, arguments).gradients[by]
    indices = {index.name: place for index, place in zip(gradient.indices, entry, strict=True)}
    return evaluate(loss, arguments, gradient.form, **indices)


def root(function: Callable[[Number], Number], low: float, high: float) -> Number:
    """Return the zero of a function between two places with opposite signs."""
    return mpmath.findroot(function, (low, high), solver="anderson")


def uniform(rng: Random, low: float, high: float) -> Number:
    return mpf(rng.uniform(low, high))


def unit(row: Sequence[Number]) -> list[Number]:
    return [x / mpmath.norm(row) for x in row]


def unit_rows(rng: Random, count: int) -> list[list[Number]]:
    return [unit([mpf(rng.gauss(0, 1)) for _ in range(3)]) for _ in range(count)]


def simplex(corners: int) -> list[list[Number]]:
    """Return the corners of a regular simplex."""
    return [unit([(x == y) - mpf(1) / corners for y in range(corners)]) for x in range(corners)]


def basis(first: int, count: int, features: int) -> list[list[Number]]:
    """Return orthonormal rows."""
    return [[mpf(f == row) for f in range(features)] for row in range(first, first + count)]


def plane(angle: Number, length: Number = 1) -> list[Number]:
    return [length * mpmath.cos(angle), length * mpmath.sin(angle)]


EQUAL = [mpf(3) / 5, mpf(4) / 5]  # a unit row; a collapsed batch consists of copies of it


# --- one softmax ------------------------------------------------------------------------------------------


@situation("a softmax")
def _(rng):
    arguments = {"scores": [[uniform(rng, -2, 2) for _ in range(5)]], "positive": [0]}
    own, other = (evaluate("cpc", arguments, P[i, a], i=0, a=place) for place in (0, 1))
    gradient = [evaluate("cpc", arguments, G[i, a], i=0, a=place) for place in (0, 1)]
    letters = {"P_p": own, "q": -gradient[0], "P_kj": other, "G_kj": gradient[1]}
    return letters | {"P[i,p(i)]": own, "q_i": -gradient[0]}


@situation("unit rows")
def _(rng):
    """InfoNCE of random unit rows: the anchor is among its own candidates."""
    arguments = {"z": unit_rows(rng, 6), "temperature": uniform(rng, 0.05, 1)}
    forms = {"L_ii": L[i, i], "L_ip": L[i, p[i]], "P_ip": P[i, p[i]]}
    found = {name: evaluate("infonce", arguments, form, i=0) for name, form in forms.items()}
    return found | {"τ": arguments["temperature"]}


@situation("a row")
def _(rng):
    w = [[uniform(rng, -2, 2) for _ in range(3)] for _ in range(2)]
    arguments = {"w": w, "temperature": 1}
    z = [evaluate("ntxent", arguments, symbols.z[i, symbols.f], i=0, f=f) for f in range(3)]
    return {"w": mpmath.matrix(w[0]), "z": mpmath.matrix(z)}


@situation("equal negatives")
def _(rng):
    count, tau = rng.randint(1, 8), uniform(rng, 0.1, 2)
    s_p, s_n = (uniform(rng, -1, 1) for _ in range(2))
    scores = [[s_p / tau, *[s_n / tau] * count]]
    share = evaluate("cpc", {"scores": scores, "positive": [0]}, P[i, a], i=0, a=0)
    return {"M": count, "τ": tau, "s_p": s_p, "s_n": s_n, "P_p": share}


@situation("a rest of two logits")
def _(rng):
    """The scale at which the mean loss of two rows is least, and e to a tenth of it."""

    def by_scale(scale: Number) -> Number:
        total = mpf(0)
        for own, other in ((mpf("0.2"), mpf(0)), (mpf(0), mpf("0.1"))):
            scores = [[scale * own, scale * other]]
            total += sum(
                x * slope("cpc", "scores", 0, place, scores=scores, positive=[0])
                for place, x in enumerate((own, other))
            )
        return total

    return {"x": mpmath.exp(root(by_scale, 3, 6) / 10)}


@situation("a second group")
def _(rng):
    """Twice the negatives of a row whose loss is 2."""
    count = rng.randint(1, 8)
    negatives = [mpmath.log(mpmath.expm1(2) / count)] * (2 * count)
    return {"value": value("cpc", scores=[[mpf(0), *negatives]], positive=[0])}


# --- batches whose loss is known --------------------------------------------------------------------------


@situation("{} of equal rows", "ntxent", "infonce", "clip", "query_key")
def _(loss, rng):
    """All rows are equal."""
    count, tau = rng.randint(2, 8), uniform(rng, 0.1, 1)
    rows = [EQUAL] * count
    arguments = {
        "ntxent": {"w": rows * 2},
        "infonce": {"z": rows * 2},
        "clip": {"image": rows, "text": rows},
        "query_key": {"query": [plane(0)], "positive": [EQUAL], "negatives": rows},
    }[loss]
    letters = {"N": 2 * count, "B": count, "K": count}
    return letters | {"value": value(loss, **arguments, temperature=tau)}


@situation("{} of aligned pairs", "ntxent", "infonce")
def _(loss, rng):
    """Partners coincide, all other rows are orthogonal."""
    pairs, tau = rng.randint(2, 5), uniform(rng, 0.2, 1)
    rows = basis(0, pairs, pairs) * 2
    name = {"ntxent": "w", "infonce": "z"}[loss]
    return {"N": 2 * pairs, "τ": tau, "value": value(loss, **{name: rows}, temperature=tau)}


@situation("infonce of two crowds")
def _(rng):
    """Partners coincide; half of the pairs are at the angle θ, half at −θ."""
    pairs, theta, tau = 2 * rng.randint(1, 4), uniform(rng, 0, 1.5), uniform(rng, 0.1, 1)
    rows = [plane(theta), plane(-theta)] * pairs
    return {"N": 2 * pairs, "θ": theta, "τ": tau, "value": value("infonce", z=rows, temperature=tau)}


@situation("ntxent of a simplex")
def _(rng):
    pairs, tau = rng.randint(2, 8), uniform(rng, 0.1, 1)
    found = value("ntxent", w=simplex(pairs) * 2, temperature=tau)
    return {"N": 2 * pairs, "B": pairs, "τ": tau, "value": found}


@situation("supcon of a simplex")
def _(rng):
    """Classes of one size, each at one corner."""
    classes, members, tau = rng.randint(2, 5), rng.randint(2, 5), uniform(rng, 0.1, 2)
    labels = [label for label in range(classes) for _ in range(members)]
    rows = [simplex(classes)[label] for label in labels]
    letters = {"n⁺": members - 1, "M": (classes - 1) * members, "C": classes, "τ": tau}
    return letters | {"value": value("supcon", w=rows, labels=labels, temperature=tau)}


# --- other losses -----------------------------------------------------------------------------------------


@situation("a triplet")
def _(rng):
    rows = dict(zip(("anchor", "positive", "negative"), ([row] for row in unit_rows(rng, 3)), strict=True))
    (anchor,), (positive,), (negative,) = rows.values()
    margin = uniform(rng, 0, 1)
    letters = {"s_p": mpmath.fdot(anchor, positive), "s_n": mpmath.fdot(anchor, negative), "μ": margin}
    slopes = [slope("triplet", "anchor", 0, f, **rows, margin=margin) for f in range(3)]
    return letters | {"value": value("triplet", **rows, margin=margin), "slopes": slopes}


@situation("a triplet without a gradient")
def _(rng):
    while any((letters := SITUATIONS["a triplet"](rng))["slopes"]):
        pass
    return letters


@situation("dhn_nce of two pairs")
def _(rng):
    """Texts equal to their images: both directions agree."""
    rows, tau = [[mpf(rng.gauss(0, 1)) for _ in range(3)] for _ in range(2)], uniform(rng, 0.2, 1)
    options = {"beta1": uniform(rng, 0, 2), "beta2": uniform(rng, 0, 2), "reduction": "sum"}
    both = value("dhn_nce", image=rows, text=rows, temperature=tau, **options)
    # two rows in two directions make four terms; one is −S_ii/τ + S_12/τ
    apart = (mpmath.fdot(rows[1], rows[1]) - mpmath.fdot(rows[0], rows[0])) / tau
    letters = {"S_12": mpmath.fdot(*rows), "S_11": mpmath.fdot(rows[0], rows[0]), "τ": tau}
    return letters | {"value": (both / 2 + apart) / 2}


@situation("byol at an angle")
def _(rng):
    theta, length = uniform(rng, 0, 3.14), uniform(rng, 0.5, 3)
    rows = {"prediction": [plane(theta, length)], "target": [plane(0)]}
    gradient = [slope("byol", "prediction", 0, f, **rows) for f in range(2)]
    both = {"p1": rows["prediction"], "z1": rows["target"], "p2": rows["prediction"], "z2": rows["target"]}
    letters = {"θ": theta, "q": mpmath.matrix(rows["prediction"][0]), "𝒟": value("simsiam", **both)}
    return letters | {"value": value("byol", **rows), "length": mpmath.norm(gradient)}


@situation("the length of byol's gradient")
def _(rng):
    letters = SITUATIONS["byol at an angle"](rng)
    return letters | {"value": letters["length"]}


def _unrelated(rng: Random) -> dict[str, Any]:
    """Return images and texts whose scores are all 0."""
    pairs = rng.randint(2, 6)
    return {"image": basis(0, pairs, 2 * pairs), "text": basis(pairs, pairs, 2 * pairs), "temperature": 1}


@situation("siglip of unrelated pairs")
def _(rng):
    arguments = _unrelated(rng) | {"bias": uniform(rng, -12, 2)}
    return {"B": len(arguments["image"]), "b": arguments["bias"], "value": value("siglip", **arguments)}


@situation("siglip's best bias")
def _(rng):
    arguments = _unrelated(rng)
    best = root(lambda bias: slope("siglip", "bias", **arguments, bias=bias), -3, 1)
    return {"B": len(arguments["image"]), "value": best}


@situation("barlow_twins of 256 rows")
def _(rng):
    """κ by the best diagonal, 1/(1 + λκ), of 1,024 features."""
    weight = Fraction(1, 200)
    _, level = barlow_twins_floor.floor(256, 1024, weight)
    kappa = (1 / level - 1) / weight
    return {"κ": mpf(kappa.numerator) / kappa.denominator}


@situation("vicreg's deviation")
def _(rng):
    """Its slope by x, of a column x, −x."""
    x, epsilon = uniform(rng, 0.01, 1), uniform(rng, 1e-4, 0.1)
    found = mpmath.diff(lambda x: mpmath.sqrt((x**2 + (-x) ** 2) / (2 - 1) + epsilon), x)
    return {"x": x, "ε": epsilon, "value": found}


# --- noise and information --------------------------------------------------------------------------------


def _judge(score: Number, samples: int, symbols: int) -> Letters:
    """The loss of NCE, with noise uniform on the symbols."""
    noise = -mpmath.log(symbols)
    arguments = {"data_scores": [score], "noise_scores": [[score] * samples], "log_noise_data": [noise]}
    arguments["log_noise"] = [[noise] * samples]
    found = evaluate("nce", arguments, posterior[i], i=0)
    letters = {"M": samples, "K": symbols, "u": score, "h": found}
    return letters | {"P": mpmath.exp(score), "P_n": mpf(1) / symbols}


@situation("a judged sample")
def _(rng):
    return _judge(uniform(rng, -2, 2), rng.randint(1, 20), rng.randint(1, 20))


@situation("a sample judged one half")
def _(rng):
    sizes = rng.randint(1, 20), rng.randint(1, 20)
    return _judge(root(lambda u: _judge(u, *sizes)["h"] - mpf(1) / 2, -9, 9), *sizes)


@situation("a channel")
def _(rng):
    """Every outcome counted."""
    candidates = rng.randint(2, 3)
    found = CONTROLS["channel"].compute(candidates=candidates, symbols=3, error=uniform(rng, 0.05, 0.6))
    return {"ℐ": found["information"].value, "N": candidates, "𝓛": found["loss"]}


@situation("a fair bit")
def _(rng):
    law = {"Y": [mpf(1) / 2] * 2}
    return {"Y": law["Y"], "H": lambda of: -sum(x * mpmath.log(x) for x in of)}


@situation("{} symbols misread at {}", (4096, "0.05"), (16, "0.1"), (2, "0.1"))
def _(symbols, error, rng):
    """A symbol that is sometimes read wrongly: the mutual information, and log N − 𝓛 with the best score. k of the
    other candidates are the symbol that was read, with a binomial law; k > 400 is negligible.
    """
    wrong = mpf(error)
    ratios = {(1 - wrong): (1 - wrong) * symbols, wrong: wrong * symbols / (symbols - 1)}
    right, other = ratios.values()

    def estimate(candidates: Number) -> Number:
        others, loss = int(candidates) - 1, mpf(0)
        chance = (1 - mpf(1) / symbols) ** others
        for k in range(min(others, 400) + 1):
            rest = k * right + (others - k) * other
            loss += chance * sum(q * mpmath.log1p(rest / own) for q, own in ratios.items())
            chance *= mpf(others - k) / (k + 1) / (symbols - 1)
        return mpmath.log(candidates) - loss

    return {"I": sum(q * mpmath.log(own) for q, own in ratios.items()), "E": estimate}


@situation("five images of a bit")
def _(rng):
    """log N − 𝓛 of NT-Xent at τ = 0.1, with equal views, averaged over all batches."""
    losses = (mpmath.log1p(2 * k + 2 * (4 - k) * mpmath.exp(-20)) for k in range(5))
    mean = sum(mpmath.binomial(4, k) / 16 * loss for k, loss in enumerate(losses))
    return {"E": mpmath.log(9) - mean}


@situation("random rows")
def _(rng):
    """M E e^{(s − 1)/τ} of 8,190 rows on the sphere of 128 features, τ = 0.5."""
    return {"S": 8190 * mpmath.exp(-2) * mpmath.hyp0f1(64, 1)}


# --- code and time ----------------------------------------------------------------------------------------


@situation("the pairing")
def _(rng):
    pairs = rng.randint(2, 8)
    of = positives(2 * pairs)
    return {"B": pairs, "N": 2 * pairs, "i": rng.randrange(2 * pairs), "p": lambda row: of[int(row)]}


@situation("{} products", 2, 3)
def _(times, rng):
    """Operations of products of N rows of d features with N rows: one multiplication and one addition for each
    term.
    """
    rows, features = rng.randint(2, 50), rng.randint(2, 50)
    return {"N": mpf(rows), "d": mpf(features), "value": times * sum([2 * features] * rows**2)}


@situation("the curvature at a simplex")
def _(rng):
    """C(images, temperature): the largest eigenvalue over the smallest that is not 0, of NT-Xent at its optimum."""

    def condition(images: Number, temperature: Number) -> Number:
        given = {symbols.B: int(images), symbols.tau: temperature}
        here = flat_optimum.ANCHOR
        forms = (
            here.read(form) for form, _ in flat_optimum.EIGENVALUES.values()
        )  # less a factor that they share
        values = [evaluator(form, given, names=here.names)({})[0] for form in forms]
        return max(values) / min(values)

    return {"C": condition}


@situation("half forgotten")
def _(rng):
    """After how many steps m^t is one half."""
    m = uniform(rng, 0.5, 0.999)
    return {"m": m, "t": root(lambda t: mpf(1) / 2 - m**t, 0, 999)}


@situation("the lag of an average")
def _(rng):
    """How far an average lags behind weights that grow by one at each step."""
    m, average = uniform(rng, 0.5, 0.9), mpf(0)
    for step in range(1000):
        average = m * average + (1 - m) * step
    return {"m": m, "value": 1000 - average}


@situation("an average of noise")
def _(rng):
    """The variance of an average of noise of variance 1."""
    m, variance = uniform(rng, 0.5, 0.9), mpf(0)
    for _step in range(1000):
        variance = m**2 * variance + (1 - m) ** 2
    return {"m": m, "value": variance}


def _one_feature(by: str, held: bool, predictor: bool, rng: Random) -> Letters:
    """A slope of SimSiam's loss of one feature, over every outcome: a signal ±1, noise ±√v in each view."""
    a, b, v = (uniform(rng, 0.2, 2) for _ in range(3))
    b = b if predictor else mpf(1)
    noise = mpmath.sqrt(v)
    views = [(x + noise * y, x + noise * t) for x, y, t in itertools.product((1, -1), repeat=3)]

    def loss(a: Number, b: Number, target: Number) -> Number:
        return sum((b * a * x - target * y) ** 2 for x, y in views) / 2 / len(views)

    moved = {"a": lambda x: loss(x, b, a if held else x), "b": lambda x: loss(a, x, a)}[by]
    return {"a": a, "b": b, "v": v, "value": mpmath.diff(moved, {"a": a, "b": b}[by])}


for _name, _options in {
    "the slope by a without the stop-gradient": ("a", False, True),
    "the slope by a": ("a", True, True),
    "the slope by b": ("b", True, True),
    "the slope by a without a predictor": ("a", True, False),
}.items():
    SITUATIONS[_name] = partial(_one_feature, *_options)
