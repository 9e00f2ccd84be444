"""Find the formula that a loss computes: fit every formula of the family to its values; the right one fits to the
last digit.

How the loss reacts when its inputs are moved (`asking.Facts`) decides which formulas are tried first;
unintended ones are tried only if no other fits.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from . import fit, inputs, names
from .asking import Facts, Way
from .features import BESIDE_LOGITS, ROWS, SIMILARITIES, WRONG_POSITIVES
from .formula import Formula
from .heads import HEADS
from .names import Found
from .target import Refused

SIZES = (4, 6)
NOTHING = 1e-9  # a smaller second parameter counts as none
MEASURED = 1e-11  # relative: the error of a temperature that is fitted to values in float64
TOLERANCES = {"float64": 1e-10, "float32": 3e-5, "float16": 1e-2, "bfloat16": 6e-2}
ROLES = ("self", "positive", "same view", "other view", "negatives", "others' negatives")
ROUGH = 1e-5  # the largest residual of a correct formula with a small number added to every distance
USUAL = (
    ("positive", "same view", "other view"),
    ("self", "positive", "same view", "other view"),
    ("positive", "other view"),
    ("same view", "other view"),
    ("other view",),
)


OF_VIEWS = tuple(name for name in HEADS if "uniformity" in name)  # heads that compare a view with itself
# heads that are defined for one similarity only: the pull of alignment is a power of the distance
COMPARED = {
    "decorrelated": "dot",
    "margin on the angle": "dot",
    "pull": "dot",
    "pulls of two views": "dot",
    "power": "distance",
    "log of the mean kernel": "squared distance",
    **dict.fromkeys(OF_VIEWS, "squared distance"),
}


# heads whose denominators contain only negatives, since they choose their positives themselves
CLAMPS = [name for name, head in HEADS.items() if head.second == "bound"]
OF_NEGATIVES = (
    "hard negatives",
    "hard negatives by direction",
    "hard and debiased",
    "debiased",
    "hard against the positive",
)
DECOUPLED = ("positives weighed", "positives weighed, without B")  # with or without the positive
UNPAIRED = ("mean less log mean", "mean less log mean, clipped", "mean less mean of exponentials")
TOGETHER = ("rows and columns together", "rows and columns together, positive once")
PULLS = ("pull", "pulls of two views", "power")
OF_BOTH = (  # heads that treat the two directions differently
    "hard negatives by direction",
    "directions weighed",
    "a temperature by direction",
    "margin of the first view",
    "margin of the second view",
    "soft targets",
    "soft targets of the second view",
)


OF_COORDINATES = ("by column", "by column, jointly", "standardised", "columns", "columns over B − 1")


class Nearest(NamedTuple):
    """The formula nearest to a loss, whether the loss computes it (`found`), and the other measurements."""

    way: Way
    fit: fit.Fit | None
    found: Found | None
    facts: Facts | None
    precision: str


def list_usual(roles: Sequence[str]) -> list[tuple[str, ...]]:
    """The usual denominators, of the roles that there are."""
    return list(dict.fromkeys(tuple(role for role in each if role in roles) for each in USUAL))


def denominators(roles: Sequence[str]) -> list[tuple[str, ...]]:
    """Every set of roles that contains a negative, the usual ones first."""
    present = [role for role in ROLES if role in roles]
    every = [c for k in range(1, len(present) + 1) for c in combinations(present, k)]
    every = [c for c in every if set(c) - {"self", "positive"}]
    if "negatives" in present:  # passed to the loss, so it uses them
        every = [c for c in every if "negatives" in c]
    usual = [c for c in list_usual(roles) if c in every] or [c for c in every if len(c) == 2]
    return usual + [c for c in every if c not in usual]


def list_likely_denominators(roles: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the denominators to combine with each mistake; trying all would take too long."""
    every = denominators(roles)
    return [c for c in every if c in list_usual(roles)] or [
        c for c in every if not {"self", "same view"} & set(c)
    ]


