"""What the README shows is what the project does."""

import doctest
import re
from pathlib import Path

import pytest

from infonce_ref.losses import ALL

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_the_snippet_prints_what_it_says():
    test = doctest.DocTestParser().get_doctest(
        re.search(r"```python\n(.*?)```", TEXT, re.S)[1], {}, "README", str(README), 0
    )
    assert test.examples
    results = doctest.DocTestRunner().run(test)
    assert results.failed == 0


def test_the_matrix_has_a_row_for_each_loss_and_input():
    block = re.search(r"## The matrix.*?```\n(.*?)```", TEXT, re.S)[1].splitlines()
    rows, loss = [], ""
    for line in block[1:]:
        if line.count("≤") == 4:
            words = line.split()
            loss, name = words[:2] if not line.startswith(" ") else (loss, words[0])
            rows.append((loss, name))
    assert rows == [(loss.name, name) for loss in ALL.values() for name in loss.differentiable]


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([^):]+)\)", TEXT))))
def test_links_lead_somewhere(path):
    assert (README.parent / path).exists()


def test_it_stays_short():
    assert len(TEXT.splitlines()) <= 120
