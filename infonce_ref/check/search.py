"""Which program computes these values? A loss of the textbook, then one with a line rewritten, then with two."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from itertools import combinations
from typing import Any

import numpy as np

from ..catalogue import MEASURED, Factor
from ..losses import ALL
from .fitting import EACH, Batch, Fit, Traits, measure_traits, refine, seek
from .inputs import ROWS
from .laws import find_constant, find_factor, measure_facts
from .programs import ADDED, EVERY, FORMS, LOSSES, OPTIONS, Clock, Program, extend, public_name
from .settings import read_numbers
from .strangers import Stranger, measure_precision

SIZES = (4, 6)
# ways whose labels tell less: of pairs, where those of classes tell more
CLASSES_OF = {"pairs with labels": "classes", "two with labels": "two with classes"}
SHARE = 0.7  # of the runs of a search for programs with one rewrite
FEW = 3  # bases that are still looked at after one that fits
LEAST = 5  # different values, of twelve
COMPARED = tuple(r for r in FORMS if r.name in ("by_distance", "by_squared_distance"))
REFINED = 8  # programs with an unknown number, of those that are compared together
NEAREST = 6  # bases among which the order of nearness tells little
MANY = 2  # unknown numbers of a program: more are no later
SECOND_BASES = 8  # programs with one rewrite that get a second one
# residuals that rounding explains
EXACT = {"float64": 1e-9, "float32": 3e-5, "float16": 2e-2, "bfloat16": 1e-1}
ROUGH = 2e-6  # a smaller residual may come from a part that is rounded to float32
FAR = 0.1  # of two programs with larger residuals the nearer need not be the likelier
ADDING = 0.3  # to a program with a larger residual no small number is added
NEAR = 1e-3  # a formula with a larger residual is not reported as the nearest
AVERAGED = ("clip", "simsiam")  # a sum of these is called a mistake
SUPCON = {"supcon": "out", "supcon_in": "in", "supcon_pairs": "pairs"}  # its forms
# rewrites of the temperature: with a temperature that is not known they are the loss itself
TEMPERED = (
    *("temperature_twice", "temperature_multiplied", "temperature_not_used", "root_of_temperature"),
    *("temperature_fixed", "scale_not_exponentiated"),
)


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
        close = [fit for fit in done if self.tolerance < fit.residual < ROUGH]
        done += [refine(fit, self.batches, free) for fit in close if "temperature" in fit.numbers]
        done = [fit for fit in done if is_bounded(fit, known)]
        self.near += done
        # the others are known at a few points alone
        self.near += [fit._replace(residual=max(fit.residual, NEAR)) for fit in started[len(nearer) :]]
        self.hits += [fit for fit in done if fit.residual <= self.tolerance]

    def rank(self, rewritten: bool = False) -> list[Program]:
        """The bases, or the programs with more rewrites, the nearest first. An estimate that is a loss with a sign
        comes last, and choices late; of programs that are far, those with the fewest numbers come first."""
        best = {} if rewritten else dict.fromkeys(self.bases, math.inf)
        for fit in self.near:
            if rewritten != (fit.program in self.bases):
                best[fit.program] = min(fit.residual, best.get(fit.program, math.inf))

        def order(p: Program) -> tuple[bool, int, float, int, float]:
            far = min(best[p] * 2 ** len(p.numbers), FAR)  # with many numbers it is near anything
            return p.loss.startswith("estimate_infonce"), count_rewrites(p), far, len(p.numbers), best[p]

        return sorted(best, key=order)

    def list_promising(self) -> list[Program]:
        """The bases, the nearest first; if some fit, these and a few others, for a better reason than a factor or a
        constant; if small numbers may be added to some, likewise."""
        fitting = {fit.program for fit in self.near if fit.residual < NEAR / 10}
        return [p for k, p in enumerate(self.rank()) if k < FEW or p in fitting or not fitting]

    def find_plain(self) -> None:
        """Find the losses of the textbook that fit, with their options."""
        for known in self.known:
            self.fit(self.bases, known)
            if any(cost(self, fit) < 1 for fit in self.hits):
                break

    def find_added(self) -> None:
        """Find the programs near the values that fit with two small numbers added."""
        near = {fit.program for fit in self.near if fit.residual < NEAR and not count_rewrites(fit.program)}
        for base in (p for p in self.rank() if p in near):  # the nearest first
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
        programs = [p for p in extend(base) if min(sum(n not in known for n in p.numbers), MANY) == unknown]
        if ADDING <= near.residual < math.inf:
            programs = [p for p in programs if p.rewrites[-1].name not in ADDED]
        search.fit(programs, known, near.numbers)
        few -= bool(programs) and sum(len(each.hits) for each in searches) > before


def is_bounded(fit: Fit, known: Mapping[str, float]) -> bool:
    """Whether the number of a rewrite is below its bound, and no fitted number at a limit where the program is
    nearly a product of rows, as those of other losses are."""
    numbers = {n: x for n, x in fit.numbers.items() if n not in known}
    low = any(numbers.get(n, 1.0) < 1e-4 for n in ("temperature", "clip"))
    low |= max(numbers.get(n, 1.0) for n in ("variance", "covariance")) < 1e-6  # VICReg's invariance alone
    low |= numbers.get("E", 1.0) < 1e-6 and any(r.name.endswith("_clamped") for r in fit.program.rewrites)
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


def draw_batch(way: Stranger, size: int, d: int = 0, each: int = 3) -> Batch:
    """Points of one size, and the values there; without those at which it returns no finite number."""
    points = way.points(size, each, d)
    values = np.array([way.value(at) for at in points])
    kept = np.isfinite(values)
    return Batch([at for at, keep in zip(points, kept) if keep], values[kept])


def restrict(search: Search) -> Search:
    """The same on rows of length 1, which no program needs to divide by their length."""
    way = search.way.replace(unit=True)
    batches = [draw_batch(way, size) for size in SIZES]
    bases = [p for p in search.bases if not any(r.name.startswith("rows_normalised") for r in p.rewrites)]
    traits = Traits(batches[0].points[:1])
    return Search(way, batches, bases, search.known, search.tolerance, traits, search.end)


def find_best(asked: Sequence[Search], end: float, plain: bool = False) -> tuple[Search, Fit] | None:
    """The best fit of all ways, at the first stage at which any fits."""
    for searches, below in run_stages(asked, end, plain):
        if found := choose(searches, below):
            more = CLASSES_OF.get(found[0].way.way)
            better = [each for each in asked if each.way.way == more]
            for each in better:
                find_rewritten([each], [each.rank()], end)
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
        bases = [each.list_promising() if until < end else each.rank() for each in searches]
        find_rewritten(searches, bases, until)
        for each in searches:
            each.find_added()
        yield searches, math.inf
    every = (*asked, *unit)
    for each in every:  # a part of it may be rounded
        each.hits += [fit for fit in each.near if fit.residual < ROUGH and not count_rewrites(fit.program)]
    yield every, math.inf
    find_rewritten(every, [each.rank(rewritten=True)[:SECOND_BASES] for each in every], end, 1)
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
