"""A loss beside the formula that was found of it, without a whole check."""

import numpy as np

from infonce_ref.conformance.asking import Way, example
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Found, Reduction
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def log_sums(logits):
    top = logits.max(axis=1)
    return np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top


def cpc(x, y, temperature=0.3, positive=None):
    logits = unit(x) @ unit(y).T
    return (log_sums(logits / temperature) - np.diag(logits) / (positive or temperature)).mean()


def each(x, y, temperature=0.3):
    logits = unit(x) @ unit(y).T / temperature
    return log_sums(logits) - np.diag(logits)


CPC = Formula(("positive", "other view"), anchors="first")
UNKNOWN = Reduction("unknown", 1.0)
POINT = example("views", 4)


def nearest(loss, way="two", tau=0.3, library="numpy", backward=None, formula=CPC, **fields):
    """The loss beside this formula, by default the mean over the anchors."""
    rest = {
        "reduction": Reduction("mean", 1.0),
        "shift": 0.0,
        "residual": 1e-15,
        "tolerance": 1e-10,
        **fields,
    }
    found = Found(formula, tau, rest.pop("second", None), candidates=4, size=4, **rest)
    session = Session(target(loss, {}, backward), library)
    return Nearest(Way(way, session), None, found, None, "float64")


def needs_even(x, y):
    if len(x) % 2:
        raise ValueError("an even batch is needed")
    return cpc(x, y)


def scores_alone(scores):
    return (log_sums(scores) - np.diag(scores)).mean()
