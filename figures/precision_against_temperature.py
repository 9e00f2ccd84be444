"""At a small τ the textbook's form loses every digit; without a subtraction it keeps them.

The textbook's LSE − s_p and P_p − 1 subtract nearly equal numbers: as the softmax cools and the loss goes to 0,
digit after digit is lost, until the value is exactly 0, an error of 1, and the gradient lacks the pull of the
positives altogether. PyTorch's cross entropy does the same. Written as softplus(LSE of the negatives − s_p), and
as a sum of the negatives' probabilities, nothing cancels, and the error stays within 64 ε max(1, 1/τ), the shaded
part: the rounded logits carry an error of ε/τ already.

The relative error of NT-Xent's value and of its gradient, in float64, against 50 digits, on six rows whose pairs
nearly coincide.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import ntxent

from . import measurements, style
from .views import define_ntxent

CLAIMS = ("S1", "S2", "S3")

TEMPERATURES = tuple(float(f"{t:.2g}") for t in np.geomspace(0.005, 10, 12))
EPS = style.EPS
STEP = mpmath.mpf("1e-30")

Evaluated = tuple[float, np.ndarray]  # 𝓛 and ∂𝓛/∂w


def views() -> np.ndarray:
    """Three pairs, nearly orthogonal to each other, whose rows differ by a tenth."""
    return np.concatenate([np.eye(3)] * 2) + 0.1 * np.random.default_rng(0).standard_normal((6, 3))


def library(tau: float) -> Evaluated:
    value, cache = ntxent.forward(views(), temperature=tau)
    return float(value), ntxent.backward(cache).w


def textbook(tau: float) -> Evaluated:
    """LSE over all candidates − s_p, and P − 1[positive], in float64, after subtracting the largest logit."""
    w = views()
    n, norm = len(w), np.linalg.norm(w, axis=1, keepdims=True)
    z, rows = w / norm, np.arange(len(w))
    partner = (rows + n // 2) % n
    logits = z @ z.T / tau
    logits[rows, rows] = -np.inf
    largest = logits.max(axis=1, keepdims=True)
    lse = largest + np.log(np.exp(logits - largest).sum(axis=1, keepdims=True))
    value = np.mean(lse[:, 0] - logits[rows, partner])
    g = np.exp(logits - lse)
    g[rows, partner] -= 1
    dz = (g + g.T) @ z / (n * tau)
    return float(value), (dz - z * np.sum(z * dz, axis=1, keepdims=True)) / norm


def pytorch(tau: float) -> Evaluated:
    """cross_entropy on the masked logits, and autograd: the usual five lines."""
    import torch
    from torch.nn import functional

    w = torch.tensor(views(), requires_grad=True)
    z = functional.normalize(w)
    logits = (z @ z.T / tau).masked_fill(torch.eye(len(w), dtype=torch.bool), -torch.inf)
    value = functional.cross_entropy(logits, torch.arange(len(w)).roll(len(w) // 2))
    (gradient,) = torch.autograd.grad(value, w)
    return value.item(), gradient.numpy()


@cache
def exact(tau: float) -> tuple[mpmath.mpf, list[mpmath.mpf]]:
    """From the definition: 𝓛 = −(1/2B) Σ log P_ip, and its central differences, to more than 50 digits."""
    exp, sqrt, log, exactly = (
        np.frompyfunc(of, 1, 1) for of in (mpmath.exp, mpmath.sqrt, mpmath.log, mpmath.mpf)
    )
    w = exactly(views())

    def loss(step: Any) -> mpmath.mpf:
        return -np.mean(log(define_ntxent(w + step, tau, exp, sqrt)))

    # 50 digits of a number STEP times as large as a loss, which may be as small as e^{−1/τ}
    with mpmath.workdps(80 + int(1 / tau)):
        steps = [exactly(one.reshape(w.shape)) * STEP for one in np.eye(w.size)]
        return loss(0), [(loss(step) - loss(-step)) / (2 * STEP) for step in steps]


def errors(evaluated: Evaluated, truth: tuple[mpmath.mpf, list[mpmath.mpf]]) -> tuple[float, float]:
    """Relative errors of the value and of the gradient, in the Euclidean norm."""
    value, gradient = evaluated
    away = [x - y for x, y in zip(gradient.ravel().tolist(), truth[1])]
    return float(abs(value / truth[0] - 1)), float(mpmath.norm(away) / mpmath.norm(truth[1]))


def measure() -> list[dict]:
    """Measure PyTorch's numbers on this machine, which are kept beside this file."""
    runs = {tau: pytorch(tau) for tau in TEMPERATURES}
    return [{"temperature": t, "value": v, "gradient": g.tolist()} for t, (v, g) in runs.items()]


def read() -> dict[float, Evaluated]:
    runs = measurements.read(__file__)
    return {run["temperature"]: (run["value"], np.array(run["gradient"])) for run in runs}


def draw() -> Figure:
    figure, axes = style.panels(2)
    truth = {tau: exact(tau) for tau in TEMPERATURES}
    ways: dict[str, Callable[[float], Evaluated]] = {
        "this library": library,
        "textbook": textbook,
        "PyTorch": read().__getitem__,
    }
    tolerance = [64 * EPS * max(1, 1 / tau) for tau in TEMPERATURES]
    for axis, part, words in zip(axes, (0, 1), ("value", "gradient")):
        axis.fill_between(TEMPERATURES, tolerance, 1e-18, color=style.GREY, alpha=0.15, linewidth=0)
        for i, (name, way) in enumerate(ways.items()):
            # an exact result has no place on a logarithmic axis: it is shown at ε/16
            error = [max(errors(way(tau), truth[tau])[part], EPS / 16) for tau in TEMPERATURES]
            axis.plot(TEMPERATURES, error, **style.line(i) | style.marker(i) | style.line(i), label=name)
        axis.set(title=f"Relative error of the {words}", xlabel="temperature τ", xscale="log", yscale="log")
        axis.set(ylim=(EPS / 32, 10))
    axes[0].legend(loc="upper right")
    return figure


if __name__ == "__main__":
    measurements.write(__file__, measure(), "torch")
