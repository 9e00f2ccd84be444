"""What can be checked, and one clear line for each loss that cannot."""

import json
from pathlib import Path

import numpy as np
import pytest
from check import targets
from check.plain import cpc, rows

from infonce_ref.check import Refused, check, identify
from infonce_ref.losses import ALL
from infonce_ref.names import find_loss
from infonce_ref.testing import assert_loss

FILE = Path(__file__).with_name("targets.py")
WILD = FILE.with_name("wild")
UNCHECKED = [
    ("nomodule_here:loss", "there is no module nomodule_here"),
    ("nowhere.py:loss", "there is no file nowhere.py"),
    ("loss", "names no loss; write module:attribute"),
    (str(FILE), "it defines right, raises, of_take,"),
    (f"{FILE}:rigth", "did you mean right"),
    (f"{FILE}:number", "not a function, class or module"),
    (f"{FILE}:raises", "raises KeyError: 'the index of the epoch'"),
    (f"{FILE}:of_take", "raises ValueError: pass take=1, not inputs=2"),
    (f"{FILE}:exits", "could not be checked: it raises SystemExit(0) (" + str(FILE)),
    (f"{FILE}:nan", "returns nan at ordinary inputs"),
    (f"{FILE}:matrix", "returns an array of shape (4, 4), not a number"),
    (f"{FILE}:nothing", "returns nothing"),
    (f"{FILE}:needs_scale", "needs logit_scale: pass --with logit_scale=10"),
    (f"{FILE}:needs_softmax_temp", "needs softmax_temp: pass --with softmax_temp=0.1"),
    (f"{FILE}:needs_much", "needs 6 arguments (x, y, one, two, three, four)"),
    (f"{FILE}:in_place", "writes into the arrays that it was given"),
    (f"{FILE}:stateful", "keeps a state between calls"),
    (f"{FILE}:random", "is random"),
    (f"{FILE}:Trainer", "builds Trainer, which cannot be called; write a line that makes Trainer"),
    (f"{FILE}:Trainer.loss", "is a method without its object"),
    (f"{FILE}:awaited", "is a coroutine"),
    (f"{WILD}/other_lengths.py:keepdim_missing --backward {FILE}:right", "PyTorch has its own gradient"),
    (f"{FILE}:right --take 3", "returns one result; leave --take 3 out"),
    (f"{FILE}:right --device cuda", "with arrays of NumPy; leave --device cuda out"),
    (f"{FILE}:Loss", "it takes temperature, reduction: pass --with NAME=VALUE"),
]


@pytest.mark.parametrize(("target", "line"), UNCHECKED)
def test_a_loss_that_cannot_be_checked_gives_one_line_and_status_2(refused, target, line):
    assert line in refused("check", *target.split())


def test_a_class_is_built_with_the_given_settings():
    report = identify(targets.Loss, temperature=0.3, reduction="sum")
    assert report.loss == "cpc"
    assert report.temperature == pytest.approx(0.3, rel=1e-6, abs=0)
    assert report.options["reduction"] == "sum"


def test_an_unknown_setting_is_refused():
    with pytest.raises(Refused, match=r"takes no temprature; .* temperature can be given"):
        check(targets.right, temprature=0.1)
    with pytest.raises(Refused, match=r"takes no tau; .* temperature, reduction can be given"):
        check(targets.Loss, tau=0.1)


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        ("InfoNCE InfoNCELoss SimCSE MNRL MultipleNegativesRankingLoss", ("cpc", {"normalised": True})),
        ("NT-Xent NTXentLoss SimCLR nt_xent ntxent", ("ntxent", {})),
        ("infonce", ("infonce", {})),
    ],
)
def test_a_loss_has_the_names_that_others_give_it(names, meant):
    for name in names.split():
        assert find_loss(name, ALL) == meant


