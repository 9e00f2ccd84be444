"""Each finding in public code gets the name in docs/public-bugs.md, from its two lines of NumPy."""

import findings
import numpy as np
import pytest
from check.plain import logsumexp

pytestmark = pytest.mark.slow


def demonstration(finding):
    def loss(x, y):
        unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (x, y))
        rows = np.arange(2 * len(x))
        space = {name: getattr(np, name) for name in ("concatenate", "diag", "exp", "eye", "log")}
        space |= {"x": x, "y": y, "logsumexp": logsumexp, "partner": (rows, np.roll(rows, len(x)))}
        space["s"] = np.einsum("id,jd->ij", *unit) / finding.asked.get("temperature", 1)
        with np.errstate(divide="ignore"):
            exec(finding.shown, space)
        return space["loss"]

    return loss


@pytest.mark.parametrize(
    "finding",
    findings.FINDINGS,
    ids=lambda finding: finding.repository,
)
def test_the_two_lines_get_the_name_of_the_finding(finding):
    assert len(finding.shown.splitlines()) == 2
    assert findings.names(finding, demonstration(finding)) == finding.named


def test_every_row_of_the_page_is_read():
    assert {finding.repository for finding in findings.FINDINGS} == {*findings.BESIDE}
