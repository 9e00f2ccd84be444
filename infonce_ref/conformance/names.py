"""The losses by name, each as a formula, and words for how a formula differs from one of them."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..losses import ALL as LOSSES
from ..mistakes import ALL as CATALOGUE
from ..mistakes.entry import ACROSS, ANY, Form
from .factors import FACTORS, show
from .features import ADDED, BESIDE_ROWS, ROWS, SIMILARITIES, WRONG_POSITIVES
from .fit import Fit
from .formula import Formula, Places, places_of
from .heads import HEADS
from .inputs import FEATURES

# every form of a loss in the catalogue, in the registry's order
NAMES: tuple[Form, ...] = tuple(
    form._replace(name=name) for name in LOSSES if name in CATALOGUE for form in CATALOGUE[name].forms
)


def estimate(name: str, head: str, candidates: tuple[str, ...] = ("other view",), **more: Any) -> Form:
    """The form of an estimate of mutual information, which is maximised: a loss is minus one."""
    worlds = "views", "scores"
    return Form(candidates, worlds, ANY, ("first",), ("mean",), head=head, name=f"{ESTIMATES}{name}", **more)


ESTIMATES = "information."
NAMES += (
    estimate("infonce", "cross-entropy", ACROSS, shift=-1.0, shifted_by="log c"),
    estimate("mine", "mean less log mean"),
    estimate("mine", "whole matrix", shift=-1.0, shifted_by="log nc")._replace(anchors=("both", "first")),
    estimate("smile", "mean less log mean, clipped"),
    estimate("nwj", "mean less mean of exponentials"),
)


class Reduction(NamedTuple):
    """scale = factor / count, where the count is the number of anchors ("mean"), 1 ("sum"), the number of
    pairs …
    """

    law: str
    factor: float

    @property
    def words(self) -> str:
        return LAWS[self.law]


LAWS = {
    "mean": "the mean over the anchors",
    "sum": "the sum over the anchors",
    "mean over the pairs": "the mean over the positive pairs",
    "mean over the entries": "the mean over all compared pairs",
    "mean over the negatives": "the mean over the pairs of an anchor and a negative",
    "mean over 2(B − 1)": "the sum over the anchors, divided by two less than their number",
    "mean twice": "the mean over the anchors, divided by their number again",
    "unknown": "a sum with an unknown factor",
}


def counts(formula: Formula, where: Places) -> dict[str, float]:
    """The number by which each reduction divides."""
    chosen = {"first": where.first, "second": ~where.first, "both": where.first | True}[formula.anchors]
    positive = where.roles["positive"][chosen]
    others = sum(
        (where.roles[role][chosen].sum() for role in formula.candidates if role != "positive"), start=0
    )
    anchors = 1.0 if HEADS[formula.head].whole else float(positive.any(1).sum())
    return {
        "mean": anchors,
        "sum": 1.0,
        "mean over the pairs": float(positive.sum()),
        "mean over the negatives": float(others),
        "mean over the entries": float(others + positive.sum()),
        "mean over 2(B − 1)": anchors - 2,
        "mean twice": anchors**2,
    }


def reduction(fits: tuple[Fit, Fit], where: tuple[Places, Places], tolerance: float) -> Reduction:
    """Find the reduction with the same factor at both batch sizes; prefer a simple factor."""
    found = []
    here, there = (counts(fit.formula, w) for fit, w in zip(fits, where))
    for law in here:
        factors = fits[0].scale * here[law], fits[1].scale * there[law]
        if abs(factors[0] - factors[1]) <= tolerance * abs(factors[0]):
            found.append(Reduction(law, factors[0]))
    plain = [r for r in found if is_near(r.factor, 1, tolerance)]
    return (plain or found or [Reduction("unknown", fits[0].scale)])[0]


def is_near(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


class Difference(NamedTuple):
    """How a loss differs: the mistake's name, a sentence · known, claim, links: its name in the catalogue, if
    it has one, what to read, and where it was reported.
    """

    mistake: str
    sentence: str
    known: str = ""
    claim: str = ""
    links: tuple[str, ...] = ()


class Found(NamedTuple):
    """A formula that computes a loss, with everything measured of it."""

    formula: Formula
    temperature: float | None
    second: float | None
    reduction: Reduction
    shift: float  # added to each anchor's term, in the unit of the reduction
    residual: float
    tolerance: float
    candidates: int  # in one anchor's denominator, at batch size `size`
    size: int
    shifted_by: str | None = ""  # how the shift depends on the batch, a name of SHIFTS; None if unknown
    shift_unit: float = 1.0  # the value of that law at batch size `size`
    held: bool = False  # whether its weights are constant
    either: tuple[str, ...] = ()  # the places at which one ε fits equally well

    by_features: float = 0.0  # the temperature grows as this power of their number

    @property
    def inverse(self) -> float:
        """1/τ, or 1 without a temperature."""
        return 1 / abs(self.temperature) if self.temperature else 1.0

    @property
    def mistakes(self) -> list[Difference]:
        """List the mistakes that are mistakes in any loss."""
        return list(list_own_mistakes(self.formula))


HARMLESS = 1e-7, 1e-5  # a smaller ε, beside logits or rows, only keeps a logarithm or a quotient finite


def describe_added(found: Found) -> str:
    """Describe the ε that the formula contains; "" without one."""
    numbers = [(name, x) for name, x in found.formula.numbers if name in ADDED]
    if len(numbers) == 1 and len(found.either) > 1:
        where = " or ".join(ADDED[name] for name in found.either)
        return f"with about {numbers[0][1]:.1g} added {where}"
    return " and ".join(f"with about {x:.1g} added {ADDED[name]}" for name, x in numbers)


def find_scaling(found: Found, arrays: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return factor, count and shift for these arrays: the loss is factor φ / count + shift."""
    where = places_of(found.formula, arrays)
    by = counts(found.formula, where)
    law = found.reduction.law
    of_batch = SHIFTS[found.shifted_by or ""](*sizes(found.formula, where))
    return (
        found.reduction.factor,
        by.get(law, 1.0),
        found.shift * of_batch / found.shift_unit * (by["mean"] if law == "sum" else 1.0),
    )


