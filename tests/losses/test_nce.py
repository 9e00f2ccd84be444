import numpy as np

from infonce_ref.losses import nce

LOSS = nce.LOSS
DRAWN = LOSS.example()


REFUSED = (
    DRAWN,
    [
        ({"noise_scores": np.ones((2, 4))}, "must agree in n"),
        ({"log_noise": np.zeros((3, 2))}, "must agree in m"),
        ({"noise_scores": np.ones((3, 0))}, "noise_scores must not be empty"),
        ({"log_noise_data": np.full(3, -np.inf)}, "log_noise_data must be finite"),
        ({"log_noise": np.zeros((3, 4), dtype=np.float32)}, "must share one dtype"),
        ({"data_scores": np.ones((3, 1))}, "data_scores must have shape"),
    ],
)
