"""Which program computes these values? A loss of the textbook, then one with a line rewritten, then with two.

What is found is then put in words: the loss, its numbers and options, and how it differs from the textbook.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..catalogue import MISTAKES, Factor, Mistake
from ..losses import ALL
from .finding import list_other_ways
from .fitting import EACH, Batch, Fit, Traits, measure_traits, refine, seek
from .inputs import ROWS
from .laws import FACTORS, TOTALS, Facts, find_constant, find_factor, is_near, measure_facts
from .programs import (
    ADDED,
    EVERY,
    FORMS,
    LOSSES,
    MEASURED,
    NUMBERS,
    OPTIONS,
    Clock,
    Program,
    extend,
    public_name,
)
from .reading import option
from .report import Difference
from .strangers import Stranger, measure_precision
from .target import SCALES, TEMPERATURES, accepts, is_temperature

SIZES = (4, 6)
CLASSES_OF = {  # ways whose labels tell less: of pairs, where those of classes tell more
    "pairs with labels": "classes",
    "two with labels": "two with classes",
}
RUNS = 41_000  # of programs, for one search
FEW_RUNS = 7000  # of programs, for a rewrite that explains further batches
SHARE = 0.7  # of them for programs with one rewrite
FEW = 3  # bases that are still looked at after one that fits
HINTS = 3  # numbers of its settings that a rewrite may have
ALSO_CALLED = {"alpha": "exponent", "lambd": "weight", "logit_bias": "bias", "tau_plus": "prior"}
LEAST = 5  # different values, of twelve
COMPARED = tuple(r for r in FORMS if r.name in ("by_distance", "by_squared_distance"))
REFINED = 8  # programs with an unknown number, of those that are compared together
NEAREST = 6  # bases among which the order of nearness tells little
MANY = 2  # unknown numbers of a program: more are no later
SECOND_BASES = 8  # programs with one rewrite that get a second one
EXACT = {
    "float64": 1e-9,
    "float32": 3e-5,
    "float16": 2e-2,
    "bfloat16": 1e-1,
}  # residuals that rounding explains
ROUGH = 2e-6  # a smaller residual may come from a part that is rounded to float32
FAR = 0.1  # of two programs with larger residuals the nearer need not be the likelier
ADDING = 0.3  # to a program with a larger residual no small number is added
NEAR = 1e-3  # a formula with a larger residual is not reported as the nearest
AVERAGED = ("clip", "simsiam")  # a sum of these is called a mistake
ALL_NAMES = {r.name for r in EVERY}
SUPCON = {"supcon": "out", "supcon_in": "in", "supcon_pairs": "pairs"}  # its forms
# mistakes in a loss of a certain name; some papers choose them, so that a loss without a name may have them
CHOICES = (
    *("positive_missing", "positives_missing", "positive_kept", "self_in_denominator", "self_masked"),
    *("other_view_missing", "negatives_averaged", "hardest_alone", "sigmoids_for_softmax", "score_for_loss"),
    *("self_left_in", "distance_not_squared", "mean_over_pairs", "sum_for_mean", "each_positive_alone"),
    *("label_smoothing", "mean_over_all_pairs"),
)


def is_noted(rewrite: Mistake) -> bool:
    """Whether the authors' own code does this, and the paper does not: VICReg's mean over all entries."""
    return rewrite.name == "mean_over_entries" and "vicreg" in rewrite.only


# rewrites of the temperature: with a temperature that is not known they are the loss itself
TEMPERED = (
    *("temperature_twice", "temperature_multiplied", "temperature_not_used", "root_of_temperature"),
    *("temperature_fixed", "scale_not_exponentiated"),
)


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
    still: Mapping[str, float] = {}  # numbers without effect, such as a temperature beside a free factor
    also: str | None = None  # the loss that has these values without a mistake, if another one is claimed

    @property
    def loss(self) -> str:
        """The name of the nearest loss."""
        return public_name(self.program.loss)

    @property
    def temperature(self) -> float | None:
        return self.numbers.get("temperature", 1 / self.numbers["t"] if "t" in self.numbers else None)

    def facts(self, arrays: Mapping[str, Any]) -> Facts:
        return measure_facts(self.program.loss, {**arrays, "temperature": self.temperature or math.nan})

    def scale(self, arrays: Mapping[str, Any]) -> float:
        return self.factor.times(**self.facts(arrays)) if self.factor else 1.0

    def shift(self, arrays: Mapping[str, Any]) -> float:
        return self.constant.times(**self.facts(arrays)) if self.constant else 0.0

    def at(self, arrays: Mapping[str, Any]) -> Mapping[str, float]:
        """The numbers for a batch: τ may depend on the number of features."""
        if not self.by_features:
            return {**self.still, **self.numbers}
        d = next(iter(arrays.values())).shape[-1]
        times = (d / self.way.features) ** self.by_features
        return {**self.numbers, "temperature": self.numbers["temperature"] * times}

    def value(self, arrays: Mapping[str, Any]) -> float:
        """The value that the stranger should return."""
        return self.scale(arrays) * self.program.value(arrays, self.at(arrays)) + self.shift(arrays)


# --- searching ----------------------------------------------------------------------------------------------------


@dataclass
class Search:
    """A way of calling the loss, and what is sought there: its values · the programs to start from · sets of
    numbers that may be known, the likeliest first · the residual of a fit · traits of the loss · end: what `Clock`
    shows then · near: every fit so far · hits: those that are exact."""

    way: Stranger
    batches: Sequence[Batch]
    bases: Sequence[Program]
    known: Sequence[Mapping[str, float]]
    tolerance: float
    traits: Traits
    end: float
    near: list[Fit] = field(default_factory=list)
    hits: list[Fit] = field(default_factory=list)
    # with these of their numbers
    tried: set[tuple[Program, tuple[float | None, ...]]] = field(default_factory=set)

    @property
    def late(self) -> bool:
        return Clock.runs > self.end

    def fit(
        self, programs: Iterable[Program], known: Mapping[str, float], near: Mapping[str, float] = {}
    ) -> None:
        """Find those programs that fit; of those with an unknown number the nearest are refined. near: numbers that
        are likely."""
        done, started = list[Fit](), list[Fit]()
        for program in programs:
            if self.late:
                break
            idle = "E" in known and "E" not in program.numbers
            same = "temperature" not in known and any(r.name in TEMPERED for r in program.rewrites)
            asked = program, tuple(known.get(n) for n in program.numbers)
            if idle or same or asked in self.tried or not self.traits.suit(program):
                continue
            self.tried.add(asked)
            fits = seek(program, self.batches, known, near)
            (done if set(program.numbers) <= known.keys() else started).extend(fits)
        started.sort(key=lambda fit: fit.residual)
        nearer = [fit for fit in started[:REFINED] if fit.residual < FAR]
        done += [refine(fit, self.batches, known) for fit in nearer if not self.late]
        free = {n: x for n, x in known.items() if n != "temperature"}  # it may be known in float32 alone
        close = [
            fit for fit in done if self.tolerance < fit.residual < ROUGH and "temperature" in fit.numbers
        ]
        done += [refine(fit, self.batches, free) for fit in close]
        done = [fit for fit in done if is_bounded(fit, known)]
        self.near += done
        # the others are known at a few points alone
        self.near += [fit._replace(residual=max(fit.residual, NEAR)) for fit in started[len(nearer) :]]
        self.hits += [fit for fit in done if fit.residual <= self.tolerance]

    def rank(self, depth: int) -> list[Program]:
        """The bases with that many rewrites, the nearest first. An estimate that is a loss with a sign comes last,
        and choices late; of programs that are far, those with the fewest numbers come first."""
        best = {} if depth else dict.fromkeys(self.bases, math.inf)
        for fit in self.near:
            loss, rewrites = fit.program
            own = fit.program in self.bases
            if own if depth == 0 else not own and Program(loss, rewrites[:-depth]) in self.bases:
                best[fit.program] = min(fit.residual, best.get(fit.program, math.inf))

        def order(p: Program) -> tuple[bool, int, float, int, float]:
            return (
                p.loss.startswith("estimate_infonce"),
                count_rewrites(p),
                min(best[p] * 2 ** len(p.numbers), FAR),  # with many numbers it is near anything
                len(p.numbers),
                best[p],
            )

        return sorted(best, key=order)

    def list_promising(self) -> list[Program]:
        """The bases, the nearest first; if some fit, these and a few others, for a better reason than a factor or a
        constant; if small numbers may be added to some, likewise."""
        fitting = {fit.program for fit in self.near if fit.residual < NEAR / 10 or fit in self.hits}
        return [p for k, p in enumerate(self.rank(0)) if k < FEW or p in fitting or not fitting]

    def find_plain(self) -> None:
        """Find the losses of the textbook that fit, with their options."""
        for known in self.known:
            self.fit(self.bases, known)
            if any(cost(self, fit) < 1 for fit in self.hits):
                break

    def find_added(self) -> None:
        """Find the programs near the values that fit with two small numbers added."""
        near = {fit.program for fit in self.near if fit.residual < NEAR and not count_rewrites(fit.program)}
        for base in (p for p in self.rank(0) if p in near):  # the nearest first
            places = ADDED.keys() - {"epsilon_above_and_below"}  # which are two already
            small = [p for p in extend(base) if p.rewrites[-1].name in places]
            both = [p for one in small for p in extend(one) if p.rewrites[-1].name in places]
            tau = self.find_nearest(base).numbers.get("temperature")
            self.fit(both, {"temperature": float(f"{tau:.4g}")} if tau else {})

    def find_nearest(self, base: Program) -> Fit:
        """The nearest fit of a base."""
        fits = (fit for fit in self.near if fit.program == base)
        return min(fits, key=lambda fit: fit.residual, default=Fit(base, {}, (), (), math.inf))


def find_rewritten(
    searches: Sequence[Search], bases: Sequence[Sequence[Program]], end: float, few: int = FEW
) -> None:
    """Find programs with one more rewrite that fit. bases: of each search, the nearest first. The likeliest and the
    cheapest come first: near bases, few unknown numbers. A few more are looked at after one that fits."""
    groups = [
        ((place + NEAREST) * (1 + way + k + 2 * unknown), way, base, known, unknown)
        for way, own in enumerate(bases)
        for k, known in enumerate(searches[way].known)
        for place, base in enumerate(own)
        for unknown in range(MANY + 1)
    ]
    before = sum(len(each.hits) for each in searches)
    for _, way, base, known, unknown in sorted(groups, key=lambda group: group[0]):
        search = searches[way]
        if few == 0 or search.late or Clock.runs > end:
            break
        near = search.find_nearest(base)
        programs = [
            p
            for p in extend(base)
            if min(sum(n not in known for n in p.numbers), MANY) == unknown
            and (not ADDING <= near.residual < math.inf or p.rewrites[-1].name not in ADDED)
        ]
        search.fit(programs, known, near.numbers)
        few -= bool(programs) and sum(len(each.hits) for each in searches) > before


def is_bounded(fit: Fit, known: Mapping[str, float]) -> bool:
    """Whether the number of a rewrite is below its bound, and no fitted number at a limit where the program is
    nearly a product of rows, as those of other losses are."""
    numbers = {n: x for n, x in fit.numbers.items() if n not in known}
    low = any(numbers.get(n, 1.0) < 1e-4 for n in ("temperature", "clip"))
    low |= max(numbers.get(n, 1.0) for n in ("variance", "covariance")) < 1e-6  # VICReg's invariance alone
    low |= numbers.get("bias", 0.0) < -18  # a sigmoid that is linear to the last digits
    bounded = all(fit.numbers.get("E", 0) < 0.999 * r.bound for r in fit.program.rewrites)
    return bounded and not low and numbers.get("noise", 0.0) < 1e3 and 1e-6 < numbers.get("weight", 1.0) < 1e6


def count_rewrites(program: Program) -> int:
    return sum(r.kind != "=" for r in program.rewrites)


@cache
def list_bases(loss: str) -> tuple[Program, ...]:
    """A loss with each set of its options."""
    own = [r for r in (*OPTIONS, *COMPARED) if Program(loss, (r,)).applies]
    sets = [chosen for count in range(3) for chosen in combinations(own, count)]
    sets = [chosen for chosen in sets if sum(r.name.startswith("rows_normalised") for r in chosen) < 2]
    return tuple(p for p in (Program(loss, chosen) for chosen in sets) if p.applies)


def cost(search: Search, fit: Fit) -> float:
    """How much a fit leaves to be explained: rewrites, a factor, a constant, fitted numbers. Of equals the rewrite
    of a longer line is more special, and the earlier in the catalogue more common."""
    factor, constant = find_laws(search.batches, fit, search.tolerance)
    changed = [r for r in fit.program.rewrites if r.kind != "="]
    whole = 0.01 * (len(fit.program.rewrites) - len(changed))
    whole += sum(0.9 if r.kind == "~" else 1.0 for r in changed) + 1.05 * (constant is not None)
    if factor is not None:
        vague = factor.name == "constant factor" or not factor.known
        whole += 0.02 if is_usual(factor, fit.program.loss) else 1.6 if vague else 0.9
    fitted = [fit.numbers[n] for n in fit.program.numbers if n in MEASURED]
    whole += 0.3 * len(fitted) + 0.03 * len(fit.numbers) + 1e-5 * min(sum(fitted), 100)
    length = sum(len(old) for r in changed for block in r.blocks for old, _ in block)
    return whole - min(length / 1e4, 0.04) + sum(map(EVERY.index, changed)) / 1e6


def is_usual(factor: Factor, loss: str) -> bool:
    """Whether a factor is that of a reduction that the caller chooses, or the sign of an estimate."""
    of_estimate = factor.name == "sign flipped" and loss.startswith("estimate")
    return of_estimate or (factor.name == "sum for mean" and has_reduction(loss))


def find_laws(batches: Sequence[Batch], fit: Fit, tolerance: float) -> tuple[Factor | None, Factor | None]:
    """The laws of the factor and of the constant."""
    tau, program = fit.numbers.get("temperature", math.nan), fit.program
    facts = [measure_facts(program.loss, {**b.points[0], "temperature": tau, **b.given}) for b in batches]
    rounding = max(tolerance, fit.residual if fit.residual < ROUGH else 0.0)
    wide = 1e-8 if rounding <= 1e-9 else min(100 * rounding, 1e-2)
    factor = find_factor(program, fit.scales, facts, wide)
    unit = [f["N"] if factor and factor.name == "sum for mean" else 1 for f in facts]
    size = max(float(np.abs(batches[0].values).max()), 1.0)
    constant = find_constant([s / n for s, n in zip(fit.shifts, unit)], facts, max(3e-7, 3 * rounding) * size)
    if constant is not None and unit[0] != 1:
        constant = constant._replace(formula=f"N * ({constant.formula})")
    return factor, constant


@cache
def has_reduction(loss: str) -> bool:
    """Whether the caller of a loss chooses between mean and sum."""
    name = public_name(loss)
    return name in ALL and name not in AVERAGED and "reduction" in signature(ALL[name].forward).parameters


# --- what is known of its numbers ---------------------------------------------------------------------------------


class Setting(NamedTuple):
    """A number that the loss was given under the name of a temperature · own: the τ that it means · value: what
    to pass for another τ · logarithmic: whether it is a logarithm · accepted: whether it can be passed."""

    name: str
    given: float
    own: float
    value: Callable[[float], float]
    logarithmic: bool = False
    accepted: bool = True


def invert(x: float) -> float:
    return 1 / x


def list_settings(way: Stranger) -> Iterator[Setting]:
    """Every setting with the name of a temperature: as τ, as 1/τ if it is a scale or may be one, or as the
    logarithm of either.
    """
    own = filter(is_temperature, way.settings)
    for name in dict.fromkeys((*TEMPERATURES, *SCALES, *own)):
        x = way.settings.get(name)
        if isinstance(x, bool) or not isinstance(x, int | float | np.floating):
            continue
        x, passed, scale = float(x), accepts(way.target, name), name in SCALES
        as_tau = Setting(name, x, x, float, accepted=passed)
        if x > 0 and not scale:
            yield as_tau
        if x > 0 and (scale or x > 1 or name == "t"):
            yield Setting(name, x, 1 / x, invert, accepted=passed)
        if x > 0 and name == "scale":
            yield as_tau
        if abs(x) < 50:
            yield Setting(name, x, math.exp(-x), lambda tau: -math.log(tau), True, passed)
            yield Setting(name, x, math.exp(x), math.log, True, passed)


def find_setting(way: Stranger, tau: float | None, tolerance: float) -> Setting | None:
    """The setting that explains a measured τ, or the first with the name of a temperature."""
    every = [one for one in list_settings(way) if not is_weight(way, one)]
    exact = (one for one in every if tau and is_near(abs(tau), one.own, max(tolerance, 1e-6)))
    plain = (one for one in every if not one.logarithmic)
    return next(exact, None) or next(plain, None)


def is_weight(way: Stranger, setting: Setting) -> bool:
    """Whether the loss is proportional to a setting whose name may be that of a weight."""
    if setting.name not in ("t", "scale") or not setting.accepted:
        return False
    many = way.points(4, each=1)
    try:
        doubled = way.again({setting.name: 2 * setting.given})
        return all(is_near(doubled.value(at), 2 * way.value(at), 1e-6) for at in many)
    except Exception:  # it refuses this number
        return False


def read_numbers(way: Stranger, meant: Mapping[str, Any]) -> list[dict[str, float]]:
    """What may be known of the numbers, the likeliest first: all that it was given, with each meaning of its
    temperature; then all but the temperature; then nothing."""
    known = {n: x for n, x in meant.items() if n in NUMBERS} | way.settings
    given = {n: float(x) for n, x in known.items() if isinstance(x, int | float) and not isinstance(x, bool)}
    named = {ALSO_CALLED.get(n, n): x for n, x in given.items()} | given
    rest = {n: x for n, x in named.items() if n in NUMBERS and n != "temperature"}
    taus = dict.fromkeys(one.own for one in list_settings(way) if not one.logarithmic or one.name in SCALES)
    taus |= {math.exp(-x): None for n, x in way.learned().items() if n in SCALES}
    if isinstance(meant.get("temperature"), int | float):
        taus = {float(meant["temperature"]): None} | taus
    every = [*[{**rest, "temperature": tau} for tau in taus][:3], rest]
    # a number that it was given may be the one that a rewrite measures
    hints = [x for x in dict.fromkeys(given.values()) if x > 0 and x not in taus][:HINTS]
    every = [*[{**t, **every[0], "E": x} for x in hints for t in ({"temperature": 1.0}, {})], *every, {}]
    return [known for k, known in enumerate(every) if known not in every[:k]]


# --- identifying --------------------------------------------------------------------------------------------------


class Unknown(NamedTuple):
    """No program computes the values. nearest: the one with the least residual, None if there is none."""

    way: Stranger
    nearest: Fit | None
    tolerance: float
    differences: tuple[Difference, ...] = ()
    claim: str | None = None


def identify(
    ways: Sequence[Stranger],
    is_: str | None = None,
    meant: Mapping[str, Any] | None = None,
    runs: int = RUNS,
    plain: bool = False,
) -> Found | Unknown:
    """The program that computes a loss, of those of the claimed loss if one is claimed; the nearest if none fits.

    meant: the numbers and options that the loss should have · runs: of programs, at most · plain: whether only
    programs without rewrites are sought.
    """
    meant, end = meant or {}, Clock.runs + runs
    asked = [each for way in ways if (each := ask(way, is_, meant, end))]
    found = search_all(asked, end, plain)
    if found is None and is_ is not None and not plain:
        others = [each for way in ways if (each := ask(way, None, meant, end + runs / 3))]
        found = search_all(others, end + runs / 3)
        asked = asked or others
    if found is None:
        every = [(k, fit) for k, each in enumerate(asked) for fit in each.near if fit.residual < math.inf]
        if every:  # among formulas that are not near, the usual way comes first
            k, fit = min(every, key=lambda one: (min(one[1].residual, NEAR), one[0], one[1].residual))
            return Unknown(asked[k].way, fit, EXACT[measure_precision(asked[k].way)], claim=is_)
        none = Fit(asked[0].bases[0], {}, (), (), math.inf) if asked else None
        return Unknown(asked[0].way if asked else ways[0], none, 1e-9, claim=is_)
    described = describe(*found, is_, meant)
    if described.claim == described.loss and any(d.kind != "=" for d in described.differences):
        other = identify(ways, None, meant, runs, plain=True)
        if isinstance(other, Found) and not other.differences and other.loss != is_:
            described = described._replace(also=other.loss)
    return described._replace(of_pairs=CLASSES_OF.get(described.way.way) in {way.way for way in ways})


def ask(way: Stranger, is_: str | None, meant: Mapping[str, Any], end: float) -> Search | None:
    """Ask a loss in one way; None if no loss of the textbook takes such inputs, or it returns no number."""
    form = meant.get("form") if is_ else None
    losses = [n for n in LOSSES if Program(n).suits(way.how) and is_ in (None, public_name(n))]
    losses = [n for n in losses if form in (None, SUPCON.get(n, form))]
    try:
        batches = [draw_batch(way, size) for size in SIZES]
        tolerance = EXACT[measure_precision(way)]
    except Exception:  # a user's code may raise anything
        return None
    if not losses or any(len(np.unique(b.values)) < LEAST for b in batches):
        return None
    if set(way.arrays) & set(ROWS) and not way.unit and any(len(b.points) < EACH * 4 for b in batches):
        return ask(way.replace(unit=True, others="it returns no finite number"), is_, meant, end)
    bases = [base for loss in losses for base in list_bases(loss)]
    points = batches[0].points[::EACH]
    known = read_numbers(way, meant)
    traits = Traits(points[:1]) if way.unit else measure_traits(way.value, points, known[0])
    return Search(way, batches, bases, known, tolerance, traits, end)


def draw_batch(way: Stranger, size: int, d: int = 0, each: int = 3, **given: float) -> Batch:
    """Points of one size, and the values there; without those at which it returns no finite number."""
    points = way.points(size, each, d)
    values = np.array([way.value(at) for at in points])
    kept = np.isfinite(values)
    return Batch(size, [at for at, keep in zip(points, kept) if keep], values[kept], given)


def restrict(search: Search) -> Search:
    """The same on rows of length 1, which no program needs to divide by their length."""
    way = search.way.replace(unit=True)
    batches = [draw_batch(way, size) for size in SIZES]
    bases = [p for p in search.bases if not any(r.name.startswith("rows_normalised") for r in p.rewrites)]
    traits = Traits(batches[0].points[:1])
    return Search(way, batches, bases, search.known, search.tolerance, traits, search.end)


def search_all(asked: Sequence[Search], end: float, plain: bool = False) -> tuple[Search, Fit] | None:
    """The best fit of all ways, at the first stage at which any fits."""
    for searches, below in run_stages(asked, end, plain):
        if found := choose(searches, below):
            more = CLASSES_OF.get(found[0].way.way)
            better = [each for each in asked if each.way.way == more]
            for each in better:
                find_rewritten([each], [each.rank(0)], end)
            return choose(better, below=2.0) or found
    return None


def run_stages(asked: Sequence[Search], end: float, plain: bool) -> Iterator[tuple[Sequence[Search], float]]:
    """Search for plain programs, for one rewrite, on rows of length 1, for small numbers added to both, and for two
    rewrites. Yield what was searched after each stage, and below which cost its fits are final."""
    part = Clock.runs + SHARE * (end - Clock.runs)
    for each in asked:
        each.find_plain()
    yield asked, 1.0
    unit = [restrict(each) for each in asked if each.tolerance < NEAR and each.traits.depend_on_lengths()]
    early = [each for each in unit if plain or each.way.way == "similarities"]
    for each in early:  # whoever computes the products divides by the lengths
        each.find_plain()
    yield early, 1.0
    if plain:
        return
    for searches, until in ((asked, part), (unit, end)):
        for each in searches:
            each.find_plain()
        yield searches, 1.0
        bases = [each.list_promising() if until < end else each.rank(0) for each in searches]
        find_rewritten(searches, bases, until)
        for each in searches:
            each.find_added()
        yield searches, math.inf
    every = (*asked, *unit)
    for each in every:  # a part of it may be rounded
        each.hits += [fit for fit in each.near if fit.residual < ROUGH and not count_rewrites(fit.program)]
    yield every, math.inf
    find_rewritten(every, [each.rank(1)[:SECOND_BASES] for each in every], end, 1)
    yield every, math.inf


def choose(asked: Sequence[Search], below: float = math.inf) -> tuple[Search, Fit] | None:
    """The fit that leaves least to be explained."""
    good = [each for each in asked if each.hits]
    for less, more in CLASSES_OF.items():
        if any(each.way.way == more for each in good):
            good = [each for each in good if each.way.way != less]
    # the usual ways come first
    fits = [(cost(each, fit) + 0.015 * k, k, each, fit) for k, each in enumerate(good) for fit in each.hits]
    best = min(fits, key=lambda found: (round(found[0], 6), found[1]), default=None)
    if best and best[2].tolerance > NEAR:  # in half precision a rewrite that fits may be a guess
        below = 0.5
    return None if best is None or best[0] >= below else (best[2], best[3])


# --- putting it in words ------------------------------------------------------------------------------------------


def describe(search: Search, fit: Fit, is_: str | None, meant: Mapping[str, Any]) -> Found:
    """What was found, with every difference from the loss of that name."""
    factor, constant = find_laws(search.batches, fit, search.tolerance)
    points, numbers, still = search.batches[0].points, dict(fit.numbers), dict[str, float]()
    if "temperature" in numbers and not has_effect(fit, points, "temperature"):
        still["temperature"] = numbers.pop("temperature")
    found = Found(search.way, fit.program, numbers, factor, constant, fit.residual, search.tolerance)
    return restate(found._replace(claim=is_, still=still), meant)


def has_effect(fit: Fit, points: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Whether a number changes the value of a program at any point."""
    slopes = [fit.program.slope(at, fit.numbers, name) for at in points]
    return bool(np.any(np.abs(slopes) > 1e-9 * np.abs([fit.program.value(at, fit.numbers) for at in points])))


