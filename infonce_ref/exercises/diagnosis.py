"""A submission against its exercise: it is called at small batches, what is wrong there gets its name, and what is
right is compared with this library's own loss, which `verify` has proved, at batches of every kind.

`ask` calls the submission's functions: `runner.Learner` in a process, or functions of this process.
"""

import contextlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain, product
from typing import Any

import numpy as np

from ..check import Refused
from ..losses import ALL
from ..verify import drawn, judge, laws
from ..verify.case import Case
from ..verify.definition import form_of, value_in_textbook_form
from . import equations, naming, template
from .exercise import SEEN, Arrays, Exercise, compute, find_entry, probes, write
from .report import Comment, Report
from .runner import KINDS, Failed, call

Ask = Callable[[str, Sequence[Any]], list[np.ndarray]]
MOST = 3  # comments
RIGHT = 1e-8  # relative: about the rounding error of any form of the loss at a large τ
FLOOR = 1e-3  # absolute: a batch with a smaller loss tells little
CLOSE, ROUGH = 1e-5, 2e-2  # tolerances of a value in float32, and of finite differences with too large a step
SHARP, ALIGNED = 20.0, 0.01  # logits that are large · the noise of similar views
SCORED = {"scale", "spread"}  # parameters of `example` in losses of scores
SMALL = "S1 softplus"  # the claim on a small loss
EPS, ROUNDINGS = float(np.finfo(float).eps), 4  # of the arrays, where a file and our own loss differ
SEEDS, FEW = range(1, 10), 500  # more batches are drawn whose arrays have no more numbers

UNNAMED = {
    "value_wrong": "the loss is wrong, in a way that has no name here",
    "few_digits": "the loss is near the right one, and not it: rounded to float32, or with a small term too many",
    "gradient_wrong": "the gradient is wrong, in a way that has no name here",
    "finite_difference": "the gradient is near that of the loss, and not it: a difference quotient has few digits,"
    " or a small term of the loss is missing from it",
    "overflows": "right, but NaN or inf for large logits: subtract the largest of a row first",
    "underflows": "right, but NaN or inf if the positive's probability underflows: compute"
    " log Σ e^x minus the positive's x, not the logarithm of a probability",
    "loses_digits": "right, but loses digits if the loss is small",
    "fails_the_judge": "right at small batches, but wrong at a larger or unusual one",
    "too_slow": "right at small batches, but too slow",
}
FAR, NEAR = ("value_wrong", "gradient_wrong"), ("few_digits", "finite_difference")


class Submission:
    """A submission to an exercise, and what is found out about it. results: of each function those at the probes;
    none if it fails there.
    """

    def __init__(self, exercise: Exercise, ask: Ask):
        self.exercise, self.ask = exercise, ask
        self.parts: dict[str, bool | None] = dict.fromkeys(exercise.parts, False)
        self.notes: list[str] = []
        self.results: list[list[Arrays]] = [[], []]

    def call(self, which: int, at: Mapping[str, Any]) -> Arrays:
        """The arrays that the loss (0) or the gradient (1) returns for arguments by name. Raises Failed."""
        exercise, name, found = self.exercise, self.exercise.functions[which], list[np.ndarray]()
        answer = self.ask(name, [at[argument] for argument in exercise.takes(which)])
        shapes = [np.shape(at[by]) for by in exercise.by] if which or exercise.returns_rows else [()]
        if len(answer) != len(shapes):
            about = ", ".join(f"one by {by}" for by in exercise.by) if which else "a number"
            words = f"{name} returns {len(answer)} of {len(shapes)} results; it must return {about}"
            raise Failed("wrong_shape", words)
        for x, wanted, by in zip(answer, shapes, exercise.by):
            if x.shape != wanted and not x.size == 1 == np.prod(wanted):
                belongs = f"an array of shape {wanted}" if wanted else "a number"
                what = f"an array of shape {x.shape}{f' by {by}' if which else ''}"
                raise Failed("wrong_shape", f"{name} returns {what}, where {belongs} belongs")
            found.append(x.reshape(wanted))
        return tuple(found)

    def ask_probes(self, which: int) -> None:
        """Call a function at the probes. Raises Failed if the results are not finite, or are others at the first
        probe when it comes again."""
        batches = probes(self.exercise)
        *found, again = (self.call(which, at) for at in (*batches, batches[0]))
        kind = "random" if not all(map(np.array_equal, found[0], again)) else ""
        kind = kind if is_finite(*chain(*found, again)) else "not_finite"
        if kind:
            raise Failed(kind, f"{self.exercise.functions[which]}: {KINDS[kind]}")
        self.results[which] = found

    def fits(self, which: int, tolerance: float) -> bool:
        """Whether the results at the probes are right."""
        for at, mine in zip(probes(self.exercise), self.results[which]):
            exact = compute(self.exercise, which, at)
            got, right = (np.concatenate([*map(np.ravel, x)]) for x in (mine, exact))
            if not np.all(np.abs(got - right) <= tolerance * (FLOOR + np.max(np.abs(right)))):
                return False
        return True

    def unnamed(self, name: str, where: str = "") -> Comment:
        return Comment(f"{self.exercise.name}.{name}", UNNAMED[name] + where)


