"""SimSiam: two views without negatives or momentum, kept from collapse by the stop-gradient (document D3)."""

import mpmath
from mpmath import mpf
from sympy import Add, Integer

from .. import symbols
from ..claims import claim
from ..evidence import Verdict
from ..prover.evaluate import evaluator
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.statement import Gradient, Statement, gradient
from ..sphere import FACTS_OF_TWO as FACTS
from ..sphere import cosine, cosine_by, unit
from ..symbols import N, d, ell, f, held1, held2, i, k, loss, p1, p2, same, z1, z2
from ..unbound import Counterexample, counterexample


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


def of_views(view1, view2) -> tuple[Definition, Definition]:
    """𝓛 = ½ D(p₁, z₂) + ½ D(p₂, z₁), D = −cos, in the mean over the rows [D3.44, D3.45]."""
    row = -(cosine(p1, view2, i) + cosine(p2, view1, i)) / 2
    return Definition(ell[i], row), Definition(loss, total(ell[i], (i, N)) / N)


STOPPED, FREE = of_views(held1, held2), of_views(z1, z2)


def by(rows, other, names) -> Gradient:
    """−(ȳ − cos x̄)/(2N‖x‖), where x is compared with y; and 0 for what is compared with nothing [M19]."""
    form = -cosine_by(rows, other, k, f) / (2 * N) if other else Integer(0)
    return gradient(rows[k, f], form, "M19", "D3.45", loss=loss, names=names, facts=FACTS)


def _bind(p1, z1, p2, z2, *, stop_gradient=True) -> dict:
    rows = {symbols.p1: p1, symbols.p2: p2, symbols.z1: z1, symbols.z2: z2}
    return {N: len(p1), d: len(p1[0])} | rows | {held1: z1, held2: z2}


def _statement(names, view1, view2, other1, other2) -> Statement:
    pairs = {"p1": (p1, view2), "z1": (z1, other2), "p2": (p2, view1), "z2": (z2, other1)}
    gradients = {name: by(rows, other, names) for name, (rows, other) in pairs.items()}
    return Statement(loss="simsiam", form=loss, names=names, gradients=gradients, bind=_bind)


STOPPED_STATEMENT = _statement(STOPPED, held1, held2, None, None)
FREE_STATEMENT = _statement(FREE, z1, z2, p1, p2)
STATEMENTS = {"": STOPPED_STATEMENT, "without stop-gradient": FREE_STATEMENT}


def statement(arguments) -> Statement:
    """With the stop-gradient, unless the arguments say otherwise."""
    return STOPPED_STATEMENT if arguments.get("stop_gradient", True) else FREE_STATEMENT


@claim(
    "M19",
    printed="",
    statement=r"\partial \mathcal{L} / \partial p_1 = -\frac{1}{2n\|p_1\|} (\bar z_2 - \cos\theta\, \bar p_1), with"
    r" and without the stop-gradient; \partial \mathcal{L} / \partial z = 0 with it, and without it the same"
    " formula with p and z exchanged.",
    verdict=Verdict.PROVED,
)
def gradients() -> tuple[Proof, ...]:
    statements = (STOPPED_STATEMENT, FREE_STATEMENT)
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
def needs_the_stop_gradient() -> tuple[Proof, Proof, Counterexample]:
    stopped, free = (s.gradients["z2"] for s in (STOPPED_STATEMENT, FREE_STATEMENT))
    at = evaluator(free.closed_form, FREE_STATEMENT.bind(**ONE_PAIR))
    slopes = [at({k: 0, f: feature})[0] for feature in range(2)]
    values = [evaluator(s.definition, s.bind(**ONE_PAIR))({})[0] for s in (STOPPED_STATEMENT, FREE_STATEMENT)]
    # p₁ = (1, 0), z₂ = (3, 4): −(p̄ − cos z̄)/(2‖z‖) = −(16, −12)/25/10
    exact = (mpf(-8) / 125, mpf(6) / 125)
    differs = counterexample(
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
def pseudo_code() -> tuple[Proof | Sign | Counterexample, ...]:
    try:
        compile(PRINTED_ALGORITHM, "printed", "exec")
        refusal = ""
    except IndentationError as error:
        refusal = f"{type(error).__name__}: {error.msg}"
    rows = {"p1": [[1, 2], [3, 1]], "z1": [[2, 1], [1, 1]], "p2": [[1, -1], [2, 5]], "z2": [[0, 1], [4, 1]]}
    run, formula = (
        algorithm(**rows),
        evaluator(STOPPED_STATEMENT.definition, STOPPED_STATEMENT.bind(**rows))({})[0],
    )
    collapsed = tuple(Definition(rows[i, f], same[f]) for rows in (p1, p2, z1, z2))
    apart = (total((unit(x, i, f) - unit(y, i, f)) ** 2, (f, d)) for x, y in ((p1, z2), (p2, z1)))
    excess = total(Add(*apart), (i, N)) / (4 * N)
    return (
        counterexample(
            "the text as printed is not a program", holds=bool(refusal), numbers={"Python": refusal}
        ),
        counterexample(
            "the algorithm, run on two rows, and the formula",
            holds=abs(run - formula) < mpf(2) ** -48,  # a dozen roundings of doubles
            numbers={"run": mpmath.nstr(run, 12), "formula": mpmath.nstr(formula, 12)},
        ),
        derive(loss, (DEFINITION, Integer(-1)), names=(*FREE, *collapsed), facts=FACTS),
        derive(loss + 1, (DEFINITION, excess), names=FREE, facts=FACTS),
        nonnegative(excess),
    )
