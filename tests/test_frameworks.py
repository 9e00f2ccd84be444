"""The examples of docs/frameworks.md run and print what the page shows."""

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "frameworks.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
pytestmark = [pytest.mark.torch, pytest.mark.jax]


@pytest.mark.parametrize(
    ("module", "snippet"),
    [
        (module, "\n".join(part for part in SNIPPETS if ("jax" in part) is (module == "jax")))
        for module in ("torch", "jax")
    ],
)
def test_a_snippet_prints_what_the_page_shows(module, snippet):
    pytest.importorskip(module, reason=f"{module} is not installed (an extra)")
    test = doctest.DocTestParser().get_doctest(snippet, {}, module, str(PAGE), 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