def diagnose(exercise: Exercise, ask: Ask) -> Report:
    """Check a submission and return the report."""
    mine, comments = Submission(exercise, ask), list[Comment]()
    for which, name in enumerate(exercise.functions):
        try:
            mine.ask_probes(which)
            mine.parts[name] = mine.fits(which, RIGHT)
        except Failed as failure:
            comments.append(Comment(failure.name, failure.sentence))
    if all(mine.parts[name] for name in exercise.functions):
        comments = compare_all(mine) if exercise.registered else []
    else:
        comments += name_mistakes(mine)
    shown = list(dict.fromkeys(comments))[:MOST]
    return Report(exercise.name, mine.parts, shown, mine.notes, exercise.lesson)


def is_finite(*arrays: np.ndarray) -> bool:
    return all(np.all(np.isfinite(x)) for x in arrays)


# --- what is wrong at small batches -------------------------------------------------------------------------------


def name_mistakes(mine: Submission) -> list[Comment]:
    """Name what is wrong with the loss and with the gradient, unless a wrong loss explains it."""
    exercise, (value, gradient) = mine.exercise, mine.exercise.functions
    wrong = [bool(own) and not mine.parts[name] for name, own in zip(exercise.functions, mine.results)]
    if not any(wrong):
        return []

    def call(which: int, at: Mapping[str, Any]) -> Arrays:
        return mine.call(which, at) if mine.results[which] else compute(exercise, which, at)

    try:
        found = naming.explain(exercise, call)
        if wrong[0] and exercise.returns_rows and (factor := naming.find_factor(exercise, mine.results[0])):
            found = [factor], found[1]
    except (Refused, Failed):  # at batches that differ from the probes
        found = [], []
    comments = list[Comment]()
    for which in (which for which in (0, 1) if wrong[which]):
        named = [each for each in found[which] if each.id.partition(".")[2] not in UNNAMED]
        beside = which and wrong[0]  # a multiple may come of the mistake in the loss
        named = [each for each in named if each.claim or not beside]
        if not named and beside:
            why = "not right, perhaps by the same mistake" if found[1] else f"the gradient of your {value}"
            mine.notes.append(f"{gradient} is {why}: correct {value} first.")
        elif not named:
            near = mine.fits(which, ROUGH if which else CLOSE)
            named = [mine.unnamed((NEAR if near else FAR)[which])]
        comments += [complete(mine, which, each) for each in named]
    if wrong[0] and mine.parts[gradient]:
        mine.notes.append(f"{gradient} is right: it is the gradient of the correct {value}.")
    return comments


def complete(mine: Submission, which: int, found: Comment) -> Comment:
    """Add the claim to read and the batch that shows a mistake to a comment."""
    exercise, place = mine.exercise, -1 if which else 0  # without a claim of its own: the first, or the last
    claim = found.claim or equations.pieces(exercise.equations[place])[place]
    found = found._replace(
        shown=show_batch(mine, which), claim=claim.partition(" ")[0], says=equations.read(claim)
    )
    if exercise.given:
        id, sentence = f"{exercise.name}.still_there", "the mistake is still there"
        return found._replace(id=id, sentence=sentence, links=())
    return found


def show_batch(mine: Submission, which: int) -> tuple[str, ...]:
    """The smallest batch at which the loss (which = 0) or gradient (1) is wrong, line by line, and what is wrong;
    no lines if there is none.
    """
    exercise, found = mine.exercise, list[tuple[Any, Arrays, Arrays]]()
    for at in probes(exercise, small=True):
        right = compute(exercise, which, at)
        with contextlib.suppress(Failed):
            if is_finite(*right, *compute(exercise, 0, at)):  # else it is too small a batch for the loss
                found.append((at, mine.call(which, at), right))
    for least, (at, told, right) in product(SEEN, found):
        for by, got, wanted in zip(exercise.by, told, right):
            if apart := find_entry(got, wanted, least):
                entry, yours, exact = apart
                what = f"your {exercise.functions[which]}{f' by {by}' if which else ''}{entry}"
                lines = [f"{name} = {write(x)}" for name, x in at.items()]
                return *lines, f"{what} is {yours}; right is {exact}"
    return ()


# --- what is right at small batches -------------------------------------------------------------------------------


