"""infonce_ref: the InfoNCE family of contrastive losses in NumPy, with every equation checked.

    from infonce_ref.losses import ntxent          # forward and backward of each loss
    from infonce_ref import streaming, information, sphere
    from infonce_ref import explain                # what a loss does to your own embeddings

Each room is imported when it is first asked for, so that a proof can be read without any of the code.

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

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["__version__", "explain", "information", "losses", "sphere", "streaming"]

if TYPE_CHECKING:
    from . import information, losses, sphere, streaming
    from .explanation import explain
else:  # a type checker that saw this would believe in every name

    def __getattr__(name: str) -> Any:
        if name == "explain":
            return import_module(".explanation", __name__).explain
        if name in __all__:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