def restate(found: Found, meant: Mapping[str, Any] | None = None) -> Found:
    """The differences of a program, and of what was measured of it, from the textbook and from what was meant."""
    differences = [*list_rewrites(found), *list_laws(found), *compare_options(found, meant or {})]
    odd = any(d.mistake.removeprefix("another ") in (*NUMBERS, "reduction") for d in differences)
    if odd and (told := explain_at_meant(found, meant or {})):
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
    batches = [draw_batch(found.way, size, each=1) for size in SIZES]
    for number in ({}, *({"E": x} for x in fixed)):
        there = found._replace(numbers={**found.numbers, **known, **number}, factor=None, constant=None)
        names = {one.name for one in MISTAKES if not one.kind and one.numbers == len(number)}
        if told := rewrite_to_fit(there, batches, names, free=()):
            return told
    return None


def rewrite_to_fit(
    found: Found,
    batches: Sequence[Batch],
    only: Collection[str] = ALL_NAMES,
    free: Sequence[str] = MEASURED,
    bases: Sequence[Program] = (),
) -> Found | None:
    """What was found, with one more line of its program, or of another of these, rewritten, so that it computes the
    values of all batches; None if no line does. only: names of rewrites · free: numbers that may be others."""
    known, traits = {n: x for n, x in found.numbers.items() if n not in free}, Traits(batches[0].points[:1])
    search = Search(found.way, batches, [], [known], 10 * found.tolerance, traits, Clock.runs + FEW_RUNS)
    for base in (found.program, *bases):
        search.fit([p for p in extend(base) if p.rewrites[-1].name in only], known)
        for fit in sorted(search.hits, key=lambda fit: cost(search, fit)):
            told = found._replace(
                program=fit.program, numbers={n: fit.numbers[n] for n in fit.program.numbers}
            )
            lines = [(told.scale(b.points[0]), told.shift(b.points[0])) for b in batches]
            if np.allclose([*zip(fit.scales, fit.shifts)], lines, rtol=1e-6, atol=1e-6):
                return told
    return None


