"""A submission against its exercise: it is called at small batches, what is wrong there gets its name, and what is
right is compared with this library's own loss, which `verify` has proved, at batches of every kind.

`ask` calls the submission's functions: `runner.Learner` in a process, or functions of this process.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import chain
from typing import Any

import numpy as np

from ..losses import ALL
from ..verify import drawn, judge
from ..verify.case import Case, relative
from ..verify.definition import form_of, terms_in_textbook_form, value_in_textbook_form
from . import equations, naming, template
from .exercise import Arrays, Exercise, compute, probes
from .report import Comment, Report
from .runner import KINDS, Answer, Failed, Question, call

Ask = Callable[[Sequence[Question]], list[Answer]]
MOST = 3  # comments
STEP = 1e-5  # of a central difference, whose error is of order STEP²
CLOSE, ROUGH = 1e-5, 2e-2  # tolerances of an exact gradient, and of finite differences with too large a step
SEEN = (1e-3, 1e-8)  # prefer a difference visible in four digits; otherwise one that exceeds rounding
SHARP, ALIGNED = 20.0, 0.01  # logits that are large · the noise of similar views
SCORED = {"scale", "spread"}  # parameters of `example` in losses of scores
SMALL = "S1 softplus"  # the claim on a small loss
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


class Submission:
    """A submission to an exercise, and what is found out about it."""

    def __init__(self, exercise: Exercise, ask: Ask):
        self.exercise, self.ask = exercise, ask
        self.parts: dict[str, bool | None] = dict.fromkeys(exercise.parts, False)
        self.notes: list[str] = []

    def call(self, questions: Sequence[tuple[int, Mapping[str, Any]]]) -> list[Any]:
        """Call the loss (0) or the gradient (1) with arguments by name; of each the arrays, or Failed."""
        functions, takes = self.exercise.functions, [self.exercise.takes(which) for which in (0, 1)]
        given = [(functions[which], [at[name] for name in takes[which]]) for which, at in questions]
        return [
            shape(self.exercise, which, at, answer)
            for (which, at), answer in zip(questions, self.ask(given), strict=True)
        ]

    def unnamed(self, name: str, where: str = "") -> Comment:
        return Comment(f"{self.exercise.name}.{name}", UNNAMED[name] + where)


def shape(exercise: Exercise, which: int, arguments: Mapping[str, Any], answer: Answer) -> Arrays | Failed:
    """The results in their shapes, or why they are none."""
    if isinstance(answer, Failed):
        return answer
    name, found = exercise.functions[which], list[np.ndarray]()
    shapes = [np.shape(arguments[by]) for by in exercise.by] if which or exercise.returns_rows else [()]
    if len(answer) != len(shapes):
        about = f"by {', '.join(exercise.by)}" if which else "a number"
        words = f"{name} returns {len(answer)} of {len(shapes)} results; it must return {about}"
        return Failed("wrong_shape", words)
    for x, wanted, by in zip(answer, shapes, exercise.by):
        if x.shape != wanted and not x.size == 1 == np.prod(wanted):
            belongs = f"an array of shape {wanted}" if wanted else "a number"
            what = f"an array of shape {x.shape}{f' by {by}' if which else ''}"
            return Failed("wrong_shape", f"{name} returns {what}, where {belongs} belongs")
        found.append(x.reshape(wanted))
    return tuple(found)


def diagnose(exercise: Exercise, ask: Ask) -> Report:
    """Check a submission and return the report."""
    mine = Submission(exercise, ask)
    batches = [*probes(exercise), probes(exercise)[0]]
    answers = mine.call([(which, at) for which in (0, 1) for at in batches])
    comments: list[Comment] = []
    wrong = False  # whether the loss answers, and is wrong
    for which, name in enumerate(exercise.functions):
        *told, again = answers[which * len(batches) :][: len(batches)]
        if failure := find_failure(name, told, again):
            comments.append(Comment(failure.name, failure.sentence))
        elif naming.fits(exercise, which, told):
            mine.parts[name] = True
            if wrong:
                value = exercise.functions[0]
                mine.notes.append(f"{name} is right: it is the gradient of the correct {value}.")
        else:
            found = name_mistakes(mine, which, told, wrong)
            batch = show_batch(mine, which) if found else ()
            comments += [complete(exercise, which, each, batch) for each in found]
            wrong = not which
    if all(mine.parts[name] for name in exercise.functions) and exercise.registered:
        comments = compare_all(mine)
    shown = list(dict.fromkeys(comments))[:MOST]
    return Report(exercise.name, mine.parts, shown, mine.notes, exercise.lesson)


def find_failure(name: str, told: Sequence[Any], again: Any) -> Failed | None:
    """Why the answers at the probes, and that at the first of them again, are none."""
    for answer in (*told, again):
        if isinstance(answer, Failed):
            return answer
        if not is_finite(*answer):
            return Failed("not_finite", f"{name}: {KINDS['not_finite']}")
    same = all(np.array_equal(a, b) for a, b in zip(told[0], again))
    return None if same else Failed("random", f"{name}: {KINDS['random']}")


def is_finite(*arrays: np.ndarray) -> bool:
    return all(np.all(np.isfinite(x)) for x in arrays)


# --- what is wrong at small batches -------------------------------------------------------------------------------


def name_mistakes(mine: Submission, which: int, told: Sequence[Arrays], wrong: bool) -> list[Comment]:
    """Name what is wrong with the loss (which = 0) or the gradient (1), unless a wrong loss explains it."""
    exercise, (value, gradient) = mine.exercise, mine.exercise.functions
    own = wrong and is_own_gradient(mine, told)
    found = [] if own else naming.explain(exercise, which, told, alone=wrong)
    if wrong and not found:
        is_own = f"{gradient} is the gradient of your {value}"
        what = is_own if own else f"{gradient} is not right, perhaps by the same mistake"
        mine.notes.append(f"{what}: correct {value} first.")
    elif not found and naming.fits(exercise, which, told, tolerance=ROUGH if which else CLOSE):
        return [mine.unnamed("finite_difference" if which else "few_digits")]
    elif not found:
        return [mine.unnamed("gradient_wrong" if which else "value_wrong")]
    return found


def is_own_gradient(mine: Submission, told: Sequence[Arrays]) -> bool:
    """Whether a gradient is that of the submission's own loss, by central differences along random directions."""
    exercise, rng = mine.exercise, np.random.default_rng(1)
    if exercise.returns_rows:
        return False
    slopes, questions = list[float](), list[Any]()
    for at, gradients in list(zip(probes(exercise), told))[:3]:
        for name, gradient, exact in zip(exercise.by, gradients, compute(exercise, 1, at)):
            if np.any(exact):  # it is not held constant
                step = STEP * rng.standard_normal(np.shape(at[name]))
                slopes.append(float(np.sum(gradient * step)))
                questions += [(0, {**at, name: at[name] + move}) for move in (step, -step)]
    answers = mine.call(questions)
    if any(isinstance(answer, Failed) for answer in answers):
        return False
    rises = [float(ahead[0] - behind[0]) / 2 for ahead, behind in zip(answers[::2], answers[1::2])]
    return all(abs(slope - rise) <= CLOSE * (STEP + abs(rise)) for slope, rise in zip(slopes, rises))


