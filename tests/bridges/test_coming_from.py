"""docs/in-training.md: its tables, what to write here in the place of another library's loss, and its examples."""

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")

from bridges.ranked import on_ranks  # noqa: E402

from infonce_ref.losses import ntxent  # noqa: E402
from infonce_ref.torch import nn  # noqa: E402

PAGE = (Path(__file__).parent.parent.parent / "docs/in-training.md").read_text(encoding="utf-8")


class Row(NamedTuple):
    library: str
    theirs: str
    here: str
    tolerance: float


def rows(title):
    """The rows of the table whose second column has this heading."""
    (table,) = re.findall(rf"^\| from \| {title} \|.*\n\|---.*\n((?:\|.*\n)+)", PAGE, re.M)
    cells = [line.strip("| ").split(" | ") for line in table.splitlines()]
    code = [[re.match("`(.+?)`", cell)[1] for cell in line[:3]] for line in cells]
    return [Row(*texts, float(line[3])) for texts, line in zip(code, cells, strict=True)]


ALONE, ON_RANKS = rows("theirs"), rows("theirs, on each rank")
HERE = nn.MODULES


class Model(torch.nn.Module):
    """sentence-transformers: a model that returns the rows unchanged."""

    def forward(self, features):
        return {"sentence_embedding": features}


def inputs():
    random, n, d = torch.Generator().manual_seed(0), 6, 5
    drawn = {
        name: torch.randn(n, d, generator=random, dtype=torch.float64) for name in ("z1", "z2", "p1", "p2")
    }
    drawn |= {name: torch.nn.functional.normalize(drawn[z]) for name, z in (("image", "z1"), ("text", "z2"))}
    drawn["w"] = torch.cat([drawn["z1"], drawn["z2"]])
    drawn["logit_scale"] = torch.tensor(10.0, dtype=torch.float64).log()
    leaves = {name: x.clone().requires_grad_() for name, x in drawn.items()}
    labels = torch.tensor([0, 1, 0, 2, 2, 1, 3, 0, 1, 0, 0, 2])  # one label occurs once
    others = {"torch": torch, "normalize": torch.nn.functional.normalize, "model": Model()}
    return leaves, others | {"n": n, "d": d, "labels": labels}


def run(code, names):
    """Return the value and the gradients by name, including those of a module's parameters."""
    leaves, others = inputs()
    call = ast.parse(code, mode="eval").body
    scope = {**names, **others, **leaves}
    module = None
    if isinstance(call, ast.Call):  # a module's parameters have gradients, if it is one
        module = eval(ast.unparse(call.func), scope)
        call.func = ast.Name("module", ast.Load())
    value = eval(ast.unparse(call), scope | {"module": module})
    value.backward()
    learned = dict(module.named_parameters()) if isinstance(module, torch.nn.Module) else {}
    return value.detach(), {n: x.grad.double() for n, x in (leaves | learned).items() if x.grad is not None}


def mine(rank, row, ours):
    """One rank's gradients at its own rows, and 0 elsewhere."""
    names = nn.MODULES if ours else vars(import_module(row.library))
    leaves, others = inputs()
    here = slice(3 * rank, 3 * rank + 3)
    given = {name: x[here] for name, x in leaves.items() if x.ndim}
    eval(row.here if ours else row.theirs, {**names, **others, **given, "rank": rank}).backward()
    return {name: x.grad.numpy() for name, x in leaves.items() if x.grad is not None}


def test_the_tables_have_their_rows():
    libraries = {
        "info_nce",
        "gradcache",
        "lightly",
        "pytorch_metric_learning",
        "open_clip",
        "sentence_transformers",
    }
    assert {row.library.partition(".")[0] for row in ALONE} == libraries
    assert (len(ALONE), len(ON_RANKS)) == (19, 2)


@pytest.mark.parametrize("row", ALONE, ids=lambda row: row.theirs.partition("(")[0])
def test_the_examples_of_the_page_run(row):
    value, slopes = run(row.here, HERE)
    assert value.isfinite()
    assert slopes
    assert all(x.abs().max() > 0 for x in slopes.values())