def find_inverse(found: Found, arrays: Mapping[str, Any]) -> float:
    """1/τ for these arrays, whose number of features it may depend on."""
    rows = next((arrays[name] for name in ("x", "w") if name in arrays), None)
    return found.inverse if rows is None else found.inverse * (FEATURES / rows.shape[-1]) ** found.by_features


def sizes(formula: Formula, where: Places) -> tuple[float, float]:
    """Count the anchors, and the candidates in one anchor's denominator."""
    denominator = sum(where.roles[role] for role in formula.candidates)
    return counts(formula, where)["mean"], float(np.max(np.sum(denominator, axis=1)))


# functions of the number of anchors, and of candidates of each, to which an added constant may be
# proportional
SHIFTS: dict[str, Callable[[float, float], float]] = {
    "": lambda n, c: 1.0,
    "1/n": lambda n, c: 1 / n,
    "log c": lambda n, c: math.log(c),
    "log n": lambda n, c: math.log(n),
    "log nc": lambda n, c: math.log(n * c),
    "log(c − 1)": lambda n, c: math.log(max(c - 1, 1)),
    "log(c + 1)": lambda n, c: math.log(c + 1),
}


def find_shift_law(shifts: tuple[float, float], of: tuple[tuple[float, float], ...]) -> str | None:
    """Find the name in SHIFTS of the function to which the constants of two batches are proportional."""
    for name, law in SHIFTS.items():
        here, there = (law(*size) for size in of)
        if here and abs(shifts[0] * there - shifts[1] * here) <= 1e-6 * (1 + abs(shifts[0])) * abs(here):
            return name
    return None


ADDED_NAMES = {
    "logarithm": "number added inside the logarithm",
    "denominator": "number added to the denominator",
    "numerator": "number added to the numerator",
    "shifted": "number added to the denominator",
    "terms": "number added to each exponential",
}


def list_own_mistakes(formula: Formula) -> Iterator[Difference]:
    for table, choice in ((ROWS, formula.rows), (SIMILARITIES, formula.similarity)):
        feature = table[choice]
        if feature.mistake:
            yield Difference(feature.mistake, feature.words)
    head = HEADS[formula.head]
    if head.mistake:
        yield Difference(head.mistake, head.words)
    for name, x in formula.numbers:
        if name in ADDED and x > 1.05 * HARMLESS[name in BESIDE_ROWS]:
            yield Difference(
                ADDED_NAMES.get(name, "number added to the lengths"), f"{x:.2g} is added {ADDED[name]}"
            )
    if formula.positive in WRONG_POSITIVES:
        yield Difference(*WRONG_POSITIVES[formula.positive])
    if formula.sign < 0:
        yield Difference(
            "sign flipped",
            "the similarity enters with the wrong sign, as a distance taken for a similarity does: positives are "
            "pushed away and negatives pulled near",
        )


