"""What the program is that computes a loss's values, in words: its loss, its numbers and options, and how it
differs from the textbook's.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..catalogue import MEASURED, MISTAKES, Factor, Mistake
from . import search
from .finding import list_other_ways
from .fitting import Batch, Fit, Traits
from .laws import FACTORS, TOTALS, Facts, is_near, measure_facts
from .programs import ADDED, EVERY, NUMBERS, OPTIONS, Clock, Program, extend, public_name
from .reading import option
from .report import Difference, Verdict
from .strangers import Stranger, measure_precision
from .target import accepts

RUNS = 41_000  # of programs, for one search
FEW_RUNS = 7000  # of programs, for a rewrite that explains further batches
SINGLE = 3e-7  # relative: what a constant in float32 explains
KNOWN = {mistake.name: mistake for mistake in MISTAKES}
ALL_NAMES = {r.name for r in EVERY}
# mistakes in a loss of a certain name; some papers choose them, so that a loss without a name may have them
CHOICES = (
    *("positive_missing", "positives_missing", "positive_kept", "self_in_denominator", "self_masked"),
    *("other_view_missing", "negatives_averaged", "hardest_alone", "sigmoids_for_softmax", "score_for_loss"),
    *("self_left_in", "distance_not_squared", "mean_over_pairs", "sum_for_mean", "each_positive_alone"),
    *("label_smoothing", "mean_over_all_pairs"),
)
ELSEWHERE = "wrong at another batch"
AT_ONE = "right at one temperature"
ON_UNIT_ROWS = ", on rows of length 1 alone"
SECOND = "the softmax runs over the rows of the first view, for each row of the second"
EXCHANGED = f"{SECOND}: rows and columns are exchanged: transpose the scores"
ESTIMATES = {
    "infonce": ": log B less cpc",
    "mine": ": one logarithm of the mean over all unpaired rows (Donsker–Varadhan)",
    "smile": ": one logarithm of the mean over all unpaired rows, whose scores are clipped (SMILE)",
    "nwj": ": the mean of the unpaired rows' exponentials, without a logarithm (NWJ)",
    "donsker_varadhan": ": the mean score, less the logarithm of the mean exponential",
}


class Found(NamedTuple):
    """A program that computes a stranger's values, with everything measured of it.

    numbers: its own, the fitted ones too · factor, constant: None for 1 and 0 · differences: from the loss of that
    name.
    """

    way: Stranger
    program: Program
    numbers: Mapping[str, float]
    factor: Factor | None
    constant: Factor | None
    residual: float
    tolerance: float
    differences: tuple[Difference, ...] = ()
    by_features: float = 0.0  # τ grows as this power of their number
    claim: str | None = None
    of_pairs: bool = False  # it takes labels of classes too, with which no program computes it
    shared: str = ""  # what two pairs with the same label are to each other, if that is known
    also: str | None = None  # the loss that has these values without a mistake, if another one is claimed

    @property
    def loss(self) -> str:
        """The name of the nearest loss."""
        return public_name(self.program.loss)

    @property
    def tau_name(self) -> str:
        """The name of its temperature, which of uniformity is 1/t."""
        return "temperature" if "temperature" in self.numbers else "t"

    @property
    def temperature(self) -> float | None:
        return self.numbers.get("temperature", 1 / self.numbers["t"] if "t" in self.numbers else None)

    @property
    def slack(self) -> float:
        """The tolerance of a value at other batches."""
        return max(SINGLE, 100 * self.tolerance, 100 * self.residual)

    def facts(self, arrays: Mapping[str, Any]) -> Facts:
        return measure_facts(self.program.loss, {**arrays, "temperature": self.temperature or math.nan})

    def scale(self, arrays: Mapping[str, Any]) -> float:
        return self.factor.times(**self.facts(arrays)) if self.factor else 1.0

    def shift(self, arrays: Mapping[str, Any]) -> float:
        return self.constant.times(**self.facts(arrays)) if self.constant else 0.0

    def at(self, arrays: Mapping[str, Any]) -> Mapping[str, float]:
        """The numbers for a batch: τ may depend on the number of features."""
        if not self.by_features:
            return self.numbers
        d = next(iter(arrays.values())).shape[-1]
        times = (d / self.way.features) ** self.by_features
        return {**self.numbers, "temperature": self.numbers["temperature"] * times}

    def value(self, arrays: Mapping[str, Any]) -> float:
        """The value that the stranger should return."""
        return self.scale(arrays) * self.program.value(arrays, self.at(arrays)) + self.shift(arrays)

    def has(self, mistake: str) -> bool:
        return mistake in {d.mistake for d in self.differences}

    def differ(self, where: str) -> Difference:
        """It is the formula at the usual points, and not there."""
        return Difference(ELSEWHERE, f"{self.loss} at 4 and 6 pairs, and not the same formula {where}")

    def add(self, more: Iterable[Difference]) -> "Found":
        """The same with more differences, each with the claim and the links that the catalogue has of it."""
        loss, new = self.program.loss, list[Difference]()
        for d in more:
            own = [
                m for m in MISTAKES if m.name == d.mistake.replace(" ", "_") and Program(loss, (m,)).applies
            ]
            new += [tell(m, loss)._replace(sentence=d.sentence, kind=d.kind) for m in own[:1]] or [d]
        return self._replace(differences=(*self.differences, *new))


class Unknown(NamedTuple):
    """No program computes the values. nearest: the one with the least residual, None if there is none."""

    way: Stranger
    nearest: Fit | None
    tolerance: float
    differences: tuple[Difference, ...] = ()
    claim: str | None = None

    def has(self, mistake: str) -> bool:
        return mistake in {d.mistake for d in self.differences}


def tell(mistake: Mistake, loss: str) -> Difference:
    """What the catalogue says of a mistake in a loss, with the claim to read, if it names one."""
    claim = mistake.claim(loss) if mistake.about else ""
    return Difference(mistake.name.replace("_", " "), mistake.sentence, "", claim, mistake.links)


# --- finding the program ------------------------------------------------------------------------------------------


def find(
    ways: Sequence[Stranger], inputs: str | None, is_: str | None, meant: Mapping[str, Any]
) -> Found | Unknown:
    """The program that computes a loss, called in the usual ways; if none fits, in the unusual ones too."""
    found = identify(ways, is_, meant)
    for others in list_other_ways(ways, inputs):
        doubted = isinstance(found, Found) and (found.way.unit or any(not d.kind for d in found.differences))
        if isinstance(found, Found) and not doubted:
            break
        again = identify(others, is_, meant, RUNS // 3, plain=doubted)
        if isinstance(again, Found) and (not doubted or not again.differences):
            # two arrays of scores may mean anything: without a claim a mistake that happens to fit is not reported,
            # and a claim about the length of rows is none about scores
            of_scores = again.way.world.startswith("scores")
            guessed = is_ is None and any(not d.kind for d in again.differences)
            found = found if of_scores and (guessed or "normalised" in meant) else again
    return found


def identify(
    ways: Sequence[Stranger], is_: str | None, meant: Mapping[str, Any], runs: int = RUNS, plain: bool = False
) -> Found | Unknown:
    """The program that computes a loss, of those of the claimed loss if one is claimed; the nearest if none fits.

    meant: the numbers and options that the loss should have · runs: of programs, at most · plain: whether only
    programs without rewrites are sought.
    """
    end = Clock.runs + runs
    asked = [each for way in ways if (each := search.ask(way, is_, meant, end))]
    found = search.find_best(asked, end, plain)
    if found is None and is_ is not None and not plain:
        others = [each for way in ways if (each := search.ask(way, None, meant, end + runs / 3))]
        found = search.find_best(others, end + runs / 3)
        asked = asked or others
    if found is None:
        every = [(k, fit) for k, each in enumerate(asked) for fit in each.near if fit.residual < math.inf]
        if every:  # among formulas that are not near, the usual way comes first
            k, fit = min(every, key=lambda one: (min(one[1].residual, search.NEAR), one[0], one[1].residual))
            return Unknown(asked[k].way, fit, search.EXACT[measure_precision(asked[k].way)], claim=is_)
        none = Fit(asked[0].bases[0], {}, (), (), math.inf) if asked else None
        tolerance = search.EXACT.get(ways[0].came, search.EXACT["float64"])
        return Unknown(asked[0].way if asked else ways[0], none, tolerance, claim=is_)
    described = describe(*found, is_, meant)
    if described.claim == described.loss and any(d.kind != "=" for d in described.differences):
        other = identify(ways, None, meant, runs, plain=True)
        if isinstance(other, Found) and not other.differences and other.loss != is_:
            described = described._replace(also=other.loss)
    return described._replace(of_pairs=search.CLASSES_OF.get(described.way.way) in {way.way for way in ways})


def describe(sought: search.Search, fit: Fit, is_: str | None, meant: Mapping[str, Any]) -> Found:
    """What was found, with every difference from the loss of that name."""
    factor, constant = search.find_laws(sought.batches, fit, sought.tolerance)
    found = Found(sought.way, fit.program, fit.numbers, factor, constant, fit.residual, sought.tolerance)
    return restate(found._replace(claim=is_), meant)


def rewrite_to_fit(
    found: Found,
    batches: Sequence[Batch],
    only: Collection[str] = ALL_NAMES,
    free: Sequence[str] = MEASURED,
) -> Found | None:
    """What was found, with one more line of its program rewritten, so that it computes the values of all batches;
    None if no line does. only: names of rewrites · free: numbers that may be others."""
    known, traits = {n: x for n, x in found.numbers.items() if n not in free}, Traits(batches[0].points[:1])
    end = Clock.runs + FEW_RUNS
    sought = search.Search(found.way, batches, [], [known], 10 * found.tolerance, traits, end)
    sought.fit([p for p in extend(found.program) if p.rewrites[-1].name in only], known)
    for fit in sorted(sought.hits, key=lambda fit: search.cost(sought, fit)):
        numbers = {n: fit.numbers[n] for n in fit.program.numbers}
        told = found._replace(program=fit.program, numbers=numbers)
        lines = [(told.scale(b.points[0]), told.shift(b.points[0])) for b in batches]
        wide = max(1e-6, found.tolerance * max(1.0, *(np.abs(b.values).max() for b in batches)))
        if np.allclose([*zip(fit.scales, fit.shifts)], lines, rtol=wide, atol=wide):
            return told
    return None


# --- how it differs -----------------------------------------------------------------------------------------------


def restate(found: Found, meant: Mapping[str, Any] = {}) -> Found:
    """The differences of a program, and of what was measured of it, from the textbook and from what was meant."""
    differences = [*list_rewrites(found), *list_laws(found), *compare_options(found, meant)]
    odd = any(d.mistake.removeprefix("another ") in (*NUMBERS, "reduction") for d in differences)
    if odd and (told := explain_at_meant(found, meant)):
        return restate(told, meant)
    if found.claim is not None and found.loss != found.claim:
        differences.insert(0, Difference("another loss", f"it is {found.loss}"))
    if found.claim is not None and found.way.unit:
        words = f"it is {found.claim} on rows of length 1 alone; on others {found.way.others}"
        differences.append(Difference("unit rows alone", words))
    return found._replace(differences=tuple(dict.fromkeys(differences)))


def explain_at_meant(found: Found, meant: Mapping[str, Any]) -> Found | None:
    """The mistake of the catalogue that computes these values with the numbers as they were meant."""
    known = {n: float(meant[n]) for n in found.numbers if n in meant and n != "temperature"}
    moved = {n: found.numbers[n] for n, x in known.items() if not is_near(found.numbers[n], x, 1e-5)}
    fixed = [x for n, x in moved.items() if len(moved) == 1 and accepts(found.way.target, n)]
    batches = [search.draw_batch(found.way, size, each=1) for size in search.SIZES]
    for number in ({}, *({"E": x} for x in fixed)):
        there = found._replace(numbers={**found.numbers, **known, **number}, factor=None, constant=None)
        names = {one.name for one in MISTAKES if not one.kind and one.numbers == len(number)}
        if told := rewrite_to_fit(there, batches, names, free=()):
            return told
    return None


def list_measured(found: Found) -> Iterator[tuple[Mistake, float]]:
    """The rewrites that are no options, each with its number."""
    measured = iter(MEASURED)
    for r in found.program.rewrites:
        number = found.numbers.get(next(measured), math.nan) if r.numbers else math.nan
        if r.kind != "=":
            yield r, number


def is_noted(rewrite: Mistake) -> bool:
    """Whether the authors' own code does this, and the paper does not: VICReg's mean over all entries."""
    return rewrite.name == "mean_over_entries" and "vicreg" in rewrite.only


def is_harmless(name: str, number: float) -> bool:
    """Whether a small number only keeps a logarithm, a quotient or a root finite."""
    bound = 1e-5 if name.endswith(("lengths", "variances", "deviations", "root")) else 1e-7
    return name in ADDED and number <= 1.05 * bound


def list_rewrites(found: Found) -> Iterator[Difference]:
    """The lines that differ from the textbook's."""
    shown = {name: f"{x:.6g}" for name, x in found.numbers.items()}
    for r, number in list_measured(found):
        if is_noted(r) or is_harmless(r.name, number):
            continue
        sentence = re.sub(r"\bE\b", f"{number:.2g}" if r.name in ADDED else f"{number:.6g}", r.sentence)
        sentence = re.sub(r"{(\w+)}", lambda m: shown.get(m[1], m[0]), sentence)
        kind = "~" if found.claim is None and r.name in CHOICES else r.kind
        yield tell(r, found.program.loss)._replace(sentence=sentence, kind=kind)


