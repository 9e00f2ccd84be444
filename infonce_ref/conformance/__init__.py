"""Bring your own loss: which formula it computes, whether its gradient is right, where it loses its digits.

    from infonce_ref.conformance import check
    print(check(my_loss, is_="ntxent", temperature=0.1))

The loss is a function of arrays (NumPy, PyTorch, JAX), a class or module, or "module:attribute". It runs in this
process, with all rights of this process; PyTorch and JAX are used only if the loss has imported them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .target import Refused
from .verdicts import TIERS, Record, Report, Verdict

# names of `check`'s own arguments that a loss may use too
OPTIONS = {"device", "dtype", "inputs", "backward", "take"}
__all__ = ["Record", "Refused", "Report", "Verdict", "check", "identify"]


def identify(loss: Any, *, inputs: str | None = None, **settings: Any) -> Report:
    """Say which formula a loss computes: the first tier of `check`.

    >>> import numpy as np
    >>> from infonce_ref.conformance import identify
    >>> def mine(x, y, temperature=0.2):
    ...     x, y = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, y))
    ...     e = np.exp(x @ y.T / temperature)
    ...     return -np.log(np.diag(e) / e.sum(axis=1)).mean()
    >>> report = identify(mine)
    >>> print(report.loss, report.temperature, dict(report.options))
    cpc 0.2 {'reduction': 'mean', 'normalised': True, 'anchors': 'first'}
    """
    return check(loss, inputs=inputs, tiers=("formula",), **settings)


def check(
    loss: Any = None,
    *,
    is_: str | None = None,
    inputs: str | None = None,
    backward: Any = None,
    expected_failures: Mapping[str, str] | None = None,
    tiers: Sequence[str] = TIERS,
    device: str = "cpu",
    dtype: str = "float64",
    take: int | str | None = None,
    per_batch: Callable[[int], Any] | None = None,
    ranks: int = 1,
    settings: Mapping[str, Any] | None = None,
    **more: Any,
) -> Report:
    """Check formula, gradient and numerics of a loss.

    loss: a function, a class or module, an object that can be called, or "module:attribute" · is_: the name of the
    loss that it is meant to be · inputs: how it takes its arrays, a name of `inputs.WAYS`; found by trying ·
    backward: its gradient, if no library computes one: of the same arguments, or of what the loss returns beside
    its value, or a method of its class · expected_failures: records that are known to fail, each with the reason ·
    tiers: what to ask · device, dtype: of the tensors in which it is asked · take: which of the things that it
    returns is the loss, a number from 0 or a key · per_batch: in place of a loss, a function of the number of pairs
    that returns the loss for it · ranks: on how many processes of PyTorch, or places of JAX's mapped axis, it is
    asked too, each with its rows · settings, more: what it is built and called with, such as temperature=0.1; one
    that it does not take is what the formula must have. A setting that is called as an argument of `check` is given
    in `settings`.

    Raises `Refused`, a ValueError, if the loss cannot be called.
    """
    from . import question
    from .ranks import start
    from .target import target
    from .tiers import answer_question

    if (loss is None) == (per_batch is None):
        raise Refused(
            "give a loss, or in its place per_batch, a function of the number of pairs that returns it"
        )
    settings = {**(settings or {}), **more}
    check_temperature(settings.get("temperature", 1))
    made = target(loss or per_batch, settings, backward, device)
    made = made._replace(per_batch=per_batch is not None, take=take)
    passed, meant = share_settings(made, settings)
    made = made._replace(settings=passed, mapped=ranks > 1)
    with start(made, ranks) as processes:
        return answer_question(
            question.Question(made, is_, meant, inputs, tiers, expected_failures or {}, dtype, processes)
        )


def check_temperature(tau: Any) -> None:
    """Raise Refused for a temperature that no loss can have."""
    if isinstance(tau, str) or (isinstance(tau, int | float) and not 0 < tau < float("inf")):
        raise Refused(f"temperature must be a positive, finite number; got {tau!r}")


def share_settings(made: Any, settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings that the loss takes, and those that the formula must have. Raise Refused for any other."""
    from . import question
    from .target import accepts, list_settings

    passed = {name: value for name, value in settings.items() if accepts(made, name)}
    meant = {name: value for name, value in settings.items() if name in question.CLAIMS}
    unknown = settings.keys() - passed.keys() - meant.keys()
    if unknown:
        known = ", ".join(list_settings(made))
        raise Refused(
            f"{made.name} takes no {', '.join(sorted(unknown))}"
            + (f"; of its arguments, {known} can be given by name" if known else "")
            + (f"; --{min(options)} is an option of the check" if (options := unknown & OPTIONS) else "")
        )
    return passed, meant
