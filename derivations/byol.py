"""BYOL and SimSiam: pairs of views without negatives, one of them held constant (document D3)."""

from fractions import Fraction

import mpmath
from mpmath import mpf
from sympy import Add, Expr, Integer, sqrt

from derivations import symbols
from derivations.pairs import divisor
from derivations.prover.claim import Verdict, Witness, claim, witness
from derivations.prover.evaluate import evaluator
from derivations.prover.inequality import Sign, nonnegative
from derivations.prover.notation import Definition, Partial, total
from derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from derivations.prover.statement import Gradient, Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import (
    N,
    average,
    d,
    decay,
    ell,
    f,
    g,
    h,
    held1,
    held2,
    i,
    k,
    loss,
    newest,
    nu,
    online,
    p1,
    p2,
    prediction,
    rate,
    same,
    share,
    start,
    steps,
    stretch,
    target,
    z1,
    z2,
)

FACTS = Facts(ranges={i: N, k: N, f: d, g: d, h: d})


def length(rows, at) -> Expr:
    """‖x‖ of one row."""
    return sqrt(total(rows[at, g] ** 2, (g, d)))


def unit(rows, at, feature) -> Expr:
    """x̄ = x/‖x‖ at one feature."""
    return rows[at, feature] / length(rows, at)


def cosine(left, right, at) -> Expr:
    return total(left[at, h] * right[at, h], (h, d)) / (length(left, at) * length(right, at))


def cosine_by(rows, other, at, feature) -> Expr:
    """∂ cos(x, y)/∂x = (ȳ − cos x̄)/‖x‖: what is left of ȳ across x̄, shorter the longer x is."""
    across = unit(other, at, feature) - cosine(rows, other, at) * unit(rows, at, feature)
    return across / length(rows, at)


# --- BYOL ---------------------------------------------------------------------------------------------

DISTANCE = total((unit(prediction, i, f) - unit(target, i, f)) ** 2, (f, d))
BYOL = (Definition(ell[i], DISTANCE), Definition(loss, total(ell[i], (i, N)) / nu))  # [D3.43]
BYOL_BY_PREDICTION = gradient(
    prediction[k, f],
    -2 * cosine_by(prediction, target, k, f) / nu,
    *("M18", "D3.43"),
    loss=loss,
    names=BYOL,
    facts=FACTS,
)


