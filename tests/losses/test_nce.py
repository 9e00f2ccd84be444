import numpy as np

from infonce_ref.losses import nce

LOSS = nce.LOSS
DRAWN = LOSS.example()


REFUSED = (DRAWN, [({"noise_scores": np.ones((3, 0))}, "noise_scores must not be empty")])
