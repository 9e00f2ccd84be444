"""The losses as modules: one class for each loss of the registry, with its usual name.

from infonce_ref.torch.nn import NTXentLoss

criterion = NTXentLoss(temperature=0.1)     # options by keyword, those of the function
loss = criterion(z1, z2)                    # the views apart, (B, d) each

NTXentLoss(temperature=0.1, streaming=True)                            in linear memory
NTXentLoss(temperature=0.1, gather=True)                               over all ranks of torch.distributed
NTXentLoss(temperature=0.1, gather=True, streaming=True)               each rank computes its share of the tiles
NTXentLoss(temperature=0.07, learn_temperature=True, max_scale=100)    as CLIP learns its scale

Queue(size=4096, features=128)    the keys of earlier batches, negatives of QueryKeyLoss
"""

from ..losses import ALL
from .modules import LossModule, module
from .queues import Queue as Queue

MODULES: dict[str, type[LossModule]] = {
    made.__name__: made for made in (module(loss, __name__) for loss in ALL.values())
}
globals().update(MODULES)
__all__ = [*MODULES, "Queue"]


def __getattr__(name: str) -> type[LossModule]:
    raise AttributeError(f"infonce_ref.torch.nn has no module {name!r}: it has {', '.join(__all__)}")
