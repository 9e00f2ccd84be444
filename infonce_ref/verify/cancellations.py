"""Cancellations: a value or gradient that is a small difference of large terms, in any form.

Every error is measured relative to the summed terms, and relative to the largest exact entry (the "plain" error).
The plain error must be within the tolerance too, unless `LOSS.ill_conditioned` declares a cancellation that occurs
at the tested points. A cancellation that is not declared is a failure; so is a declared one that is not measured.
"""

import inspect
from collections.abc import Iterable

from ..losses import Loss
from .case import Check
from .precision import VALUE

STALE = 0.5  # of the tolerance; rounding differs between processors


def find_worst(checks: Iterable[Check]) -> dict[tuple[str, str], Check]:
    """For each loss and input, or value, find the check with the largest plain error relative to its
    tolerance.
    """
    worst: dict[tuple[str, str], Check] = {}
    for check in checks:
        if check.worst.plain is None:
            continue
        key = check.loss, "value" if check.compared == VALUE else check.input
        if key not in worst or check.plain_excess > worst[key].plain_excess:
            worst[key] = check
    return worst


def find_surprises(checks: Iterable[Check], losses: Iterable[Loss], backend: str = "numpy") -> list[str]:
    """List declarations and measurements that disagree, with what to change, one line each. Only NumPy's float64
    can show that a declaration is stale: another library may sum in an order that loses less.
    """
    checks = list(checks)
    measured = find_worst(checks)
    in_double = find_worst(check for check in checks if (backend, check.dtype) == ("numpy", "float64"))
    lines = []
    for loss in losses:
        module = inspect.unwrap(loss.forward).__module__
        place = f"LOSS.ill_conditioned in {module.replace('.', '/')}.py"
        declared = {name for name, known in loss.ill_conditioned.items() if known.judged}
        for name in dict.fromkeys([*loss.differentiable, "value"]):
            key = loss.name, name
            check = measured.get(key)
            if check and check.plain_excess > 1 and name not in declared:
                lines.append(
                    f"{loss.name} {name}: plain error {check.worst.plain:.1e} > {check.tolerance:.1e} at "
                    f"{check.place}, an undeclared cancellation: declare it in {place}, with judged=True"
                )
            elif key in in_double and measured[key].plain_excess <= STALE and name in declared:
                lines.append(
                    f"{loss.name} {name}: a cancellation is declared, but the plain error is within the "
                    f"tolerance: remove judged=True from {place}"
                )
    return lines
