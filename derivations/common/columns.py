"""The columns of a batch minus their means, for Barlow Twins and VICReg."""

from sympy import IndexedBase

from ..prover.notation import Definition, total
from ..prover.sums import Facts
from ..symbols import B, centred1, centred2, d, f, g, h, i, j, k, mean1, mean2, view1, view2

FACTS = Facts(ranges={i: B, j: B, k: B, f: d, g: d, h: d})


def _centred(view: IndexedBase, mean: IndexedBase, rest: IndexedBase) -> tuple[Definition, Definition]:
    return (
        Definition(mean[f], total(view[i, f], (i, B)) / B),
        Definition(rest[i, f], view[i, f] - mean[f]),
    )


CENTRED = (*_centred(view1, mean1, centred1), *_centred(view2, mean2, centred2))
