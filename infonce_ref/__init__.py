"""infonce_ref: the InfoNCE family of contrastive losses in NumPy, with every equation checked.

    from infonce_ref.losses import ntxent          # forward and backward of each loss
    from infonce_ref import value_and_grad         # both in one call
    from infonce_ref import streaming, information, sphere
    from infonce_ref import explain                # what a loss does to your own embeddings

Each subpackage is imported on first use, so that the proofs can be read without importing the code.

An id such as [D3.4] beside an equation names a row of the ledger: `infonce-ref ledger D3.4` shows what was checked.
Its letters, and "Source: D3" in a docstring, name the document:

    D1  InfoNCE Loss Derivation, a report, in Italian and English
    D2  对比学习损失函数InfoNCE, a blog post, in Chinese
    D3  Sesión 5.0 Self-supervised learning, lecture slides, in Spanish
    D4  DHN-NCE Loss, notes
    P   The bound log N − 𝓛 on mutual information
    M   What the documents leave out
    S   Numerically right forms
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

__all__ = ["__version__", "explain", "information", "losses", "sphere", "streaming", "value_and_grad"]

WITHIN = {"explain": ".explanation", "value_and_grad": ".contract"}

# A clone has derivations/ and figures/ beside the package, a wheel within it. Python looks for every module of the
# package in these folders alone, so that code and proofs are of one tree whatever else is installed.
_CLONE = os.path.dirname(__path__[0])
if os.path.isfile(os.path.join(_CLONE, "pyproject.toml")):
    __path__.append(_CLONE)


if TYPE_CHECKING:
    from . import information, losses, sphere, streaming
    from .contract import value_and_grad
    from .explanation import explain
else:  # a type checker that saw this would accept every name

    def __getattr__(name: str) -> Any:
        if name in WITHIN:
            return getattr(import_module(WITHIN[name], __name__), name)
        if name in __all__:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
