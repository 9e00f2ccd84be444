"""SimSiam: two views without negatives or momentum, kept from collapse by the stop-gradient (document D3)."""

import math
from collections.abc import Iterator

from ..common import rational
from ..common.cosine import cosine_by, definitions
from ..common.statement import Gradient, Statement
from ..common.weights import choose, state
from ..evidence.kinds import Example, Finding, Misprint
from ..evidence.plain import Given, claim, given
from ..evidence.points import Program, Rows, root
from ..prover.evaluate import Functions, evaluator
from ..symbols import N, f, k


def of_views(view1: str, view2: str) -> Given:
    """𝓛 = ½ D(p₁, z₂) + ½ D(p₂, z₁), D = −cos, in the mean over the rows [D3.44, D3.45]."""
    return given(
        "i k < N; f g h < d",
        *definitions("p₁", view2, "cos"),
        *definitions("p₂", view1, "cos′"),
        "𝒟[i] := -cos[i]",
        "𝒟′[i] := -cos′[i]",
        "ℓ[i] := 𝒟[i]/2 + 𝒟′[i]/2",
        "𝓛 := (Σ_i ℓ[i])/N",
    )


STOPPED, FREE = of_views("z₁′", "z₂′"), of_views("z₁", "z₂")


def by(rows: str, other: str, cosine: str) -> str:
    """−(ȳ − cos x̄)/(2N‖x‖) if x is compared with y; 0 for a row without a partner [M19]."""
    form = f"-({cosine_by(rows, other, cosine)})/(2 N)" if other else "0"
    return f"∂𝓛/∂{rows}[k,f] = {form}"


def _statement(views: Given, view1: str, view2: str, other1: str, other2: str) -> Statement:
    slopes = {
        "p1": by("p₁", view2, "cos"),
        "z1": by("z₁", other2, "cos′"),
        "p2": by("p₂", view1, "cos′"),
        "z2": by("z₂", other1, "cos"),
    }
    return state("simsiam", views, views.gradients(slopes, "M19", "D3.45"), divisor=N)


STOPPED_STATEMENT = _statement(STOPPED, "z₁′", "z₂′", "", "")
FREE_STATEMENT = _statement(FREE, "z₁", "z₂", "p₁", "p₂")
STATEMENTS = {"": STOPPED_STATEMENT, "without stop-gradient": FREE_STATEMENT}


def statement(arguments) -> Statement:
    """With the stop-gradient unless `stop_gradient` is false; a sum is a weighted sum with weights of 1."""
    of_option = STOPPED_STATEMENT if arguments.get("stop_gradient", True) else FREE_STATEMENT
    return choose(of_option, arguments, printed=("mean",))


APART, TOGETHER = ("(Σ_f (p̄₁[i,f] - z̄₂[i,f])^2)", "(Σ_f (p̄₁[i,f] + z̄₂[i,f])^2)")

claim("D3.44", "definition", FREE)(
    printed=r"$\mathcal{D}(p_1, z_2) = -\frac{p_1}{\|p_1\|_2} \cdot \frac{z_2}{\|z_2\|_2}$",
    checked="The distance of a prediction and a projection is minus their cosine: «distance», of rows that are not"
    " 0. It lies between -1 and 1, as it is above -1 by «above», below 1 by «below», and neither is negative:"
    " «above sign», «below sign».",
    distance="𝒟[i]",
    above=f"𝒟[i] + 1 = {APART}/2",
    below=f"1 - 𝒟[i] = {TOGETHER}/2",
    above_sign=f"{APART}/2 ≥ 0",
    below_sign=f"{TOGETHER}/2 ≥ 0",
)

claim("M19", "proved", FREE)(
    checked="With the stop-gradient, where «p1.where cos» and «p1.where cos′», «p1», and «z1». Without it, where"
    " «free p1.where cos» and «free p1.where cos′», «free p1», the same, and «free z2», in which prediction and"
    " projection have changed places. So for the other view.",
    **{name: by.prove for name, by in STOPPED_STATEMENT.gradients.items()},
    **{f"free {name}": by.prove for name, by in FREE_STATEMENT.gradients.items()},
)


def exactly(formula: Statement | Gradient, **rows: Rows):
    """The loss or the gradient of rows of fractions with lengths that are fractions."""
    at = FREE_STATEMENT.environment(**rows) | STOPPED_STATEMENT.environment(**rows)
    return evaluator(formula.form, at, Functions(math.exp, math.log, root), formula.names)


def _slopes(**rows: Rows) -> Iterator[Finding]:
    printed, trained = (
        exactly(statement.gradients["z2"], **rows) for statement in (FREE_STATEMENT, STOPPED_STATEMENT)
    )
    for feature in range(2):
        slope, none = (at({k: 0, f: feature})[0] for at in (printed, trained))
        yield Finding(slope, "≠", none, ("∂𝓛/∂z₂ of what is printed", "of what is trained"))
    values = (exactly(statement, **rows)({})[0] for statement in (FREE_STATEMENT, STOPPED_STATEMENT))
    yield Finding(next(values), "=", next(values), ("𝓛 as printed", "as trained"))


