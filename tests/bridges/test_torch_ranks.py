"""Modules over several ranks: after the mean over ranks the gradient is that of one process."""

import math
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")
if not torch.distributed.is_available():
    pytest.skip("this PyTorch has no process groups", allow_module_level=True)

from bridges.ranked import on_ranks  # noqa: E402
from ranks import FEATURES, measure_step  # noqa: E402

from infonce_ref import losses, streaming  # noqa: E402
from infonce_ref.bridges import find_views  # noqa: E402
from infonce_ref.registry import Loss  # noqa: E402
from infonce_ref.streaming import tiles  # noqa: E402
from infonce_ref.torch import nn  # noqa: E402
from infonce_ref.torch.modules import name_of, options_of  # noqa: E402

GUIDE = Path(__file__).parent.parent.parent / "docs/in-training.md"
PAIRS = {2: (4, 4), 3: (5, 2, 4)}  # pairs of each rank, for the errors
EMPTY = {4: (2, 0, 1, 1)}  # and of a rank without rows
TILE = 2  # so that each rank has tiles of these few rows


class Case(NamedTuple):
    """loss · tiled: whether it streams · variant: options of the example and of the loss."""

    loss: Loss
    tiled: bool
    variant: Mapping[str, Any] = {}

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
        names = ("z1", "z2", "keep") if both else given
        names = [name for name in names if getattr(given.get(name), "ndim", 0)]
        return options, {name: torch.as_tensor(given[name]) for name in names}


MASK = {"left_out": 0.5}
COMPARED = [loss for loss in losses.ALL.values() if loss.compares]
CASES = [
    *(Case(loss, False) for loss in COMPARED),
    *(Case(loss, True) for loss in COMPARED if loss.name in streaming.ALL),
    *(Case(losses.ALL["supcon"], True, {"form": form}) for form in ("in", "pairs")),
    *(Case(loss, False, MASK) for loss in COMPARED if MASK in loss.variants),
    # scores that need a shift
    *(Case(loss, True, {"temperature": 0.002}) for loss in COMPARED if loss.name in streaming.ALL),
]


def share_of(rank: int, pairs: tuple[int, ...], rows: int) -> slice:
    """Return a rank's share of some rows; a pair has one row or two."""
    each = rows // sum(pairs)
    return slice(each * sum(pairs[:rank]), each * sum(pairs[: rank + 1]))


def slopes(case, tensors, options, gather):
    """Return the value, the gradients by a matrix that multiplies all rows and by the temperature, and the
    number of tiles of all passes.
    """
    ends = []
    module = case.make(options, gather, progress=lambda done, to_do: ends.append(to_do * (done == to_do)))
    matrix = torch.eye(5, dtype=torch.float64).requires_grad_()
    rows = {name: x @ matrix for name, x in tensors.items() if x.ndim == 2 and x.dtype != torch.bool}
    value = module(**tensors | rows)
    value.backward()
    return value.item(), [matrix.grad, *(p.grad for p in module.parameters())], sum(ends)


def every_case(rank, pairs):
    """Return the value, the gradients and the tiles of this rank, for each case."""
    answers = []
    for case in CASES:
        options, tensors = case.batch(sum(pairs))
        own = {  # a mask is that of the whole batch
            name: x if x.dtype == torch.bool else x[share_of(rank, pairs, len(x))]
            for name, x in tensors.items()
        }
        value, found, tiles = slopes(case, own, options, True)
        answers.append((value, [x.numpy() for x in found], tiles))
    assert streaming.ranks.PEERS.get() is None  # a block that shares tiles ends with the peers before it
    return answers


