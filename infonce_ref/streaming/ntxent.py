"""NT-Xent (D3) tile by tile: the value and gradients of `losses.ntxent` in linear memory.

s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖)                                      [D3.3]
ℓ_i  = −log e^{s_ip/τ} / Σ_{k≠i} e^{s_ik/τ},   p = p(i)             [D3.2]
𝓛    = (1/2B) Σ_i ℓ_i                                               [D3.4]

w    rows of any length but 0; each has its partner p(i) among them         (2B, d)
τ    temperature                                                            > 0
𝓛    nats
"""

from . import sums, view_pairs
from .view_pairs import Cache as Cache
from .view_pairs import Gradients as Gradients

PLAN = view_pairs.Plan(
    name="ntxent",
    source="D3, NT-Xent and SimCLR's Algorithm 1",
    needs_negative=False,
    weigh=sums.compute_losses,  # ℓ_i against all rows but itself and its partner  [D3.2]
    shows=("1.098612", "[ 0.      0.3333 -0.6667  0.3333]"),
)
forward = view_pairs.bind(PLAN, view_pairs.forward, view_pairs.FORWARD)
backward = view_pairs.bind(PLAN, view_pairs.backward, view_pairs.BACKWARD)
LOSS = view_pairs.declare(PLAN, forward, backward)
