"""A JAX loss along a mapped axis: name what the mean of its ranks' gradients is, as for PyTorch."""

import pytest

pytest.importorskip("jax")

from check import ranked_jax

from infonce_ref import jax as bridge
from infonce_ref.check import Refused, check
from infonce_ref.cli import main
from infonce_ref.testing import assert_loss

pytestmark = [pytest.mark.slow, pytest.mark.jax]  # XLA compiles every operation at every size


@pytest.mark.parametrize(
    ("name", "axis", "mistake"),
    [
        ("right_local", "batch", None),
        ("right_whole", "devices", None),
        ("RightIfTold", "ranks", None),
        ("mean_of_shares", "batch", "each rank alone"),
        ("constants", "batch", "without the gathered part"),
        ("halved", "batch", "divided by the ranks"),
        ("doubled", "batch", "multiplied by ranks"),
        ("labels_from_0", "batch", "wrong partners after gathering"),
    ],
)
def test_the_loss_on_two_ranks_is_named(name, axis, mistake):
    report = check(getattr(ranked_jax, name), is_="clip", tiers=("formula",), ranks=2)
    assert report.verdicts["formula"].holds, report
    assert [m.mistake for m in report.mistakes] == ([mistake] if mistake else []), report
    assert report.verdicts["ranks"].word == ("wrong" if mistake else "right")
    assert report.status == (16 if mistake else 0)
    assert f"run under jax.vmap's axis {axis}," in report.about


def test_our_own_loss_is_right_along_an_axis():
    assert_loss(bridge.ntxent, "ntxent", settings={"temperature": 0.3}, ranks=2)


def test_a_loss_without_an_axis_is_local():
    report = check(ranked_jax.alone, is_="clip", tiers=("formula",), ranks=2)
    assert [m.mistake for m in report.mistakes] == ["each rank alone"]
    assert "it uses no mapped axis" in report.verdicts["ranks"].sentence
    assert "vmap" not in report.about


def test_candidates_that_are_constant_on_one_rank_too_are_no_mistake_of_ranks():
    report = check(ranked_jax.all_constants, is_="clip", tiers=("formula", "gradient"), ranks=2)
    assert report.verdicts["ranks"].word == "as one rank"
    assert "none as a candidate (candidates gathered or detached)" in report.verdicts["gradient"].sentence
    assert report.status == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("two_axes", "two_axes uses two mapped axes, hosts and devices; ranks=… gives one"),
        ("raises_on_several", r"on 2 ranks raises ValueError: one device only \(.*ranked_jax.py, line"),
    ],
)
def test_losses_without_ranks_are_refused(name, words):
    with pytest.raises(Refused, match=words):
        check(getattr(ranked_jax, name), ranks=2)


def test_without_ranks_the_loss_still_gets_its_axis():
    with pytest.raises(Refused, match="right_local needs a mapped axis: ranks=2 runs it under one"):
        check(ranked_jax.right_local)


def test_the_command_asks_ranks(capsys):
    assert main(["check", f"{ranked_jax.__file__}:constants", "--is", "clip", "--ranks", "2"]) in (16, 20)
    assert "ranks     WRONG: rows of other ranks are constants" in capsys.readouterr().out
