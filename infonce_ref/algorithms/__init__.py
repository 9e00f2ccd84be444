"""The algorithms, one file each, line by line as printed, on real images; gradients by hand. To those of the
documents come Barlow Twins, VICReg, SupCon and SigLIP.

    run = train.begin(ALL["simclr"], seed=0)
    for run in train.steps(run, 600): ...                   # run.state, run.losses
    evaluate.measure(...)                                   # what was learned, on held-out images

`ALL` maps each name to its entry. The images come with scikit-learn, the extra [lab].
"""

from importlib import import_module

from .parts.registry import Algorithm

NAMES = ["simclr", "instance_discrimination", "moco", "byol", "simsiam", "barlow_twins", "vicreg", "supcon"]
NAMES += ["clip", "siglip", "rotation", "colourisation", "jigsaw", "context_prediction"]
ALL: dict[str, Algorithm] = {name: import_module(f".{name}", __name__).ALGORITHM for name in NAMES}

__all__ = ["ALL", "Algorithm"]
