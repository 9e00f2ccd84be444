"""The losses as modules: signatures, values and refusals; the queue of keys."""

import copy
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")

from bridges.ranked import on_ranks  # noqa: E402

from infonce_ref import losses  # noqa: E402
from infonce_ref.torch import functions, nn  # noqa: E402

PAGE = (Path(__file__).parent.parent.parent / "docs/in-training.md").read_text(encoding="utf-8")


def pair():
    return torch.linspace(-1, 2, 24, dtype=torch.float64).sin().reshape(2, 4, 3).requires_grad_()


def test_modules_have_the_usual_names():
    wanted = "InfoNCE NTXent DCL SupCon QueryKey CLIP SigLIP BarlowTwins VICReg DHNNCE Triplet SimSiam BYOL"
    assert {f"{name}Loss" for name in wanted.split()} <= nn.MODULES.keys()
    assert len(nn.MODULES) == len(losses.ALL) + 1  # InfoNCELoss is one direction of CLIP


def test_a_learned_scale_is_set_back_to_its_clamp_and_keeps_its_gradient():
    module = nn.NTXentLoss(temperature=0.1, learn_temperature=True, max_scale=5.0)
    module(*pair()).backward()
    assert module.logit_scale.item() == pytest.approx(math.log(5), rel=1e-6, abs=0)
    assert module.logit_scale.grad.item() != 0
    again = pickle.loads(pickle.dumps(copy.deepcopy(module)))
    assert torch.equal(again(*pair()), module(*pair()))
    for scale in (torch.tensor(3.0), torch.nn.Parameter(torch.tensor(3.0))):  # computed with, not written to
        found = torch.func.functional_call(module, {"logit_scale": scale}, tuple(pair()))
        assert torch.equal(found, module(*pair()))
        assert scale == 3


def test_a_module_is_printed_with_its_options():
    module = nn.NTXentLoss(temperature=0.1, reduction="sum")
    assert str(module) == "NTXentLoss(temperature=0.1, reduction='sum')"
    assert str(nn.Queue(size=1, features=2)) == "Queue(size=1, features=2)"


def test_infonce_is_one_direction_of_clip_on_unit_rows():
    z1, z2 = pair()
    unit = torch.nn.functional.normalize
    wanted = nn.CLIPLoss(temperature=0.1, symmetric=False)(unit(z1), unit(z2))
    for scale in (1.0, 1e-200, 1e200):
        for options in ({}, {"streaming": True}):
            found = nn.InfoNCELoss(temperature=0.1, **options)(scale * z1, z2)
            torch.testing.assert_close(found, wanted, rtol=1e-13, atol=0)
    for broken, words in ((0.0, "z1 has a row of zeros"), (math.nan, "z1 must be finite")):
        with pytest.raises(ValueError, match=words):
            nn.InfoNCELoss(temperature=0.1)(broken * z1, z2)


def test_a_schedule_sets_the_temperature_and_a_parameter_is_refused():
    for name in ("NTXentLoss", "InfoNCELoss"):
        module = nn.MODULES[name](temperature=0.1)
        module.temperature = 0.5
        assert module.temperature == 0.5
        assert torch.equal(module(*pair()), nn.MODULES[name](temperature=0.5)(*pair()))
    with pytest.raises(ValueError, match="learn_temperature=True holds it"):
        nn.NTXentLoss(temperature=torch.nn.Parameter(torch.tensor(0.1)))
    with pytest.raises(AttributeError, match="it learns it"):
        nn.NTXentLoss(temperature=0.1, learn_temperature=True).temperature = 0.2


def test_the_bias_is_learned():
    module = nn.SigLIPLoss(temperature=0.1, bias=-2.0, learn_temperature=True, learn_bias=True)
    module(*pair()).backward()
    assert {name for name, p in module.named_parameters() if p.grad} == {"logit_scale", "bias"}


def labelled(labels):
    return functions.plain["supcon"](torch.eye(4), labels=labels, temperature=1)


