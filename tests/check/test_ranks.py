"""A loss on two processes: name what the mean of their gradients is."""

import pytest

pytest.importorskip("torch")

from check import ranked

from infonce_ref.check import Refused, check
from infonce_ref.cli import main
from infonce_ref.testing import assert_loss

pytestmark = [pytest.mark.slow, pytest.mark.torch]  # each starts processes


@pytest.mark.parametrize(
    ("name", "claim", "mistake"),
    [
        ("right_local", "clip", None),
        ("right_whole", "clip", None),
        ("right_by_rank", "clip", None),
        ("with_labels", "supcon", None),
        ("with_labels", "ntxent", None),
        ("alone", "clip", "each rank alone"),
        ("constants", "clip", "without the gathered part"),
        ("halved", "clip", "divided by the ranks"),
        ("doubled", "clip", "multiplied by ranks"),
        ("labels_from_0", "clip", "wrong partners after gathering"),
        ("blocks", "ntxent", "wrong partners after gathering"),
    ],
)
def test_the_loss_on_two_ranks_is_named(name, claim, mistake):
    report = check(getattr(ranked, name), is_=claim, tiers=("formula",), ranks=2)
    assert report.verdicts["formula"].holds, report
    assert [m.mistake for m in report.mistakes] == ([mistake] if mistake else []), report
    assert report.verdicts["ranks"].holds is (mistake is None)
    assert report.status == (16 if mistake else 0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "raises_on_one",
            r"on rank 1 of 2 raises ValueError: only the first rank is known \(.*ranked.py, line",
        ),
        ("exits_on_one", r"on rank 1 of 2 raises Refused: could not be checked: it raises SystemExit\(0\)"),
    ],
)
def test_a_rank_that_fails_is_named(name, words):
    with pytest.raises(Refused, match=words):
        check(getattr(ranked, name), tiers=("formula",), ranks=2)


def test_a_closure_is_checked_on_ranks_too():
    def mine(x, y):
        return ranked.constants(x, y)

    with pytest.raises(AssertionError, match="mine is not clip: without the gathered part"):
        assert_loss(mine, "clip", ranks=2)


def test_the_command_asks_ranks(capsys):
    assert main(["check", f"{ranked.__file__}:halved", "--is", "clip", "--ranks", "2"]) == 16
    assert "ranks     WRONG: after the mean over ranks the gradient is 0.5 of that" in capsys.readouterr().out
