"""A queue with the keys of earlier batches, MoCo's negatives (D3).

queue ← the last K of (queue, k)                                    [D3.37]

k    keys of the batch, of this rank or gathered from all, without gradient (n, d)
K    size: how many keys are kept
"""

from typing import TYPE_CHECKING, Any

import torch

from ..checks import check, check_count
from .ranks import gather as gather_rows


class Queue(torch.nn.Module):
    """The last keys of earlier batches, the negatives of a query.

        queue = Queue(size=4096, features=128)
        loss = QueryKeyLoss(temperature=0.07)(q, k.detach(), queue())
        queue.push(k)

    A call returns the keys, the earliest first: (n, features), none at the beginning. Call it before `push`;
    otherwise each query's own positive is among its negatives [D3.37]. `push` may come before the backward pass.
    The keys have no gradient; they are in `state_dict`, so that a resumed run continues with the same negatives.
    They are no buffer, because DistributedDataParallel would replace each rank's by those of rank 0.

    gather=True pushes the keys of all ranks of torch.distributed, on every rank the same; all ranks must push.
    """

    keys: torch.Tensor

    if TYPE_CHECKING:  # PyTorch's own annotation says that a call returns Any

        def __call__(self) -> torch.Tensor: ...

    def __init__(self, *, size: int, features: int, gather: bool = False):
        super().__init__()
        self.size, self.features = check_count("size", size), check_count("features", features)
        self.gather = gather
        self.keys = torch.empty(0, features)

    def forward(self) -> torch.Tensor:
        return self.keys

    @torch.no_grad()
    def push(self, keys: torch.Tensor) -> None:
        """Add the keys of a batch (n, features), and drop the earliest beyond the size."""
        keys = keys.detach()
        if self.gather:  # before any check: if one rank raised alone, the others would wait for ever
            (keys,) = gather_rows(["keys"], [keys], lambda: {"the number of keys": len(self.keys)})
        if keys.ndim != 2 or keys.shape[1] != self.features:
            raise ValueError(
                f"keys must have shape (n, {self.features}), the queue's features; got {tuple(keys.shape)}"
            )
        keys = keys.to(self.keys)
        check(keys=(keys, "n d"))
        # a new tensor, because a backward pass that is still to come may need the old one
        self.keys = torch.cat([self.keys, keys])[-self.size :]

    def _apply(self, change: Any, recurse: bool = True) -> "Queue":
        """Move the keys to another device or dtype with the module."""
        self.keys = change(self.keys)
        return super()._apply(change, recurse)

    def _save_to_state_dict(self, state: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(state, prefix, keep_vars)
        state[f"{prefix}keys"] = self.keys

    def _load_from_state_dict(self, state: dict[str, Any], prefix: str, *rest: Any) -> None:
        """Take as many keys as were saved, up to the size; PyTorch refuses any other shape."""
        saved = state.get(f"{prefix}keys")
        if torch.is_tensor(saved) and saved.shape[1:] == (self.features,) and len(saved) <= self.size:
            self.keys = self.keys.new_empty(len(saved), self.features)
        self._buffers["keys"] = self.keys
        super()._load_from_state_dict(state, prefix, *rest)
        self.keys = self._buffers.pop("keys")  # type: ignore[assignment]

    def extra_repr(self) -> str:
        return f"size={self.size}, features={self.features}" + (", gather=True" if self.gather else "")
