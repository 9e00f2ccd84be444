"""Which formula a loss computes: every formula of the family is fitted to its values, and the right one fits to the
last digit.

How the loss reacts when its inputs are moved (`asking.Facts`) decides which formulas are tried first;
unintended ones are tried only if no other fits.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from . import fit, inputs, names
from .asking import Facts, Way
from .features import HEADS, ROWS, SIMILARITIES, WRONG_POSITIVES
from .formula import Formula
from .names import Found
from .target import Refused

SIZES = (4, 6)
NOTHING = 1e-9  # a smaller second parameter counts as none
TOLERANCES = {"float64": 1e-10, "float32": 3e-5, "float16": 1e-2, "bfloat16": 6e-2}
ROLES = ("self", "positive", "same view", "other view", "negatives", "others' negatives")
ROUGH = 1e-5  # the residual of an intended formula if a small number is added to every distance
USUAL = (
    ("positive", "same view", "other view"),
    ("self", "positive", "same view", "other view"),
    ("positive", "other view"),
    ("same view", "other view"),
    ("other view",),
)


# heads that are defined for one similarity only: the pull of alignment is a power of the distance
COMPARED = {
    "decorrelated": "dot",
    "pull": "dot",
    "power": "distance",
    "log of the mean kernel": "squared distance",
}


class Nearest(NamedTuple):
    """The formula that comes nearest to a loss, whether the loss computes it (`found`), and the other
    measurements."""

    way: Way
    fit: fit.Fit | None
    found: Found | None
    facts: Facts | None
    precision: str


def denominators(roles: Sequence[str]) -> list[tuple[str, ...]]:
    """Every set of roles that leaves a negative, the usual ones first."""
    present = [role for role in ROLES if role in roles]
    every = [c for k in range(1, len(present) + 1) for c in combinations(present, k)]
    every = [c for c in every if set(c) - {"self", "positive"}]
    if "negatives" in present:  # given, hence used
        every = [c for c in every if "negatives" in c]
    usual = [c for c in USUAL if c in every] or [c for c in every if len(c) == 2]
    return usual + [c for c in every if c not in usual]


def likely(roles: Sequence[str]) -> list[tuple[str, ...]]:
    """The denominators with which mistakes are tried."""
    every = denominators(roles)
    return [c for c in every if c in USUAL] or every[:6]


def directions(way: Way, known: Facts | None, roles: Sequence[str]) -> tuple[str, ...]:
    if way.world in ("classes", "bank", "scores, positive first", "scores, drawn positive"):
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
    several = way.world == "classes"
    scores = way.world.startswith("scores")
    for head in (name for name, head in HEADS.items() if not head.mistake):
        if ("every" in head or "alone" in head or "inside" in head) and not several:
            continue  # the same formula if there is one positive
        # each pair counts once in a head without a denominator, whichever view is the anchor
        sides = (
            ("first",)
            if head
            in ("pull", "power", "pull and squares", "decorrelated", "sigmoid", "sigmoid without bias")
            else directions(way, known, roles)
        )
        if head == "decorrelated" and way.world != "views":
            continue
        compared = ("columns",) if head == "decorrelated" else right_rows(way, known)
        for anchors, rows, denominator in product(sides, compared, denominators(roles)):
            if head in ("pull", "power"):
                denominator = ("positive",)
            elif head != "cross-entropy" and denominator not in likely(roles):
                continue
            if head != "cross-entropy" and ("positive" in denominator) == (head == "hard negatives"):
                continue  # these name their positives themselves
            similarities = ["dot"] if scores else ["dot", "squared distance", "distance"]
            for similarity in similarities:
                if similarity == "squared distance" and rows == "unit" and head not in COMPARED:
                    continue  # twice the cosine, and a constant
                if similarity != COMPARED.get(head, similarity):
                    continue
                yield Formula(denominator, anchors, rows, similarity, head)


def wrong_forms(way: Way, known: Facts | None, roles: Sequence[str]) -> Iterator[Formula]:
    """Common formulas with one mistake each."""
    scores = way.world.startswith("scores")
    base = [
        Formula(denominator, anchors, rows)
        for denominator, anchors, rows in product(
            likely(roles), directions(way, known, roles), right_rows(way, known)
        )
    ]
    if known is not None and known.order:
        shifted = [p for p in WRONG_POSITIVES if p != "itself"]
        yield from (
            Formula(c, a, r, positive=p)
            for c, a, r, p in product(
                likely(roles), ("both", "first", "second"), right_rows(way, known), shifted
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
        for rows in (name for name, feature in ROWS.items() if feature.mistake):
            if "columns" not in rows:
                yield from (f._replace(rows=rows) for f in base)
            elif way.world == "views":
                yield Formula(("positive", "other view"), "first", rows, head="decorrelated")
        for similarity in (name for name, feature in SIMILARITIES.items() if feature.mistake):
            yield from (f._replace(similarity=similarity) for f in base)
    for head in ("cross-entropy", "sigmoid", "sigmoid without bias"):
        yield from (f._replace(sign=-1, head=head) for f in base)


def simple(formulas: Iterator[Formula]) -> tuple[list[Formula], list[Formula]]:
    """Those whose head has at most one parameter, and the others, which cost more and are tried later."""
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


def identify(way: Way, known: Facts | None, precision: str, mistakes: bool = True) -> Nearest:
    """The formula that computes this loss, or the nearest."""
    tolerance = TOLERANCES[precision]
    if not names.named_in(way.world):
        return Nearest(way, None, None, known, precision)  # only texts of the catalogue take such inputs
    here, there = (measure(way, size) for size in SIZES)
    if not np.ptp(here.values) and not np.ptp(there.values):
        return Nearest(
            way, None, None, known, precision
        )  # a constant, which any formula would be with a factor of 0
    roles = tuple(here.places(Formula(("positive",))).roles)
    best: fit.Fit | None = None
    stages = [*simple(right_forms(way, known, roles))]
    if mistakes:
        stages += simple(wrong_forms(way, known, roles))
    for formulas in stages:
        order = {formula: i for i, formula in enumerate(formulas)}
        found = fit.best(formulas, here)
        # formulas without a temperature first, then in the order of the list
        for trial in sorted(
            found, key=lambda f: (f.residual > tolerance, f.formula.tempered, order[f.formula])
        ):
            if best is None or trial.residual < best.residual:
                best = trial
            if trial.residual > tolerance or not plausible(trial):
                continue
            again = (fit.refine if trial.formula.head == "linear" else fit.fit_at)(
                trial.formula, there, trial.t, trial.e
            )
            if again.residual <= 10 * tolerance:
                return Nearest(way, trial, settle(trial, again, here, there, tolerance), known, precision)
    if (
        best is not None
        and best.residual <= ROUGH
        and plausible(best)
        and mistakes
        and is_intended(best.formula)
    ):
        again = fit.fit_at(best.formula, there, best.t, best.e)  # a small number is added somewhere
        if again.residual <= 10 * ROUGH:
            return Nearest(way, best, settle(best, again, here, there, ROUGH), known, precision)
    return Nearest(way, best, None, known, precision)


def is_intended(formula: Formula) -> bool:
    """Whether no choice of the formula is a mistake: if the fit is not exact to rounding, only such a formula is
    named."""
    return not any(names.own_mistakes(formula))


def plausible(trial: fit.Fit) -> bool:
    """Whether somebody may have intended this second parameter: no negative margin, no ε of 0."""
    second = trial.formula.second
    if second == "margin":
        return trial.e > NOTHING or ("hinge" in trial.formula.head and trial.e > -NOTHING)
    return second in (None, "bias") or abs(trial.e) > NOTHING


def settle(
    trial: fit.Fit, again: fit.Fit, here: fit.Measured, there: fit.Measured, tolerance: float
) -> Found:
    """Decide from two batch sizes together."""
    formula = trial.formula
    where = here.places(formula), there.places(formula)
    wide = max(100 * trial.residual, 1e-9 if tolerance <= ROUGH else 10 * tolerance)
    reduction = names.reduction((trial, again), where, wide)
    count = names.counts(formula, where[0])
    denominator = sum(where[0].roles[role] for role in formula.candidates)
    per_anchor = 1 / count["mean"] if reduction.law == "sum" else 1.0
    digits = wide if tolerance > ROUGH else 1e-9
    return Found(
        formula,
        plain(formula.sign / trial.t, digits) if HEADS[formula.head].tempered else None,
        plain(trial.e, digits) if HEADS[formula.head].second else None,
        reduction._replace(factor=plain(reduction.factor, digits)),
        plain(trial.shift * per_anchor, digits),
        trial.residual,
        wide,
        int(np.max(np.sum(denominator, axis=1))),
        SIZES[0],
    )


def plain(x: float, digits: float) -> float:
    """The simple fraction or short decimal that was probably meant: the measured number has a few digits fewer than
    float64, and a loss near 0 needs all of them."""
    meant = float(Fraction(x).limit_denominator(100)), float(f"{x:.9g}")
    return next((y for y in meant if abs(y - x) <= digits * max(1.0, abs(x))), x)
