"""How similarities become a loss: every form that a report can name, each entered beside its formula."""

# in the order in which they are tried; each module enters its own
from . import softmax, weights, scores, mistakes  # isort: skip
from .head import HEADS, Head, Masks
from .scores import KERNEL

__all__ = ["HEADS", "KERNEL", "Head", "Masks", "mistakes", "scores", "softmax", "weights"]
