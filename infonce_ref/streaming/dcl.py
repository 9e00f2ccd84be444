"""DCL, the decoupled contrastive loss (F), tile by tile: `losses.dcl` in linear memory.

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖),   L = s/τ                           [D3.3]
    ℓ_i  = log Σ_{j≠i,p} e^{L_ij} − L_ip,   p = p(i)                    [F1]
    𝓛    = (1/2B) Σ_i ℓ_i                                               [F1]

    w    rows of any length but 0; each has its partner p(i) among them         (2B, d)
    τ    temperature                                                            > 0
    𝓛    nats; may be negative

It is `ntxent` without its softplus; q, the weight of the negatives there, is 1 here [F3]. `losses.dcl` says which
of its gradients are ill-conditioned.
"""

from ..arrays import Array, array_namespace
from . import view_pairs
from .sums import Softmax, Sums
from .view_pairs import Cache as Cache
from .view_pairs import Gradients as Gradients


def weigh(positive: Array, sums: Sums) -> tuple[Array, Softmax]:
    """ℓ_i = LSE_{j≠i,p} L_ij − L_ip, and the softmax over the same j.        [F1, F2]"""
    return sums.above(positive), sums.softmax(array_namespace(positive).ones_like(positive))


PLAN = view_pairs.Plan(
    name="dcl",
    source='Yeh et al. (2022), "Decoupled contrastive learning"',
    needs_negative=True,
    weigh=weigh,
    shows=("0.693147", "[ 0.   0.5 -1.   0.5]"),
)
forward = view_pairs.bind(PLAN, view_pairs.forward, view_pairs.FORWARD)
backward = view_pairs.bind(PLAN, view_pairs.backward, view_pairs.BACKWARD)
LOSS = view_pairs.declare(PLAN, forward, backward)
