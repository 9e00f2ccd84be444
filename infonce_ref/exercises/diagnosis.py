"""A learner's file against its exercise: the probes, the names of mistakes, and the digits.

`ask(function, arguments)` is how the file is called: through `runner.Learner`, or a function of this process.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from ..losses import ALL
from ..verify import drawn, judge
from ..verify.case import Case, relative
from ..verify.identities import textbook
from ..verify.identities.identity import documented
from . import equations, naming, smallest, template
from .comments import MOST, Comment, Report
from .exercise import SIZES, Arrays, Exercise, known, probes
from .naming import Told
from .runner import FATAL, Failed, call

Ask = Callable[[str, Sequence[Any]], Sequence[np.ndarray]]
STEP = 1e-5  # step of a central difference, whose error is of order STEP²
CLOSE, ROUGH = 1e-5, 2e-2  # tolerances of an exact gradient, and of finite differences with too large a step
COLD, LARGE = 0.001, 1000.0
APART, ALIGNED = 1.0, 0.001  # noise of the second view
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
}


class Asked:
    """A submission, called by the names of its functions' arguments."""

    def __init__(self, exercise: Exercise, ask: Ask):
        self.exercise, self.ask = exercise, ask

    def __call__(self, which: int, arguments: Mapping[str, Any]) -> Arrays:
        """Return the loss (which = 0) or the gradient (1). Raises Failed for arrays of other shapes."""
        exercise, name = self.exercise, self.exercise.functions[which]
        got = self.ask(name, [arguments[taken] for taken in exercise.takes(which)])
        right = probes(exercise)[0].right[which]
        if len(got) != len(right):
            about = f"by {', '.join(exercise.by)}" if which else "a number"
            words = f"{name} returns {len(got)} of {len(right)} results; it must return {about}"
            raise Failed("wrong_shape", words)
        found = []
        for x, by, one in zip(got, exercise.by if which else ("w",), right):
            shape = np.shape(arguments[by]) if which or one.ndim else ()
            if x.shape != shape and not x.size == 1 == np.prod(shape):
                belongs = f"an array of shape {shape}" if shape else "a number"
                what = f"an array of shape {x.shape}{f' by {by}' if which else ''}"
                raise Failed("wrong_shape", f"{name} returns {what}, where {belongs} belongs")
            found.append(x.reshape(shape))
        return tuple(found)

    def try_call(self, which: int, arguments: Mapping[str, Any]) -> Arrays:
        """Like __call__, but return () if the submission fails."""
        try:
            return self(which, arguments)
        except Failed:
            return ()

    def try_probes(self, which: int) -> Told:
        """Return the results at the probes. Raises Failed if they are not finite, or differ in a second call."""
        name = self.exercise.functions[which]
        told = [self(which, probe.arguments) for probe in probes(self.exercise)]
        if not all(np.all(np.isfinite(x)) for here in told for x in here):
            raise Failed("not_finite", f"{name} returns a number that is not finite at an ordinary batch")
        again = self(which, probes(self.exercise)[0].arguments)
        if not all(np.array_equal(a, b) for a, b in zip(again, told[0])):
            raise Failed("random", f"{name} returns something else when it is called again")
        return told


def diagnose(exercise: Exercise, ask: Ask) -> Report:
    """Check a submission and return the report."""
    asked = Asked(exercise, ask)
    parts: dict[str, bool | None] = dict.fromkeys(exercise.parts, False)
    failed: dict[int, Comment] = {}
    notes: list[str] = []
    told: dict[int, Told] = {}
    for which, name in enumerate(exercise.functions):
        try:
            told[which] = asked.try_probes(which)
            parts[name] = naming.is_right(exercise, which, told[which])
        except Failed as error:
            failed[which] = Comment(error.name, error.sentence)
            if error.name in FATAL:
                return Report(exercise.name, parts, [failed[which]], notes, exercise.lesson)
    of_loss = name_loss(exercise, parts, told)
    of_gradient = name_gradient(asked, parts, told, of_loss, notes)
    comments = []
    for which, found in enumerate((of_loss, of_gradient)):
        comments += [failed[which]] if which in failed else [show(asked, which, each) for each in found]
    if all(parts[name] for name in exercise.functions):
        try:
            comments += digits(asked, parts, notes)
        except Failed as error:
            return report_failure(exercise, error)
    shown = list(dict.fromkeys(comments))[:MOST]
    return Report(exercise.name, parts, shown, notes, exercise.lesson, ran=describe_run(exercise))


def describe_run(exercise: Exercise) -> str:
    """Say which measurements the comments rest on."""
    value, gradient = exercise.functions
    sizes = ", ".join(f"{pairs} × {features}" for pairs, features in SIZES)
    with_what = [f"{len(known(exercise))} known mistakes, alone and in pairs"]
    if not probes(exercise)[0].right[0][0].ndim:
        with_what.append(f"differences of your {value}, for the {gradient}")
    return (
        f"Called {value} and {gradient} at drawn batches of the sizes {sizes}. What is not right there was"
        f" compared with {'; '.join(with_what)}. The smallest found is shown."
    )