EXTRA = {  # role: found, but not in the named loss
    "self": (
        "self left in the denominator",
        "each anchor stands among its own candidates (not masked, or masked after the softmax)",
    ),
    "positive": ("positive in the denominator", "the positive stands in the denominator"),
    "same view": (
        "same view among the negatives",
        "the other rows of the anchor's own view are negatives too",
    ),
    "other view": ("other view among the negatives", "the other rows of the other view are negatives too"),
    "negatives": ("negatives among the candidates", "the given negatives are candidates too"),
    "queries' negatives": (
        "negatives of one direction",
        "the given negatives are candidates of the queries alone; the other direction has none",
    ),
    "others' negatives": (
        "others' negatives among the candidates",
        "the negatives of the other queries are negatives too",
    ),
}
ABSENT = {
    "self": ("self missing from the denominator", "the anchor does not stand in its own denominator"),
    "positive": (
        "positive missing from the denominator",
        "the denominator sums the negatives alone: no probability, and an easy row keeps pulling with full force",
    ),
    "same view": (
        "same view missing",
        "the other rows of the anchor's own view are missing from the denominator: B − 1 negatives, not 2B − 2",
    ),
    "other view": (
        "other view missing",
        "the other rows of the other view are missing from the denominator: B − 1 negatives, not 2B − 2",
    ),
    "negatives": ("negatives missing", "the given negatives are missing from the denominator"),
    "others' negatives": ("others' negatives missing", "the other queries' negatives are missing"),
}


def structure(formula: Formula, named: Form) -> Iterator[Difference]:
    """Describe how the structure differs: anchors, candidates, positives, similarity."""
    base = named
    if formula.rows in ANY and formula.rows not in named.rows:
        unit = formula.rows == "unit"
        yield Difference(
            "normalised" if unit else "not normalised",
            "rows are divided by their length: cosines where products belong"
            if unit
            else "rows are not divided by their length: products where cosines belong, unless they have length 1",
        )
    if "centred" in formula.rows:
        yield Difference("rows centred over the batch", ROWS[formula.rows].words)
    if formula.similarity != base.similarity and not SIMILARITIES[formula.similarity].mistake:
        yield Difference("another similarity", f"rows are {SIMILARITIES[formula.similarity].words}")
    of_views = "uniformity" in formula.head
    for role in () if of_views else EXTRA:
        if (role in formula.candidates) != (role in base.candidates):
            if role == "negatives" and "queries' negatives" in formula.candidates:
                continue  # reported under the other name
            yield Difference(*(EXTRA if role in formula.candidates else ABSENT)[role])
    if formula.anchors not in named.anchors:
        yield anchors_differ(formula, named)
    if formula.head != base.head and not HEADS[formula.head].mistake:
        words = HEADS[formula.head].words or f"each anchor pays {HEADS[formula.head].formula}"
        yield Difference(FORMS.get(formula.head, formula.head), words)
    own = HEADS[formula.head].mistake * (formula.head == base.head)  # of the named loss too
    yield from (each for each in list_own_mistakes(formula) if each.mistake != own)


FORMS = {
    "sigmoid": "sigmoid for softmax",
    "sigmoid without bias": "sigmoid for softmax",
    "hinge": "hinge for softmax",
    "pull": "no negatives",
    "pulls of two views": "views weighed",
    "cross-entropy": "softmax for another form",
}


def anchors_differ(formula: Formula, named: Form) -> Difference:
    if formula.anchors == "both":
        return Difference("both directions", "rows of both views are anchors, where one direction is meant")
    if "both" in named.anchors:
        return Difference(
            "one direction",
            f"rows of the {formula.anchors} view alone are anchors: half of the loss is left out",
        )
    return Difference(
        "softmax over the wrong axis",
        "the softmax runs over the first view's rows for each row of the second: rows and columns are exchanged",
    )


