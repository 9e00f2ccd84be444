"""The losses as modules: signatures, values and refusals."""

import copy
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")

from infonce_ref import losses  # noqa: E402
from infonce_ref.torch import functions, nn  # noqa: E402


def pair():
    return torch.linspace(-1, 2, 24, dtype=torch.float64).sin().reshape(2, 4, 3).requires_grad_()


def masked(module):
    return module(*pair(), keep=torch.ones(8, 8, dtype=torch.bool))


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
    assert (
        str(nn.NTXentLoss(temperature=0.1, reduction="sum")) == "NTXentLoss(temperature=0.1, reduction='sum')"
    )
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


def test_the_bias_is_learned():
    module = nn.SigLIPLoss(temperature=0.1, bias=-2.0, learn_temperature=True, learn_bias=True)
    module(*pair()).backward()
    assert {name for name, p in module.named_parameters() if p.grad} == {"logit_scale", "bias"}


def test_the_page_s_weights_of_anchors_can_be_passed_as_upstream():
    page = (Path(__file__).parent.parent.parent / "docs/in-training.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"## Weights of anchors.*?```python\n(.*?)```", page, re.S)
    views, weights = pair(), torch.tensor([0.0, 1, 2, 3, 0, 0, 1, 5], dtype=torch.float64)
    names = {"z1": views[0], "z2": views[1], "weights": weights}
    exec(code, names)
    names["loss"].backward()
    w = views.detach().numpy().reshape(8, 3)
    value, cache = losses.ALL["ntxent"].forward(w, temperature=0.1, reduction="none")
    share = weights.numpy() / weights.numpy().sum()
    assert names["loss"].item() == pytest.approx(value @ share, rel=1e-14, abs=0)
    expected = losses.ALL["ntxent"].backward(cache, share).w
    np.testing.assert_allclose(views.grad.reshape(8, 3), expected, rtol=0, atol=1e-14)


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
        (
            lambda: nn.DCLLoss(temperature=1, sigma=1.0, streaming=True),
            "sigma is no option of the streaming loss",
        ),
        (
            lambda: masked(nn.NTXentLoss(temperature=1, streaming=True)),
            "keep is no option of the streaming loss",
        ),
        (lambda: nn.NTXentLoss(temperature=1, max_scale=64), "add learn_temperature=True"),
        (lambda: nn.NTXentLoss(temperature=1)(torch.ones(4, 3), torch.ones(3, 3)), "must agree in B"),
        (
            lambda: nn.NTXentLoss(temperature=1)(np.ones((4, 3)), torch.ones(4, 3)),
            "z1 must be a PyTorch tensor",
        ),
        (lambda: nn.AlignmentLoss(exponent=2.0, gather=True), "omit it"),
        (lambda: nn.NTXentLoss(0.5), "NTXentLoss: too many positional arguments; it takes (*, temperature, "),
        (lambda: nn.CPCLoss()(torch.eye(3)), "'positive'; it takes (scores, positive, *, keep=None)"),
        (
            lambda: functions.streaming.dcl(torch.eye(4), temperature=1, sigma=1.0),
            "dcl: got an unexpected keyword argument 'sigma'; it takes (w, *, temperature, ",
        ),
        (lambda: labelled(np.ma.array([0, 0, 1, 1])), "labels must be a plain array; got MaskedArray"),
        (lambda: labelled(np.zeros(4, ">i8")), "labels must be int32 or int64; got >i8"),
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
