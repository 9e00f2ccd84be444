"""A batch in micro-batches: what accumulating their gradients computes, and what gradient caching does."""

from collections.abc import Iterator
from fractions import Fraction

from ..common import rational
from ..evidence.kinds import Counterexample, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Base, UnitRows
from ..losses import infonce

ODDS = "e^(L[i,m] - L[i,p(i)])"
CANDIDATES = given(
    "i < N; a Σ_m < A; l < Γ; p: N → A; ψ: A → Γ",
    f"ℓ[i] := log(1 + Σ_m 1[m ≠ p(i)] {ODDS})",
    f"ℓᵍ[i,l] := log(1 + Σ_m 1[m ≠ p(i)] 1[ψ(m) = l] {ODDS})",
)
# The rows move along V as one parameter of the encoder moves.
MOVING = given(
    "i j k < N; l < Γ; f < d; p: N → N; p(i) ≠ i; ψ: N → Γ; t V[] real",
    "z[i,f] := q[i,f] + t V[i,f]",
    *infonce.MASKED.names,
)
BY_ROW = infonce.BY_ROW
ALONG = f"Σ_f ({BY_ROW}) V[k,f]"


def gradient(z: UnitRows, b: Fraction, pairs: int) -> list[list[Fraction]]:
    """τ times the sum over anchors of NT-Xent's gradients along the sphere, by rows of both views."""
    partner = [(row + pairs) % len(z) for row in range(len(z))]
    full = infonce.steepest(z, b, partner, infonce.MASKED)
    return [rational.tangent(row, step) for row, step in zip(z, full, strict=True)]


def accumulated(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    pairs = len(z) // 2
    micro = [gradient(UnitRows([z[n], z[n + pairs]]), b, 1) for n in range(pairs)]
    sums = [micro[row % pairs][row // pairs] for row in range(len(z))]
    names = ("the squared length of the accumulated gradient", "of that of the batch")
    for name, sign, found in zip(names, "=>", (sums, gradient(z, b, pairs)), strict=True):
        yield Finding(sum(x * x for row in found for x in row), sign, 0, (name, ""))


claim("R12", "folklore", CANDIDATES)(
    said_by="That accumulating the gradients of micro-batches is as good as a large batch is said in pull"
    " request 1822 of sentence-transformers, whose maintainer denies it; issue 203 of simclr asks.",
    checked="To accumulate the gradients of micro-batches does not make a large batch. With one pair in each, no"
    " row has a negative, and its loss is «alone», whatever the rows are: nothing is learned,"
    " as in «nothing».",
    correction="A row adds its negatives inside the logarithm. With «row.where ℓ», and of the group $l$ of its"
    " candidates alone «row.where ℓᵍ», «row»: over disjoint groups the odds add, not the losses, nor their"
    " gradients. Gradient caching is exact: let all rows move along $V$ with one parameter of the encoder,"
    " «cached.where z». The derivative is «cached.chain», by the gradients by the rows, «by row» with «by"
    " row.where ℓ», which need no encoder. So once these are there, the encoder can go through the rows group by"
    " group. Caching was said in Scaling Deep Contrastive Learning Batch Size under Memory Limited Setup (Gao et"
    " al., 2021).",
    nothing=lambda: Counterexample.at(
        "two images, each a micro-batch",
        accumulated,
        z=UnitRows(rational.rows((5, 0), (0, 5), (4, 3), (3, 4))),
        b=Base(21, 20),
    ),
    alone=CANDIDATES.only().also("Y⁻[i,a] := 0")(f"log(1 + Σ_m Y⁻[i,m] {ODDS}) = 0"),
    row="Σ_l (e^ℓᵍ[i,l] - 1) = e^ℓ[i] - 1",
    cached=MOVING(f"∂𝓛/∂t = Σ_kf ({BY_ROW}) V[k,f] = Σ_l Σ_k 1[ψ(k) = l] ({ALONG})"),
    by_row=infonce.MASKED(infonce.GRADIENT),
)
