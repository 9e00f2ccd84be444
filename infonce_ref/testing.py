"""Assertions about a user's own loss, for the user's own tests.

from infonce_ref.testing import assert_loss

def test_my_loss():
    assert_loss(my_loss, "ntxent", temperature=0.1)
"""

from collections.abc import Mapping
from typing import Any

from .check import Report, check


def assert_loss(
    loss: Any, is_: str, *, expected_failures: Mapping[str, str] | None = None, **arguments: Any
) -> Report:
    """Assert that a loss computes the named formula and returns the exact gradient of it.

    The arguments are those of `infonce_ref.check.check`; with per_batch=FUNCTION the loss is None. Returns
    the report; raises AssertionError with the name of each mistake, a sentence about it, and the report. A textbook
    form that loses digits when cold passes.

    >>> import numpy as np
    >>> from infonce_ref.testing import assert_loss
    >>> def mine(x, y, temperature):
    ...     x, y = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, y))
    ...     e = np.exp(x @ y.T / temperature**2)
    ...     return -np.log(np.diag(e) / e.sum(axis=1)).mean()
    >>> try:
    ...     assert_loss(mine, "cpc", temperature=0.5)
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    mine is not cpc: temperature twice (the temperature is applied twice: τ = 0.25, where 0.5 was asked for)
    """
    report = check(
        loss, is_=is_, expected_failures=expected_failures, tiers=("formula", "gradient"), **arguments
    )
    if not report.holds:
        told = "; ".join(f"{d.mistake} ({d.sentence})" for d in report.mistakes)
        raise AssertionError(f"{report.target} is not {is_}: {told}\n\n{report}")
    return report