def describe_fit(fit: Fit) -> str:
    """A program in a few words."""
    names = [r.name.replace("_", " ") for r in fit.program.rewrites]
    tau = f" at τ = {fit.numbers['temperature']:.3g}" if "temperature" in fit.numbers else ""
    return " and ".join([public_name(fit.program.loss), *names]) + tau


def list_measured(found: Found) -> Iterator[tuple[Mistake, float]]:
    """The rewrites that are no options, each with its number."""
    measured = iter(MEASURED)
    for r in found.program.rewrites:
        number = found.numbers.get(next(measured), math.nan) if r.numbers else math.nan
        if r.kind != "=":
            yield r, number


def list_rewrites(found: Found) -> Iterator[Difference]:
    """The lines that differ from the textbook's."""
    shown = {name: f"{x:.6g}" for name, x in found.numbers.items()}
    for r, number in list_measured(found):
        if is_noted(r) or is_harmless(r.name, number):
            continue
        sentence = re.sub(r"\bE\b", f"{number:.2g}" if r.name in ADDED else f"{number:.6g}", r.sentence)
        sentence = re.sub(r"{(\w+)}", lambda m: shown.get(m[1], m[0]), sentence)
        kind = "~" if found.claim is None and r.name in CHOICES else r.kind
        claim = find_claim(r, found.program.loss)
        yield Difference(r.name.replace("_", " "), sentence, kind, claim, r.links)


