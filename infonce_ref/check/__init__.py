"""Bring your own loss: which formula it computes, whether its gradient is right, where it loses its digits.

    from infonce_ref.check import check
    print(check(my_loss, is_="ntxent", temperature=0.1))

The loss is a function of arrays (NumPy, PyTorch, JAX), a class or module, or "module:attribute". It runs in this
process, with all rights of this process; PyTorch and JAX are used only if the loss has imported them.
"""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import textbook
from ..catalogue import compare, rewrite
from ..losses import ALL
from ..names import CALLED, find_loss, simplify
from .reading import Refused, option
from .report import TIERS, Record, Report, Verdict, excuse, mark_all_expected, record
from .target import Target, accepts, find_target, is_temperature, list_settings

# names of `check`'s own arguments that a loss may use too
OPTIONS = {"device", "dtype", "inputs", "backward", "take"}
# options that a claim may fix although the loss does not take them: those of the registry's losses, and the free
# choices of a formula
CLAIMS = {"normalised", "anchors"} | {
    parameter.name
    for loss in ALL.values()
    for parameter in inspect.signature(loss.forward).parameters.values()
    if parameter.kind is parameter.KEYWORD_ONLY
}
LIBRARY_WORDS = {"torch": "PyTorch", "jax": "JAX", "numpy": "NumPy"}
__all__ = ["Record", "Refused", "Report", "Verdict", "check", "identify"]


def identify(loss: Any, *, inputs: str | None = None, **settings: Any) -> Report:
    """Say which formula a loss computes: the first tier of `check`.

    >>> import numpy as np
    >>> from infonce_ref.check import identify
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

    loss: a function, a class or module, an object that can be called, or "module:attribute" · is_: the name of
    the loss that it is meant to be, here or as others call it: "InfoNCE", "SimCLR", "NTXentLoss" · inputs: how it
    takes its arrays, a name of `inputs.WAYS`; found by trying · backward: its gradient, if no library computes
    one: of the same arguments, or of what the loss returns beside its value, or a method of its class ·
    expected_failures: records that are known to fail, each with the reason · tiers: what to ask · device, dtype:
    of the tensors in which it is asked · take: which of the things that it returns is the loss, a number from 0
    or a key · per_batch: in place of a loss, a function of the number of pairs that returns the loss for it ·
    ranks: on how many processes of PyTorch, or places of JAX's mapped axis, it is asked too, each with its rows ·
    settings, more: what it is built and called with, such as temperature=0.1; one that it does not take is what
    the formula must have. A setting that is called as an argument of `check` is given in `settings`.

    Raises `Refused`, a ValueError, if the loss cannot be called.
    """
    from .ranks import start
    from .strangers import keep_random_state

    if (loss is None) == (per_batch is None):
        words = "give a loss, or in its place per_batch, a function of the number of pairs that returns it"
        raise Refused(words)
    try:
        claim, theirs = find_loss(is_, ALL) if is_ is not None else (None, {})
    except ValueError as error:
        raise Refused(f"{option('is_', is_)}: {error}") from None
    settings = {**(settings or {}), **more}
    tau = settings.get("temperature", 1)
    if isinstance(tau, str) or (isinstance(tau, int | float) and not 0 < tau < float("inf")):
        raise Refused(f"temperature must be a positive, finite number; got {tau!r}")
    made = find_target(loss or per_batch, settings, backward, device=device, dtype=dtype, take=take)
    passed, meant = share_settings(made, settings)
    made = made._replace(settings=passed, per_batch=per_batch is not None, mapped=ranks > 1)
    with start(made, ranks) as processes, keep_random_state():
        rest = inputs, tiers, expected_failures or {}, processes
        return answer(made, is_, claim, {**theirs, **meant}, *rest)