@pytest.mark.slow
@pytest.mark.parametrize("count", PAIRS | EMPTY)
def test_the_gradient_on_ranks_is_that_of_one_process(count):
    """Also if ranks have unequal batches. 1e-13 is rounding in float64, 1e-12 that of a gradient by a temperature,
    whose terms have both signs; both are divided by τ, as the scores are. The ranks' numbers of tiles of a
    streaming loss differ by at most one in each of the two passes over each set of scores.
    """
    pairs = (PAIRS | EMPTY)[count]
    answers = on_ranks(every_case, count, pairs)
    for case, of_ranks in zip(CASES, zip(*answers, strict=True), strict=True):
        options, tensors = case.batch(sum(pairs))
        value, right, tiles = slopes(case, tensors, options, False)
        eps = 1e-13 / options.get("temperature", 1.0)
        values, gradients, here = zip(*of_ranks, strict=True)
        assert len({*values}) == 1  # bit for bit, in whatever order the parts arrive
        assert abs(values[0] - value) < eps * (1 + abs(value)), case
        for x, y in zip(map(sum, zip(*gradients, strict=True)), right, strict=True):  # the mean over ranks
            assert np.abs(x / len(pairs) - y.numpy()).max() < 10 * eps * float(y.abs().max()), case
        assert sum(here) == tiles
        assert max(here) - min(here) <= 4, (case, here)


def weigh_own(rank, pairs, tiled):
    """The gradient, and that of its squared norm, of the losses of this rank's own anchors, or of all, multiplied
    by a number that differs between ranks: each rank's share of tiles contributes to one gradient.
    """
    case = Case(losses.ALL["clip"], tiled)
    options, tensors = case.batch(sum(pairs))
    own = slice(None) if rank is None else share_of(rank, pairs, sum(pairs))
    rows = [x[own].clone().requires_grad_() for x in tensors.values()]
    criterion = case.make(options | {"reduction": "none"}, True)
    weights = torch.tensor(np.repeat(range(1, 1 + len(pairs)), pairs))
    value = (criterion(*rows)[own] * weights[own]).sum()
    *found, scale = torch.autograd.grad(value, [*rows, criterion.logit_scale], retain_graph=True)
    again = torch.autograd.grad(value, rows, create_graph=True)
    found += torch.autograd.grad(sum((x**2).sum() for x in again), rows)
    return [x.numpy() for x in (*found, scale[None])]


@pytest.mark.slow
@pytest.mark.parametrize("tiled", [False, True])
def test_ranks_may_weigh_their_losses_and_differentiate_twice(tiled):
    whole, ranks = weigh_own(None, PAIRS[3], False), on_ranks(weigh_own, 3, PAIRS[3], tiled)
    *of_rows, of_scale = map(np.concatenate, zip(*ranks, strict=True))
    for x, y in zip([*of_rows, of_scale.sum(keepdims=True)], whole, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-14)


def with_own_cache(rank, rows):
    """The gradient of this rank's rows, if its machine would choose other tiles than another rank's."""
    tiles.second_level_cache = lambda: 2 ** (17 + 5 * rank)
    own = [x.clone().requires_grad_() for x in torch.as_tensor(rows).chunk(2, dim=1)[rank]]
    nn.NTXentLoss(temperature=0.5, streaming=True, gather=True)(*own).backward()
    sides = [tiles.choose_side(rows, 2 * rows.shape[1], 2 * rows.shape[1], symmetric=True)]
    return sides, [x.grad.numpy() for x in own]


@pytest.mark.slow
def test_machines_with_different_caches_cut_the_same_tiles():
    rows = np.random.default_rng(0).standard_normal((2, 2048, 2))
    found = on_ranks(with_own_cache, 2, rows)
    assert found[0][0] != found[1][0]
    views = torch.as_tensor(rows).requires_grad_()
    nn.NTXentLoss(temperature=0.5, streaming=True)(*views).backward()
    mean = np.concatenate([of_rank for _, of_rank in found], axis=1) / 2
    np.testing.assert_allclose(mean, views.grad.numpy(), rtol=1e-9, atol=1e-16)