def _bind_byol(prediction, target, *, reduction="mean") -> dict:
    count = len(prediction)
    sizes = {N: count, d: len(prediction[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.prediction: prediction, symbols.target: target}


BYOL_STATEMENT = Statement(
    loss="byol",
    form=loss,
    names=BYOL,
    gradients={"prediction": BYOL_BY_PREDICTION},
    bind=_bind_byol,
)


@claim(
    "D3.43",
    printed=r"\mathcal{L} = \|\bar q - \bar z'\|_2^2 = 2 - 2 \frac{\langle q, z' \rangle}{\|q\|_2 \|z'\|_2}",
    statement="As printed, for every d and q, z' ≠ 0: the squared distance of two unit rows.",
    verdict=Verdict.PROVED,
)
def distance_is_cosine() -> Proof:
    return derive(DISTANCE, (SUMS, 2 - 2 * cosine(prediction, target, i)), facts=FACTS)


@claim(
    "M18",
    printed="",
    statement=r"\partial \mathcal{L} / \partial q = -\frac{2}{\|q\|} (\bar z' - \cos\theta\, \bar q), across q, of"
    r" length 2 \sin\theta / \|q\|: it vanishes where q points along z', and where it points the other way.",
    verdict=Verdict.PROVED,
)
def byol_gradient() -> tuple[Proof, ...]:
    across = cosine_by(prediction, target, k, f)
    sine = (1 - cosine(prediction, target, k) ** 2) / length(prediction, k) ** 2
    opposite = Definition(target[i, f], -stretch * prediction[i, f])
    return (
        BYOL_BY_PREDICTION.prove(),
        derive(total(prediction[k, f] * across, (f, d)), (SUMS, Integer(0)), facts=FACTS),
        derive(total(across**2, (f, d)), (SUMS, sine), facts=FACTS),
        derive(across, (DEFINITION, Integer(0)), names=(opposite,), facts=FACTS),
    )


# ξ ← ζξ + (1 − ζ)θ, after t updates by θ_0, …, θ_{t−1}: κ = ζᵗ, η_s = ζ^{t−1−s}
PAST, SHARES = total(decay[i] * online[i], (i, steps)), total(decay[i], (i, steps))


def mean(kept: Expr, past: Expr, first: Expr = start) -> Expr:
    """What is kept of the start, and what came since; of the weights alone where first = 1."""
    return kept * first + (1 - rate) * past


def after_updates(first, updates, decayed) -> Fraction:
    """The update run step by step."""
    for newer in updates:
        first = decayed * first + (1 - decayed) * newer
    return first


def _run() -> Witness:
    decayed, first, updates = Fraction(9, 10), Fraction(5), [Fraction(n * n, 7) for n in range(8)]
    count = len(updates)
    closed = decayed**count * first
    closed += (1 - decayed) * sum(decayed ** (count - 1 - s) * x for s, x in enumerate(updates))
    return witness(
        "eight updates run in fractions, and the closed form",
        holds=after_updates(first, updates, decayed) == closed,
        numbers={"run": after_updates(first, updates, decayed), "closed form": closed},
    )


@claim(
    "D3.42",
    printed="the target network is not trained directly: it is a smoothed version of the online network",
    statement=r"The target is the mean of its start and of all earlier online networks, with weights \tau^t and"
    r" (1 - \tau)\tau^{t-1-s} that sum to 1 (D3.41). That it is not trained is a choice: training follows the"
    " gradient by the prediction (M18), and leaves out the one by the target, the same formula with the two"
    " exchanged.",
    verdict=Verdict.PROVED,
)
def not_trained_directly() -> tuple[Proof | Witness, ...]:
    by_target = -2 * cosine_by(target, prediction, k, f) / nu
    left_out = derive(Partial(loss, target[k, f]), (DERIVATIVE, by_target), names=BYOL, facts=FACTS)
    return *moving_average(), BYOL_BY_PREDICTION.prove(), left_out


@claim(
    "D3.41",
    printed=r"\xi \leftarrow \tau\xi + (1 - \tau)\theta",
    statement=r"A definition; \tau here is a rate, not the temperature. By induction"
    r" \xi_t = \tau^t \xi_0 + (1 - \tau) \sum_{s<t} \tau^{t-1-s} \theta_s: an update multiplies each weight"
    r" by \tau and adds (1 - \tau)\theta_t. The weights sum to 1, by induction too: at t = 0 the only one is 1, and"
    r" if they do after t updates, which says \kappa = 1 - (1 - \zeta) \sum \eta below, then after one more. A step"
    r" is (1 - \tau)(\theta - \xi).",
    verdict=Verdict.PROVED,
)
def moving_average() -> tuple[Proof | Witness, ...]:
    facts = Facts(ranges={i: steps})
    one = Integer(1)
    nothing_yet = Definition(share, one)  # t = 0: κ = 1, and the sums are empty
    hypothesis = Definition(share, 1 - (1 - rate) * SHARES)  # after t updates the weights sum to 1
    newer = total(rate * decay[i] * online[i], (i, steps)) + newest  # every η times ζ, and η_t = 1
    weights = mean(rate * share, total(rate * decay[i], (i, steps)) + 1, first=one)
    after, update = (rate * x + (1 - rate) * newest for x in (mean(share, PAST), average))
    return (
        derive(mean(share, Integer(0)), (DEFINITION, start), names=(nothing_yet,), facts=facts),
        derive(after, (SUMS, mean(rate * share, newer)), facts=facts),
        derive(mean(share, Integer(0), first=one), (DEFINITION, one), names=(nothing_yet,), facts=facts),
        derive(weights, (DEFINITION, one), names=(hypothesis,), facts=facts),
        derive(update - average, (SUMS, (1 - rate) * (newest - average)), facts=facts),
        _run(),
    )


# --- SimSiam ------------------------------------------------------------------------------------------


@claim(
    "D3.44",
    printed=r"\mathcal{D}(p_1, z_2) = -\frac{p_1}{\|p_1\|_2} \cdot \frac{z_2}{\|z_2\|_2}",
    statement=r"A definition, for rows that are not 0; \mathcal{D} = \frac{1}{2} \|\bar p - \bar z\|^2 - 1"
    r" = 1 - \frac{1}{2} \|\bar p + \bar z\|^2, so that it lies between -1 and 1.",
    verdict=Verdict.PROVED,
)
def negative_cosine() -> tuple[Proof | Sign, ...]:
    apart, together = (total((unit(p1, i, f) + sign * unit(z2, i, f)) ** 2, (f, d)) / 2 for sign in (-1, 1))
    distance = -cosine(p1, z2, i)
    return (
        derive(distance + 1, (SUMS, apart), facts=FACTS),
        nonnegative(apart),
        derive(1 - distance, (SUMS, together), facts=FACTS),
        nonnegative(together),
    )


def simsiam(view1, view2) -> tuple[Definition, Definition]:
    """𝓛 = ½ D(p₁, z₂) + ½ D(p₂, z₁), D = −cos, in the mean over the rows [D3.44, D3.45]."""
    row = -(cosine(p1, view2, i) + cosine(p2, view1, i)) / 2
    return Definition(ell[i], row), Definition(loss, total(ell[i], (i, N)) / N)


STOPPED, FREE = simsiam(held1, held2), simsiam(z1, z2)


def simsiam_by(rows, other, names) -> Gradient:
    """−(ȳ − cos x̄)/(2N‖x‖), where x is compared with y; and 0 for what is compared with nothing [M19]."""
    form = -cosine_by(rows, other, k, f) / (2 * N) if other else Integer(0)
    return gradient(rows[k, f], form, "M19", "D3.45", loss=loss, names=names, facts=FACTS)


def _bind_simsiam(p1, z1, p2, z2, *, stop_gradient=True) -> dict:
    rows = {symbols.p1: p1, symbols.p2: p2, symbols.z1: z1, symbols.z2: z2}
    return {N: len(p1), d: len(p1[0])} | rows | {held1: z1, held2: z2}


def _simsiam_statement(names, view1, view2, other1, other2) -> Statement:
    pairs = {"p1": (p1, view2), "z1": (z1, other2), "p2": (p2, view1), "z2": (z2, other1)}
    gradients = {name: simsiam_by(rows, other, names) for name, (rows, other) in pairs.items()}
    return Statement(loss="simsiam", form=loss, names=names, gradients=gradients, bind=_bind_simsiam)


SIMSIAM_STATEMENT = _simsiam_statement(STOPPED, held1, held2, None, None)
FREE_SIMSIAM_STATEMENT = _simsiam_statement(FREE, z1, z2, p1, p2)


def simsiam_statement(arguments) -> Statement:
    """With the stop-gradient, unless the arguments say otherwise."""
    return SIMSIAM_STATEMENT if arguments.get("stop_gradient", True) else FREE_SIMSIAM_STATEMENT


@claim(
    "M19",
    printed="",
    statement=r"\partial \mathcal{L} / \partial p_1 = -\frac{1}{2n\|p_1\|} (\bar z_2 - \cos\theta\, \bar p_1), with"
    r" and without the stop-gradient; \partial \mathcal{L} / \partial z = 0 with it, and without it the same"
    " formula with p and z exchanged.",
    verdict=Verdict.PROVED,
)
def simsiam_gradients() -> tuple[Proof, ...]:
    statements = (SIMSIAM_STATEMENT, FREE_SIMSIAM_STATEMENT)
    return tuple(by.prove() for statement in statements for by in statement.gradients.values())


ONE_PAIR = {"p1": [[1, 0]], "z1": [[0, 2]], "p2": [[0, 1]], "z2": [[3, 4]]}


@claim(
    "D3.45",
    printed=r"\mathcal{L} = \frac{1}{2} \mathcal{D}(p_1, z_2) + \frac{1}{2} \mathcal{D}(p_2, z_1)",
    statement="As a value. The loss that is trained holds z_1 and z_2 constant, which the algorithm says and the"
    " formula does not: its derivative by z is not 0.",
    verdict=Verdict.CORRECTED,
    right=r"\mathcal{L} = \frac{1}{2} \mathcal{D}(p_1, \mathrm{stopgrad}(z_2))"
    r" + \frac{1}{2} \mathcal{D}(p_2, \mathrm{stopgrad}(z_1)).",
)
def needs_the_stop_gradient() -> tuple[Proof, Proof, Witness]:
    stopped, free = (s.gradients["z2"] for s in (SIMSIAM_STATEMENT, FREE_SIMSIAM_STATEMENT))
    at = evaluator(free.closed_form, FREE_SIMSIAM_STATEMENT.bind(**ONE_PAIR))
    slopes = [at({k: 0, f: feature})[0] for feature in range(2)]
    values = [
        evaluator(s.definition, s.bind(**ONE_PAIR))({})[0]
        for s in (SIMSIAM_STATEMENT, FREE_SIMSIAM_STATEMENT)
    ]
    # p₁ = (1, 0), z₂ = (3, 4): −(p̄ − cos z̄)/(2‖z‖) = −(16, −12)/25/10
    exact = (mpf(-8) / 125, mpf(6) / 125)
    differs = witness(
        "one pair, z₂ = (3, 4): one value, two gradients by z₂",
        holds=values[0] == values[1]
        and max(abs(x - y) for x, y in zip(slopes, exact, strict=True)) < mpf(2) ** -50,
        numbers={
            "value": mpmath.nstr(values[0], 6),
            "as printed": "(−8/125, 6/125)",
            "stop-gradient": "(0, 0)",
        },
    )
    return stopped.prove(), free.prove(), differs


PRINTED_ALGORITHM = """
def D(p, z): # negative cosine similarity
    z = z.detach() # stop gradient

p = normalize(p, dim=1) # 12-normalize
    z = normalize(z, dim=1) # 12-normalize
    return -(p*z).sum(dim=1).mean()
"""


def algorithm(p1, z1, p2, z2):
    """SimSiam's pseudo-code, the lost indentation put back: L = D(p1, z2)/2 + D(p2, z1)/2."""

    def normalize(rows):
        return [[x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row] for row in rows]

    def negative_cosine(p, z):
        p, z = normalize(p), normalize(z)
        return -sum(mpmath.fdot(x, y) for x, y in zip(p, z, strict=True)) / len(p)

    return negative_cosine(p1, z2) / 2 + negative_cosine(p2, z1) / 2


@claim(
    "D3.46",
    printed="SimSiam Pseudocode, PyTorch-like: in D(p, z) the line p = normalize(p, dim=1) stands at the margin",
    statement="With the indentation put back, and 12-normalize read as l2-normalize, it computes D3.45 in the mean"
    " over the batch. The stop-gradient leaves the value as it is: an output that is the same for every input"
    " reaches the least value there is, -1.",
    verdict=Verdict.CORRECTED,
    right="p = normalize(p, dim=1) belongs into the body of D; as printed Python refuses the text.",
)
def pseudo_code() -> tuple[Proof | Sign | Witness, ...]:
    try:
        compile(PRINTED_ALGORITHM, "printed", "exec")
        refusal = ""
    except IndentationError as error:
        refusal = f"{type(error).__name__}: {error.msg}"
    rows = {"p1": [[1, 2], [3, 1]], "z1": [[2, 1], [1, 1]], "p2": [[1, -1], [2, 5]], "z2": [[0, 1], [4, 1]]}
    run, formula = (
        algorithm(**rows),
        evaluator(SIMSIAM_STATEMENT.definition, SIMSIAM_STATEMENT.bind(**rows))({})[0],
    )
    collapsed = tuple(Definition(rows[i, f], same[f]) for rows in (p1, p2, z1, z2))
    apart = (total((unit(x, i, f) - unit(y, i, f)) ** 2, (f, d)) for x, y in ((p1, z2), (p2, z1)))
    excess = total(Add(*apart), (i, N)) / (4 * N)
    return (
        witness("the text as printed is not a program", holds=bool(refusal), numbers={"Python": refusal}),
        witness(
            "the algorithm, run on two rows, and the formula",
            holds=abs(run - formula) < mpf(2) ** -48,  # a dozen roundings of doubles
            numbers={"run": mpmath.nstr(run, 12), "formula": mpmath.nstr(formula, 12)},
        ),
        derive(loss, (DEFINITION, Integer(-1)), names=(*FREE, *collapsed), facts=FACTS),
        derive(loss + 1, (DEFINITION, excess), names=FREE, facts=FACTS),
        nonnegative(excess),
    )