def streamed(w):
    return functions.streaming.ntxent(w, temperature=1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nn.NTXentLoss(temprature=1), "no option 'temprature'; did you mean temperature"),
        (lambda: nn.CPCLoss(keep=None), "give it in the call, CPCLoss(…)(scores, positive, keep)"),
        (lambda: nn.NTXentLos, "has no module 'NTXentLos'"),
        (lambda: nn.NTXentLoss(temperature=0), "temperature must be positive"),
        (lambda: nn.NTXentLoss(temperature=1, reduction="all"), "reduction must be"),
        (lambda: nn.NTXentLoss(temperature=1, tile=64), "add streaming=True"),
        (lambda: nn.DCLLoss(temperature=1, sigma=1.0, streaming=True), "sigma is no option of the streaming"),
        (lambda: nn.NTXentLoss(temperature=1, streaming=True)(*pair(), keep=pair()), "keep is no option of"),
        (lambda: nn.NTXentLoss(temperature=1, max_scale=64), "add learn_temperature=True"),
        (lambda: nn.NTXentLoss(temperature=1)(torch.ones(4, 3), torch.ones(3, 3)), "must agree in B"),
        (lambda: nn.NTXentLoss(temperature=1)(np.ones((4, 3)), torch.ones(4, 3)), "z1 must be a PyTorch"),
        (lambda: nn.AlignmentLoss(exponent=2.0, gather=True), "omit it"),
        (lambda: nn.NTXentLoss(0.5), "NTXentLoss: too many positional arguments; it takes (*, temperature, "),
        (lambda: nn.CPCLoss()(torch.eye(3)), "'positive'; it takes (scores, positive, *, keep=None)"),
        (lambda: functions.streaming.dcl(torch.eye(4), temperature=1, sigma=1), "dcl: got an unexpected"),
        (lambda: labelled(np.ma.array([0, 0, 1, 1])), "labels must be a plain array; got MaskedArray"),
        (lambda: labelled(np.zeros(4, ">i8")), "labels must be int32 or int64; got >i8"),
        (
            lambda: functions.plain["dhn_nce"](*pair(), temperature=1, beta1=pair().sum(), beta2=1),
            "beta1 requires a gradient, and dhn_nce has none by it: detach it",
        ),
        (lambda: functions.plain["siglip"](*pair(), temperature=torch.ones(1), bias=0), "must be a number"),
        (lambda: nn.Queue(size=0, features=3), "size must be a positive integer; got 0"),
        (lambda: nn.Queue(size=4, features=2.0), "features must be a positive integer; got 2.0"),
        (lambda: nn.Queue(size=4, features=3).push(torch.ones(2, 4)), "keys must have shape (n, 3)"),
        (lambda: nn.Queue(size=4, features=3).push(torch.full((2, 3), torch.nan)), "keys must be finite"),
        (lambda: torch.jit.script(nn.NTXentLoss(temperature=1)), "NTXentLoss cannot be scripted"),
        (lambda: torch.jit.script(functions.plain["ntxent"]), "ntxent cannot be scripted"),
        (lambda: torch.jit.script(streamed), "ntxent cannot be scripted"),
        (lambda: torch.jit.trace(nn.NTXentLoss(temperature=1), tuple(pair())), "NTXentLoss cannot be traced"),
        (lambda: torch.jit.trace(functions.plain["alignment"], tuple(pair())), "alignment cannot be traced"),
    ],
)
def test_is_refused_with_one_line(call, words):
    with pytest.raises((ValueError, TypeError, RuntimeError, AttributeError)) as refused:
        call()
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


class WithEncoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(3, 3, dtype=torch.float64)
        self.criterion = nn.NTXentLoss(temperature=0.5, learn_temperature=True)

    def forward(self, x, y):
        return self.criterion(self.encoder(x), self.encoder(y))