def directions(way: Way, known: Facts | None, roles: Sequence[str]) -> tuple[str, ...]:
    if way.world in (
        "classes",
        "bank",
        "scores, positive first",
        "scores, drawn positive",
        "scores and noise",
    ):
        return ("first",)
    if known is None or "negatives" in roles:
        return ("first", "second", "both")
    return ("first", "second") if known.first else ("both", "first")


def right_rows(way: Way, known: Facts | None) -> tuple[str, ...]:
    if way.world.startswith("scores"):
        return ("given",)
    if known is None:
        return ("unit", "given")
    return ("given",) if known.length_of_x or known.length_of_y else ("unit",)


def right_forms(way: Way, known: Facts | None, roles: Sequence[str]) -> Iterator[Formula]:
    """The formulas that may be intended."""
    several = way.world in ("classes", "classes of views")
    scores = way.world.startswith("scores")
    for head in (name for name, head in HEADS.items() if not head.mistake):
        if ("every" in head or "alone" in head or "inside" in head) and not several:
            continue  # with one positive this is the same formula
        if "given" in head and "negatives" not in roles:
            continue
        if head == "pulls of two views" and not (
            known and known.order and way.name.startswith("predictions")
        ):
            continue
        # each pair counts once in a head without a denominator, whichever view is the anchor
        sides = (
            ("first",)
            if head in (*PULLS, *UNPAIRED, "pull and squares", "decorrelated")
            or HEADS[head].base == "sigmoid"
            else directions(way, known, roles)
        )
        if head in OF_BOTH or head in TOGETHER:
            if way.world not in ("views", "scores") or (scores and "targets" in head):
                continue
            if known is not None and known.first != (head in OF_BOTH):
                continue
            sides = ("both",)
        if head in ("decorrelated", *OF_VIEWS) and way.world != "views":
            continue
        if head in OF_VIEWS:
            for rows in right_rows(way, known):
                yield from list_thirds(Formula(("same view",), "both", rows, COMPARED[head], head))
            continue
        compared = ("columns",) if head == "decorrelated" else right_rows(way, known)
        for anchors, rows, denominator in product(sides, compared, list_denominators(head, roles)):
            for similarity in list_similarities(head, rows, scores):
                formula = Formula(denominator, anchors, rows, similarity, head)
                yield from list_thirds(formula)
    if "negatives" in roles:
        for rows in right_rows(way, known):
            yield Formula(("positive", "other view", "queries' negatives"), "both", rows)


def list_thirds(formula: Formula) -> list[Formula]:
    """The formula with each starting value of its head's third number, if it has one."""
    head = HEADS[formula.head]
    return [formula._replace(numbers=((head.third, x),)) for x in head.thirds] if head.third else [formula]


def list_denominators(head: str, roles: Sequence[str]) -> list[tuple[str, ...]]:
    """The candidates that a head may sum over."""
    if head in PULLS:
        return [("positive",)]
    if head in UNPAIRED:
        return [("other view",)]
    found = denominators(roles) if head == "cross-entropy" else list_likely_denominators(roles)
    if head not in ("cross-entropy", *DECOUPLED):
        found = [each for each in found if ("positive" not in each) == (head in OF_NEGATIVES)]
    if head in (*OF_BOTH, *TOGETHER):
        found = [each for each in found if "same view" not in each]
    return found


def list_similarities(head: str, rows: str, scores: bool) -> list[str]:
    """What a head may compare rows by: for unit rows the squared distance is a constant minus twice the cosine."""
    if scores:
        found = ["dot"]
    elif rows == "unit" and head not in COMPARED:
        found = ["dot", "distance"]
    else:
        found = ["dot", "squared distance", "distance"]
    return [each for each in found if each == COMPARED.get(head, each)]


