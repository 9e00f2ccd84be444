"""How NT-Xent curves at its optimum, both views of an image in one corner of a regular simplex."""

from functools import cache
from itertools import combinations_with_replacement, product

import mpmath
from mpmath import mp, mpf

from ..evidence.kinds import Approximate, Finding
from ..evidence.plain import claim, given
from ..losses import ntxent
from ..prover.evaluate import evaluator
from ..prover.notation import Definition
from ..symbols import B, d, tau

DIGITS = 50
STEP = mpf(10) ** -12  # a difference neglects its square, and cancels as many of the 50 digits
TOLERANCE = mpf(10) ** -20

OUTSIDE = "(d - B + 1)"  # features beyond those of the simplex
AWAY = "(4 B - 2)/(B τ)"
EIGENVALUES = {  # an eigenvalue over the probability of one negative, and how many there are
    "₁": (AWAY, f"B {OUTSIDE}"),
    "₂": (f"{AWAY} + 2/((B - 1) τ^2)", "B (B - 2)"),
    "₃": ("2/τ", OUTSIDE),
    "₄": ("4/((B - 1) τ^2)", "B (B - 3)/2"),
    "₅": ("2 ((B - 2)/((B - 1) τ) + B (1 - (B - 2) r)/((B - 1)^2 τ^2))", "B - 1"),
}
NAMES = " ".join(f"κ{mark} n{mark}" for mark in EIGENVALUES)
ANCHOR = given(
    f"ϱ r {NAMES} real",
    "r := ϱ/(2 (B - 1))",  # the probability of one negative, and of all
    "ϱ := 1 - e^(1/τ)/(e^(1/τ) + (2 B - 2) e^(-1/((B - 1) τ)))",
)
VALUES = ANCHOR.only().also(*(f"κ{mark} := r ({value})" for mark, (value, _) in EIGENVALUES.items()))
COUNTS = ANCHOR.only().also(*(f"n{mark} := {count}" for mark, (_, count) in EIGENVALUES.items()))


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
        bound_to = statement.environment(w=moved, temperature=temperature)
        return evaluator(statement.form, bound_to, names=statement.names)({})[0]

    hessian = mpmath.matrix(len(moves))
    for (m, one), (n, other) in combinations_with_replacement(enumerate(moves), 2):
        four = (a * b * at((one, a * STEP), (other, b * STEP)) for a, b in product((1, -1), repeat=2))
        hessian[m, n] = hessian[n, m] = sum(four) / (4 * STEP**2)
    return tuple(sorted(mp.eigsy(hessian, eigvals_only=True)))


def spectrum(images: int, features: int, colder: int) -> Finding:
    """Compare the eigenvalues with the defined ones, by value and multiplicity; τ = 1/colder."""
    with mp.workdps(DIGITS):
        given = {B: images, d: features, tau: mpf(1) / colder}
        names = (*ANCHOR.names, *VALUES.names, *COUNTS.names)

        def number(name: Definition) -> mpf:
            return evaluator(name.head, given, names=names)({})[0]

        found = curvatures(images, features, given[tau])
        pairs = zip(VALUES.names, COUNTS.names, strict=True)
        said = [number(value) for value, count in pairs for _ in range(int(number(count)))]
        said += [mpf(0)] * (len(found) - len(said))
        farthest = max(abs(one - other) for one, other in zip(found, sorted(said), strict=True))
        return Finding(
            farthest, "≈", 0, (f"farthest of {len(found)} eigenvalues from its formula", ""), TOLERANCE
        )


ODDS = "e^(B/((B - 1) τ))/(2 (B - 1))"
NEARER = "(B - 2)/(B - 1) + B (1 - (B - 2) r)/((B - 1)^2 τ)"
OWN = "e^(1/τ)/(e^(1/τ) + (2 K + 2) e^(-1/((K + 1) τ)))"
LEFT = f"(1 + K ({OWN}))/(2 (K + 1))"

claim("R22", "checked", VALUES)(
    checked=r"Where NT-Xent is least (M4), the two views of each of B images, three or more, are one point, and"
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
    share=ANCHOR.only("ϱ")(f"ϱ = 1/(1 + {ODDS})"),
    each=ANCHOR(f"r = 1/((2 B - 2) (1 + {ODDS}))"),
    apart="κ₁ = κ₃ (2 - 1/B)",
    within="κ₂ = κ₄ ((2 - 1/B) (B - 1) τ/2 + 1/2)",
    pairs="κ₄ = 2 κ₃/((B - 1) τ)",
    one=f"κ₅ = κ₃ ({NEARER})",
    factor=ANCHOR.also("B := K + 2")(f"1 - (B - 2) r = 1/2 + {LEFT}"),
    factor_sign=f"{LEFT} > 0",
    all=COUNTS(
        f"{' + '.join(f'n{mark}' for mark in EIGENVALUES)} + (B - 1) {OUTSIDE} + (B - 1) (B - 2)/2 = 2 B (d - 1)"
    ),
    three_images=lambda: Approximate.at("differences of the loss", spectrum, images=3, features=3, colder=3),
    four_images=lambda: Approximate.at("differences of the loss", spectrum, images=4, features=3, colder=2),
)
