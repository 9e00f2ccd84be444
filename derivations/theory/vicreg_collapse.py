"""VICReg at collapse: if all rows are equal, the gradient keeps them equal."""

from sympy import Expr, IndexedBase, Integer, Symbol, sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..prover.sums import Facts
from ..symbols import B, active, d, f, g, i, j, k, loss, margin, same, z1, z2

FACTS = Facts(ranges={k: B, f: d, g: d})

# The weights of the three terms with their divisors; α: 1 if the hinge of a feature is open.
invariance, variance, covariance = (Symbol(f"c{mark}", real=True) for mark in "₁₂₃")
offset = Symbol("ε", positive=True)
same_2 = IndexedBase("χ′", real=True)


class View:
    """The definitions of one view: its centred rows, their covariances, the deviation of each feature."""

    def __init__(self, rows: IndexedBase, open_hinge: IndexedBase, mark: str):
        self.open = open_hinge
        self.centred, self.covariance, self.deviation = (
            IndexedBase(letter + mark, real=True) for letter in ("y", "C", "D")
        )
        products = total(self.centred[i, f] * self.centred[i, g], (i, B))
        self.names = (
            Definition(self.centred[i, f], rows[i, f] - total(rows[j, f], (j, B)) / B),
            Definition(self.covariance[f, g], products / (B - 1)),
            Definition(self.deviation[f], sqrt(self.covariance[f, f] + offset)),
        )

    def terms(self) -> Expr:
        hinges = total(self.open[f] * (margin - self.deviation[f]), (f, d))
        return variance * hinges + covariance * total(
            Differ(f, g) * self.covariance[f, g] ** 2, (g, d), (f, d)
        )


FIRST, SECOND = View(z1, active, ""), View(z2, IndexedBase("α′", real=True), "′")
APART = total((z1[i, f] - z2[i, f]) ** 2, (f, d), (i, B))
LOSS = Definition(loss, invariance * APART + FIRST.terms() + SECOND.terms())
NAMES = (*FIRST.names, *SECOND.names, LOSS)

# ∂𝓛/∂z of row k of view 1
OTHERS = total(Differ(f, g) * FIRST.covariance[f, g] * FIRST.centred[k, g], (g, d))
OWN = FIRST.open[f] * FIRST.centred[k, f] / FIRST.deviation[f]
PULL = 2 * invariance * (z1[k, f] - z2[k, f]) + (4 * covariance * OTHERS - variance * OWN) / (B - 1)


def where(last: Expr, *collapsed: Definition) -> Proof:
    return derive(PULL, (DEFINITION, last), names=(*collapsed, *FIRST.names), facts=FACTS)


@claim(
    "R15",
    verdict=Verdict.PROVED,
    says="VICReg with any weights of its three terms is «gradient.where 𝓛», $α$ being 1 where the hinge of a"
    " feature is open. There «gradient», with «gradient.where y», «gradient.where C» and «gradient.where D». Where"
    " all rows of view 1 are one row, «collapsed.where z₁», and those of view 2 another, «collapsed.where z₂», it"
    " is «collapsed», the same for every row: the variance that it asks for it does not get. Where that is the"
    " same row too, «stuck.where z₂», «stuck»: from exact collapse no gradient leads away, through any encoder,"
    " and by exchange of the views none of view 2. The $ε$ under the root makes that so, which without it had no"
    " derivative there. That the variance without a root has hardly a gradient near collapse is said in VICReg"
    " (Bardes, Ponce and LeCun, 2022), as the reason to take the root; that the root with $ε$ has none at collapse"
    " either, we found nowhere.",
)
def collapse() -> dict[str, Piece]:
    first = Definition(z1[i, f], same[f])
    return {
        "gradient": derive(Partial(loss, z1[k, f]), (DERIVATIVE, PULL), names=NAMES, facts=FACTS),
        "collapsed": where(2 * invariance * (same[f] - same_2[f]), first, Definition(z2[i, f], same_2[f])),
        "stuck": where(Integer(0), first, Definition(z2[i, f], same[f])),
    }