def list_nearly_unit(way: Way, known: Facts, roles: Sequence[str]) -> list[Formula]:
    """The usual formulas of unit rows, for a loss that depends on the rows' lengths only through an ε added
    to them.
    """
    unit = known._replace(length_of_x=False, length_of_y=False)
    return [formula for formula in right_forms(way, unit, roles) if formula.head == "cross-entropy"]


def wrong_forms(way: Way, known: Facts | None, roles: Sequence[str]) -> Iterator[Formula]:
    """Common formulas with one mistake each."""
    scores = way.world.startswith("scores")
    base = [
        Formula(denominator, anchors, rows)
        for denominator, anchors, rows in product(
            list_likely_denominators(roles), directions(way, known, roles), right_rows(way, known)
        )
    ]
    if known is not None and known.order:
        shifted = [p for p in WRONG_POSITIVES if p != "itself"]
        yield from (
            Formula(c, a, r, positive=p)
            for c, a, r, p in product(
                list_likely_denominators(roles), ("both", "first", "second"), right_rows(way, known), shifted
            )
        )
        return
    if scores:
        yield from (f._replace(positive=p) for f in base for p in WRONG_POSITIVES if p != "itself")
    elif known is not None:
        yield from (f._replace(positive="itself") for f in base if "positive" in f.candidates)
    for head in (name for name, head in HEADS.items() if head.mistake):
        if HEADS[head].tempered or "hinge" in head or head == "linear":
            for formula in base:
                if "hinge" in head and not scores:
                    yield formula._replace(head=head, similarity="squared distance", rows="given")
                yield formula._replace(head=head)
    if not scores:
        for rows in (name for name, feature in ROWS.items() if feature.mistake or "centred" in name):
            if "centred" in rows and way.world not in ("views", "classes"):
                continue
            if "columns" not in rows:
                yield from (f._replace(rows=rows) for f in base)
            elif way.world == "views":
                yield Formula(("positive", "other view"), "first", rows, head="decorrelated")
        for similarity in (name for name, feature in SIMILARITIES.items() if feature.mistake):
            yield from (f._replace(similarity=similarity) for f in base)
    for head in ("cross-entropy", "sigmoid", "sigmoid without bias"):
        yield from (f._replace(sign=-1, head=head) for f in base)


def list_formulas(way: Way, known: Facts | None, roles: Sequence[str], mistakes: bool) -> Iterator[Formula]:
    """The formulas to try, with a known mistake or without one."""
    every = (wrong_forms if mistakes else right_forms)(way, known, roles)
    if known is not None and known.coordinates:  # all other formulas are invariant to a rotation of all rows
        return (f for f in every if f.rows in OF_COORDINATES or "distance" in f.similarity)
    return every


def split_by_parameters(formulas: Iterator[Formula]) -> tuple[list[Formula], list[Formula]]:
    """Split the formulas: those whose head has at most one parameter, and the others, which cost more and are
    tried later.
    """
    one: list[Formula] = []
    two: list[Formula] = []
    for formula in dict.fromkeys(formulas):
        head = HEADS[formula.head]
        (two if head.second and head.tempered else one).append(formula)
    return one, two


def measure(way: Way, size: int) -> fit.Measured:
    many = inputs.points(way.world, size)
    values = np.array([way.value(point) for point in many])
    if not np.all(np.isfinite(values)):
        raise Refused(f"{way.session.name} returns {values[~np.isfinite(values)][0]} at ordinary inputs")
    return fit.Measured(many, values)


