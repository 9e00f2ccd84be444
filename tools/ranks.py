"""Measure the losses over ranks of torch.distributed, and write docs/ranks.md.

python tools/ranks.py
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from benchmark import read_resident
from repository import DOCS, write_table

from bridges.ranked import on_ranks  # isort: skip
from infonce_ref import losses, streaming
from infonce_ref.bridges import find_views
from infonce_ref.figures.measurements import describe_conditions
from infonce_ref.registry import Loss
from infonce_ref.torch import nn, ranks
from infonce_ref.torch.modules import name_of, options_of

PAGE = DOCS / "ranks.md"
PAIRS = {2: (4, 4), 3: (5, 2, 4)}  # pairs of each rank, for the errors
TILE = 2  # so that each rank has tiles of these few rows
ROWS, FEATURES = (8192, 16384), 128  # for the memory
STEPS = ("ntxent", "clip", "siglip")  # the losses whose memory is measured


class Case(NamedTuple):
    """loss · tiled: whether it streams · variant: options of the example and of the loss."""

    loss: Loss
    tiled: bool
    variant: Mapping[str, Any] = MappingProxyType({})

    @property
    def shown(self) -> list[str]:
        """Return the first columns of its row."""
        options = ", ".join(f"{name}={x!r}" for name, x in self.variant.items())
        return [f"`{name_of(self.loss)}({options})`", "streaming" if self.tiled else "plain"]

    def make(self, options: dict[str, Any], gather: bool, **tiles: Any) -> torch.nn.Module:
        """Return the loss as a module of float64 with a learned temperature."""
        learned = {"learn_temperature": True} if "temperature" in self.loss.differentiable else {}
        how = {"streaming": True, "tile": TILE, **tiles} if self.tiled else {}
        return getattr(nn, name_of(self.loss))(**options, **learned, **how, gather=gather).double()

    def batch(self, pairs: int) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
        """Return a module's options, and the tensors of its call, for this many pairs."""
        given = self.loss.example(rows=pairs, features=5, **self.variant)
        if both := find_views(self.loss):
            given |= dict(zip(("z1", "z2"), (given[both][:pairs], given[both][pairs:])))
        options = {p.name: given[p.name] for p in options_of(self.loss) if p.name in given}
        names = ("z1", "z2") if both else [n for n, x in given.items() if getattr(x, "ndim", 0)]
        return options, {name: torch.as_tensor(given[name]) for name in names}


COMPARED = [loss for loss in losses.ALL.values() if loss.compares]
CASES = [
    *(Case(loss, False) for loss in COMPARED),
    *(Case(loss, True) for loss in COMPARED if loss.name in streaming.ALL),
    *(Case(losses.ALL["supcon"], True, {"form": form}) for form in ("in", "pairs")),
]


def share_of(rank: int, pairs: tuple[int, ...], rows: int) -> slice:
    """Return a rank's share of some rows; a pair has one row or two."""
    each = rows // sum(pairs)
    return slice(each * sum(pairs[:rank]), each * sum(pairs[: rank + 1]))


def slopes(
    case: Case, tensors: dict[str, torch.Tensor], options: dict[str, Any], gather: bool
) -> tuple[float, list[torch.Tensor], int]:
    """Return the value, the gradients by a matrix that multiplies all rows and by the temperature, and the
    number of tiles of all passes.
    """
    ends: list[int] = []
    module = case.make(options, gather, progress=lambda done, to_do: ends.append(to_do * (done == to_do)))
    matrix = torch.eye(5, dtype=torch.float64).requires_grad_()
    value = module(**{name: x @ matrix if x.ndim == 2 else x for name, x in tensors.items()})
    value.backward()
    return value.item(), [matrix.grad, *(p.grad for p in module.parameters())], sum(ends)


def average(gradients: list[torch.Tensor]) -> list[torch.Tensor]:
    """Return the mean over ranks, as DistributedDataParallel does."""
    for x in gradients:
        torch.distributed.all_reduce(x)
    return [x / torch.distributed.get_world_size() for x in gradients]


Answer = tuple[float, list[Any], int]  # value, gradients, tiles


def every_case(rank: int, pairs: tuple[int, ...]) -> list[Answer]:
    """Return the value, the averaged gradients and the tiles of this rank, for each case."""
    answers = []
    for case in CASES:
        options, tensors = case.batch(sum(pairs))
        own = {name: x[share_of(rank, pairs, len(x))] for name, x in tensors.items()}
        value, found, tiles = slopes(case, own, options, True)
        answers.append((value, [x.numpy() for x in average(found)], tiles))
    return answers


class Compared(NamedTuple):
    """value, gradient: the relative errors against one process, the gradient's relative to its largest entry ·
    share: the part of one process's tiles, 0 if the loss does not stream.
    """

    value: float
    gradient: float
    share: float


