"""The triplet loss: a hinge on the difference of two squared distances (named in document D3)."""

from mpmath import mpf

from .. import symbols
from ..claims import claim
from ..evidence import Verdict
from ..pairs import divisor
from ..prover.notation import Definition, total
from ..prover.proof import Proof
from ..prover.statement import Statement, gradient
from ..prover.sums import Facts
from ..symbols import N, active, anchor, d, ell, f, g, i, k, loss, margin, negative, nu, positive

FACTS = Facts(ranges={i: N, k: N, f: d, g: d}, masks=(active,))

# max(0, x) in its two cases: α = 1 where x > 0, and α = 0 elsewhere, the tie x = 0 among it
HINGE = total((anchor[i, g] - positive[i, g]) ** 2 - (anchor[i, g] - negative[i, g]) ** 2, (g, d)) + margin
ROW = Definition(ell[i], active[i] * HINGE)
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)
NAMES = (ROW, LOSS)

GRADIENTS = {  # [M12]
    name: gradient(rows[k, f], 2 * active[k] * way / nu, "M12", loss=loss, names=NAMES, facts=FACTS)
    for name, rows, way in (
        ("anchor", anchor, negative[k, f] - positive[k, f]),
        ("positive", positive, positive[k, f] - anchor[k, f]),
        ("negative", negative, anchor[k, f] - negative[k, f]),
    )
}


@claim(
    "D3.1",
    printed="Triplet loss is a supervised technique, the predecessor of what self-supervised learning proposes",
    statement="History, and no formula: there is nothing to prove. What can be proved instead is the gradient of"
    " the loss that bears the name (M12).",
    verdict=Verdict.NO_THEOREM,
)
@claim(
    "M12",
    printed="",
    statement=r"With the hinge open, \partial_a = 2(n - p), \partial_p = 2(p - a), \partial_n = 2(a - n);"
    r" with the hinge shut, 0. At the kink, where both meet, Clarke's subgradients are \lambda times the open ones,"
    r" 0 \le \lambda \le 1: a matter of convention, not of proof, and the convention here is \lambda = 0.",
    verdict=Verdict.PROVED,
)
def gradients() -> tuple[Proof, ...]:
    return tuple(by.prove() for by in GRADIENTS.values())


def _is_open(a, p, n, limit) -> int:
    return int(sum(mpf(x - y) ** 2 - (x - u) ** 2 for x, y, u in zip(a, p, n, strict=True)) + limit > 0)


def _bind(anchor, positive, negative, *, margin, reduction="mean") -> dict:
    count = len(anchor)
    rows = {symbols.anchor: anchor, symbols.positive: positive, symbols.negative: negative}
    triplets = zip(anchor, positive, negative, strict=True)
    sizes = {N: count, d: len(anchor[0]), nu: divisor(count, reduction)}
    return sizes | rows | {symbols.margin: margin, active: [_is_open(*row, margin) for row in triplets]}


STATEMENT = Statement(
    loss="triplet",
    form=loss,
    names=NAMES,
    gradients=GRADIENTS,
    bind=_bind,
)
