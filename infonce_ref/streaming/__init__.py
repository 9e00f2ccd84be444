"""The losses tile by tile: the values and gradients of `infonce_ref.losses` in linear memory, by its contract.

    value, cache = ntxent.forward(w, temperature=0.1)     # tile=None, progress=None
    grads = ntxent.backward(cache, upstream=1.0)

tile: rows of a tile's side, even where partners stay together, or queries with their own negatives; chosen from
the cache if None. progress(done, to_do): called after each round of tiles, of each pass; SupCon has one over the
positives and one over the negatives. A tile below 1 and JAX arrays raise ValueError.

For arrays that can be written in place: NumPy's (also memory-mapped), CuPy's and PyTorch's; `kernels.py` is for
float32 tensors on a GPU. The docstring of `tiles.py` explains the algorithm, and which tiles are kept between the
passes: up to 128 MB for each set of scores (SupCon has two sets). At most three blocks of memory, these and the
work space, stay for the next call: `infonce_ref.memory.IDLE.clear()` frees them.
`ALL` maps each name to its entry, as `infonce_ref.losses.ALL` does.
"""

from ..registry import Loss as Loss
from ..registry import entries

# Every loss that streams: to add one, import it here.
# isort: off
from . import infonce as infonce
from . import ntxent as ntxent
from . import dcl as dcl
from . import supcon as supcon
from . import query_key as query_key
from . import clip as clip
from . import siglip as siglip
# isort: on

ALL: dict[str, Loss] = entries(globals())
