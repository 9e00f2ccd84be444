"""The losses, one file each, by one contract.

    value, cache = ntxent.forward(w, temperature=0.1)     # value: a 0-d array, in nats
    grads = ntxent.backward(cache, upstream=1.0)          # a NamedTuple, one field per differentiable input
    value, grads = infonce_ref.value_and_grad(ntxent, w, temperature=0.1)     # in one call

Pure functions on arrays of any library that follows the array API standard (NumPy, CuPy, PyTorch, JAX); float32
stays float32, float64 stays float64. Every loss that sums over anchors takes a `reduction` of their losses; to
weight anchors, pass the weights as upstream: see `infonce_ref.reduction`. Overflow raises ValueError.

A cache shares no memory with the arguments, and serves any number of backward passes.

`ALL` maps each name to its entry, and tests, judge, lessons, figures and command take it from there.
"""

from ..registry import Loss as Loss
from ..registry import entries

# Every loss, in the order of reading: to add one, import it here.
# isort: off
from . import infonce as infonce
from . import ntxent as ntxent
from . import dcl as dcl
from . import hard_negative as hard_negative
from . import supcon as supcon
from . import query_key as query_key
from . import clip as clip
from . import siglip as siglip
from . import cpc as cpc
from . import soft_targets as soft_targets
from . import triplet as triplet
from . import byol as byol
from . import simsiam as simsiam
from . import alignment as alignment
from . import uniformity as uniformity
from . import spectral as spectral
from . import barlow_twins as barlow_twins
from . import vicreg as vicreg
from . import dhn_nce as dhn_nce
from . import instance as instance
from . import nce as nce
from . import instance_nce as instance_nce
# isort: on

ALL: dict[str, Loss] = entries(globals())
