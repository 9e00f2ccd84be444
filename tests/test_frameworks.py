"""docs/frameworks.md shows the results of the bridges."""

import doctest
import re

import frameworks
import pytest

TEXT = frameworks.PAGE.read_text(encoding="utf-8")
pytestmark = [pytest.mark.torch, pytest.mark.jax]
SNIPPETS = re.findall(r"```python\n(.*?)```", TEXT, re.S)


def test_every_loss_of_each_bridge_has_a_row_and_every_cell_holds():
    """The numbers depend on the machine that wrote them; whether they hold does not."""
    rows = [
        [cell.strip("` ") for cell in line.strip("|").split("|")] for line in re.findall(r"\n(\| `.*)", TEXT)
    ]
    assert [row[:2] for row in rows] == [[asked.room, asked.loss.name] for asked in frameworks.BRIDGES]
    for room, loss, value, gradients, gradcheck, second, compiled, dtypes, vmap in rows:
        (asked,) = (a for a in frameworks.BRIDGES if (a.room, a.loss.name) == (room, loss))
        assert gradcheck == f"holds at {len([*frameworks.cases(asked.loss)])}"
        assert dtypes == "float32 float64"
        for cell in (value, gradients, *second.split(", "), compiled, vmap):
            error, tolerance = map(float, cell.split("≤"))
            assert 0 <= error <= tolerance


@pytest.mark.parametrize("module", ["torch", "jax"])
def test_the_page_repeats_the_limitations_in_the_bridges_docstrings(module):
    pytest.importorskip(module, reason=f"{module} is not installed (an extra)")
    assert frameworks.read_limitations(module) in TEXT


@pytest.mark.parametrize(
    ("module", "snippet"),
    [
        (module, "\n".join(part for part in SNIPPETS if ("jax" in part) is (module == "jax")))
        for module in ("torch", "jax")
    ],
)
def test_a_snippet_prints_what_the_page_shows(module, snippet):
    pytest.importorskip(module, reason=f"{module} is not installed (an extra)")
    test = doctest.DocTestParser().get_doctest(snippet, {}, module, str(frameworks.PAGE), 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