@pytest.mark.parametrize("row", ALONE, ids=lambda row: row.theirs.partition("(")[0])
@pytest.mark.filterwarnings("ignore")  # warnings of these libraries and of what they import
def test_value_and_gradient_are_theirs(row):
    value, slopes = run(row.theirs, vars(pytest.importorskip(row.library)))
    found, our_slopes = run(row.here, HERE)
    torch.testing.assert_close(found, value, rtol=row.tolerance, atol=row.tolerance)
    assert our_slopes.keys() == slopes.keys()
    for name, slope in slopes.items():
        torch.testing.assert_close(
            our_slopes[name], slope, rtol=0, atol=row.tolerance * float(slope.abs().max())
        )


@pytest.mark.parametrize("title", ["Weights of anchors", "A mask of pairs"])
def test_an_example_computes_numpys_ntxent(title):
    (example,) = re.findall(rf"## {title}\n.*?```python\n(.*?)```", PAGE, re.S)
    leaves, others = inputs()
    weights = torch.tensor([0.0, 1, 2, 3, 0, 0, 1, 5, 1, 1, 4, 2], dtype=torch.float64)
    scope = {**others, **leaves, "weights": weights}
    exec(example, scope)
    scope["loss"].backward()
    if title == "A mask of pairs":
        options, upstream = {"keep": (others["labels"][:, None] != others["labels"]).numpy()}, 1.0
    else:
        options, upstream = {"reduction": "none"}, (weights / weights.sum()).numpy()
    value, cache = ntxent.forward(leaves["w"].detach().numpy(), temperature=0.1, **options)
    assert scope["loss"].item() == pytest.approx(np.sum(value * upstream), rel=1e-13, abs=0)
    found = torch.cat([leaves["z1"].grad, leaves["z2"].grad]).numpy()
    np.testing.assert_allclose(
        found, ntxent.backward(cache, upstream).w, rtol=0, atol=1e-13
    )  # numbers below 1


@pytest.mark.filterwarnings("ignore")  # likewise
def test_a_memory_is_a_queue():
    """From the second step on: at the first, their queue holds random keys and ours none."""
    (line,) = re.findall(r"^\| `lightly.loss` \| `criterion.*", PAGE, re.M)
    library, call, make, our_call, our_make, our_queue, push, tolerance = re.findall(
        "`(.+?)`|(1e-\\d+)", line
    )
    random = torch.Generator().manual_seed(0)
    sizes = {"n": 6, "d": 5}
    names = {"normalize": torch.nn.functional.normalize, "criterion": eval(our_make[0], vars(nn)), **sizes}
    names["queue"] = eval(our_queue[0], vars(nn) | sizes)
    theirs = {"criterion": eval(make[0], vars(pytest.importorskip(library[0])) | sizes)}
    for step in range(3):
        views = {name: torch.randn(6, 5, generator=random) for name in ("z1", "z2")}
        ours, others = ({n: x.clone().requires_grad_() for n, x in views.items()} for _ in range(2))
        loss, other = eval(our_call[0], names | ours), eval(call[0], theirs | others)
        eval(push[0], names | ours)
        loss.backward()
        other.backward()
        if step:
            close = {"rtol": float(tolerance[1]), "atol": float(tolerance[1])}
            torch.testing.assert_close(loss, other, **close)
            for name, x in ours.items():
                torch.testing.assert_close(x.grad, others[name].grad, **close)


@pytest.mark.slow
@pytest.mark.parametrize("row", ON_RANKS, ids=lambda row: row.library)
@pytest.mark.filterwarnings("ignore")  # likewise
def test_the_mean_over_ranks_is_theirs(row):
    pytest.importorskip(row.library)
    theirs, ours = (on_ranks(mine, 2, row, kind) for kind in (False, True))
    for (rank, found), right in zip(enumerate(ours), theirs, strict=True):
        assert found.keys() == right.keys(), rank
        for name, slope in right.items():
            assert abs(slope).max() > 0
            assert abs(found[name] - slope).max() < row.tolerance * abs(slope).max(), (rank, name)