def list_added(found: Found) -> Iterator[str]:
    """The rewrites that are no mistakes, in words."""
    for r, number in list_measured(found):
        if is_noted(r):
            yield r.sentence
        if is_harmless(r.name, number):
            yield f"with about {number:.1g} added {ADDED[r.name]}"


def list_laws(found: Found) -> Iterator[Difference]:
    """The factor and the constant, unless they are usual."""
    factor, constant = found.factor, found.constant
    if factor is not None and not search.is_usual(factor, found.program.loss):
        yield Difference(factor.name, factor.sentence, "" if factor.name == "sign flipped" else "=")
    if constant is not None:
        yield Difference(constant.name, constant.sentence, "=")


def list_options(found: Found) -> dict[str, Any]:
    """The measured values of the loss's options."""
    options: dict[str, Any] = {}
    loss, own = found.program.loss, {r.name for r in found.program.rewrites}
    applicable = {r.name for r in OPTIONS if Program(loss, (r,)).applies}
    if search.has_reduction(loss):
        other = "mean for sum" if loss in TOTALS else "sum for mean"
        summed = (found.factor is not None and found.factor.name == other) != (loss in TOTALS)
        options["reduction"] = "sum" if summed else "mean"
    if "rows_normalised" in applicable:
        options["normalised"] = any(name.startswith("rows_normalised") for name in own)
    if "rows_normalised_but_the_queue" in own:
        options["queue"] = "raw"
    if loss == "byol_of_both":
        options["views"] = "averaged" if "terms_averaged" in own else "summed"
    if "anchors_second" in applicable:
        options["anchors"] = "second" if "anchors_second" in own else "first"
    if loss in search.SUPCON:
        options["form"] = search.SUPCON[loss]
    hidden = ("temperature", "t", *MEASURED)
    return options | {n: x for n, x in found.numbers.items() if n not in hidden}


