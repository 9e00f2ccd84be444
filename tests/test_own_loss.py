"""The code on docs/own-loss.md runs and prints what the page shows."""

import re
import sys
from pathlib import Path

import pytest

from infonce_ref.verify import laws, own_loss, proofs

PAGE = (Path(__file__).parent.parent / "docs" / "own-loss.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.S | re.M)
FILE, CHAIN, *PARTS, MENDED = (text for language, text in BLOCKS if language == "python")
PRINTED, REFUSED, WRONG, RIGHT = (text for language, text in BLOCKS if not language)


@pytest.fixture
def prove(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)

    def run(*parts):
        Path("margin.py").write_text("\n".join(parts), encoding="utf-8")
        return command("prove", "margin.py")

    return run


@pytest.mark.slow
def test_the_command_prints_what_the_page_shows(prove):
    status, out, _ = prove(FILE)
    command, *shown = re.split(r"\n\n(?=the gradient)|…\n", PRINTED)
    assert status == 0
    assert command == "infonce-ref prove margin.py"
    assert all(part.rstrip() in out for part in shown), out


@pytest.mark.slow
def test_the_chain_of_an_own_loss_is_proved(prove):
    status, out, _ = prove(FILE, CHAIN)
    assert status == 0
    assert "proved: 3" in out


@pytest.mark.slow
def test_a_wrong_line_is_refused_as_the_page_says(prove):
    status, _, err = prove(FILE, CHAIN.replace("= 1", "= 2"))
    assert status == 1
    assert err == REFUSED


@pytest.fixture
def bring(tmp_path, monkeypatch):
    """Check the page's loss, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "margin_softmax", None)
    monkeypatch.delitem(sys.modules, "margin_softmax")
    monkeypatch.setattr(laws, "LAWS", [*laws.LAWS])

    def run(parts, target="margin_softmax.py:LOSS", statement=None):
        Path("margin_softmax.py").write_text("\n\n".join(parts), encoding="utf-8")
        return own_loss.load(target, statement)

    yield run
    own_loss.OWN_LOSSES.clear()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "status", "shown"),
    [
        pytest.param(PARTS, 1, WRONG.split("\n\n", 1)[1], id="mistaken"),
        pytest.param([*PARTS, MENDED], 0, RIGHT, id="mended"),
    ],
)
def test_verify_prints_what_the_page_shows(bring, command, parts, status, shown):
    Path("margin_softmax.py").write_text("\n\n".join(parts), encoding="utf-8")
    found, out, _ = command("verify", "--loss", "margin_softmax.py:LOSS")
    assert found == status
    out = " ".join(out.split())  # without line breaks
    assert " ".join(shown.split()) in out
    assert "the gradient by scores ∂𝓛/∂u[k, a] = (1[a ≠ p(k)]·P[k, a]" in out


def test_a_statement_that_is_false_is_refused(bring):
    loss = bring([PARTS[0].replace("PUSH / N", "2 * PUSH / N"), *PARTS[1:], MENDED])
    with pytest.raises(ValueError, match="not proved by derivative"):
        proofs.prove(loss.name, loss.example())


@pytest.mark.parametrize(
    ("name", "statement"),
    [("STATEMENT", "paper.py"), ("STATEMENT", "paper.py:"), ("OTHER", "paper.py:OTHER")],
)
def test_a_statement_in_another_file_is_found_by_its_name(bring, tmp_path, name, statement):
    """By default STATEMENT. The loss's own file has none, and moves to another folder when it is imported."""
    (tmp_path / "paper.py").write_text(f"def {name}(arguments):\n    return 'mine'\n", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    moves = "import os\nos.chdir('elsewhere')"
    bring([PARTS[0].replace("STATEMENT = ", "NONE = "), *PARTS[1:], MENDED, moves], statement=statement)
    assert own_loss.OWN_LOSSES["margin_softmax"].statement({}) == "mine"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("none.py:LOSS", "there is no file none.py"),
        ("no.such:LOSS", "there is no module no"),
        ("margin_softmax.py:LOS", "defines no 'LOS'; did you mean LOSS"),
        ("margin_softmax.py:STATEMENT", "must be an infonce_ref.losses.Loss; got Statement"),
    ],
)
def test_a_target_that_is_not_a_loss_is_refused(bring, target, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        bring([*PARTS, MENDED], target)


def test_the_name_of_an_existing_loss_is_refused(bring):
    with pytest.raises(ValueError, match="cpc is a loss of the registry"):
        bring([part.replace('name="margin_softmax"', 'name="cpc"') for part in PARTS])


def test_a_package_can_offer_a_loss_by_name(bring, tmp_path, monkeypatch):
    package = tmp_path / "margin-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: margin\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[{own_loss.GROUP}]\nmargin = margin_softmax:LOSS\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert bring([*PARTS, MENDED], "margin").name == "margin_softmax"
