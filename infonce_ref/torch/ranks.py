"""Gather the rows of all ranks of `torch.distributed`, and send their gradients back.

    gather([z1, z2])[k] = (rows of rank 0, of rank 1, …) of tensor k            the same on every rank
    backward: a row of rank r gets Σ_s ∂𝓛_s/∂row, over the losses 𝓛_s of all ranks

If every rank computes the loss 𝓛 of the whole batch from what it gathered, the mean over R ranks that
DistributedDataParallel takes leaves (1/R) Σ_s ∂𝓛_s/∂θ = ∂𝓛/∂θ, the gradient of one process, for rows and for a
temperature alike. Without the gradient of gathered rows the result is another gradient: R2. For a plain loss every
rank computes all scores; for a streaming loss each computes its share of the tiles, by `share` and
`streaming/ranks.py`.

The sums run in the order of the ranks, so that the result does not depend on the order of arrival. Ranks may have
different numbers of rows. Any other difference of shape, dtype, option or learned number raises the same ValueError
on every rank.
"""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.distributed as dist

from ..streaming.ranks import share_tiles


def count_ranks() -> int:
    """The number of ranks; 1 without a process group."""
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1


def gather(
    names: Sequence[str], tensors: Sequence[torch.Tensor], settings: Callable[[], dict[str, Any]] = dict
) -> list[torch.Tensor]:
    """Return each tensor (n, …) with the rows of all ranks, in the order of the ranks.

    Without a process group, or as its only rank, return the tensors. names: for messages. settings(): settings by
    name that must agree on all ranks. All ranks must call it, in the same order, and all must call backward, if one
    does.
    """
    if count_ranks() == 1:
        return list(tensors)
    here = [(x.shape[:1], x.shape[1:], x.dtype, x.requires_grad and torch.is_grad_enabled()) for x in tensors]
    there: list[Any] = [None] * count_ranks()
    # exchange one message before any rows: if one rank raised alone, the others would wait for ever
    dist.all_gather_object(there, (settings(), here))
    check_settings([own for own, _ in there])
    of_ranks = [of_rank for _, of_rank in there]
    check_rows(names, of_ranks)
    counts = tuple(came[0][0][0] for came in of_ranks)
    return [Gather.apply(counts, x) for x in tensors]


def check_settings(of_ranks: Sequence[Mapping[str, Any]]) -> None:
    """Raise ValueError unless the settings of all ranks agree."""
    for rank, own in enumerate(of_ranks):
        for name, first in of_ranks[0].items():
            if not agree(own.get(name), first):
                raise ValueError(
                    f"{name} must be the same on all ranks; rank {rank} has {own.get(name)}, rank 0 has {first}: "
                    "build the same loss on all, wrap it in DistributedDataParallel if it learns, give all one mask"
                )


def agree(x: Any, y: Any) -> bool:
    """Return whether two settings agree. Numbers may differ by 1e-6, 8 eps of float32, because different machines
    may round a learned temperature differently.
    """
    if isinstance(x, float) and isinstance(y, float):
        return math.isclose(x, y, rel_tol=1e-6) or (math.isnan(x) and math.isnan(y))
    return bool(x == y)


def check_rows(names: Sequence[str], of_ranks: Sequence[Any]) -> None:
    """Raise ValueError unless each tensor has the same kind on all ranks, and all tensors of a rank have the
    same number of rows.
    """
    for rank, came in enumerate(of_ranks):
        for name, first, its in zip(names, of_ranks[0], came):
            if its[0] != came[0][0] or not its[0]:
                raise ValueError(
                    f"{name} must have one row for each of {names[0]}; on rank {rank} they have the shapes "
                    f"{(*its[0], *its[1])} and {(*came[0][0], *came[0][1])}: give both the same first axis"
                )
            if its[1:] != first[1:]:
                raise ValueError(
                    f"{name} must agree in shape of a row, dtype and requires_grad; rank {rank} has "
                    f"{tuple(its[1])}, {its[2]}, {its[3]}, rank 0 has {tuple(first[1])}, {first[2]}, {first[3]}: "
                    "give all ranks the same kind of batch"
                )


class Gather(torch.autograd.Function):
    """Gather the rows of all ranks, `counts` of each. Its adjoint is `SumOverRanks`, so it has every derivative."""

    @staticmethod
    def forward(ctx: Any, counts: tuple[int, ...], x: torch.Tensor) -> torch.Tensor:
        ctx.counts = counts
        return torch.cat(exchange([x] * len(counts), counts))

    @staticmethod
    def backward(ctx: Any, *upstream: torch.Tensor) -> tuple:
        return None, SumOverRanks.apply(ctx.counts, *upstream)


class SumOverRanks(torch.autograd.Function):
    """Return this rank's rows of the sum of a tensor over ranks."""

    @staticmethod
    def forward(ctx: Any, counts: tuple[int, ...], x: torch.Tensor) -> torch.Tensor:
        ctx.counts = counts
        own = (counts[dist.get_rank()],) * len(counts)
        return add_in_order(exchange(list(x.split(counts)), own))

    @staticmethod
    def backward(ctx: Any, *upstream: torch.Tensor) -> tuple:
        return None, Gather.apply(ctx.counts, *upstream)


def share(value: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Make each rank compute only its share of the tiles of a streaming loss of gathered tensors."""

    def of_share(**given: Any) -> torch.Tensor:
        if (count := count_ranks()) == 1:
            return value(**given)
        with share_tiles(Peers(dist.get_rank(), count)):
            own = value(**given)
        # The value is the same on every rank, so averaging it over ranks does not change it. But it gives
        # every share of the gradient the same upstream, the mean of the ranks' upstreams, which may differ.
        return add_in_order(Gather.apply((1,) * count, own[None]).unbind()) / count

    return of_share


@dataclass
class Peers:
    """The implementation of `streaming.ranks.Peers` on torch.distributed."""

    rank: int
    count: int

    def exchange(self, parts: Sequence[Any], counts: Sequence[int]) -> list[Any]:
        came = exchange([torch.as_tensor(part) for part in parts], counts)
        return [x.numpy() for x in came] if isinstance(parts[0], np.ndarray) else came


def add_in_order(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    """Add the parts in the order of the ranks, so that the rounding is reproducible."""
    return functools.reduce(torch.add, parts)


def exchange(parts: Sequence[torch.Tensor], counts: Sequence[int]) -> list[torch.Tensor]:
    """Send part s to rank s, and return the parts received from the ranks. counts: the number of rows from each."""
    one = parts[0]
    row = one.shape[1:].numel() * one.element_size()  # bytes
    # as bytes, because every backend can send these, whatever the dtype
    sent = torch.cat([part.contiguous().reshape(-1).view(torch.uint8) for part in parts])
    came = sent.new_empty(sum(counts) * row)
    dist.all_to_all_single(came, sent, [count * row for count in counts], [len(part) * row for part in parts])
    shaped = zip(came.split([count * row for count in counts]), counts)
    return [x.clone().view(one.dtype).reshape(count, *one.shape[1:]) for x, count in shaped]
