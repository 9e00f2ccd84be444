"""No two arrays of a call share memory: writing into one does not change another."""

import itertools
from inspect import signature
from tempfile import TemporaryFile

import dask.array as da
import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.verify.case import list_registered

LOSSES = list_registered() | {f"streaming.{name}": loss for name, loss in streaming.ALL.items()}


def plain(x):
    return x.copy()


def transposed(x):
    """A view whose rows are not contiguous."""
    return x.T.copy().T


def strided(x):
    """A view of every second entry, backwards."""
    return np.repeat(x, 2, axis=-1)[..., ::-2][..., ::-1]


def read_only(x):
    """A read-only view of a writable array."""
    view = x.copy()[...]
    view.flags.writeable = False
    return view


def mapped(x):
    """A file that is mapped into memory."""
    with TemporaryFile() as file:
        found = np.memmap(file, x.dtype, "w+", shape=x.shape)
    found[...] = x
    return found


def tensor(x):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    return torch.from_numpy(x.copy())


def part_of_a_tensor(x):
    return tensor(np.stack([x, x]))[1, ...]


KINDS = [plain, transposed, strided, read_only, mapped, tensor, part_of_a_tensor]
EVERY_KIND = pytest.mark.parametrize(
    ("loss", "kind"),
    [
        pytest.param(
            loss,
            kind,
            id=f"{name}-{kind.__name__}",
            marks=pytest.mark.torch if kind in (tensor, part_of_a_tensor) else (),
        )
        for name, loss in LOSSES.items()
        for kind in KINDS
    ],
)


def cases(loss, kind):
    """The arguments of each case: the defaults and each variant, each reduction, either dtype."""
    reductions = ("mean", "sum", "none") if "reduction" in signature(loss.forward).parameters else (None,)
    for options, reduction, dtype in itertools.product(({}, *loss.variants), reductions, ("f4", "f8")):
        example = loss.example(**options | ({"reduction": reduction} if reduction else {}))
        yield {
            name: kind(x.astype(dtype) if x.dtype.kind == "f" else x) if isinstance(x, np.ndarray) else x
            for name, x in example.items()
        }


def is_writable_array(x):
    return hasattr(x, "shape") and not isinstance(x, np.generic)  # NumPy scalars are read-only


def write(x):
    """Overwrite every entry with another number."""
    x = x if getattr(x, "flags", None) is None or x.flags.writeable else x.base
    x[...] = x == 0 if "bool" in str(x.dtype) else x + 1 if "int" in str(x.dtype) else float("nan")


def bits(*xs):
    return [np.asarray(x).tobytes() for x in xs]


@EVERY_KIND
def test_no_two_arrays_of_a_call_share_memory(loss, kind):
    """The caller may overwrite arguments and value between the passes, and each gradient before the next pass."""

    def passes(arguments, meddle):
        value, cache = loss.forward(**arguments)
        upstream = value * 0 + 1.5
        found = [bits(value)]
        given = [x for x in (*arguments.values(), value) if is_writable_array(x)]
        meddle(given)
        for _ in range(2):
            gradients = loss.backward(cache, upstream)
            assert not any(isinstance(x, np.memmap) for x in (value, *gradients))
            for x, y in itertools.combinations((*given, upstream, *gradients), 2):
                assert not np.shares_memory(x, y)
            found.append(bits(*gradients))
            meddle(x for x in gradients if is_writable_array(x))
        return found

    for arguments in cases(loss, kind):
        expected = passes(arguments, lambda _: None)
        assert expected[1] == expected[2] or kind is strided  # rows that BLAS multiplies in another order
        assert passes(arguments, lambda given: [write(x) for x in given]) == expected


def test_writing_into_a_dask_array_does_not_change_the_cache(dask_in_this_thread):
    image, text = da.from_array(np.eye(3)), da.from_array(np.eye(3))
    _, cache = losses.clip.forward(image, text, temperature=0.5)
    image[0, 0] = 7.0
    gradient = losses.clip.backward(cache).text
    expected = losses.clip.backward(losses.clip.forward(np.eye(3), np.eye(3), temperature=0.5)[1]).text
    np.testing.assert_allclose(gradient.compute(), expected, rtol=1e-14)
