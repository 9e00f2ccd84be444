"""Measure what a step over ranks of torch.distributed costs: docs/ranks.md has the table, which no test can fix.

python tools/ranks.py
"""

from pathlib import Path
from typing import Any, NamedTuple

import torch
from benchmark import read_resident
from repository import write_table

from bridges.ranked import on_ranks  # isort: skip
from infonce_ref import losses
from infonce_ref.bridges import find_views
from infonce_ref.figures.measurements import describe_conditions
from infonce_ref.torch import nn, ranks
from infonce_ref.torch.modules import name_of

ROWS, FEATURES = (8192, 16384), 128
STEPS = ("ntxent", "clip", "siglip")
RANKS = (2, 3)


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


def tell_costs() -> str:
    rows = []
    for name in STEPS:
        for tiled in (False, True):
            for n in ROWS if tiled else ROWS[:1]:
                shown = [f"`{name_of(losses.ALL[name])}`", "streaming" if tiled else "plain", f"{n:,}"]
                for count in (1, *RANKS):
                    costs = on_ranks(measure_step, count, name, tiled, n, count)
                    shown.append(f"{max(x.memory for x in costs):,.0f} MB")
                    if count > 1:
                        shown.append(f"{max(x.sent for x in costs):.1f} MB")
                rows.append(shown)
    head = [x for count in RANKS for x in (f"each of {count}", "sends")]
    return write_table(["loss", "", "rows", "one process", *head], rows)


if __name__ == "__main__":
    print(tell_costs(), describe_conditions("numpy", "torch"), sep="\n")