@pytest.mark.slow
@pytest.mark.parametrize("count", PAIRS)
def test_features_travel_once_each_way_in_linear_memory(monkeypatch, count):
    """Besides the features each rank sends a few numbers per row, a hundredth of the features here. Without
    kept tiles, whose size does not depend on the number of rows, memory is less than a quarter of the scores'
    256 MB.
    """
    monkeypatch.setattr(tiles, "KEPT", 0)
    rows = 8192
    one_way = rows * FEATURES * 4 / 2**20 * (count - 1) / count
    for cost in on_ranks(measure_step, count, "ntxent", True, rows, count):
        assert 2 * one_way < cost.sent < 2.1 * one_way
        assert cost.memory < 64


def unlike(rank):
    """Return a rank's messages about losses and rows that differ between ranks; for a difference of rounding, the
    value.
    """
    x, y = torch.linspace(-1, 2, 12).sin().reshape(2, 2, 3)
    learned = {"temperature": 0.5, "learn_temperature": True}
    keep, plain = torch.ones(8, 8, dtype=torch.bool), nn.NTXentLoss(temperature=0.5, gather=True)
    made = [
        nn.NTXentLoss(temperature=0.5 + rank, gather=True),
        nn.NTXentLoss(temperature=0.5, reduction=("sum", "none")[rank], gather=True),
        nn.NTXentLoss(temperature=0.5, streaming=bool(rank), gather=True),
        nn.NTXentLoss(temperature=0.5, streaming=True, tile=2 * rank, gather=True),
        (nn.NTXentLoss, nn.UnmaskedInfoNCELoss)[rank](temperature=0.5, gather=True),
        *(nn.NTXentLoss(**learned, streaming=tiled, gather=True) for tiled in (True, False, True, False)),
    ]
    with torch.no_grad():
        made[5].logit_scale += 0.1 * rank
        made[7].logit_scale *= 1 + 2e-7 * rank
        made[8].logit_scale *= math.nan  # on all ranks: the loss says what is wrong
    calls = [
        *(partial(module, x, y) for module in made),
        partial(plain, x, y, **{"keep": keep} if rank else {}),
        partial(plain, x, y, keep=keep if rank else keep.tril()),
        partial(plain, *torch.ones(2, 2, 3 + rank)),
        partial(plain, x, torch.ones(2 + rank, 3)),
    ]
    told = []
    for k, call in enumerate(calls):
        try:
            with torch.set_grad_enabled(k != 6 or rank == 0):
                told.append(call().item())
        except ValueError as error:
            told.append(str(error))
    return told


@pytest.mark.slow
def test_what_differs_between_ranks_is_refused_on_every_rank_with_one_line():
    first, second = on_ranks(unlike, 2)
    assert first == second
    rounded = first.pop(7)
    assert isinstance(rounded, float)
    assert first.pop(7) == "temperature must be positive and finite; got nan"
    assert [re.split(" must be the same on all ranks; rank 1 has |;", line)[0] for line in first] == [
        "temperature",
        "reduction",
        "streaming",
        "tile",
        "the loss",
        "temperature",
        "whether temperature requires a gradient",
        "the shape of keep",
        "the digest of keep",
        "z1 must agree in shape of a row, dtype and requires_grad",
        "z2 must have one row for each of z1",
    ]
    assert first[-1].endswith(" (3, 3) and (2, 3): give both the same first axis")


def of_recipe(rank, z1, z2):
    names = {}
    exec(re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)[1], names)
    mine = slice(3 * rank, 3 * rank + 3)
    given = [z.clone().requires_grad_() for z in (z1, z2)]
    names["loss_on_ranks"](*(z[mine] for z in given), temperature=0.3).backward()
    return [z.grad.numpy() for z in given]


def test_the_recipe_of_the_page_has_the_gradient_of_one_process():
    views = torch.linspace(-1, 2, 36, dtype=torch.float64).sin().reshape(2, 6, 3).requires_grad_()
    nn.NTXentLoss(temperature=0.3)(*views).backward()
    ranks = on_ranks(of_recipe, 2, *views.detach())
    mean = sum(torch.as_tensor(np.stack(found)) for found in ranks) / 2
    torch.testing.assert_close(mean, views.grad, rtol=1e-13, atol=1e-15)