def find_claim(rewrite: Mistake, loss: str) -> str:
    """The claim to read about a mistake in a loss; "" if the catalogue names none."""
    return rewrite.claim(loss) if rewrite.about else ""


def is_harmless(name: str, number: float) -> bool:
    """Whether a small number only keeps a logarithm, a quotient or a root finite."""
    return name in ADDED and number <= 1.05 * (
        1e-5 if name.endswith(("lengths", "variances", "root")) else 1e-7
    )


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
    if factor is not None and not is_usual(factor, found.program.loss):
        yield Difference(factor.name, factor.sentence, "" if factor.name == "sign flipped" else "=")
    if constant is not None:
        yield Difference(constant.name, constant.sentence, "=")


def list_options(found: Found) -> dict[str, Any]:
    """The measured values of the loss's options."""
    options: dict[str, Any] = {}
    loss, own = found.program.loss, {r.name for r in found.program.rewrites}
    applicable = {r.name for r in OPTIONS if Program(loss, (r,)).applies}
    if has_reduction(loss):
        other = "mean for sum" if loss in TOTALS else "sum for mean"
        summed = (found.factor is not None and found.factor.name == other) != (loss in TOTALS)
        options["reduction"] = "sum" if summed else "mean"
    if "rows_normalised" in applicable and set(found.way.arrays) & set(ROWS):
        options["normalised"] = any(name.startswith("rows_normalised") for name in own)
    if "rows_normalised_but_the_queue" in own:
        options["queue"] = "raw"
    if loss == "byol_of_both":
        options["views"] = "averaged" if "terms_averaged" in own else "summed"
    if "anchors_second" in applicable:
        options["anchors"] = "second" if "anchors_second" in own else "first"
    if loss in SUPCON:
        options["form"] = SUPCON[loss]
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


