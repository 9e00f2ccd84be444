"""infonce_ref: the InfoNCE family of contrastive losses in NumPy, with every equation checked.

    from infonce_ref.losses import ntxent          # forward and backward of each loss
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
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

__all__ = ["__version__", "explain", "information", "losses", "sphere", "streaming"]


# a clone has derivations/ and figures/ beside the package, a wheel has them within it
_CLONE = os.path.dirname(__path__[0])
if os.path.isfile(os.path.join(_CLONE, "pyproject.toml")):
    __path__.append(_CLONE)


class OneTree:
    """Find every module of this package in the tree that the package itself was imported from.

    Another clone that is installed with `pip install -e` leaves a finder in sys.meta_path, which also finds these
    names, and any file that is missing here. Without OneTree, the proofs of one clone would check the code of
    another.
    """

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        if path is None or not name.startswith(f"{__name__}."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or not spec.has_location:  # a folder without __init__.py
            raise ModuleNotFoundError(
                f"No module named {name!r} in {path[-1]}, from which infonce_ref was imported, and other copies"
                " are not searched: add the missing files, or remove this folder from PYTHONPATH",
                name=name,
            )
        return spec


sys.meta_path.insert(0, OneTree)

if TYPE_CHECKING:
    from . import information, losses, sphere, streaming
    from .explanation import explain
else:  # a type checker that saw this would accept every name

    def __getattr__(name: str) -> Any:
        if name == "explain":
            return import_module(".explanation", __name__).explain
        if name in __all__:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