def complete(exercise: Exercise, which: int, found: Comment, batch: Sequence[str]) -> Comment:
    """Add the claim to read and the batch that shows a mistake to a comment."""
    place = -1 if which else 0  # without a claim of its own: the first of the exercise, or the last
    claim = found.claim or equations.pieces(exercise.equations[place])[place]
    found = found._replace(shown=batch, claim=claim.partition(" ")[0], says=equations.read(claim))
    if exercise.given:
        id, sentence = f"{exercise.name}.still_there", "the mistake is still there"
        return found._replace(id=id, sentence=sentence, links=())
    return found


def show_batch(mine: Submission, which: int) -> tuple[str, ...]:
    """The smallest batch at which the loss (which = 0) or gradient (1) is wrong, line by line, and what is wrong;
    no lines if there is none.
    """
    exercise, batches = mine.exercise, probes(mine.exercise, small=True)
    answers = mine.call([(which, at) for at in batches])
    for least in SEEN:
        for at, answer in zip(batches, answers):
            right = compute(exercise, which, at)
            if isinstance(answer, Failed) or not is_finite(*right, *compute(exercise, 0, at)):
                continue  # too small a batch for the loss
            for by, got, wanted in zip(exercise.by, answer, right):
                if apart := find_entry(got, wanted, least):
                    entry, yours, exact = apart
                    what = f"your {exercise.functions[which]}{f' by {by}' if which else ''}{entry}"
                    lines = [f"{name} = {write(x)}" for name, x in at.items()]
                    return *lines, f"{what} is {yours}; right is {exact}"
    return ()


def find_entry(got: np.ndarray, wanted: np.ndarray, least: float) -> tuple[str, str, str] | None:
    """The entry that is furthest off, and both its values; None if all are as near as that."""
    apart = np.abs(got - wanted)
    if np.all(apart <= least * (1 + np.abs(wanted))):
        return None
    place = np.unravel_index(int(np.argmax(np.nan_to_num(apart, nan=np.inf))), wanted.shape)
    entry = f"[{', '.join(map(str, map(int, place)))}]" if place else ""
    return entry, *write_apart(float(got[place]), float(wanted[place]))


