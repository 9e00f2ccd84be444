"""CLIP's two directions: the one loss less the other measures hubs, rows or columns with more than their share."""

from sympy import Expr, Integer, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..losses import clip
from ..prover.inequality import Bound, Use, bound
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    B,
    L,
    P,
    column_mass,
    columns,
    i,
    j,
    joint_share,
    k,
    l,
    loss,
    row_mass,
    unevenness_of_columns,
    unevenness_of_rows,
)

FACTS = Facts(ranges={i: B, j: B, k: B, l: B})
JOINT = Definition(joint_share[i, j], exp(L[i, j]) / total(exp(L[k, l]), (l, B), (k, B)))
MASSES = (
    Definition(row_mass[i], total(joint_share[i, j], (j, B))),
    Definition(column_mass[j], total(joint_share[i, j], (i, B))),
)


def divergence(mass: Expr) -> Expr:
    """KL of equal shares from these."""
    return total(log(1 / B / mass), (i, B)) / B


UNEVEN = (
    Definition(unevenness_of_rows, divergence(row_mass[i])),
    Definition(unevenness_of_columns, divergence(column_mass[i])),
)
NAMES = (clip.ROWS, clip.COLUMNS, clip.PAIR, clip.LOSS, JOINT, *MASSES, *UNEVEN)
BY_ROW = -total(log(P[i, i]), (i, B)) / B
BY_COLUMN = -total(log(columns[i, i]), (i, B)) / B


def prove(first: Expr, last: Expr, names: tuple[Definition, ...] = NAMES) -> Proof:
    return derive(first, (DEFINITION, last), names=names, facts=FACTS)


def not_negative(name: Expr, mass: Expr) -> Bound:
    """0 ≤ KL, as the shares sum to 1."""
    return bound(-name, Use(1 / B, mass, ((i, B),), 1 / B), last=Integer(0), names=NAMES, facts=FACTS)


@claim(
    "R23",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="Take one softmax over all entries of CLIP's logits, «difference.where Jˡ». The image $i$ has the"
    " mass «difference.where mʳ» of it, the text $j$ «difference.where mᶜ»; the masses of the images sum"
    " to 1, «images», and so do those of the texts, «texts». How far they are from equal is measured by"
    " «difference.where Kʳ» and «difference.where Kᶜ»: neither is negative, «uneven images» and «uneven"
    " texts», and each is 0 only where all its masses are equal. The loss from image to text less the loss"
    " from text to image is «difference»: it is positive where the texts share the mass less evenly than"
    " the images do. A text that is near to many images, a hub, makes it so, and a text that is near to"
    " none. CLIP's loss itself, the mean of the two, is «level». We know of no source.",
    brief="Take one softmax over all entries of CLIP's logits, and let $K^r$ and $K^c$ measure how unevenly"
    " images and texts share it. The loss from image to text less that from text to image is «difference»:"
    " above 0 where the texts share less evenly, as they do with a hub, a text that is near to many images.",
)
def hubs() -> dict[str, Piece]:
    return {
        "difference": prove(BY_ROW - BY_COLUMN, unevenness_of_columns - unevenness_of_rows),
        "level": prove(
            loss,
            -total(log(joint_share[i, i]), (i, B)) / B
            - log(B)
            - (unevenness_of_rows + unevenness_of_columns) / 2,
        ),
        "images": prove(total(row_mass[i], (i, B)), Integer(1)),
        "texts": prove(total(column_mass[j], (j, B)), Integer(1)),
        "uneven images": Chain((not_negative(unevenness_of_rows, row_mass[i]),), both=unevenness_of_rows),
        "uneven texts": Chain(
            (not_negative(unevenness_of_columns, column_mass[i]),), both=unevenness_of_columns
        ),
    }
