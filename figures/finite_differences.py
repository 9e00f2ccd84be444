"""No step of a finite difference shows an error in the eleventh digit; a complex step does.

The forward difference errs by about h, the central one by h², until rounding, ε/h, takes over: no step of the
central difference reaches more than about ten digits, so a wrong eleventh digit escapes it. The complex step,
Im 𝓛(w + ihv)/h, subtracts nothing and keeps every digit however small the step; but it needs a forward pass
that takes complex numbers, here the definition written out.

The error of a derivative of NT-Xent along a random direction, τ = 0.5, relative to the library's backward pass.
"""

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import ntxent

from . import style
from .views import define_ntxent

CLAIMS = ("D3.4", "M5")

TEMPERATURE = 0.5
EPS = style.EPS


def views() -> np.ndarray:
    return ntxent.LOSS.example(seed=3)["w"]


def direction() -> np.ndarray:
    v = np.random.default_rng(4).standard_normal(views().shape)
    return v / np.linalg.norm(v)


def loss(w: np.ndarray) -> float:
    """The library's forward pass."""
    return float(ntxent.forward(w, temperature=TEMPERATURE)[0])


def slope() -> float:
    """⟨∂𝓛/∂w, v⟩ from the library's backward pass."""
    return float(np.sum(ntxent.backward(ntxent.forward(views(), temperature=TEMPERATURE)[1]).w * direction()))


def forward_difference(h: float) -> float:
    return (loss(views() + h * direction()) - loss(views())) / h


def central_difference(h: float) -> float:
    return (loss(views() + h * direction()) - loss(views() - h * direction())) / (2 * h)


def complex_step(h: float) -> float:
    """Im 𝓛(w + ihv)/h of the definition as printed, which is analytic in w."""
    shares = define_ntxent(views() + 1j * h * direction(), TEMPERATURE, np.exp, np.sqrt)
    return float(np.mean(-np.log(shares)).imag / h)


METHODS = {of.__name__.replace("_", " "): of for of in (forward_difference, central_difference, complex_step)}


def error(method: str, h: float) -> float:
    """Relative to the backward pass; an exact 0 is shown as eps/8."""
    return max(abs(METHODS[method](h) / slope() - 1), EPS / 8)


def draw() -> Figure:
    figure, (axis,) = style.panels(1, width=7, height=4.2)
    steps = np.logspace(-16, 0, 65)
    first = error("forward difference", 1e-4) / 1e-4
    second = error("complex step", 1e-4) / 1e-8
    for h, height, words in (
        (np.array([1e-10, 1]), lambda h: first * h, "∝ h"),
        (np.array([1, 2e-8]), lambda h: second * h**2, "∝ h²"),
        (np.array([1e-3, 1e-16]), lambda h: EPS / h, "ε/h"),
    ):
        axis.plot(h, height(h), **style.RULE, linestyle=":")
        at = h[0] if h[0] < 1 else 1e-4
        style.note(axis, words, (at, height(at)), (5, -9))
    for i, method in enumerate(METHODS):
        axis.plot(steps, [error(method, h) for h in steps], **style.marker(i), label=method)
    axis.set(xscale="log", yscale="log", xlim=(5e-17, 2), ylim=(1e-17, 100))
    axis.set(xlabel="step h", title="Relative error of the derivative")
    axis.legend(loc="upper center")
    return figure
