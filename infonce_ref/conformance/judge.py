"""The three tiers in one report: which formula, is its gradient right, where does it lose its digits."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..losses import ALL
from ..targets import told
from . import asking, gradient, inputs, names, numerics, report
from .asking import Way
from .features import HEADS
from .fit import Measured, best
from .formula import phi, places
from .identify import SIZES, TOLERANCES, Nearest, identify
from .names import Difference, Found, Named
from .report import Record, Report, Verdict
from .target import SCALES, TEMPERATURES, Refused, Session, Target, taken

BATCH = 32
NOTICED = 1e-5  # what changes a value by less is a small number added somewhere, and no property of the loss
GRADIENT_TOLERANCE = {"float64": 1e-8, "float32": 1e-4, "float16": 3e-2, "bfloat16": 1e-1}
REASONS = {
    "formula": "rounding of the dtype in which the loss computes, times what cancels at the probes",
    "gradient": "rounding of the dtype in which the loss computes, beside the largest entry",
    "differences": "a central difference at the step where truncation meets rounding",
    "numerics": f"{numerics.SLACK}·eps·max(1, 1/τ): cosines rounded to eps become logits rounded to eps/τ",
}
CLAIMS = ("temperature", "reduction", "normalised", "anchors", "form", "margin", "bias")


class Question(NamedTuple):
    """What is asked: the loss · which it is meant to be, with which options · how it is asked · what may fail."""

    target: Target
    is_: str | None = None
    options: Mapping[str, Any] = {}
    inputs: str | None = None
    tiers: Sequence[str] = report.TIERS
    expected: Mapping[str, str] = {}
    dtype: str = "float64"


def answered(question: Question) -> Report:
    """The report. Raises `Refused` where the loss cannot be asked."""
    known = list(dict.fromkeys(named.name for named in names.NAMES))
    if question.is_ is not None and question.is_ not in known:
        raise Refused(f"unknown loss {question.is_!r}; known are {', '.join(known)}")
    nearest = resolved(question)
    way, found = nearest.way, nearest.found
    asked_for = temperature_asked(question, way)
    named, mistakes = naming(question, nearest, asked_for)
    verdicts: dict[str, Verdict] = {}
    records: list[Record] = []
    cells: list[numerics.Cell] = []
    if "formula" in question.tiers:
        verdicts["formula"], more = formula_tier(question, nearest, named, mistakes)
        records += more
    all_mistakes = list(mistakes)
    if "gradient" in question.tiers:
        slope = gradient_tier(nearest, question.is_ in HELD)
        verdicts["gradient"] = slope.verdict
        records += slope.records
        all_mistakes += slope.mistakes
    if "numerics" in question.tiers:
        verdicts["numerics"], cells = numerics_tier(nearest, slope.live if "gradient" in verdicts else ())
        records += [
            Record(
                f"numerics {c.dtype} τ={c.temperature:g} {c.alignment}",
                "holds" if c.exact else "fails",
                c.error,
                c.explained,
                "the formula in 50 digits",
                REASONS["numerics"],
            )
            for c in cells
        ]
    records = [expected(record, question.expected) for record in records]
    unknown = set(question.expected) - {record.check for record in records}
    if unknown:
        raise Refused(f"expected failures: no check is called {', '.join(sorted(unknown))}")
    verdicts = {tier: excused(tier, verdict, records) for tier, verdict in verdicts.items()}
    complete = named is not None and not mistakes
    entry = ALL.get(named.name) if named else None
    return Report(
        target=question.target.name,
        about=f"a {LIBRARY_WORDS[way.session.library]} function of {inputs.WAYS[way.name].words}; "
        f"computes in {nearest.precision}",
        loss=named.name if named and complete else None,
        nearest=named.name if named else None,
        options=names.options(found, named) if found and named else {},
        temperature=abs(found.temperature) if found and found.temperature else None,
        mistakes=all_mistakes,
        verdicts=verdicts,
        records=records,
        equation=report.equation(found, way.world) if found else (),
        claims=entry.claims if entry and found else (),
        cells=cells,
    )


LIBRARY_WORDS = {"torch": "PyTorch", "jax": "JAX", "numpy": "NumPy"}


# --- which formula ----------------------------------------------------------------------------------------


def resolved(question: Question) -> Nearest:
    """The formula, by the way of taking arrays under which it is the plainest; mistakes are thought of last."""
    found = asking.ways(question.target, question.inputs, question.dtype)
    if question.is_ is not None:
        meant = [way for way in found if names.of_name(question.is_, way.world)]
        found = meant or found
    refusals: list[Refused] = []
    known = {}
    for way in found:
        try:
            asking.steady(way)
            precision = asking.precision(way)
            known[way] = precision, asking.facts(way, max(NOTICED, TOLERANCES[precision]))
        except Refused as error:
            refusals.append(error)
        except Exception as error:  # it answered one example, and not the next
            refusals.append(Refused(f"{question.target.name} raises {told(error)}"))
    best: list[Nearest] = []
    for mistakes in (False, True):
        for way, (precision, facts) in known.items():
            try:
                best.append(identify(way, facts, precision, mistakes))
            except Refused as error:
                refusals.append(error)
            except Exception as error:
                refusals.append(Refused(f"{question.target.name} raises {told(error)}"))
        good = [nearest for nearest in best if nearest.found]
        if good:
            return min(good, key=partial(strangeness, question))
    if not best:
        raise refusals[0]
    return min(best, key=lambda nearest: nearest.fit.residual if nearest.fit else math.inf)


def strangeness(question: Question, nearest: Nearest) -> int:
    """In how many things it differs from what was meant, or from the nearest loss."""
    assert nearest.found is not None
    if question.is_:
        return len(names.against(nearest.found, question.is_, nearest.way.world)[1])
    return len(names.nearest(nearest.found, nearest.way.world)[1])


def temperature_asked(question: Question, way: Way) -> float | None:
    """The temperature that the loss is meant to have: as claimed, as given, or its own default."""
    if "temperature" in question.options:
        return float(question.options["temperature"])
    found = taken(question.target, way.session.function)
    for name in TEMPERATURES:
        if isinstance(found.get(name), int | float):
            return float(found[name])
    for name in SCALES:
        if isinstance(found.get(name), int | float) and found[name]:
            return 1 / float(found[name])
    return None


def naming(
    question: Question, nearest: Nearest, asked_for: float | None
) -> tuple[Named | None, list[Difference]]:
    """The name of the formula, or of the nearest, and what is otherwise."""
    found, world = nearest.found, nearest.way.world
    if found is None:
        return None, list(strange(nearest))
    if question.is_:
        if not names.of_name(question.is_, world):
            named, _ = names.nearest(found, world)
            return named, [Difference("another loss", f"it takes other inputs than {question.is_}")]
        named, differences = names.against(found, question.is_, world)
    else:
        named, differences = names.nearest(found, world)
    measured, options = found.temperature, dict(question.options)
    if asked_for and measured and not world.startswith("scores"):
        tolerance = max(found.tolerance * 10, 1e-6)
        differences += names.tempering(abs(measured), asked_for, inputs.FEATURES, tolerance)
    if question.is_:
        options.setdefault("reduction", named.reductions[0])
    return named, [*differences, *names.claimed(found, named, options)]


def strange(nearest: Nearest) -> Iterator[Difference]:
    """What kind of thing a loss is that is none of the family."""
    facts, fit = nearest.facts, nearest.fit
    if facts is not None:
        if facts.coordinates:
            yield Difference(
                "single coordinates",
                "it depends on single coordinates (a rotation of all rows changes it): none of this family",
            )
        if not facts.pairing:
            yield Difference("pairs do not matter", "it does not matter to it which rows are a pair")
        if facts.order:
            yield Difference(
                "order matters",
                "the order of the pairs matters: are the labels shifted, or rows masked by place?",
            )
        if facts.length_of_x != facts.length_of_y:
            yield Difference(
                "one side normalised", "the lengths of one view's rows matter, those of the other's do not"
            )
    if fit is not None and math.isfinite(fit.residual):
        tau = f" at τ = {1 / fit.t:.3g}" if fit.formula.tempered else ""
        yield Difference(
            "no formula fits",
            f"the nearest formula is off by {fit.residual:.1%} of what the values vary: "
            f"{describe(fit.formula)}{tau}",
        )


def describe(formula: Any) -> str:
    """A formula in a few words."""
    who = {"both": "both views", "first": "the first view", "second": "the second view"}[formula.anchors]
    head = HEADS[formula.head]
    return f"{head.formula}, D: {', '.join(formula.candidates)}, anchors: {who}, rows: {formula.rows}"


def formula_tier(
    question: Question, nearest: Nearest, named: Named | None, mistakes: Sequence[Difference]
) -> tuple[Verdict, list[Record]]:
    """Verdict and records: at the probes, at a second batch size, at a batch of 32."""
    found, tolerance = nearest.found, TOLERANCES[nearest.precision]
    residual = nearest.fit.residual if nearest.fit else math.inf
    sizes = " and ".join(str(size) for size in SIZES)
    records = [
        record(
            "formula", residual, tolerance, f"{describe_short(nearest)} at {sizes} pairs", REASONS["formula"]
        )
    ]
    told = "; ".join(d.sentence for d in mistakes)
    if found is None or named is None:
        return Verdict("unknown", False, told or "no formula of the family"), records
    error = at_batch(nearest)
    records.append(
        record(
            f"formula at {BATCH}",
            error,
            100 * max(tolerance, residual),
            f"the same formula at {BATCH} pairs",
            REASONS["formula"],
        )
    )
    if error > 100 * max(tolerance, residual):
        return (
            Verdict(
                "wrong",
                False,
                f"{named.name} at {sizes} pairs, and something else at {BATCH}: off by {error:.1e}",
            ),
            records,
        )
    if not mistakes:
        rough = f", but for {residual:.0e} of what its values vary" if residual > tolerance else ""
        return Verdict("right", True, f"it is {named.name}{chosen(found, named)}{rough}"), records
    records += [record(d.mistake, math.inf, 0.0, named.name, d.sentence) for d in mistakes]
    if question.is_:
        return Verdict("wrong", False, f"not {question.is_}: {told}"), records
    real = {d.mistake for d in found.mistakes} | names.TEMPERED
    if any(d.mistake in real for d in mistakes):
        return Verdict("wrong", False, f"{named.name}, but {told}"), records
    records = [r._replace(status="holds") if r.witness == named.name else r for r in records]
    return Verdict("variant", True, f"nearest to {named.name}: {told}"), records


def record(check: str, error: float, tolerance: float, witness: str, reason: str) -> Record:
    return Record(check, "holds" if error <= tolerance else "fails", error, tolerance, witness, reason)


def describe_short(nearest: Nearest) -> str:
    return nearest.fit.formula.head if nearest.fit else "nothing"


def chosen(found: Found, named: Named) -> str:
    """The options as a reader says them."""
    words = [
        f"{name} {value:.6g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in names.options(found, named).items()
    ]
    if found.temperature:
        words.insert(0, f"τ = {found.temperature:.6g}")
    return f", {', '.join(words)}" if words else ""


def scaled(found: Found, arrays: Mapping[str, Any]) -> tuple[float, float, float]:
    """factor, count and shift at these arrays, as the reduction says: the loss is factor φ / count + shift."""
    counts = names.counts(found.formula, places(arrays, found.formula.positive))
    law = found.reduction.law
    return (
        found.reduction.factor,
        counts.get(law, 1.0),
        found.shift * (counts["mean"] if law == "sum" else 1.0),
    )


def inverse(found: Found) -> float:
    return 1 / abs(found.temperature) if found.temperature else 1.0


def at_batch(nearest: Nearest) -> float:
    """The largest error at 32 pairs, relative to the value and the range of the logits."""
    found = nearest.found
    assert found is not None
    if found.reduction.law == "unknown":
        return 0.0
    worst = 0.0
    for arrays in inputs.points(nearest.way.world, BATCH, each=1):
        factor, count, shift = scaled(found, arrays)
        right = (
            factor * float(phi(found.formula, arrays, inverse(found), found.second or 0.0)) / count + shift
        )
        got = nearest.way.value(arrays)
        worst = max(worst, abs(got - right) / (abs(right) + 1))
    return worst


# --- the gradient -----------------------------------------------------------------------------------------


class Slope(NamedTuple):
    """What came of the gradient · live: the arrays whose gradient is right and not held at 0, by which the numerics
    go on."""

    verdict: Verdict
    records: Sequence[Record] = ()
    mistakes: Sequence[Difference] = ()
    live: tuple[str, ...] = ()


def gradient_tier(nearest: Nearest, held: bool) -> Slope:
    """held: whether the loss is one whose targets must be held constant."""
    way, found = nearest.way, nearest.found
    arrays, by_value = somewhere_steep(nearest)
    try:
        own = way.gradient(arrays)
    except Refused:
        raise
    except Exception as error:
        sentence = f"its own gradient raises {told(error)}"
        return Slope(Verdict("wrong", False, sentence), [], [Difference("gradient raises", sentence)])
    right, parts = None, None
    if found is not None:
        factor, count, _ = scaled(found, arrays)
        point = (
            found.formula._replace(sign=1),
            arrays,
            found.formula.sign * inverse(found),
            found.second or 0.0,
            factor / count,
        )
        right, parts = gradient.of_formula(*point), partial(gradient.of_parts, *point)
    # a cold loss bends on the length of its temperature, and its differences with it
    rough = 1e-4 if nearest.precision == "float64" else 10 * GRADIENT_TOLERANCE[nearest.precision]
    tolerance = GRADIENT_TOLERANCE[nearest.precision] if right is not None else rough
    tolerance = max(tolerance, 100 * found.residual) if found else tolerance
    judged = gradient.judged(own, right, parts, by_value, tolerance)
    if judged.status == "none":
        return Slope(Verdict("none", True, judged.sentence))
    against = "the exact gradient of the formula" if right is not None else "differences of its own value"
    records = [record("gradient", judged.error, tolerance, against, REASONS["gradient"])]
    if right is not None:
        records.append(
            record(
                "gradient by differences",
                judged.of_differences,
                rough * max(1.0, inverse(found) ** 2 / 100 if found else 1.0),
                "differences of its own value",
                REASONS["differences"],
            )
        )
    live = tuple(name for name, slope in (own or {}).items() if np.any(slope))
    pulls = found is not None and found.formula.head == "pull"
    if pulls and judged.mistake == "one view detached":
        sentence = (
            f"{judged.sentence.partition(':')[0]}, as a target is; else within {rough:.0e} of {against}"
        )
        good = [r._replace(status="holds", reason=sentence) for r in records]
        return Slope(Verdict("right", True, sentence), good, [], live)
    if pulls and held and judged.status == "right":
        sentence = "the second view is not held constant: the stop-gradient is missing"
        return Slope(
            Verdict("wrong", False, sentence), records, [Difference("stop-gradient missing", sentence)]
        )
    if judged.status == "right":
        return Slope(Verdict("right", True, f"within {judged.error:.0e} of {against}"), records, [], live)
    return Slope(
        Verdict(judged.status, False, judged.sentence), records, [Difference(judged.mistake, judged.sentence)]
    )


def somewhere_steep(nearest: Nearest) -> tuple[Mapping[str, Any], dict[str, np.ndarray]]:
    """A point at which the value is not flat, as where every hinge is shut, and its differences there."""
    way = nearest.way
    for arrays in (asking.example(way.world, 4), *inputs.points(way.world, 4, each=1)):
        slopes = gradient.of_values(way.value, arrays, nearest.precision)
        if any(np.any(slope) for slope in slopes.values()):
            break
    return arrays, slopes


# --- the digits -------------------------------------------------------------------------------------------


def knob(nearest: Nearest) -> str | None:
    """The name under which the loss takes its temperature, or its inverse."""
    found = taken(nearest.way.session.target, nearest.way.session.function)
    return next((name for name in (*TEMPERATURES, *SCALES) if isinstance(found.get(name), int | float)), None)


def numerics_tier(nearest: Nearest, live: Sequence[str]) -> tuple[Verdict, list[numerics.Cell]]:
    found = nearest.found
    if (
        found is None
        or found.reduction.law == "unknown"
        or (found.second is not None and found.formula.head == "epsilon")
    ):
        return Verdict("none", True, "no formula to hold the digits against"), []
    cells = list(measured_cells(nearest, live))
    if not cells:
        return Verdict("none", True, "it takes no dtype of the grid"), []
    what = "" if live else " of the value"
    bad = [c for c in cells if not c.exact]
    if not bad:
        return Verdict(
            "exact", True, f"every digit{what} that rounding leaves, at {len(cells)} places"
        ), cells
    own = abs(found.temperature or 1.0)
    broken = [c for c in bad if c.came in numerics.BROKEN]
    if broken:
        at_own = [c for c in broken if c.temperature >= own * 0.999 and c.dtype in ("float64", "float32")]
        word = "breaks" if at_own else "right, and breaks when colder"
        return Verdict(
            word, not at_own, f"{starts(broken, '')}; {numerics.advice(bad, found.formula.head)}"
        ), cells
    return Verdict(
        "right, and loses digits", True, f"{starts(bad, what)}; {numerics.advice(bad, found.formula.head)}"
    ), cells


def starts(bad: Sequence[numerics.Cell], what: str) -> str:
    """From which temperature on, for each dtype."""
    words = []
    for dtype in dict.fromkeys(c.dtype for c in bad):
        first = max((c for c in bad if c.dtype == dtype), key=lambda c: c.temperature)
        came = first.came or f"digits{what} go"
        words.append(f"{dtype}: {came} from τ = {first.temperature:g}, views {first.alignment}")
    return "; ".join(words)


def measured_cells(nearest: Nearest, live: Sequence[str]) -> Iterator[numerics.Cell]:
    """The grid, as far as the loss takes it: at other temperatures where it has a name for its temperature, or
    where scores can be divided by one."""
    found, way = nearest.found, nearest.way
    assert found is not None
    target, library = way.session.target, way.session.library
    own = abs(found.temperature or 1.0)
    scores = way.world.startswith("scores")
    settings = {tau: dict(target.settings) for tau in (numerics.TEMPERATURES if scores else (own,))}
    name = knob(nearest)
    if name and found.temperature and not scores:
        settings = {
            tau: {**target.settings, name: 1 / tau if name in SCALES else tau}
            for tau in numerics.TEMPERATURES
        }
    for tau, given in settings.items():
        there = target._replace(settings=given)
        held = found if scores or tau == own else anew(Way(way.name, Session(there, library)), nearest)
        if held is None:
            continue
        for dtype in DTYPES[library]:
            try:
                yield from row(Way(way.name, Session(there, library, dtype)), held, dtype, tau, live)
            except Refused:
                raise
            except Exception:  # a dtype, or a temperature, that it does not take
                continue


HELD = ("byol", "simsiam")  # whose targets are held constant
DTYPES = {
    "torch": ("float64", "float32", "bfloat16", "float16"),
    "jax": ("float64", "float32", "bfloat16"),
    "numpy": ("float64", "float32"),
}


def anew(way: Way, nearest: Nearest) -> Found | None:
    """The same formula where the temperature is set otherwise, that and its factor measured anew; None where it is
    another formula there, as where a scale is clamped."""
    found = nearest.found
    assert found is not None
    many = inputs.points(way.world, SIZES[0])
    values = np.array([way.value(point) for point in many])
    if not np.all(np.isfinite(values)):
        given = taken(
            way.session.target, way.session.function
        )  # it overflows at the probes: where, the grid will say
        name = knob(nearest) or ""
        tau = 1 / given[name] if name in SCALES else given[name]
        return found._replace(temperature=tau * math.copysign(1, found.temperature or 1))
    measured = Measured(many, values)
    again = best([found.formula], measured)[0]
    if again.residual > 1e3 * TOLERANCES[nearest.precision]:
        return None
    count = names.counts(found.formula, measured.places(found.formula))
    factor = again.scale * count.get(found.reduction.law, 1.0)
    return found._replace(
        reduction=found.reduction._replace(factor=factor),
        temperature=found.formula.sign / again.t,
        second=again.e,
    )


def row(way: Way, found: Found, dtype: str, tau: float, live: Sequence[str]) -> Iterator[numerics.Cell]:
    """The cells of one temperature and dtype, of the value and of the gradients named."""

    def ask(point: Mapping[str, Any]) -> numerics.Asked:
        if not live:
            return numerics.Asked(way.value(point), {})
        answer = way.answer(point)
        slopes = inputs.WAYS[way.name].unpack(answer.gradients or ())
        return numerics.Asked(answer.value, {name: slopes[name] for name in live})

    size = 4 if way.name == "predictions and projections" else 3
    for alignment, noise in numerics.ALIGNMENTS.items():
        arrays = numerics.example(way.world, noise, dtype, found.formula.rows == "unit", size)
        if way.world.startswith("scores"):
            arrays = {**arrays, "scores": numerics.held(arrays["scores"] / tau, dtype)}
        yield numerics.cell(
            ask,
            found.formula,
            arrays,
            dtype,
            tau,
            alignment,
            found.formula.sign * inverse(found),
            found.second or 0.0,
            *scaled(found, arrays),
        )


# --- what was expected ------------------------------------------------------------------------------------


def expected(record: Record, reasons: Mapping[str, str]) -> Record:
    if record.check not in reasons:
        return record
    status = "expected" if record.status == "fails" else "unexpected"
    return record._replace(status=status, reason=reasons[record.check])


def excused(tier: str, verdict: Verdict, records: Sequence[Record]) -> Verdict:
    """A verdict whose failures were all expected holds; one with a success that was not, does not."""
    own = [r for r in records if tier_of(r) == tier]
    if any(r.status == "unexpected" for r in own):
        surprise = next(r for r in own if r.status == "unexpected")
        return Verdict(verdict.word, False, f"{surprise.check} holds, though it was expected to fail")
    if not verdict.holds and any(r.status == "expected" for r in own) and all(r.good for r in own):
        return Verdict(f"{verdict.word}, as expected", True, verdict.sentence)
    return verdict


def tier_of(record: Record) -> str:
    return next((tier for tier in ("gradient", "numerics") if record.check.startswith(tier)), "formula")