def compare_all(mine: Submission) -> list[Comment]:
    """Compare a file that is right at the probes with this library's own loss, at batches of every size,
    temperature, length and content.
    """
    exercise, parts = mine.exercise, mine.parts
    cases, found = points(exercise), list[tuple[Case, Arrays, Arrays]]()
    for case in cases:
        try:
            found.append((case, mine.call(0, case.arguments), mine.call(1, case.arguments)))
        except Failed as failure:
            slow = failure.name == "endless"  # it may be wrong where it does not answer
            parts.update(dict.fromkeys(parts, None if slow else False))
            rows, features = next(x.shape for x in case.arguments.values() if np.ndim(x) == 2)
            too_slow = mine.unnamed("too_slow", f" at {rows} × {features}: not graded")
            return [too_slow if slow else Comment(failure.name, failure.sentence)]
    broken = [case.noise for case, *both in found if case.sharpness >= SHARP and not is_finite(*chain(*both))]
    kept = [  # where large logits overflow, the others tell whether it is right
        (case, *compare(exercise, case, *both))
        for case, *both in found
        if not broken or case.sharpness < SHARP
    ]
    wrong = [case.label for case, _, right in kept if not right and is_solution_right(exercise, case)]
    lost = [case.sharpness for case, exact, _ in kept if not exact]
    where = f", from logits of {min(lost):.3g} on" if lost else ""
    if wrong:
        parts.update(dict.fromkeys(exercise.functions, False))
        told = mine.unnamed("fails_the_judge", f": {wrong[0]}")
    elif broken:
        told = mine.unnamed("overflows" if min(broken) <= ALIGNED else "underflows")
    elif lost and exercise.digits:
        told = mine.unnamed("loses_digits", where)
    else:
        parts.update(dict.fromkeys(parts, True))
        agrees = f"agrees with infonce_ref.losses.{exercise.registered} at {len(cases)} batches."
        keeps = f"is {UNNAMED['loses_digits']}{where}: the exercise stable keeps them."
        mine.notes.append(f"It {keeps if lost else agrees}")
        return []
    return [told._replace(claim=SMALL.partition(" ")[0], says=equations.read(SMALL))]


def is_solution_right(exercise: Exercise, case: Case) -> bool:
    """Whether the solution is right at a case, and if its arrays are rounded otherwise: a textbook form may lose
    all digits if rows coincide, and on a kink rounding decides which slope it has."""
    space: dict[str, Any] = {}
    exec("\n\n".join(template.solve(exercise)), space)
    own = Submission(exercise, lambda name, given: call(name, space[name], given))
    rng, rounded = np.random.default_rng(0), [case.arguments]
    for _ in range(ROUNDINGS):
        moved = {
            n: x * (1 + EPS * rng.choice([-1, 1], np.shape(x)))
            for n, x in rounded[0].items()
            if np.ndim(x) == 2
        }
        rounded.append({**case.arguments, **moved})
    return all(compare(exercise, case, *(own.call(which, at) for which in (0, 1)))[1] for at in rounded)


@cache
def points(exercise: Exercise) -> list[Case]:
    """The judge's fixed and drawn batches of the loss with its default options."""
    loss = ALL[exercise.registered]
    loss = loss._replace(variants=tuple(options for options in loss.variants if options.keys() <= SCORED))
    fixed = {each.case.label: each.case for each in judge.ask_fixed_points(loss, "float64", np.asarray)}
    first = chain(drawn.cases(loss, "float64", 0), drawn.brief_cases(loss, "float64", 0))
    more = chain.from_iterable(drawn.cases(loss, "float64", seed) for seed in SEEDS)
    few = (case for case in more if max(map(np.size, case.arguments.values())) <= FEW)
    defaults = {
        name: p.default
        for name, p in inspect.signature(loss.forward).parameters.items()
        if name not in exercise.takes(1)
    }
    return [
        case
        for case in chain(fixed.values(), first, few)
        if all(case.arguments.get(name, usual) == usual for name, usual in defaults.items())
    ]


def compare(exercise: Exercise, case: Case, value: Arrays, gradients: Arrays) -> tuple[bool, bool]:
    """Whether a file has every digit of our own loss at a case, and whether those that a textbook form has."""
    right, slopes, sizes = case.value(), case.gradients(), form_of(case).sizes
    size = abs(right) + (value_in_textbook_form(case) if "value" in case.loss.ill_conditioned else 0.0)
    sides: list[laws.Sides] = [(case.loss.differentiable[0], value[0], right, size)]
    sides += [(n, got, slopes[n], sizes[n]) for n, got in zip(exercise.by, gradients) if n in slopes]
    found = list(laws.compare(case, sides, sides))
    exact = all(each.error <= case.tolerance for each in found)
    return exact, all(each.textbook <= case.tolerance for each in found)