SECOND = "the softmax runs over the rows of the first view, for each row of the second"
EXCHANGED = f"{SECOND}: rows and columns are exchanged: transpose the scores"


def describe_options(found: Found) -> str:
    """τ and the options in words."""
    tau = found.temperature
    words = [f"τ = {tau:.6g}"] if tau else []
    for name, value in list_options(found).items():
        words.append(f"{name} {value:.6g}" if isinstance(value, float) else f"{name}={value}")
    return "".join(f", {word}" for word in words)


def judge(found: Found | Unknown) -> tuple[str, bool, str]:
    """The verdict on the value: a word, whether it holds, and a sentence."""
    told = {d.mistake: d.sentence for d in found.differences}
    words = "; ".join(d.sentence for d in found.differences)
    if isinstance(found, Unknown):
        return "unknown", False, words
    added, mistaken = " and ".join(list_added(found)), any(not d.kind for d in found.differences)
    words += f", {added}" * bool(words and added)
    words += ON_UNIT_ROWS * (found.way.unit and not found.claim)
    two = found.way.way == "two with labels"  # whose claim says nothing of classes
    if found.of_pairs and (two or not found.claim) and not mistaken:
        like = f"{found.loss}, but {words}" if told else f"it is {found.loss}{describe_options(found)}"
        words = f"with labels of pairs {like}; with several rows of a class no formula fits; "
        words += f"{option('inputs', found.way.way)} asks about pairs alone"
        return "variant for pairs" if told else "right for pairs", False, words
    if not told:
        return approve(found)
    if off := next((d for d in found.differences if d.mistake == ELSEWHERE), None):
        return ("unknown" if off.kind else "wrong"), False, off.sentence
    if found.claim:
        if told.keys() <= {"not normalised", "unit rows alone"}:
            return "right on unit rows", False, f"{found.claim}, but {words}"
        if told.keys() == {AT_ONE}:
            return AT_ONE, False, f"{found.claim}, but {words}"
        words += f"; its values are those of {found.also}" * bool(found.also)
        return "wrong", False, f"not {found.claim}: {words}"
    for name, part in {"sequences mixed": "one sequence", "mask mixed": "all pairs"}.items():
        if name in told:
            return "unknown", False, f"of {part} it is {found.loss}, but {words}"
    if mistaken:
        return "wrong", False, f"{found.loss}, but {words}"
    return "variant", True, f"nearest to {found.loss}: {words}"