def compare_scale(found: Found, named: Form) -> Iterator[Difference]:
    """Report whether it is a multiple of the named loss, or differs from it by a constant."""
    law, factor, tolerance = found.reduction.law, found.reduction.factor / named.factor, 10 * found.tolerance
    if law not in named.reductions:
        yield Difference(*REDUCED.get(law, ("another reduction", LAWS[law])))
    if not is_near(factor, 1, tolerance):
        if law == "mean" and found.formula.anchors == "both" and is_near(factor, 2, tolerance):
            yield Difference(
                "mean over B",
                "the sum over 2B anchors is divided by B: twice the mean (both directions are added)",
            )
        elif is_near(-factor, 1, tolerance) and named.name.startswith(ESTIMATES):
            found = found._replace(shift=-found.shift)
        elif is_near(-factor, 1, tolerance):
            yield Difference("sign flipped", "minus the loss: training raises what it should lower")
        else:
            of_sum = found.formula.head in ("two temperatures", "directions weighed")
            yield name_multiple(factor, found.temperature or math.nan, tolerance, of_sum)
    as_named = not named.shifted_by or found.shifted_by == named.shifted_by
    unit = found.shift_unit if named.shifted_by else 1.0
    shift = found.shift - named.shift * unit * as_named
    if abs(shift) > 100 * tolerance or not as_named:
        yield Difference(
            "constant added", f"differs by a constant, {constant(shift, found)}, which has no gradient"
        )


def name_multiple(factor: float, tau: float, tolerance: float, of_sum: bool) -> Difference:
    """Name a factor that does not depend on the batch. of_sum: the loss is a weighed sum, whose factor is
    arbitrary.
    """
    if of_sum:
        return Difference("constant factor", f"{show(factor)} times that sum")
    facts = {"rows": math.nan, "features": float(FEATURES), "temperature": tau}
    for known in FACTORS:
        if is_near(factor, known.times(facts), tolerance):
            return Difference(known.name, f"{show(factor)} times the loss: {known.sentence}")
    return Difference("constant factor", f"{show(factor)} times the loss")


def constant(shift: float, found: Found) -> str:
    """Name a known constant."""
    b = found.size
    if (
        HEADS[found.formula.head].base == "hinge"
        and found.shifted_by == "1/n"
        and shift * (found.second or 0) > 0
    ):
        return (
            f"{shift:+.6g} at B = {b} (each positive is compared with itself too, at the cost of the margin)"
        )
    if found.shifted_by == "":
        for k in (1, 2):
            if abs(abs(shift) - k * math.log(2)) < 1e-6:
                return ("−" if shift < 0 else "+") + "2 " * (k - 1) + "log 2"
        return f"{shift:+.6g}"
    known = {
        f"log B (B = {b})": math.log(b),
        f"log 2B (B = {b})": math.log(2 * b),
        f"log(B − 1) (B = {b})": math.log(b - 1),
        f"log(2B − 1) (B = {b})": math.log(2 * b - 1),
        f"log(2B − 2) (B = {b})": math.log(2 * b - 2),
    }
    for words, value in known.items():
        if abs(abs(shift) - value) < 1e-6:
            return ("−" if shift < 0 else "+") + words
    return f"{shift:+.6g}{'' if found.shifted_by else f' at B = {b}'}"


def compare_temperature(
    measured: float, asked: float, tolerance: float, scale: str = ""
) -> Iterator[Difference]:
    """Describe how the temperature differs from the requested one. scale: the setting that means 1/τ, if any."""
    if is_near(measured, asked, tolerance):
        return
    known = {
        "temperature twice": (asked**2, "the temperature is applied twice"),
        "multiplied by the temperature": (
            1 / asked,
            f"similarities are divided by {scale}, not multiplied"
            if scale
            else "similarities are multiplied by the temperature, not divided",
        ),
        "temperature not used": (1.0, "the temperature never reaches the loss"),
        "scale not exponentiated": (
            -1 / math.log(asked) if 0 < asked < 1 else math.nan,
            "the logarithm of 1/τ multiplies the similarities as it is, not exponentiated",
        ),
        "root of the temperature": (math.sqrt(asked), "the root of the temperature is applied"),
    }
    for name, (value, sentence) in known.items():
        if is_near(measured, value, tolerance):
            yield Difference(name, f"{sentence}: τ = {measured:.6g}, where {asked:g} was asked for")
            return
    yield Difference("another temperature", f"τ = {measured:.6g}, where {asked:g} was asked for")


