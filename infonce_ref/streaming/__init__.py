"""The losses tile by tile: the values and gradients of `infonce_ref.losses` in linear memory, by its contract.

    value, cache = ntxent.forward(w, temperature=0.1)     # tile=None, progress=None
    grads = ntxent.backward(cache, upstream=1.0)

For arrays that can be written in place: NumPy's, memory-mapped ones too, CuPy's and PyTorch's. The algorithm is
told at the head of `tiles.py`. `ALL` maps each name to its entry, as `infonce_ref.losses.ALL` does.
"""

from ..registry import Loss
from . import clip, infonce, ntxent, query_key

ALL: dict[str, Loss] = {module.LOSS.name: module.LOSS for module in (infonce, ntxent, query_key, clip)}

__all__ = ["ALL", "Loss", "clip", "infonce", "ntxent", "query_key"]