def compare_options(found: Found, meant: Mapping[str, Any]) -> Iterator[Difference]:
    """The options that differ from those that were meant."""
    measured = list_options(found)
    for name, value in meant.items():
        got = measured.get(name, value)
        numeric = isinstance(got, float) and isinstance(value, int | float)
        if is_near(got, float(value), 1e-5) if numeric else got == value:
            continue
        if name == "anchors":
            yield Difference("softmax over the wrong axis", EXCHANGED)
        elif name != "reduction":
            shown = f"{got:.6g}" if numeric else got
            yield Difference(f"another {name}", f"{name} is {shown}, where {value} was asked for")
        elif value in ("mean", "sum"):
            law = next(f for f in FACTORS if f.name == ("sum for mean" if got == "sum" else "mean for sum"))
            yield Difference(law.name, law.sentence, "=")


# --- the verdict --------------------------------------------------------------------------------------------------


def describe_fit(fit: Fit) -> str:
    """A program in a few words."""
    names = [r.name.replace("_", " ") for r in fit.program.rewrites]
    tau = f" at τ = {fit.numbers['temperature']:.3g}" if "temperature" in fit.numbers else ""
    return " and ".join([public_name(fit.program.loss), *names]) + tau


def describe_options(found: Found) -> str:
    """τ and the options in words."""
    tau = found.temperature
    words = [f"τ = {tau:.6g}"] if tau else []
    for name, value in list_options(found).items():
        words.append(f"{name} {value:.6g}" if isinstance(value, float) else f"{name}={value}")
    return "".join(f", {word}" for word in words)