def test_a_name_that_others_give_includes_their_options():
    for word in ("InfoNCE", "infonce"):
        verdict = identify(cpc, is_=word).verdicts["formula"]
        assert (verdict.word, "what others call InfoNCE is cpc here" in verdict.sentence) == ("right", True)
    assert (
        identify(lambda x, y: rows(x @ y.T / 0.2).mean(), is_="InfoNCE").verdicts["formula"].word != "right"
    )
    assert identify(cpc, is_="N-pair").verdicts["formula"].word != "right"


def test_unknown_names_are_refused():
    with pytest.raises(Refused, match=r"unknown 'ntxnet'; .*; did you mean ntxent"):
        check(targets.right, is_="ntxnet")
    with pytest.raises(Refused, match="inputs='pairs' is unknown"):
        check(targets.right, inputs="pairs")
    with pytest.raises(Refused, match="no check is called digit, gradeint"):
        check(targets.right, expected_failures={"gradeint": "not yet", "digit": ""})


def test_a_loss_that_computes_in_single_precision_has_its_own_tolerance():
    report = identify(targets.in_single_precision)
    assert "has the precision of float32" in report.about
    assert report.loss == "cpc"
    assert report.temperature == pytest.approx(0.15, rel=1e-4, abs=0)


class TestTheCommand:
    def test_a_right_loss_has_status_0(self, command, tmp_path):
        words = ["check", f"{FILE}:right", "--is", "cpc", "--with", "temperature=0.2"]
        status, out, _ = command(*words, "--json", tmp_path / "report.json")
        assert status == 0
        assert "right: it is cpc, τ = 0.2" in out
        found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
        assert found["loss"] == "cpc"
        assert found["status"] == 0
        assert found["verdicts"]["formula"]["holds"] is True
        assert {"check", "status", "error", "tolerance", "witness", "reason"} == set(found["records"][0])

    @pytest.mark.slow
    def test_a_wrong_gradient_is_status_4(self, command, tmp_path):
        (tmp_path / "mine.py").write_text(
            "import numpy as np\n"
            "def loss(s, p):\n    return (np.log(np.exp(s).sum(1)) - s[np.arange(len(s)), p]).mean()\n"
            "def gradient(s, p):\n"
            "    e = np.exp(s)\n"
            "    return (e / e.sum(1, keepdims=True) - np.eye(s.shape[1])[p])\n",
            encoding="utf-8",
        )
        target = tmp_path / "mine.py"
        status, out, _ = command("check", f"{target}:loss", "--is", "cpc", "--backward", f"{target}:gradient")
        assert status == 4
        assert "the gradient is 4 times the exact one" in out

    @pytest.mark.slow
    def test_a_loss_and_its_backward_may_be_methods_of_one_class(self, command, tmp_path):
        (tmp_path / "kept.py").write_text(
            "import numpy as np\n"
            "class Loss:\n"
            "    def __call__(self, s, p):\n"
            "        e = np.exp(s)\n"
            "        self.slope = (e / e.sum(1, keepdims=True) - np.eye(s.shape[1])[p]) / len(s)\n"
            "        return (np.log(e.sum(1)) - s[np.arange(len(s)), p]).mean()\n"
            "    def backward(self, dy=1.0):\n        return self.slope * dy\n",
            encoding="utf-8",
        )
        target = f"{tmp_path / 'kept.py'}:Loss"
        assert (
            "gradient  right"
            in command("check", target, "--is", "cpc", "--backward", f"{target}.backward")[1]
        )


class TestAssertLoss:
    def test_right_is_quiet(self):
        assert assert_loss(targets.right, "cpc", temperature=0.15).loss == "cpc"

    def test_wrong_is_named_in_the_message(self):
        def squared(x, y):
            return targets.right(x, y, 0.15**2)

        with pytest.raises(AssertionError, match=r"squared is not cpc: temperature twice \(.*τ = 0.0225"):
            assert_loss(squared, "cpc", temperature=0.15)


def test_the_inputs_are_left_as_they_were():
    seen = []

    def loss(x, y):
        seen.append((x.copy(), x))
        return targets.right(x, y)

    check(loss, tiers=("formula",))
    assert all(np.array_equal(before, after) for before, after in seen)