def share_settings(made: Target, settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings that the loss takes, and those that the formula must have. Raise Refused for any other."""
    passed = {name: value for name, value in settings.items() if accepts(made, name)}
    meant = {name: value for name, value in settings.items() if name in CLAIMS}
    unknown = settings.keys() - passed.keys() - meant.keys()
    if any(map(is_temperature, list_settings(made))):  # whose temperature has another name
        unknown |= {"temperature"} & (meant.keys() - passed.keys())
    if unknown:
        known, options = ", ".join(list_settings(made)), unknown & OPTIONS
        words = f"{made.name} takes no {', '.join(sorted(unknown))}"
        words += f"; of its arguments, {known} can be given by name" if known else ""
        words += f"; {option(min(options))} is an argument of the check" if options else ""
        raise Refused(words)
    return passed, meant


def answer(
    target: Target,
    named: str | None,
    is_: str | None,
    meant: Mapping[str, Any],
    inputs: str | None,
    tiers: Sequence[str],
    expected: Mapping[str, str],
    processes: Mapping[str, Any],
) -> Report:
    """Ask tier after tier, and report. named: the claim in the user's word."""
    from . import digits, elsewhere, finding, gradient, mending, naming, ranks, strangers

    ways = finding.list_ways(target, inputs)
    found = naming.find(ways, inputs, is_, meant)
    named = next((word for word in CALLED if simplify(word) == named), named)
    other, theirs = CALLED.get(named or "", (is_, {}))
    if is_ != other and isinstance(found, naming.Found) and found.loss == other:  # infonce, as others mean it
        is_, meant = other, {**theirs, **meant}
        found = naming.find(ways, inputs, is_, meant)
    of_others = other == "cpc" and named != "cpc"  # such as MNRL and SimCSE, which may have hard negatives
    if of_others and "negatives" in found.way.arrays:
        is_, found = None, naming.find(ways, inputs, None, meant)
    if target.backward is not None and found.way.library != "numpy":
        words = f"{LIBRARY_WORDS[found.way.library]} has its own gradient; leave {option('backward')} out"
        raise Refused(f"{words}, or check an autograd.Function that calls it")
    if target.device != "cpu" and found.way.library != "torch":
        words = f"{target.name} is asked with arrays of {LIBRARY_WORDS[found.way.library]}"
        raise Refused(f"{words}; leave {option('device', target.device)} out")
    first = found.way.value(strangers.example(found.way))
    strangers.note_unasked(found.way)
    found = elsewhere.examine(found, meant)
    fit = found if isinstance(found, naming.Found) else None  # None if no formula fits
    way, told, cells = found.way, list(found.differences), list[digits.Cell]()
    verdict = naming.judge(found)
    if fit and verdict.holds and strangers.ignores_mask(way):
        words = f"its values are those of {fit.loss}, but it ignores the last of its arrays"
        verdict = Verdict("unknown", False, words)
    if fit and fit.temperature and verdict.word == "right" and digits.asks_one(fit):
        verdict = verdict._replace(sentence=f"{verdict.sentence}, asked at this temperature alone")
    if named and is_ and simplify(named) != simplify(is_):
        words = f"{verdict.sentence}; what others call {named} is {is_} here"
        verdict = verdict._replace(sentence=words)
    verdicts, records = dict[str, Verdict](), list[Record]()
    if "formula" in tiers:
        verdicts["formula"] = verdict
        records.append(record("formula", fit.residual if fit else 1.0, found.tolerance))
        records += [record(d.mistake, math.inf, 0.0, is_ or "the textbook", d.sentence) for d in told]
    if {"gradient", "numerics"} & {*tiers}:
        slope = gradient.judge(found)
    if "gradient" in tiers:
        verdicts["gradient"] = Verdict(*slope[:3])
        records.append(record("gradient", 0.0 if slope.holds else slope.error, found.tolerance))
        told += slope.differences
    if processes:
        verdicts["ranks"], of_ranks, wrong = ranks.judge(processes, way, fit)
        records += of_ranks
        told += wrong
    if "numerics" in tiers:
        verdicts["numerics"] = Verdict("none", True, "no formula to hold the digits against")
        if fit and verdict.word != "unknown":
            asked = fit._replace(program=slope.program or fit.program)
            verdicts["numerics"], cells = digits.judge(asked, slope.live)
        records += [digits.describe(cell) for cell in cells]
    strangers.check_unchanged(way, first)
    records = mark_all_expected(records, expected)
    tau = (fit.temperature or (1.0 if way.world.startswith("scores") else None)) if fit else None
    return Report(
        target=target.name,
        about=describe_way(way),
        loss=fit.loss if fit and not found.differences else None,
        nearest=fit.loss if fit else None,
        options=naming.list_options(fit) if fit else {},
        temperature=tau and abs(tau),
        mistakes=told,
        verdicts={tier: excuse(tier, each, records) for tier, each in verdicts.items()},
        records=records,
        equation=describe_program(fit) if fit else (),
        claims=ALL[fit.loss].claims if fit and fit.loss in ALL else (),
        cells=cells,
        fix=mending.mend(found, meant, verdict.holds) if told and (fit or is_) else (),
    )


def describe_program(found: Any) -> list[str]:
    """What the textbook's function is; if a mistake rewrites it, the lines that differ."""
    loss, rewrites = found.program
    plain = rewrite(loss, tuple(r for r in rewrites if r.kind == "=")) or {}
    about = f"textbook.{loss}: {(getattr(textbook, loss).__doc__ or '').splitlines()[0]}"
    return [about, *compare(plain, rewrite(*found.program) or {})]


def describe_way(way: Any) -> str:
    """How it was asked."""
    from .strangers import measure_precision

    words = f"a {LIBRARY_WORDS[way.library]} function of {way.how.words}"
    words += f"; has the precision of {measure_precision(way)}"
    words += f"; asked on rows of length 1, for on others {way.others}" * way.unit
    return "; ".join([words, *way.notes])
