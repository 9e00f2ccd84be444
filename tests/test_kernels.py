"""The kernels of streaming losses, on a GPU where there is one, or on the CPU by Triton's interpreter:
`.ci/run -s interpreter`.
"""

import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.streaming import engine, tiles

pytest.importorskip("triton", reason="triton is not installed")
torch = pytest.importorskip("torch", reason="torch is not installed")
kernels = pytest.importorskip("infonce_ref.streaming.kernels")
if not (kernels.INTERPRETED or torch.cuda.is_available()):
    pytest.skip("no GPU is here: set TRITON_INTERPRET=1", allow_module_level=True)

DEVICE = "cpu" if kernels.INTERPRETED else "cuda"

CASES = [  # name, options, temperature, size
    *(
        (name, options, tau, size)
        for name, entry in streaming.ALL.items()
        for options in ({}, *entry.variants)
        if "tile" not in options and "own" not in options
        for tau in (0.5, 0.01)  # without and with shifts
        for size in ({}, {"rows": 70})  # one tile in part, and several
    ),
    # with 256 features SupCon multiplies by one column more than the rows have, in two parts
    *(
        (name, {}, 0.1, {"rows": rows, "features": features})
        for name in streaming.ALL
        for rows, features in ((9, 256), (400, 128))
    ),
]


@pytest.fixture(autouse=True)
def no_tiles(monkeypatch):
    """Make a call that uses tiles in place of the kernels fail."""
    monkeypatch.setattr(tiles.Scores, "cut", None)


def example(name, tau, **options):
    """Return the arguments in float32, and the same numbers in float64."""
    drawn = streaming.ALL[name].example(**options) | {"temperature": tau}
    arrays = {k: x for k, x in drawn.items() if getattr(x, "dtype", np.dtype(int)).kind == "f"}
    short = {k: x.astype("float32") for k, x in arrays.items()}
    return drawn | short, drawn | {k: x.astype("float64") for k, x in short.items()}


def to_torch(arguments):
    return {
        k: torch.asarray(x, device=DEVICE) if isinstance(x, np.ndarray) else x for k, x in arguments.items()
    }


@pytest.mark.parametrize(("name", "options", "tau", "size"), CASES)
def test_both_passes_agree_with_the_plain_form_in_float64(name, options, tau, size):
    arguments, exact = example(name, tau, **options, **size)
    value, cache = losses.ALL[name].forward(**exact)
    upstream = np.resize([2.0, -0.5, 0.0], value.shape)
    gradients = losses.ALL[name].backward(cache, upstream)
    found, tiled = streaming.ALL[name].forward(**to_torch(arguments))
    slopes = streaming.ALL[name].backward(tiled, torch.asarray(upstream.astype("float32"), device=DEVICE))
    tolerance = 64 * 2.0**-23 * max(1, 1 / tau)  # as in test_streaming.py
    np.testing.assert_allclose(found.cpu(), value, rtol=tolerance, atol=1e-30)
    known = losses.ALL[name].ill_conditioned
    for field, x, y in zip(gradients._fields, gradients, slopes):
        # `verify` judges a declared cancellation by the size of its terms
        if not ("features" in size and field in known and known[field].judged):
            np.testing.assert_allclose(y.cpu(), x, rtol=0, atol=tolerance * np.max(np.abs(x)))


@pytest.mark.parametrize("upstream", [torch.ones(1).expand(72), torch.arange(144.0)[::2]])
@pytest.mark.parametrize("name", ["siglip", "clip"])
def test_upstream_need_not_be_contiguous_and_a_second_pass_gives_the_same_bits(name, upstream):
    upstream = upstream.to(DEVICE)
    _, cache = streaming.ALL[name].forward(**to_torch(example(name, 0.1, rows=72, reduction="none")[0]))
    for x, y in zip(*(streaming.ALL[name].backward(cache, u) for u in (upstream, upstream.clone()))):
        assert torch.equal(x, y)


def test_a_score_above_its_rows_largest_by_rounding_is_no_probability_above_1():
    """Scores of 1e6 in two orders of summation differ by about 1."""
    rng = np.random.default_rng(1)
    rows, columns = (
        torch.asarray(1e3 * rng.standard_normal((64, 128)), dtype=torch.float32, device=DEVICE)
        for _ in range(2)
    )
    ones = torch.ones(64, 1, device=DEVICE)
    scores = kernels.plan(tiles.Scores(rows, columns, 1e7, no_shift=False))
    of_rows, of_columns = scores.sums()
    softmax = [side.softmax(torch.ones_like(side.total)) for side in (of_rows, of_columns)]
    product, _ = scores.products(*softmax, (ones, ones))
    assert float(product.max()) <= 64 + 1  # a probability of each column, and those of the row's own softmax


def test_each_pass_reports_its_end():
    seen = []
    arguments = to_torch(example("ntxent", 0.1)[0])
    _, cache = streaming.ntxent.forward(**arguments, progress=lambda *done: seen.append(done))
    streaming.ntxent.backward(cache)
    assert seen == [(1, 1)] * 2


def test_triton_without_a_compiler_is_reported_once_and_tiles_are_used(monkeypatch):
    class Broken:
        def __getitem__(self, grid):
            raise RuntimeError("Failed to find C compiler.\nSet CC")

    kernels.compiles.cache_clear()
    assert kernels.compiles(torch.device(DEVICE))
    kernels.compiles.cache_clear()
    monkeypatch.setattr(kernels, "write_one", Broken())
    with pytest.warns(UserWarning, match=r"does not run here \(RuntimeError: Failed to find C compiler.\)"):
        assert not kernels.compiles(torch.device(DEVICE))
    assert not kernels.compiles(torch.device(DEVICE))  # no second warning, which would be an error
    kernels.compiles.cache_clear()


def test_a_side_that_the_caller_asks_for_needs_tiles():
    rows = torch.zeros(4, 2, device=DEVICE)
    assert isinstance(engine.plan(rows, rows, None, None), kernels.Scores)
    with pytest.raises(TypeError):  # from `cut`
        engine.plan(rows, rows, 2, None)