def identify(
    way: Way, known: Facts | None, precision: str, mistakes: bool = True, before: Nearest | None = None
) -> Nearest:
    """Return the formula that computes this loss, or the nearest. mistakes: whether to try formulas with a known
    mistake · before: the nearest of the formulas without one."""
    tolerance = TOLERANCES[precision]
    if not names.list_names(way.world):
        return Nearest(way, None, None, known, precision)  # only texts of the catalogue take such inputs
    here, there = (measure(way, size) for size in SIZES)
    if not np.ptp(here.values) and not np.ptp(there.values):
        # a constant loss, which every formula fits with a factor of 0
        return Nearest(way, None, None, known, precision)
    roles = tuple(here.places(Formula(("positive",))).roles)
    best = before.fit if before else None
    near: list[fit.Fit] = []
    for formulas in split_by_parameters(list_formulas(way, known, roles, mistakes)):
        order = {strip(formula): i for i, formula in enumerate(formulas)}
        found = fit.fit_nearest(formulas, here)
        # formulas without a temperature first, then in the order of the list; a sum and a mean inside the
        # logarithm differ by a constant, so prefer the one that needs none
        for trial in sorted(
            found,
            key=lambda f: (
                f.residual > tolerance,
                f.formula.tempered,
                "inside" in f.formula.head and abs(f.shift) > tolerance,
                order[strip(f.formula)],
            ),
        ):
            if best is None or trial.residual < best.residual:
                best = trial
            if trial.residual > tolerance or not is_plausible(trial):
                continue
            again = (fit.refine if trial.formula.head == "linear" else fit.fit_at)(
                trial.formula, there, trial.t, trial.e
            )
            if again.residual <= 10 * tolerance:
                if trial.formula.head in CLAMPS:
                    head = choose_side(way, trial, inputs.points(way.world, SIZES[0]))
                    trial = trial._replace(formula=trial.formula._replace(head=head))
                return Nearest(way, trial, settle(trial, again, here, there, tolerance), known, precision)
        near += found
    if precision == "float64" and not mistakes:
        if known is not None and (known.length_of_x or known.length_of_y) and not way.unit:
            near += fit.fit_nearest(list_nearly_unit(way, known, roles), here)
        if nearly := identify_nearly(way, known, near, here, there):
            return nearly
    return Nearest(way, best, None, known, precision)


def choose_side(way: Way, trial: fit.Fit, many: Sequence[inputs.Arrays]) -> str:
    """Return the clamp, or that on both sides, by what fits where similarities have the other sign."""
    there = [mirror(point) for point in many]
    measured = fit.Measured(there, np.array([way.value(point) for point in there]))
    heads = (trial.formula.head, f"{trial.formula.head.split()[0]} clamped")
    fits = [fit.fit_at(trial.formula._replace(head=head), measured, trial.t, trial.e) for head in heads]
    return min(fits, key=lambda each: round(each.residual, 6)).formula.head


