"""The tests' own tolerances."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
PARAMETERS = ("expected", "rel", "abs")  # the keywords of pytest.approx


def test_every_tolerance_is_as_small_as_its_comment_says():
    """pytest.approx also allows an absolute error of 1e-12, which is large for a small number, so `abs` must
    be given too.
    """
    calls = {
        f"{path.relative_to(TESTS)}:{call.lineno}": {
            *PARAMETERS[: len(call.args)],
            *(keyword.arg for keyword in call.keywords),
        }
        for path in TESTS.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "approx"
    }
    assert [place for place, named in calls.items() if "rel" in named and "abs" not in named] == []
