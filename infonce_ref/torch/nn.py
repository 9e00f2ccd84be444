"""The losses as modules: one class for each loss of the registry, with its usual name.

from infonce_ref.torch.nn import NTXentLoss

criterion = NTXentLoss(temperature=0.1)     # options by keyword, those of the function
loss = criterion(z1, z2)                    # the views apart, (B, d) each

NTXentLoss(temperature=0.1, streaming=True)                            in linear memory
NTXentLoss(temperature=0.1, gather=True)                               over all ranks of torch.distributed
NTXentLoss(temperature=0.1, gather=True, streaming=True)               each rank computes its share of the tiles
NTXentLoss(temperature=0.07, learn_temperature=True, max_scale=100)    as CLIP learns its scale

InfoNCELoss(temperature=0.1)        what most libraries call InfoNCE: the rows of CLIP's loss, of two views [M41];
                                    D1's loss, with the anchor in its own denominator, is UnmaskedInfoNCELoss

Queue(size=4096, features=128)    the keys of earlier batches, negatives of QueryKeyLoss
"""

from ..losses import ALL
from .modules import EXTRA, LossModule, module
from .queues import Queue as Queue

INFONCE = module(
    ALL["clip"],
    __name__,
    name="InfoNCELoss",
    fixed={"symmetric": False},
    views={"z1": "image", "z2": "text"},
    __doc__=f"""What most libraries call InfoNCE: which row of z2 is the other view of each row of z1? [M41]

    ℓ_i = −log e^{{z1_i·z2_i/τ}} / Σ_j e^{{z1_i·z2_j/τ}},   rows divided by their lengths
    𝓛 = (1/B) Σ_i ℓ_i

A call takes z1, z2, (B, d) each, and keep as CLIPLoss does. Options are those of CLIPLoss without symmetric.

    {EXTRA["learn_temperature"]}""",
)
MODULES: dict[str, type[LossModule]] = {
    made.__name__: made for made in (INFONCE, *(module(loss, __name__) for loss in ALL.values()))
}
globals().update(MODULES)
__all__ = [*MODULES, "Queue"]


def __getattr__(name: str) -> type[LossModule]:
    raise AttributeError(f"infonce_ref.torch.nn has no module {name!r}: it has {', '.join(__all__)}")