def compare(case: Case, pairs: tuple[int, ...], answer: Answer) -> Compared:
    """Compare the answer of a rank with that of one process."""
    options, tensors = case.batch(sum(pairs))
    value, right, tiles = slopes(case, tensors, options, False)
    wrong = [torch.as_tensor(x) - y for x, y in zip(answer[1], right, strict=True)]
    of_gradients = max(float(x.abs().max() / y.abs().max()) for x, y in zip(wrong, right))
    return Compared(
        abs(answer[0] - value) / (1 + abs(value)), of_gradients, answer[2] / tiles if case.tiled else 0.0
    )


# --- memory and messages ---------------------------------------------------------------------------------


class Cost(NamedTuple):
    """memory: peak of a step in MB, beyond the inputs · sent: MB that a rank sends to the others."""

    memory: float
    sent: float


def step(module: torch.nn.Module, tensors: list[torch.Tensor]) -> None:
    module(*(x.requires_grad_() for x in tensors)).backward()


def measure_step(rank: int, name: str, tiled: bool, rows: int, count: int) -> Cost:
    """Measure a step of this rank, with its share of the rows."""
    how = {"streaming": True} if tiled else {}
    bias = {"bias": -10.0} if name == "siglip" else {}
    module = getattr(nn, name_of(losses.ALL[name]))(temperature=0.1, gather=True, **how, **bias)
    own = rows // count // (2 if find_views(losses.ALL[name]) else 1)
    random = torch.Generator().manual_seed(rank)

    def draw(n: int) -> list[torch.Tensor]:
        return [torch.nn.functional.normalize(torch.randn(n, FEATURES, generator=random)) for _ in range(2)]

    step(module, draw(8))  # a first step, which imports what it needs
    given = draw(own)
    sent = []
    exchange = ranks.exchange

    def count_sent(parts: Any, counts: Any) -> Any:
        sent.extend(x.nbytes for to, x in enumerate(parts) if to != rank)
        return exchange(parts, counts)

    ranks.exchange = count_sent
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before = read_resident("VmRSS")
    step(module, given)
    return Cost(read_resident("VmHWM") - before, sum(sent) / 2**20)


# --- the page --------------------------------------------------------------------------------------------

ABOUT = """\
# Losses over ranks, measured

Written by `python tools/ranks.py`; do not edit. Measured: {conditions}.
[In training](in-training.md) shows how to use them.

## The gradient

Of each loss that compares rows, with `gather=True`, in float64: the largest relative error of the value, of the
gradient by the rows' encoder and of that by the temperature, after the mean over ranks, against one process with
the whole batch. Two processes of gloo have 4 pairs each, three have 5, 2 and 4. Streaming losses have tiles of
{tile} rows. "Tiles" is the largest share of one process's tiles that a rank computes. The gradient by a temperature
is ill-conditioned, as it sums terms of both signs; the largest errors are its.

"""
MEMORY = """
## Memory and messages

For a step, forward and backward, at τ = 0.1 with {features} features in float32: the largest growth of a rank's
resident memory beyond that with its inputs, and the data that each rank sends to the others. The number of rows is
that of both views together for NT-Xent, and that of images, with as many texts, for CLIP and SigLIP. The rows'
features take {megabytes}. A streaming loss keeps up to 128 MB of tiles for its second pass on each rank.

"""


def tell_errors() -> str:
    answers = {pairs: on_ranks(every_case, count, pairs) for count, pairs in PAIRS.items()}
    rows = []
    for k, case in enumerate(CASES):
        shown = case.shown
        for pairs, of_ranks in answers.items():
            found = [compare(case, pairs, of_rank[k]) for of_rank in of_ranks]
            shown.append(f"{max(max(x.value, x.gradient) for x in found):.0e}")
            shown.append(f"{max(x.share for x in found):.0%}" if case.tiled else "")
        rows.append(shown)
    head = [x for count in PAIRS for x in (f"error, {count} ranks", "tiles")]
    return write_table(["loss", "", *head], rows)


def tell_costs() -> str:
    rows = []
    for name in STEPS:
        for tiled in (False, True):
            for n in ROWS if tiled else ROWS[:1]:
                shown = [f"`{name_of(losses.ALL[name])}`", "streaming" if tiled else "plain", f"{n:,}"]
                for count in (1, *PAIRS):
                    costs = on_ranks(measure_step, count, name, tiled, n, count)
                    shown.append(f"{max(x.memory for x in costs):,.0f} MB")
                    if count > 1:
                        shown.append(f"{max(x.sent for x in costs):.1f} MB")
                rows.append(shown)
    head = [x for count in PAIRS for x in (f"each of {count}", "sends")]
    return write_table(["loss", "", "rows", "one process", *head], rows)


def main() -> None:
    costs = tell_costs()  # first, in a new process
    features = " and ".join(f"{n * FEATURES * 4 / 2**20:.0f} MB for {n:,}" for n in ROWS)
    PAGE.write_text(
        ABOUT.format(conditions=describe_conditions("numpy", "torch"), tile=TILE)
        + tell_errors()
        + MEMORY.format(features=FEATURES, megabytes=features)
        + costs,
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
