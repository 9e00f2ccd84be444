"""infonce_ref: the InfoNCE family of contrastive losses in NumPy, with every equation checked."""

from . import information, losses, sphere, streaming

__version__ = "0.1.0"

__all__ = ["__version__", "information", "losses", "sphere", "streaming"]
