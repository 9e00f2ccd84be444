"""nce: distinguish data from noise by their scores."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from ..case import Case
from .identity import Sides, Terms, float64, follows, weight


def gradient(case: Case) -> dict[str, Terms]:
    """D3.18, D3.10: −(1 − h)/n for the data and h/n for the noise, h = e^u/(e^u + m p_n)."""
    data, noise, log_data, log_noise = float64(
        case, "data_scores", "noise_scores", "log_noise_data", "log_noise"
    )
    n, m = noise.shape
    scale = weight(case, n)
    left = -scale * expit(np.log(m) + log_data - data)
    right = scale * expit(noise - log_noise - np.log(m))
    return {"data_scores": (left, np.abs(left)), "noise_scores": (right, np.abs(right))}


def relative_to_the_noise(case: Case) -> Iterator[Sides]:
    """D3.10: the loss depends on u and p_n only through u − log p_n."""
    names = ("data_scores", "noise_scores", "log_noise_data", "log_noise")
    yield from follows(case, case.at(**{name: case.arguments[name] + case.dtype.type(1) for name in names}))


def normalised_by_itself(case: Case) -> Iterator[Sides]:
    """M24: the expected gradient vanishes at e^u = p_d, that is at h = P_d/(P_d + m P_n)."""
    # two symbols: P_d = (¾, ¼) as 4 data, P_n = (½, ½) as 2 noise samples for each
    data, noise = np.array([0, 0, 0, 1]), np.array([[0, 1]] * 4)
    u, log_half = np.log([0.75, 0.25]).astype(case.dtype), np.log([0.5]).astype(case.dtype)[0]
    best = case.at(
        data_scores=u[data],
        noise_scores=u[noise],
        log_noise_data=np.full_like(u[data], log_half),
        log_noise=np.full_like(u[noise], log_half),
    )
    got = best.gradients()
    for symbol in (0, 1):
        parts = got["data_scores"][data == symbol], got["noise_scores"][noise == symbol]
        for name in got:
            yield name, np.sum(np.append(*parts)), 0.0, np.sum(np.abs(np.append(*parts)))


IDENTITIES = (relative_to_the_noise, normalised_by_itself)