def list_names(world: str) -> tuple[Form, ...]:
    known = "views" if world == "classes of views" else world  # each pair of one label is a pair of views
    return tuple(named for named in NAMES if known in named.worlds)


def find_named(name: str, world: str) -> list[Form]:
    return [named for named in list_names(world) if named.name == name]


def differences(found: Found, named: Form) -> list[Difference]:
    return [*structure(found.formula, named), *compare_scale(found, named)]


def find_nearest(found: Found, world: str) -> tuple[Form, list[Difference]]:
    """Return the named loss with the fewest differences, and these."""
    told = [(named, differences(found, named)) for named in list_names(world)]
    return min(told, key=lambda pair: remoteness(found, *pair))


def remoteness(found: Found, named: Form, told: list[Difference]) -> tuple[float, bool, bool]:
    """Return the number of differences, whether the head is of another kind, and whether it is no softmax. Rows
    that are not normalised count half, since the caller may pass unit rows.
    """
    count = sum(0.5 if d.mistake == "not normalised" else 1 for d in told)
    base = HEADS[named.head].base
    return count, HEADS[found.formula.head].base != base, base != "cross-entropy"


def compare(found: Found, name: str, world: str) -> tuple[Form, list[Difference]]:
    """List the differences from the loss of that name, in its nearest form."""
    told = [(named, differences(found, named)) for named in find_named(name, world)]
    return min(told, key=lambda pair: len(pair[1]))


def compare_options(found: Found, named: Form, asked: Mapping[str, object]) -> Iterator[Difference]:
    """The options that differ from the claimed ones."""
    measured = {"reduction": name_reduction(found.reduction.law, named), **options(found, named)}
    for name, value in asked.items():
        if name == "temperature" or name not in measured:
            continue
        if name == "reduction" and (
            found.reduction.law not in named.reductions or not isinstance(value, str)
        ):
            continue  # said already, or as in reduction=True, which asks for neither mean nor sum
        got = measured[name]
        same = is_near(got, float(value), 1e-5) if isinstance(got, float) else got == value  # type: ignore[arg-type]
        if same:
            continue
        if name == "anchors":
            yield anchors_differ(found.formula, named)
        elif name == "reduction":
            yield Difference(*REDUCED.get(str(got), ("another reduction", LAWS[str(got)])))
        else:
            shown = f"{got:.6g}" if isinstance(got, float) else got
            yield Difference(f"another {name}", f"{name} is {shown}, where {value} was asked for")


REDUCED = {
    "sum": ("sum for mean", "the sum over the anchors, where the mean belongs"),
    "mean": ("mean for sum", "the mean over the anchors, where the sum belongs"),
}
TEMPERED = {
    "temperature on one side",
    "sequences left out",
    "temperature twice",
    "multiplied by the temperature",
    "temperature not used",
    "root of the temperature",
    "mean over the features",
    "divided by √d",
    "scale not exponentiated",
    "another temperature",
}


SUPCON = {  # the forms of SupCon, by head
    "cross-entropy": "out",
    "cross-entropy, mean inside": "in",
    "each positive alone, every positive": "pairs",
}


def name_reduction(law: str, named: Form) -> str:
    """Return the value of the option reduction; in a loss whose terms are pairs, "mean" averages over pairs."""
    of_pairs = "mean over the pairs"
    return "mean" if law == of_pairs and of_pairs in named.reductions else law


def options(found: Found, named: Form) -> Mapping[str, object]:
    """Return the measured values of the loss's options."""
    given: dict[str, object] = {}
    if len(named.reductions) > 1:
        given["reduction"] = name_reduction(found.reduction.law, named)
    if len(named.rows) > 1:
        given["normalised"] = found.formula.rows != "given"
    if len(named.anchors) > 1:
        given["anchors"] = found.formula.anchors
    if named.name == "supcon":
        given["form"] = SUPCON[named.head]
    if found.second is not None:
        given[HEADS[found.formula.head].second or ""] = found.second
    given |= {name: x for name, x in found.formula.numbers if name not in ADDED}
    return given