def write(x: Any) -> str:
    """An array as nested lists, a number as a fraction if it is a simple one."""
    if isinstance(x, np.ndarray) and x.ndim:
        return f"[{', '.join(write(row) for row in x)}]"
    fraction = Fraction(float(x)).limit_denominator(8)
    return str(fraction) if float(fraction) == float(x) else f"{float(x):.4g}"


def write_apart(a: float, b: float) -> tuple[str, str]:
    """Write both numbers with enough digits to show that they differ."""
    count = next((n for n in range(4, 17) if f"{a:.{n}g}" != f"{b:.{n}g}"), 17)
    return f"{a:.{count}g}", f"{b:.{count}g}"


# --- what is right at small batches -------------------------------------------------------------------------------


def compare_all(mine: Submission) -> list[Comment]:
    """Compare a file that is right at the probes with this library's own loss, at batches of every size,
    temperature, length and content.
    """
    exercise, parts = mine.exercise, mine.parts
    cases = points(exercise)
    questions = [(which, case.arguments) for case in cases for which in (0, 1)]
    answers = mine.call(questions)
    for (_, at), answer in zip(questions, answers):
        if isinstance(answer, Failed):
            slow = answer.name == "endless"  # it may be wrong where it does not answer
            parts.update(dict.fromkeys(parts, None if slow else False))
            rows, features = next(x.shape for x in at.values() if np.ndim(x) == 2)
            too_slow = mine.unnamed("too_slow", f" at {rows} × {features}: not graded")
            return [too_slow if slow else Comment(answer.name, answer.sentence)]
    found = list(zip(cases, answers[::2], answers[1::2]))
    broken = [case.noise for case, *both in found if case.sharpness >= SHARP and not is_finite(*chain(*both))]
    kept = [] if broken else [(case, *compare(exercise, case, *both)) for case, *both in found]
    wrong = [case.label for case, _, right in kept if not right and is_solution_right(exercise, case)]
    lost = [case.sharpness for case, exact, _ in kept if not exact]
    where = f", from logits of {min(lost):.3g} on" if lost else ""
    if broken:
        told = mine.unnamed("overflows" if min(broken) <= ALIGNED else "underflows")
    elif wrong:
        parts.update(dict.fromkeys(exercise.functions, False))
        told = mine.unnamed("fails_the_judge", f": {wrong[0]}")
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
    """Whether the solution is right at a case: a textbook form may lose all digits if rows coincide."""
    space: dict[str, Any] = {}
    exec("\n\n".join(template.solve(exercise)), space)
    own = Submission(exercise, lambda asked: [call(name, space[name], given) for name, given in asked])
    return compare(exercise, case, *own.call([(0, case.arguments), (1, case.arguments)]))[1]


@cache
def points(exercise: Exercise) -> list[Case]:
    """The judge's fixed and drawn batches of the loss with its default options."""
    loss = ALL[exercise.registered]
    loss = loss._replace(variants=tuple(options for options in loss.variants if options.keys() <= SCORED))
    fixed = {each.case.label: each.case for each in judge.ask_fixed_points(loss, "float64", np.asarray)}
    more = chain.from_iterable(drawn.cases(loss, "float64", seed) for seed in SEEDS)
    few = (case for case in more if max(map(np.size, case.arguments.values())) <= FEW)
    first = chain(drawn.cases(loss, "float64", 0), drawn.brief_cases(loss, "float64", 0))
    defaults = {p.name: p.default for p in inspect.signature(loss.forward).parameters.values()}
    options = [name for name in defaults if name not in exercise.takes(1)]
    every = chain(fixed.values(), first, few)
    return [
        c for c in every if all(c.arguments.get(name, defaults[name]) == defaults[name] for name in options)
    ]


def compare(exercise: Exercise, case: Case, value: Arrays, gradients: Arrays) -> tuple[bool, bool]:
    """Whether a file has every digit of our own loss at a case, and whether those that a textbook form has."""
    right, slopes, lost = case.value(), case.gradients(), value_in_textbook_form(case)
    size = abs(right) + (lost if "value" in case.loss.ill_conditioned else 0.0)
    measured = [relative(value[0], right, size, case.dtype, textbook=lambda: lost, unit=case.magnified)]
    for name, got in zip(exercise.by, gradients):
        if name not in slopes:
            continue
        slope = slopes[name]
        largest = np.max(np.abs(slope), axis=-1, keepdims=True) if slope.ndim else slope
        here = relative(got, slope, largest, case.dtype, unit=case.magnified)
        if not here.error <= case.tolerance:  # only then is the size of the summed terms needed
            terms, more = form_of(case).sizes[name], partial(terms_in_textbook_form(case).get, name)
            here = relative(got, slope, terms, case.dtype, textbook=more, unit=case.magnified)
        measured.append(here)
    exact = all(each.error <= case.tolerance for each in measured)
    return exact, all(each.textbook <= case.tolerance for each in measured)