claim("D3.45", "corrected", FREE)(
    printed=r"$\mathcal{L} = \frac{1}{2}\mathcal{D}(p_1, z_2) + \frac{1}{2}\mathcal{D}(p_2, z_1)$",
    checked="It has the value of the loss that is trained, but not its gradient: the algorithm holds the"
    " projections constant, and the formula does not say so. Derived as printed, where «free.where cos» and"
    " «free.where cos′», «free», which is not 0 everywhere: «slopes».",
    correction="With the projections held constant, $z'$ in place of $z$, «stopped.where cos» and «stopped.where"
    " cos′», «stopped», and «kept» as before.",
    brief="The formula has the value of the loss that is trained, and another gradient. As printed it moves the"
    " projections too, «free»; the algorithm holds them constant.",
    free=FREE_STATEMENT.gradients["z2"].prove,
    stopped=STOPPED_STATEMENT.gradients["z2"].prove,
    kept=STOPPED_STATEMENT.gradients["p1"].prove,
    slopes=lambda: Misprint.at(
        "one pair: one value, two gradients",
        _slopes,
        p1=Rows([[1, 0]]),
        z1=Rows([[0, 2]]),
        p2=Rows([[0, 1]]),
        z2=Rows([[3, 4]]),
    ),
)


PRINTED_ALGORITHM = """\
def D(p, z): # negative cosine similarity
    z = z.detach() # stop gradient

p = normalize(p, dim=1) # 12-normalize
    z = normalize(z, dim=1) # 12-normalize
    return -(p*z).sum(dim=1).mean()
"""
MENDED_ALGORITHM = PRINTED_ALGORITHM.replace("\np = ", "\n    p = ")


def read(program: str) -> int:
    """Number of lines that Python reads before it refuses one."""
    lines = program.splitlines()
    for count in range(len(lines), 0, -1):
        try:
            compile("\n".join(lines[:count]), "printed", "exec")
        except IndentationError:
            continue
        return count
    return 0


def algorithm(p1, z1, p2, z2):
    """SimSiam's pseudo-code, the lost indentation put back: L = D(p1, z2)/2 + D(p2, z1)/2."""

    def normalize(rows):
        return [[x / root(rational.dot(row, row)) for x in row] for row in rows]

    def negative_cosine(p, z):
        p, z = normalize(p), normalize(z)
        return -sum(rational.dot(x, y) for x, y in zip(p, z, strict=True)) / len(p)

    return negative_cosine(p1, z2) / 2 + negative_cosine(p2, z1) / 2


def _lines(printed: str, mended: str) -> Iterator[Finding]:
    names = ("lines that Python reads", "lines printed")
    yield Finding(read(printed), "<", len(printed.splitlines()), names)
    yield Finding(
        read(mended), "=", len(mended.splitlines()), ("lines that it reads of the mended text", "lines")
    )


def _run(**rows: Rows) -> Finding:
    formula = exactly(STOPPED_STATEMENT, **rows)({})[0]
    return Finding(algorithm(**rows), "=", formula, ("the algorithm run", "the formula"))


EXCESS = "(Σ_i (Σ_f (p̄₁[i,f] - z̄₂[i,f])^2 + Σ_f (p̄₂[i,f] - z̄₁[i,f])^2))/(4 N)"
COLLAPSED = FREE.also(*(f"{rows}[i,f] := χ[f]" for rows in ("p₁", "p₂", "z₁", "z₂")))

claim("D3.46", "corrected", FREE)(
    printed="Algorithm 1 SimSiam Pseudocode, PyTorch-like … def D(p, z): # negative cosine similarity;"
    " z = z.detach() # stop gradient; p = normalize(p, dim=1) # 12-normalize",
    checked="The last line stands at the margin, and Python refuses the text: «refused». It belongs into the body"
    " of D, and"
    " 12-normalize is l2-normalize.",
    correction="With the line in its place the algorithm computes D3.45 in the mean over the batch; on two rows"
    " «run». An output that is the same for every input, «collapsed.where p₁», and so for the others,"
    " reaches «collapsed», and no loss is below: «excess», «sign». So it is not the value of the loss that"
    " prevents collapse.",
    refused=lambda: Misprint.at(
        "as printed", _lines, printed=Program(PRINTED_ALGORITHM), mended=Program(MENDED_ALGORITHM)
    ),
    run=lambda: Example.at(
        "two rows",
        _run,
        p1=Rows([[3, 4], [5, 12]]),
        z1=Rows([[4, 3], [-6, 8]]),
        p2=Rows([[4, -3], [8, 15]]),
        z2=Rows([[0, 1], [12, -5]]),
    ),
    collapsed=COLLAPSED("𝓛 = -1"),
    excess=f"𝓛 + 1 = {EXCESS}",
    sign=f"{EXCESS} ≥ 0",
)