def mirror(arrays: inputs.Arrays) -> dict[str, Any]:
    """Negate the scores, or the rows of the first view."""
    views = np.where(np.arange(len(arrays.get("w", ()))) < len(arrays.get("w", ())) // 2, -1, 1)[:, None]
    signs = {"scores": -1, "x": -1, "w": views}
    return {name: x * signs.get(name, 1) for name, x in arrays.items()}


def identify_nearly(
    way: Way, known: Facts | None, near: Sequence[fit.Fit], here: fit.Measured, there: fit.Measured
) -> Nearest | None:
    """Find a formula with an ε added somewhere, or with its value rounded to a coarser dtype; None if none fits."""
    precision = "float64"
    tolerance = TOLERANCES[precision]
    fits = [softened for base in near_bases(near) for softened in soften(base, here, there, tolerance)]
    if fits:
        trial, again = min(fits, key=lambda pair: measure_strangeness(pair[0]))
        least = measure_strangeness(trial)
        either = [f.formula.numbers[0][0] for f, _ in fits if measure_strangeness(f) == least]
        found = settle(trial, again, here, there, tolerance)._replace(either=tuple(dict.fromkeys(either)))
        return Nearest(way, trial, found, known, precision)
    rough = [
        f for f in near if f.residual <= ROUGH and not f.formula.numbers and list_added_places(f.formula)
    ]
    if rough and 10 * measure_noise(way) > rough[0].residual:
        trial = min(rough, key=lambda f: f.residual)
        again = fit.fit_at(trial.formula, there, trial.t, trial.e)
        if again.residual <= 10 * ROUGH:
            return Nearest(way, trial, settle(trial, again, here, there, ROUGH), known, precision)
    return None


def is_usual(name: str, x: float) -> bool:
    """Return whether this ε is one that people write: 1, 2 or 5 times a power of ten, up to measurement error, and
    small relative to the largest term.
    """
    digit = x / 10.0 ** np.floor(np.log10(x * 1.05))
    near = min(abs(digit / each - 1) for each in (1, 2, 5))
    return near < 0.05 and x < (1e-5 if name == "shifted" else 2e-2)


def measure_strangeness(trial: fit.Fit) -> tuple[int, float]:
    """Measure how unusual a fit is: the number of added constants, and their distance from powers of ten."""
    powers = [np.log10(x) for _, x in trial.formula.numbers]
    return len(powers), round(sum(abs(x - round(x)) for x in powers), 1)


def strip(formula: Formula) -> Formula:
    """The formula without further numbers."""
    return formula._replace(numbers=())


EPSILONS = 10.0 ** np.arange(-13, -1.5, 0.5)
CLOSE = 2e-2  # for a formula with a larger residual, no ε is tried
FAR = 1e-1  # likewise for a formula of columns, whose variance for near rows is not much larger than an ε
BASES, EACH = 4, 3  # in all, and of one head


def near_bases(near: Sequence[fit.Fit]) -> list[fit.Fit]:
    """The nearest formulas that have a place for a small added number."""
    close = [
        f
        for f in near
        if f.residual <= (FAR if "columns" in f.formula.rows else CLOSE)
        and not f.formula.numbers
        and list_added_places(f.formula)
    ]
    close.sort(key=lambda f: f.residual)
    heads = [f.formula.head for f in close]
    return [f for k, f in enumerate(close) if heads[:k].count(heads[k]) < EACH][:BASES]


def list_added_places(formula: Formula) -> list[str]:
    """List the places where an ε may be added in a formula."""
    if "columns" in formula.rows:
        return ["variance", "deviation"]
    if HEADS[formula.head].base == "hinge" and "distance" in formula.similarity:
        # as in torch.nn.functional.pairwise_distance, or under the root
        return ["gap", *["square"] * (formula.similarity == "distance")]
    if HEADS[formula.head].second not in (None, "bias", "exponent"):
        return []
    places = list(BESIDE_LOGITS) if formula.head == "cross-entropy" else []
    if formula.rows == "unit":
        places += ["length", "root"] + ["lengths"] * (formula.similarity == "dot")
    return (
        places
        + ["gap"] * ("distance" in formula.similarity)
        + ["square"] * (formula.similarity == "distance")
    )


def soften(
    base: fit.Fit, here: fit.Measured, there: fit.Measured, tolerance: float
) -> Iterator[tuple[fit.Fit, fit.Fit]]:
    """The fits of a formula with an ε somewhere, or two, at both batch sizes; only those that fit to rounding."""
    places = list_added_places(base.formula)
    alone = False
    for chosen in (*((place,) for place in places), *combinations(places, 2)):
        if alone and len(chosen) == 2:
            return
        grid = product(EPSILONS[:: len(chosen)], repeat=len(chosen))
        formulas = [base.formula._replace(numbers=tuple(zip(chosen, map(float, x)))) for x in grid]
        first = min(formulas, key=lambda f: fit.fit_at(f, here, base.t, base.e).residual)
        trial = fit.refine(first, here, base.t, base.e)
        if not trial.residual <= tolerance or not all(is_usual(*number) for number in trial.formula.numbers):
            continue
        again = fit.fit_at(trial.formula, there, trial.t, trial.e)
        if again.residual <= 10 * tolerance:
            alone = alone or len(chosen) == 1
            yield trial, again


def measure_noise(way: Way) -> float:
    """How far the value is from smooth, relative to how much it varies: second differences over a small step."""
    many = inputs.points(way.world, SIZES[0], each=2)
    rng = np.random.default_rng(4)
    values, noise = [], []
    for arrays in many:
        along = {n: 1e-7 * rng.standard_normal(x.shape) for n, x in arrays.items() if x.dtype.kind == "f"}
        low, here, high = (
            way.value({**arrays, **{n: arrays[n] + k * step for n, step in along.items()}})
            for k in (-1, 0, 1)
        )
        values.append(here)
        noise.append(abs(high - 2 * here + low))
    return max(noise) / (np.ptp(values) or 1.0)


def is_plausible(trial: fit.Fit) -> bool:
    """Return whether this second parameter is plausible: no negative margin, no ε of 0."""
    second = trial.formula.second
    if second == "margin":
        return trial.e > NOTHING or ("hinge" in trial.formula.head and trial.e > -NOTHING)
    return second in (None, "bias", "offset") or abs(trial.e) > NOTHING


def settle(
    trial: fit.Fit, again: fit.Fit, here: fit.Measured, there: fit.Measured, tolerance: float
) -> Found:
    """Decide, from two batch sizes together, which formula fits."""
    formula = trial.formula
    where = here.places(formula), there.places(formula)
    wide = max(100 * trial.residual, 1e-9 if tolerance <= ROUGH else 10 * tolerance)
    reduction = names.reduction((trial, again), where, wide)
    of_batch = tuple(names.sizes(formula, w) for w in where)
    per_anchor = [1 / names.counts(formula, w)["mean"] if reduction.law == "sum" else 1.0 for w in where]
    shifts = trial.shift * per_anchor[0], again.shift * per_anchor[1]
    digits = wide if tolerance > ROUGH else 1e-9
    law = names.find_shift_law(shifts, of_batch)
    e = trial.e if formula.second else None
    formula, e = canonicalise(
        formula._replace(numbers=tuple((n, round_to_intended(x, digits)) for n, x in formula.numbers)), e
    )
    return Found(
        formula,
        round_temperature(formula.sign / trial.t) if HEADS[formula.head].tempered else None,
        None if e is None else round_to_intended(e, digits),
        reduction._replace(factor=round_to_intended(reduction.factor, digits)),
        round_to_intended(shifts[0], digits),
        trial.residual,
        wide,
        int(of_batch[0][1]),
        SIZES[0],
        shifted_by=law,
        shift_unit=names.SHIFTS[law or ""](*of_batch[0]),
    )


def canonicalise(formula: Formula, e: float | None) -> tuple[Formula, float | None]:
    """If the parameter is 0, return the simpler formula that computes the same."""
    if formula.head == "sigmoid without bias":
        return formula._replace(head="sigmoid"), 0.0
    if formula.head == "debiased":
        return formula._replace(head="hard and debiased", numbers=(("prior", e or 0.0),)), 0.0
    if formula.head == "hard against the positive":
        return formula._replace(head="hard and debiased", numbers=(("prior", 0.0),)), e
    return formula, e


UNITS = tuple(1 / math.log(base) for base in (2, 10))  # a bit and a decimal digit, in nats


def round_to_intended(x: float, digits: float) -> float:
    """Return the simple fraction, decimal of at most 7 digits or unit of information that was probably meant. The
    measured number has a few digits fewer than float64, and near 0 the comparison with the loss needs all digits.
    """
    meant = float(Fraction(x).limit_denominator(100)), float(f"{x:.7g}"), *UNITS
    return next((y for y in meant if abs(y - x) <= digits * max(1.0, abs(x))), x)


def round_temperature(x: float) -> float:
    """Return the temperature that was probably meant if it cannot be told from the measured one. One that is held
    in float32 can, relatively by 1e-9 or more, and at τ = 0.01 that changes a gradient by 1e-7.
    """
    return round_to_intended(x, MEASURED * min(1.0, abs(x)))
