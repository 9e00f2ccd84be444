"""Modules over several ranks: after the mean over ranks the gradient is that of one process."""

import re
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")
if not torch.distributed.is_available():
    pytest.skip("this PyTorch has no process groups", allow_module_level=True)

from bridges.ranked import on_ranks  # noqa: E402

from infonce_ref import losses, streaming  # noqa: E402
from infonce_ref.bridges import find_views  # noqa: E402
from infonce_ref.conformance import check  # noqa: E402
from infonce_ref.torch import nn  # noqa: E402
from infonce_ref.torch.modules import options_of  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
COMPARED = [loss for loss in losses.ALL.values() if loss.compares]
CASES = [(loss, False) for loss in COMPARED] + [(x, True) for x in COMPARED if x.name in streaming.ALL]
PAIRS = {2: (4, 4), 3: (5, 2, 4)}  # of each rank


def batch(loss, pairs):
    """A module's options, and the tensors of its call."""
    given = loss.example(rows=pairs, features=5)
    both = find_views(loss)
    if both:
        given |= dict(zip(("z1", "z2"), (given[both][:pairs], given[both][pairs:])))
    options = {p.name: given[p.name] for p in options_of(loss) if p.name in given}
    names = ("z1", "z2") if both else [n for n, x in given.items() if getattr(x, "ndim", 0)]
    return options, {name: torch.as_tensor(given[name]) for name in names}


def slopes(loss, own, module, of_rows):
    """The value, and the gradients by a matrix that all rows are multiplied with and by the temperature."""
    matrix = torch.eye(5, dtype=torch.float64).requires_grad_()
    given = {n: x[of_rows(len(x))] for n, x in own.items()}
    moved = {n: x @ matrix if x.ndim == 2 else x for n, x in given.items()}
    value = module(**moved)
    value.backward()
    return value.item(), [matrix.grad.double(), *(p.grad.double() for p in module.parameters())]


def make(loss, options, tiled, gather):
    learned = {"learn_temperature": True} if "temperature" in loss.differentiable else {}
    return getattr(nn, type_name(loss))(
        **options, **learned, **({"streaming": True} if tiled else {}), gather=gather
    )


def type_name(loss):
    return next(name for name, made in nn.MODULES.items() if made.loss is loss)


def every_case(rank, pairs):
    """The value and the mean of the gradients over ranks of each case, as DistributedDataParallel takes it."""
    total, answers = sum(pairs), []
    for loss, tiled in CASES:
        options, tensors = batch(loss, total)

        def own(rows):  # a rank's share, of one or two rows for each pair
            per = rows // total
            return slice(per * sum(pairs[:rank]), per * sum(pairs[: rank + 1]))

        value, found = slopes(loss, tensors, make(loss, options, tiled, True), own)
        for x in found:
            torch.distributed.all_reduce(x)
        answers.append((value, [(x / len(pairs)).numpy() for x in found]))
    return answers


def error(loss, tiled, pairs, answer):
    """The relative error of value and gradient against one process."""
    options, tensors = batch(loss, sum(pairs))
    value, right = slopes(loss, tensors, make(loss, options, tiled, False), lambda rows: slice(None))
    wrong = [torch.as_tensor(x) - y for x, y in zip(answer[1], right, strict=True)]
    errors = [float(x.abs().max() / y.abs().max()) for x, y in zip(wrong, right)]
    return abs(answer[0] - value) / (1 + abs(value)), errors[0], max(errors)


@pytest.mark.slow
@pytest.mark.parametrize("count", PAIRS)
def test_the_gradient_on_ranks_is_that_of_one_process(count):
    """Also if ranks have unequal batches. 1e-13 is rounding in float64, 1e-6 in float32, the temperature's."""
    pairs = PAIRS[count]
    ranks = on_ranks(every_case, count, pairs)
    assert all(isinstance(answers, list) for answers in ranks), ranks
    for answers in ranks:
        for (loss, tiled), answer in zip(CASES, answers, strict=True):
            errors = error(loss, tiled, pairs, answer)
            assert max(errors[:2]) < 1e-13, (loss.name, tiled, errors)
            assert errors[2] < 1e-6, (loss.name, tiled, errors)


def misfits(rank):
    told = []
    for width, rows in ((3 + rank, 2), (3, 2 + rank)):
        x, y = torch.ones(2, width), torch.ones(rows, width)
        try:
            nn.CLIPLoss(temperature=1.0, gather=True)(x, y)
        except ValueError as error:
            told.append(str(error))
    return told


@pytest.mark.slow
def test_a_misfit_is_refused_on_every_rank_with_one_line():
    first, second = on_ranks(misfits, 2)
    assert first == second
    assert [line.partition(";")[0] for line in first] == [
        "image must agree in shape of a row, dtype and requires_grad",
        "text must have one row for each of image",
    ]


@pytest.mark.parametrize("loss", losses.ALL.values(), ids=losses.ALL)
def test_losses_that_compare_rows_are_declared(loss):
    """The loss of a batch is the mean over its halves, unless rows of different things are compared."""
    options, tensors = batch(loss, 4)
    options |= {"reduction": "mean"} if "reduction" in options_of_name(loss) else {}
    options |= {"no_positives": "zero"} if "no_positives" in options_of_name(loss) else {}
    module = getattr(nn, type_name(loss))(**options)

    def part(k):
        shared = ("bank", "negatives")
        return {n: x if n in shared else x.chunk(2)[k] for n, x in tensors.items()}

    off = abs((module(**part(0)) + module(**part(1))).item() / 2 - module(**tensors).item())
    assert (off > 1e-6) is loss.compares
    if not loss.compares:
        with pytest.raises(TypeError, match="omit it"):
            getattr(nn, type_name(loss))(**options, gather=True)


def options_of_name(loss):
    return [p.name for p in options_of(loss)]


@pytest.mark.slow
def test_check_says_right_on_two_ranks():
    report = check(nn.CLIPLoss(temperature=0.3, gather=True), is_="clip", tiers=("formula",), ranks=2)
    assert report.verdicts["ranks"].holds, report
    report = check(nn.CLIPLoss(temperature=0.3), is_="clip", tiers=("formula",), ranks=2)
    assert [m.mistake for m in report.mistakes] == ["each rank alone"], report


RECIPE = re.search(r"```python\n(.*?)```", (ROOT / "docs/in-training.md").read_text(encoding="utf-8"), re.S)[
    1
]


def of_recipe(rank, z1, z2):
    names = {}
    exec(RECIPE, names)
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