def report_failure(exercise: Exercise, error: Failed) -> Report:
    """Return the report on a file that could not be called."""
    parts = dict.fromkeys(exercise.parts, False)
    return Report(exercise.name, parts, [Comment(error.name, error.sentence)], [], exercise.lesson)


def unnamed(exercise: Exercise, name: str, where: str = "", claim: str = "") -> Comment:
    return Comment(f"{exercise.name}.{name}", UNNAMED[name] + where, claim=claim)


def name_loss(
    exercise: Exercise, parts: Mapping[str, bool | None], told: Mapping[int, Told]
) -> list[Comment]:
    """Name what is wrong with the loss."""
    if 0 not in told or parts[exercise.functions[0]]:
        return []
    near = naming.is_right(exercise, 0, told[0], CLOSE)
    found = naming.name(exercise, 0, told[0])
    return found or [unnamed(exercise, "few_digits" if near else "value_wrong")]


def name_gradient(
    asked: Asked,
    parts: Mapping[str, bool | None],
    told: Mapping[int, Told],
    of_loss: list[Comment],
    notes: list[str],
) -> list[Comment]:
    """Name what is wrong with the gradient, unless a wrong loss explains it."""
    exercise = asked.exercise
    value_name, gradient_name = exercise.functions
    if 1 not in told:
        return []
    if parts[gradient_name]:
        if of_loss:
            notes.append(f"{gradient_name} is right: it is the gradient of the correct {value_name}.")
        return []
    after = compare_with_own_loss(asked) if 0 in told else None
    if of_loss and after == []:
        notes.append(f"{gradient_name} is the gradient of your {value_name}: correct {value_name} first.")
        return []
    if found := naming.name(exercise, 1, told[1], one=bool(of_loss)):
        return found
    if of_loss:
        what = f"{gradient_name} is not right, perhaps by the same mistake"
        notes.append(f"{what}: correct {value_name} first.")
        return []
    return after or [unnamed(exercise, "gradient_wrong")]


def show(asked: Asked, which: int, found: Comment) -> Comment:
    """Add the claim to read and the smallest batch that shows a mistake to a comment."""
    exercise = asked.exercise
    place = -1 if which else 0  # without a claim of its own: the first of the exercise, or the last
    claim = found.claim or equations.pieces(exercise.equations[place])[place]
    batch = smallest.show(exercise, which, lambda arguments: asked.try_call(which, arguments))
    found = found._replace(shown=batch, claim=claim)
    if exercise.given:
        id, sentence = f"{exercise.name}.still_there", "the mistake is still there"
        return found._replace(id=id, sentence=sentence, links=())
    return found


def compare_with_own_loss(asked: Asked) -> list[Comment] | None:
    """Compare the gradient with central differences of the file's own loss along random directions.

    Return [] if they agree, the factor or the finite difference by which they differ, None if they differ
    otherwise.
    """
    exercise = asked.exercise
    if probes(exercise)[0].right[0][0].ndim:
        return None
    rng = np.random.default_rng(1)
    slopes = []  # by the gradient and by differences, and the number of the batch
    for place, (arguments, right) in enumerate(probes(exercise)[:3]):
        for name, gradient, expected in zip(exercise.by, asked.try_call(1, arguments), right[1]):
            if not np.any(expected):  # held constant
                continue
            step = STEP * rng.standard_normal(np.shape(arguments[name]))
            sides = [
                asked.try_call(0, {**arguments, name: arguments[name] + sign * step}) for sign in (1, -1)
            ]
            if not all(sides):
                return None
            difference = float(sides[0][0] - sides[1][0])
            slopes.append((np.sum(gradient * step) / STEP, difference / (2 * STEP), place))
    if not slopes:
        return None

    def near(times: Sequence[float], tolerance: float) -> bool:
        wanted = [(got, times[place] * own) for got, own, place in slopes]
        return all(abs(got - own) <= tolerance * (1 + abs(own)) for got, own in wanted)

    one = [1.0] * len(probes(exercise))
    if near(one, CLOSE):
        return []
    for factor, times in naming.list_factors(exercise):
        if near(times, CLOSE):
            return [naming.describe_factor(exercise, factor, 1)]
    return [unnamed(exercise, "finite_difference")] if near(one, ROUGH) else None


# --- digits -------------------------------------------------------------------------------------------------------


