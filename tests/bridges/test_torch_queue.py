"""The queue of keys: what it holds, checkpoints, gradients and ranks."""

import re
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")

from bridges.ranked import on_ranks  # noqa: E402

from infonce_ref.torch.nn import QueryKeyLoss, Queue  # noqa: E402

PAGE = (Path(__file__).parent.parent.parent / "docs/in-training.md").read_text(encoding="utf-8")


def rows(count, seed=0):
    return torch.tensor(np.random.default_rng(seed).standard_normal((count, 3)), dtype=torch.float32)


def test_holds_the_last_keys_the_earliest_first():
    """Also if the batch size does not divide the queue's size, or exceeds it."""
    queue, everything = Queue(size=5, features=3), rows(0)
    for seed, count in enumerate((2, 2, 3, 1, 7, 4)):
        queue.push(rows(count, seed))
        everything = torch.cat([everything, rows(count, seed)])
        assert torch.equal(queue(), everything[-5:])


@pytest.mark.parametrize("pushes", [0, 1, 3])
def test_a_checkpoint_goes_on_with_the_same_keys(pushes, tmp_path):
    queue = Queue(size=5, features=3)
    for seed in range(pushes):
        queue.push(rows(2, seed))
    torch.save(torch.nn.ModuleDict({"queue": queue}).state_dict(), tmp_path / "run")
    other = Queue(size=5, features=3)
    other.push(rows(4, 9))
    torch.nn.ModuleDict({"queue": other}).load_state_dict(torch.load(tmp_path / "run"))
    for one in (queue, other):
        one.push(rows(2, 7))
    assert torch.equal(queue(), other())


@pytest.mark.parametrize("saved", [Queue(size=9, features=3), Queue(size=5, features=4)])
def test_a_checkpoint_of_another_queue_is_refused(saved):
    saved.push(torch.ones(3 + saved.size % 5, saved.features))
    queue = Queue(size=5, features=3)
    queue.push(rows(2, 7))
    with pytest.raises(RuntimeError, match="size mismatch for keys"):
        queue.load_state_dict(saved.state_dict())
    assert torch.equal(queue(), rows(2, 7))


def test_a_push_before_the_backward_pass_leaves_the_gradient():
    criterion, queue = QueryKeyLoss(temperature=0.5), Queue(size=4, features=3)
    queue.push(rows(4, 1))
    expected, found = (rows(2, 2).requires_grad_() for _ in range(2))
    criterion(expected, rows(2, 3), rows(4, 1)).backward()
    keys = rows(2, 3).requires_grad_()
    loss = criterion(found, keys.detach(), queue())
    queue.push(keys)
    loss.backward()
    assert torch.equal(found.grad, expected.grad)
    assert not queue().requires_grad
    assert torch.equal(queue()[2:], keys)


def test_an_empty_queue_is_a_loss_of_0():
    assert QueryKeyLoss(temperature=0.5)(rows(2), rows(2), Queue(size=4, features=3)()) == 0


class WithEncoder(torch.nn.Linear):
    def __init__(self, gather):
        super().__init__(3, 3)
        self.queue = Queue(size=5, features=3, gather=gather)

    def forward(self, keys):
        self.queue.push(keys)
        return super().forward(keys)


def push_on_rank(rank, batches, gather):
    """Return the keys that a rank holds, and the message if one rank went on alone."""
    model = WithEncoder(gather)
    together = torch.nn.parallel.DistributedDataParallel(model)
    for batch in batches:
        together(batch[:1] if rank == 0 else batch[1:]).sum().backward()  # one key here, two there
    held, told = model.queue().numpy(), ""
    model.queue.keys = model.queue.keys[rank:]
    try:
        model.queue.push(batches[0])
    except ValueError as error:
        told = str(error)
    return held, told.partition(";")[0]


@pytest.mark.skipif(not torch.distributed.is_available(), reason="this PyTorch has no process groups")
@pytest.mark.parametrize("gather", [False, True])
def test_a_rank_holds_its_own_keys_or_those_of_all_in_the_order_of_the_ranks(gather):
    batches = [rows(3, seed) for seed in range(3)]
    for rank, (found, told) in enumerate(on_ranks(push_on_rank, 2, batches, gather)):
        own = slice(None) if gather else slice(1, None) if rank else slice(1)
        np.testing.assert_array_equal(found, torch.cat([batch[own] for batch in batches])[-5:].numpy())
        assert told == ("the number of keys must be the same on all ranks" if gather else "")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Queue(size=0, features=3), "size must be a positive integer; got 0"),
        (lambda: Queue(size=4, features=2.0), "features must be a positive integer; got 2.0"),
        (lambda: Queue(size=4, features=3).push(torch.ones(2, 4)), r"keys must have shape \(n, 3\)"),
        (lambda: Queue(size=4, features=3).push(torch.full((2, 3), torch.nan)), "keys must be finite|NaN"),
    ],
)
def test_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_the_page_s_block_trains():
    (code,) = re.findall(r"```python\n(from infonce_ref.torch.nn import QueryKeyLoss.*?)```", PAGE, re.S)
    names = {"encoder_q": torch.nn.Linear(3, 3), "encoder_k": torch.nn.Linear(3, 3)}
    names["batches"] = [(rows(4, seed), rows(4, seed + 10)) for seed in range(3)]
    exec(code.replace("features=128", "features=3").replace("4096", "6"), names)
    assert len(names["queue"]()) == 6
    assert names["loss"] > 0
    assert names["encoder_q"].weight.grad.abs().max() > 0
    assert names["encoder_k"].weight.grad is None
