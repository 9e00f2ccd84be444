"""How NT-Xent curves at its optimum, both views of an image in one corner of a regular simplex."""

from functools import cache
from itertools import combinations_with_replacement, product

import mpmath
from mpmath import mp, mpf
from sympy import Expr, Rational, Symbol, exp

from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, measured
from ..evidence.verdicts import Verdict
from ..losses import ntxent
from ..prover.evaluate import evaluator
from ..prover.inequality import positive
from ..prover.notation import Definition
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.sums import Facts
from ..symbols import B, K, d, tau

DIGITS = 50
STEP = mpf(10) ** -12  # a difference neglects its square, and cancels as many of the 50 digits
TOLERANCE = mpf(10) ** -20

wrong, each = Symbol("ϱ", real=True), Symbol("r", real=True)
WRONG = Definition(wrong, 1 - exp(1 / tau) / (exp(1 / tau) + 2 * (B - 1) * exp(-1 / ((B - 1) * tau))))
EACH = Definition(each, wrong / (2 * (B - 1)))
MORE = Definition(B, K + 2)
OUTSIDE = d - B + 1  # features beyond those of the simplex
# name → (an eigenvalue over the probability of one negative, how many there are)
AWAY = 2 * (2 * B - 1) / (B * tau)
NEARER = (B - 2) / ((B - 1) * tau) + B * (1 - (B - 2) * each) / ((B - 1) ** 2 * tau**2)
EIGENVALUES: dict[str, tuple[Expr, Expr]] = {
    "apart": (AWAY, B * OUTSIDE),
    "apart within": (AWAY + 2 / ((B - 1) * tau**2), B * (B - 2)),
    "shift": (2 / tau, OUTSIDE),
    "pairs": (4 / ((B - 1) * tau**2), B * (B - 3) * Rational(1, 2)),
    "one": (2 * NEARER, B - 1),
}
HEADS = [(Symbol(f"κ{mark}", real=True), Symbol(f"n{mark}", real=True)) for mark in "₁₂₃₄₅"]
NAMED = {
    name: (Definition(value, each * form), Definition(count, times))
    for (name, (form, times)), (value, count) in zip(EIGENVALUES.items(), HEADS, strict=True)
}

VALUES = tuple(value for value, _ in NAMED.values())
VALUE = {name: value.head for name, (value, _) in NAMED.items()}


def simplex(images: int, features: int) -> list[list]:
    """Unit rows with the cosine −1/(B − 1), in the first B − 1 features."""
    rows = [[mpf(0)] * features for _ in range(images)]
    for f in range(images - 1):
        rows[f][f] = mp.sqrt(1 - sum(x * x for x in rows[f]))
        for later in range(f + 1, images):
            inner = sum(x * y for x, y in zip(rows[f], rows[later], strict=True))
            rows[later][f] = (-mpf(1) / (images - 1) - inner) / rows[f][f]
    return rows


def tangents(row: list) -> list[list]:
    """Unit vectors at a right angle to a unit row and to one another."""
    kept = [row]
    for f in range(len(row)):
        new = [mpf(f == g) for g in range(len(row))]
        for old in kept:
            inner = sum(x * y for x, y in zip(new, old, strict=True))
            new = [x - inner * y for x, y in zip(new, old, strict=True)]
        length = mp.sqrt(sum(x * x for x in new))
        if length > mpf(1) / 10**6 and len(kept) < len(row):
            kept.append([x / length for x in new])
    return kept[1:]


@cache
def curvatures(images: int, features: int, temperature: mpf) -> tuple:
    """The eigenvalues of the second derivative by the rows, along the sphere, in ascending order."""
    rows = 2 * simplex(images, features)
    moves = [(i, tangent) for i, row in enumerate(rows) for tangent in tangents(row)]
    statement = ntxent.STATEMENT

    def at(*steps) -> mpf:
        moved = [list(row) for row in rows]
        for (i, tangent), step in steps:
            moved[i] = [x + step * y for x, y in zip(moved[i], tangent, strict=True)]
        bound_to = statement.bind(moved, temperature=temperature)
        return evaluator(statement.form, bound_to, names=statement.names)({})[0]

    hessian = mpmath.matrix(len(moves))
    for (m, one), (n, other) in combinations_with_replacement(enumerate(moves), 2):
        four = (a * b * at((one, a * STEP), (other, b * STEP)) for a, b in product((1, -1), repeat=2))
        hessian[m, n] = hessian[n, m] = sum(four) / (4 * STEP**2)
    return tuple(sorted(mp.eigsy(hessian, eigvals_only=True)))


def prove(first: Expr, last: Expr, *names: Definition) -> Proof:
    return derive(first, (DEFINITION, last), names=names, facts=Facts())


