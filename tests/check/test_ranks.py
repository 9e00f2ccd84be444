"""A loss on two ranks, PyTorch's processes or a mapped axis of JAX: name what the mean of their gradients is."""

from importlib import import_module

import pytest

from infonce_ref.check import Refused, check
from infonce_ref.testing import assert_loss

pytestmark = pytest.mark.slow  # PyTorch starts processes, and XLA compiles every operation at every size


def losses_of(framework):
    """Losses for several ranks as public code of this framework has them; skip if it is not installed."""
    pytest.importorskip(framework)
    return import_module({"torch": "check.ranked", "jax": "check.ranked_jax"}[framework])


OF_BATCH = "run under jax.vmap's axis batch,"


@pytest.mark.parametrize(
    ("framework", "name", "claim", "mistake", "about"),
    [
        ("torch", "right_local", "clip", None, ""),
        ("torch", "right_whole", "clip", None, ""),
        ("torch", "right_by_rank", "clip", None, ""),
        ("torch", "with_labels", "supcon", None, ""),
        ("torch", "with_labels", "ntxent", None, ""),
        ("torch", "of_a_queue", "query_key", None, ""),
        ("torch", "alone", "clip", "each rank alone", ""),
        ("torch", "constants", "clip", "without the gathered part", ""),
        ("torch", "halved", "clip", "divided by the ranks", ""),
        ("torch", "doubled", "clip", "multiplied by ranks", ""),
        ("torch", "labels_from_0", "clip", "wrong partners after gathering", ""),
        ("torch", "blocks", "ntxent", "wrong partners after gathering", ""),
        ("jax", "right_local", "clip", None, OF_BATCH),
        ("jax", "right_whole", "clip", None, "run under jax.vmap's axis devices,"),
        ("jax", "RightIfTold", "clip", None, "run under jax.vmap's axis ranks,"),
        ("jax", "mean_of_shares", "clip", "each rank alone", OF_BATCH),
        ("jax", "constants", "clip", "without the gathered part", OF_BATCH),
        ("jax", "halved", "clip", "divided by the ranks", OF_BATCH),
        ("jax", "doubled", "clip", "multiplied by ranks", OF_BATCH),
        ("jax", "labels_from_0", "clip", "wrong partners after gathering", OF_BATCH),
    ],
)
def test_the_loss_on_two_ranks_is_named(framework, name, claim, mistake, about):
    report = check(getattr(losses_of(framework), name), is_=claim, tiers=("formula",), ranks=2)
    assert report.verdicts["formula"].holds, report
    assert [m.mistake for m in report.mistakes] == ([mistake] if mistake else []), report
    assert report.verdicts["ranks"].word == ("wrong" if mistake else "right")
    assert report.status == (16 if mistake else 0)
    assert about in report.about


@pytest.mark.parametrize(
    ("framework", "name", "words"),
    [
        (
            "torch",
            "raises_on_one",
            r"on rank 1 of 2 raises ValueError: only the first rank is known \(.*ranked.py, line",
        ),
        (
            "torch",
            "exits_on_one",
            r"on rank 1 of 2 raises Refused: could not be checked: it raises SystemExit\(0\)",
        ),
        ("jax", "two_axes", "two_axes uses two mapped axes, hosts and devices; ranks=… gives one"),
        (
            "jax",
            "raises_on_several",
            r"on 2 ranks raises ValueError: one device only \(.*ranked_jax.py, line",
        ),
    ],
)
def test_a_loss_that_fails_on_ranks_is_refused(framework, name, words):
    with pytest.raises(Refused, match=words):
        check(getattr(losses_of(framework), name), tiers=("formula",), ranks=2)


@pytest.mark.parametrize(
    ("framework", "name", "said"),
    [
        ("torch", "halved", "WRONG: after the mean over ranks the gradient is 0.5 of that"),
        ("jax", "constants", "WRONG: rows of other ranks are constants"),
    ],
)
def test_the_command_asks_ranks(framework, name, said, command):
    file = losses_of(framework).__file__
    status, out, _ = command("check", f"{file}:{name}", "--is", "clip", "--ranks", "2")
    assert status in (16, 20)
    assert f"ranks     {said}" in out


@pytest.mark.torch
def test_a_closure_is_checked_on_ranks_too():
    ranked = losses_of("torch")

    def mine(x, y):
        return ranked.constants(x, y)

    with pytest.raises(AssertionError, match="mine is not clip: without the gathered part"):
        assert_loss(mine, "clip", ranks=2)


@pytest.mark.jax
def test_our_own_loss_is_right_along_an_axis():
    losses_of("jax")
    assert_loss(import_module("infonce_ref.jax").ntxent, "ntxent", settings={"temperature": 0.3}, ranks=2)


@pytest.mark.jax
def test_a_loss_without_an_axis_is_local_and_one_with_an_axis_needs_it():
    losses = losses_of("jax")
    report = check(losses.alone, is_="clip", tiers=("formula",), ranks=2)
    assert [m.mistake for m in report.mistakes] == ["each rank alone"]
    assert "it uses no mapped axis" in report.verdicts["ranks"].sentence
    assert "vmap" not in report.about
    with pytest.raises(Refused, match="right_local needs a mapped axis: ranks=2 runs it under one"):
        check(losses.right_local)


@pytest.mark.jax
def test_candidates_that_are_constant_on_one_rank_too_are_no_mistake_of_ranks():
    report = check(losses_of("jax").all_constants, is_="clip", tiers=("formula", "gradient"), ranks=2)
    assert report.verdicts["ranks"].word == "as one rank"
    assert "none as a candidate (candidates gathered or detached)" in report.verdicts["gradient"].sentence
    assert report.status == 4