def digits(asked: Asked, parts: dict[str, bool | None], notes: list[str]) -> list[Comment]:
    """Compare a file that is right at the probes with this library's own loss, which `verify` has proved, at
    batches of every size, temperature, length and content.
    """
    exercise = asked.exercise
    if not exercise.registered:
        return []
    if broken := breaks(asked):
        return [unnamed(exercise, broken, claim=SMALL)]
    inexact, count = [], 0
    for case in points(exercise):
        count += 1
        try:
            exact, right = compare(asked, case)
        except Failed as error:
            if error.name != "endless":
                raise
            rows, features = next(x.shape for x in case.arguments.values() if np.ndim(x) == 2)
            slow = f"right at small batches, but too slow at {rows} × {features}: not graded"
            parts.update(dict.fromkeys(parts))  # None: it may be wrong where it does not answer
            return [Comment(f"{exercise.name}.too_slow", slow)]
        # a textbook form may lose all digits if rows coincide
        if not right and compare(ask_solution(exercise), case)[1]:
            parts.update(dict.fromkeys(exercise.functions, False))
            return [unnamed(exercise, "fails_the_judge", f": {case.label}", SMALL)]
        inexact += [] if exact else [(case.sharpness, -case.noise)]
    if not inexact:
        if exercise.digits:
            parts["digits"] = True
        notes.append(f"It agrees with infonce_ref.losses.{exercise.registered} at {count} batches.")
        return []
    warmest, _ = min(inexact)
    lost = unnamed(exercise, "loses_digits", f", from logits of {warmest:.3g} on", SMALL)
    if exercise.digits:
        return [lost]
    notes.append(f"It is {lost.sentence}: the exercise stable keeps them.")
    return []


def points(exercise: Exercise) -> Iterator[Case]:
    """The judge's fixed and drawn batches of the loss with its default options."""
    loss = ALL[exercise.registered]
    loss = loss._replace(variants=tuple(options for options in loss.variants if options.keys() <= SCORED))
    fixed = {heard.case.label: heard.case for heard in judge.ask_fixed_points(loss, "float64", np.asarray)}
    more = chain.from_iterable(drawn.cases(loss, "float64", seed) for seed in SEEDS)
    few = (case for case in more if max(map(np.size, case.arguments.values())) <= FEW)
    first = chain(drawn.cases(loss, "float64", 0), drawn.brief_cases(loss, "float64", 0))
    defaults = {p.name: p.default for p in inspect.signature(loss.forward).parameters.values()}
    options = [name for name in defaults if name not in exercise.takes(1)]
    for case in chain(fixed.values(), first, few):
        if all(case.arguments.get(name, defaults[name]) == defaults[name] for name in options):
            yield case


def compare(asked: Asked, case: Case) -> tuple[bool, bool]:
    """Whether a file has every digit of our own loss at a case, and whether those that a textbook form has."""
    exercise, right, slopes = asked.exercise, case.value(), case.gradients()
    given = {name: convert_to_python(case.arguments[name]) for name in exercise.takes(1)}
    (value,), gradients = asked(0, given), dict(zip(exercise.by, asked(1, given)))
    lost = textbook.value(case)
    size = abs(right) + (lost if "value" in case.loss.ill_conditioned else 0.0)
    measured = [relative(value, right, size, case.dtype, textbook=lost, unit=case.magnified)]
    for name in gradients.keys() & slopes.keys():
        got, slope = gradients[name], slopes[name]
        largest = np.max(np.abs(slope), axis=-1, keepdims=True) if slope.ndim else slope
        here = relative(got, slope, largest, case.dtype, unit=case.magnified)
        if not here.error <= case.tolerance:  # only then is the size of the summed terms needed
            _, terms = documented(case)[name]
            more = textbook.terms(case)[name]
            here = relative(got, slope, terms, case.dtype, textbook=more, unit=case.magnified)
        measured.append(here)
    exact = all(each.error <= case.tolerance for each in measured)
    return exact, all(each.textbook <= case.tolerance for each in measured)


def convert_to_python(x: Any) -> Any:
    """Return a NumPy number as Python's own, as the file receives it."""
    return x.item() if isinstance(x, np.generic | np.ndarray) and np.ndim(x) == 0 else x


@cache
def ask_solution(exercise: Exercise) -> Asked:
    """The solution, asked in this process."""
    space: dict[str, Any] = {}
    exec(template.solve(exercise), space)
    return Asked(exercise, lambda name, given: call(name, space[name], given))


def breaks(asked: Asked) -> str:
    """Return "overflows" if the file returns NaN or infinity for large logits even if the views are aligned, so
    that the positives have the largest logits; "underflows" if only for other views; "" if its results are always
    finite.
    """
    entry = ALL[asked.exercise.registered]
    scores = "scale" in inspect.signature(entry.example).parameters
    if not scores and "temperature" not in entry.example():
        return ""

    def is_finite(noise: float) -> bool:
        example = entry.example(noise=noise)
        cold = entry.example(noise=noise, scale=LARGE) if scores else {**example, "temperature": COLD}
        return all(np.all(np.isfinite(x)) for which in (0, 1) for x in asked(which, cold))

    if is_finite(APART):
        return ""
    return "underflows" if is_finite(ALIGNED) else "overflows"