def spectrum(images: int, features: int, colder: int) -> Finding:
    """Compare the eigenvalues with the defined ones, by value and multiplicity; τ = 1/colder."""
    with mp.workdps(DIGITS):
        given = {B: images, d: features, tau: mpf(1) / colder}
        names = (WRONG, EACH, *(one for pair in NAMED.values() for one in pair))

        def number(name: Definition) -> mpf:
            return evaluator(name.head, given, names=names)({})[0]

        found = curvatures(images, features, given[tau])
        said = [number(value) for value, times in NAMED.values() for _ in range(int(number(times)))]
        said += [mpf(0)] * (len(found) - len(said))
        farthest = max(abs(one - other) for one, other in zip(found, sorted(said), strict=True))
        return Finding(
            farthest, "≈", 0, (f"farthest of {len(found)} eigenvalues from its formula", ""), TOLERANCE
        )


@claim(
    "R22",
    verdict=Verdict.CHECKED,
    says=r"Where NT-Xent is least (M4), the two views of each of B images, three or more, are one point, and"
    r" these points are the corners of a regular simplex. An anchor then gives its negatives together the"
    r" probability «share.where ϱ»: «share», exponentially small in $1/\tau$. One negative has «each.where"
    r" r». The second derivative of the mean loss by the rows, along the sphere, has the eigenvalues"
    r" «apart.where κ₁» where the views of an image part, out of the features of the simplex, and"
    r" «within.where κ₂» where they part within these; «apart.where κ₃» where all rows move out of them"
    r" alike; «pairs.where κ₄» and «one.where κ₅» where images move nearer to some and farther from others."
    r" Of them there are «all.where n₁», «all.where n₂», «all.where n₃», «all.where n₄» and «all.where n₅»;"
    r" the other directions, so many that «all», are rotations of all rows, and have 0. So differences of the"
    r" loss show, of three images «three images» and of four «four images». Measured by $κ_3$ they are"
    r" «apart», «pairs» and «one», the last with a factor that for three images or more,"
    r" «factor.where B», lies between one half and 1: «factor», «factor sign». For a fixed batch their ratios"
    r" grow no faster than one over $\tau$: at a low temperature the optimum is flat in all directions, not in"
    r" some. But at a fixed temperature a ratio grows with the batch: «within». We know of no source.",
    brief="Where NT-Xent is least (M4), both views of each of B images in one corner of a regular simplex, its"
    r" second derivative along the sphere has at most five eigenvalues besides 0, as differences of the loss"
    r" show of three images and of four. Each is $r$, the probability of one negative, times a sum of $1/\tau$ and"
    r" its square, with factors. $r$ is exponentially small in $1/\tau$, their ratios are not: for example"
    r" «pairs», where «pairs.where κ₄» and «pairs.where κ₃». For a fixed batch the optimum at a low temperature"
    r" is flat in all directions; at a fixed temperature a ratio grows with the batch: «within».",
)
def flat_optimum() -> dict[str, Piece]:
    odds = exp(B / ((B - 1) * tau)) / (2 * (B - 1))
    rotations = (B - 1) * OUTSIDE + (B - 1) * (B - 2) * Rational(1, 2)
    own = exp(1 / tau) / (exp(1 / tau) + 2 * (K + 1) * exp(-1 / ((K + 1) * tau)))
    left = (1 + K * own) / (2 * (K + 1))
    nearer = (B - 2) / (B - 1) + B * (1 - (B - 2) * each) / ((B - 1) ** 2 * tau)
    spread = (2 - 1 / B) * (B - 1) * tau / 2 + Rational(1, 2)
    counted = sum((times.head for _, times in NAMED.values()), rotations)
    return {
        "share": prove(wrong, 1 / (1 + odds), WRONG),
        "each": prove(each, 1 / (2 * (B - 1) * (1 + odds)), EACH, WRONG),
        "apart": prove(VALUE["apart"], VALUE["shift"] * (2 - 1 / B), *VALUES),
        "within": prove(VALUE["apart within"], VALUE["pairs"] * spread, *VALUES),
        "pairs": prove(VALUE["pairs"], VALUE["shift"] * 2 / ((B - 1) * tau), *VALUES),
        "one": prove(VALUE["one"], VALUE["shift"] * nearer, *VALUES),
        "factor": prove(1 - (B - 2) * each, Rational(1, 2) + left, EACH, WRONG, MORE),
        "factor sign": positive(left),
        "all": prove(counted, 2 * B * (d - 1), *(times for _, times in NAMED.values())),
        "three images": measured("differences of the loss", spectrum, images=3, features=3, colder=3),
        "four images": measured("differences of the loss", spectrum, images=4, features=3, colder=2),
    }
