"""The algorithms, one file each, line by line as printed, on real images; gradients by hand. To those of the
documents come Barlow Twins, VICReg, SupCon and SigLIP.

    run = train.begin(ALL["simclr"], seed=0)
    for run in train.steps(run, 600): ...                   # run.state, run.losses
    evaluate.measure(...)                                   # what was learned, on held-out images

`ALL` maps each name to its entry. The images come with scikit-learn, the extra [lab].
"""

from . import (
    barlow_twins,
    byol,
    clip,
    colourisation,
    context_prediction,
    instance_discrimination,
    jigsaw,
    moco,
    rotation,
    siglip,
    simclr,
    simsiam,
    supcon,
    vicreg,
)
from .parts.registry import Algorithm

ALL: dict[str, Algorithm] = {
    module.ALGORITHM.name: module.ALGORITHM
    for module in (
        simclr,
        instance_discrimination,
        moco,
        byol,
        simsiam,
        barlow_twins,
        vicreg,
        supcon,
        clip,
        siglip,
        rotation,
        colourisation,
        jigsaw,
        context_prediction,
    )
}

__all__ = ["ALL", "Algorithm"]