ON_UNIT_ROWS = ", on rows of length 1 alone"
AT_ONE = "right at one temperature"
ELSEWHERE = "wrong at another batch"


ESTIMATES = {
    "infonce": ": log B less cpc",
    "mine": ": one logarithm of the mean over all unpaired rows (Donsker–Varadhan)",
    "smile": ": one logarithm of the mean over all unpaired rows, whose scores are clipped (SMILE)",
    "nwj": ": the mean of the unpaired rows' exponentials, without a logarithm (NWJ)",
    "donsker_varadhan": ": the mean score, less the logarithm of the mean exponential",
}


def approve(found: Found) -> tuple[str, bool, str]:
    """The verdict on a loss that is one of the textbook."""
    rounded = (
        f", but for {found.residual:.0e} of what its values vary: a part of it is rounded to a coarser dtype"
    )
    rough = rounded if found.residual > found.tolerance else ""
    unit = ON_UNIT_ROWS * found.way.unit
    added = " and ".join(list_added(found))
    words = f"it is {found.loss}{describe_options(found)}{', ' * bool(added)}{added}{rough}{unit}"
    if found.loss.startswith("information."):
        sign = "minus the estimate" if found.factor else "the estimate"
        words = words.replace("it is", f"it is {sign}", 1) + ESTIMATES[found.loss.partition(".")[2]]
    if found.program.loss == "cpc_of_classes":
        words += ", where every row of the other view with the anchor's label is a positive, as in UniCL"
    if list_options(found).get("anchors") == "second":
        words += f": {SECOND}: if the other way is meant, transpose the scores"
    if found.shared:
        words += f"; pairs that share a label {found.shared}"
    elif found.way.way == "two with labels":
        return "right for pairs", True, f"{words}; no two pairs shared a label"
    return "right", True, words


def find(
    ways: Sequence[Stranger],
    inputs: str | None = None,
    is_: str | None = None,
    meant: Mapping[str, Any] | None = None,
    runs: int = RUNS,
) -> Found | Unknown:
    """The program that computes a loss, called in the usual ways; if none fits, in the unusual ones too."""
    found = identify(ways, is_, meant, runs)
    for others in list_other_ways(ways, inputs):
        doubted = isinstance(found, Found) and (found.way.unit or any(not d.kind for d in found.differences))
        if isinstance(found, Found) and not doubted:
            break
        again = identify(others, is_, meant, runs // 3, plain=doubted)
        if isinstance(again, Found) and (not doubted or not again.differences):
            # two arrays of scores may mean anything: without a claim a mistake that happens to fit is not reported,
            # and a claim about the length of rows is none about scores
            of_scores = inputs is None and again.way.world.startswith("scores")
            guessed = is_ is None and any(not d.kind for d in again.differences)
            found = found if of_scores and (guessed or "normalised" in (meant or {})) else again
    return found
