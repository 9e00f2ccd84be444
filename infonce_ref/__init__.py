"""infonce_ref: the InfoNCE family of contrastive losses in NumPy, with every equation checked.

    from infonce_ref.losses import ntxent          # forward and backward of each loss
    from infonce_ref import streaming, information, sphere

Each room is imported when it is first asked for, so that a proof can be read without any of the code.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["__version__", "information", "losses", "sphere", "streaming"]

if TYPE_CHECKING:
    from . import information, losses, sphere, streaming
else:  # a type checker that saw this would believe in every name

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