def judge(found: Found | Unknown) -> Verdict:
    """The verdict on the value."""
    told = {d.mistake: d.sentence for d in found.differences}
    words = "; ".join(d.sentence for d in found.differences)
    if isinstance(found, Unknown):
        return Verdict("unknown", False, words)
    added, mistaken = " and ".join(list_added(found)), any(not d.kind for d in found.differences)
    words += f", {added}" * bool(words and added)
    words += ON_UNIT_ROWS * (found.way.unit and not found.claim)
    two = found.way.way == "two with labels"  # whose claim says nothing of classes
    if not told and found.of_pairs and (two or not found.claim):
        words = f"with labels of pairs it is {found.loss}{describe_options(found)}; "
        words += "with several rows of a class no formula fits; "
        words += f"{option('inputs', found.way.way)} asks about pairs alone"
        return Verdict("right for pairs", False, words)
    if not told:
        return approve(found)
    if off := next((d for d in found.differences if d.mistake == ELSEWHERE), None):
        return Verdict("unknown" if off.kind else "wrong", False, off.sentence)
    if found.claim:
        if told.keys() <= {"not normalised", "unit rows alone"}:
            return Verdict("right on unit rows", False, f"{found.claim}, but {words}")
        if told.keys() == {AT_ONE}:
            return Verdict(AT_ONE, False, f"{found.claim}, but {words}")
        words += f"; its values are those of {found.also}" * bool(found.also)
        return Verdict("wrong", False, f"not {found.claim}: {words}")
    for name, part in {"sequences mixed": "one sequence", "mask mixed": "all pairs"}.items():
        if name in told:
            return Verdict("unknown", False, f"of {part} it is {found.loss}, but {words}")
    if mistaken:
        return Verdict("wrong", False, f"{found.loss}, but {words}")
    return Verdict("variant", True, f"nearest to {found.loss}: {words}")


def approve(found: Found) -> Verdict:
    """The verdict on a loss that is one of the textbook."""
    added = " and ".join(list_added(found))
    words = f"it is {found.loss}{describe_options(found)}{', ' * bool(added)}{added}"
    if found.residual > found.tolerance:
        words += f", but for {found.residual:.0e} of what its values vary: "
        words += "a part of it is rounded to a coarser dtype"
    words += ON_UNIT_ROWS * found.way.unit
    if found.loss.startswith("information."):
        sign = "minus the estimate" if found.factor else "the estimate"
        words = words.replace("it is", f"it is {sign}", 1) + ESTIMATES[found.loss.partition(".")[2]]
    if found.program.loss == "infonce":
        words += f": each anchor is its own candidate, which NT-Xent ({option('is_', 'ntxent')}) leaves out"
    if found.program.loss == "cpc_of_classes":
        words += ", where every row of the other view with the anchor's label is a positive, as in UniCL"
    if list_options(found).get("anchors") == "second":
        words += f": {SECOND}: if the other way is meant, transpose the scores"
    if found.shared:
        words += f"; pairs that share a label {found.shared}"
    return Verdict("right", True, words)
