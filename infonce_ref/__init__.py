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


class OneTree:
    """Find every module of this package in the tree that the package itself was imported from.

    A clone has derivations/ and figures/ beside the package, a wheel has them within it. Another clone that is
    installed with `pip install -e` leaves a finder in sys.meta_path, which also finds these names, and any file
    that is missing here. Without OneTree, the proofs of one clone would check the code of another.
    """

    ROOMS = (f"{__name__}.derivations", f"{__name__}.figures")

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        if path is None or not name.startswith(f"{__name__}."):
            return None
        places = [_root(path[0])] if name in cls.ROOMS else path
        spec = PathFinder.find_spec(name, places, target)
        if spec is None or (name in cls.ROOMS and not spec.has_location):  # a folder without __init__.py
            raise ModuleNotFoundError(
                f"No module named {name!r} in {places[0]}, from which infonce_ref was imported, and other copies"
                " are not searched: add the missing files, or remove this folder from PYTHONPATH",
                name=name,
            )
        return spec


def _root(package: str) -> str:
    """The folder that holds derivations/ and figures/: of a clone its top level, of a wheel the package."""
    above = os.path.dirname(package)
    try:
        with open(os.path.join(above, "pyproject.toml"), encoding="utf-8") as project:
            return above if 'name = "infonce_ref"\n' in project.read() else package
    except OSError:
        return package


# before the finder of folders, so that a stray infonce_ref/derivations in a clone is not taken for the proofs
sys.meta_path.insert(next((i for i, f in enumerate(sys.meta_path) if f is PathFinder), 0), OneTree)

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