def test_torch_export_is_refused_and_the_compiler_leaves_a_module_alone():
    """Also for a module that contains the loss. Compiling changes neither the value nor the gradient."""
    module, views = WithEncoder(), tuple(pair().detach())
    words = "NTXentLoss cannot be {}, because it checks values: do so with the encoder alone"
    with pytest.raises(RuntimeError, match=words.format("exported by torch.export")) as refused:
        torch.export.export(module, views, strict=False)
    assert "\n" not in str(refused.value)
    with pytest.raises(Exception, match=words.format("compiled as one graph")):
        torch.export.export(module, views, strict=True)  # the compiler adds its own words to our message
    with pytest.raises(Exception, match=words.format("compiled as one graph")):
        torch.compile(module, backend="eager", fullgraph=True)(*views)
    module(*views).backward()
    expected = [p.grad.clone() for p in module.parameters()]
    module.zero_grad()
    torch.compile(module, backend="eager")(*views).backward()
    assert all(torch.equal(p.grad, x) for p, x in zip(module.parameters(), expected, strict=True))


# --- the queue of keys --------------------------------------------------------------------------------


def rows(count, seed=0):
    return torch.tensor(np.random.default_rng(seed).standard_normal((count, 3)), dtype=torch.float32)


def test_holds_the_last_keys_the_earliest_first():
    """Also if the batch size does not divide the queue's size, or exceeds it."""
    queue, everything = nn.Queue(size=5, features=3), rows(0)
    for seed, count in enumerate((2, 2, 3, 1, 7, 4)):
        queue.push(rows(count, seed))
        everything = torch.cat([everything, rows(count, seed)])
        assert torch.equal(queue(), everything[-5:])


@pytest.mark.parametrize("pushes", [0, 1, 3])
def test_a_checkpoint_goes_on_with_the_same_keys(pushes, tmp_path):
    queue = nn.Queue(size=5, features=3)
    for seed in range(pushes):
        queue.push(rows(2, seed))
    torch.save(torch.nn.ModuleDict({"queue": queue}).state_dict(), tmp_path / "run")
    other = nn.Queue(size=5, features=3)
    other.push(rows(4, 9))
    torch.nn.ModuleDict({"queue": other}).load_state_dict(torch.load(tmp_path / "run"))
    for one in (queue, other):
        one.push(rows(2, 7))
    assert torch.equal(queue(), other())


@pytest.mark.parametrize("saved", [nn.Queue(size=9, features=3), nn.Queue(size=5, features=4)])
def test_a_checkpoint_of_another_queue_is_refused(saved):
    saved.push(torch.ones(3 + saved.size % 5, saved.features))
    queue = nn.Queue(size=5, features=3)
    queue.push(rows(2, 7))
    with pytest.raises(RuntimeError, match="size mismatch for keys"):
        queue.load_state_dict(saved.state_dict())
    assert torch.equal(queue(), rows(2, 7))


def test_a_push_before_the_backward_pass_leaves_the_gradient():
    criterion, queue = nn.QueryKeyLoss(temperature=0.5), nn.Queue(size=4, features=3)
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


class WithQueue(torch.nn.Linear):
    def __init__(self, gather):
        super().__init__(3, 3)
        self.queue = nn.Queue(size=5, features=3, gather=gather)

    def forward(self, keys):
        self.queue.push(keys)
        return super().forward(keys)


def push_on_rank(rank, batches, gather):
    """Return the keys that a rank holds, and the message if one rank went on alone."""
    model = WithQueue(gather)
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


def test_the_page_s_block_trains():
    (code,) = re.findall(r"```python\n(from infonce_ref.torch.nn import QueryKeyLoss.*?)```", PAGE, re.S)
    names = {"encoder_q": torch.nn.Linear(3, 3), "encoder_k": torch.nn.Linear(3, 3)}
    names["batches"] = [(rows(4, seed), rows(4, seed + 10)) for seed in range(3)]
    exec(code.replace("features=128", "features=3").replace("4096", "6"), names)
    assert len(names["queue"]()) == 6
    assert names["loss"] > 0
    assert names["encoder_q"].weight.grad.abs().max() > 0
    assert names["encoder_k"].weight.grad is None
