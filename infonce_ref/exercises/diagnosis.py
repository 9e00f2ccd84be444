"""A learner's file against its exercise: the probes, the names of mistakes, and the judge.

`ask(function, arguments)` is how the file is called: through `runner.Learner`, or a function of this process.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..losses import ALL, Loss
from ..verify import drawn, identities, judge, precision
from ..verify.case import Check
from . import equations, naming, smallest
from .comments import MOST, Comment, Report
from .exercise import SIZES, Arguments, Arrays, Exercise, known, name_parameters, probes, solve
from .naming import Named, Told
from .runner import FATAL, Failed, call

Ask = Callable[[str, Sequence[Any]], Sequence[np.ndarray]]
STEP = 1e-5  # step of a central difference, whose error is of order STEP²
CLOSE, ROUGH = 1e-5, 2e-2  # tolerances of an exact gradient, and of finite differences with too large a step
COOL = 0.01  # the temperature, beside 1, at which values are compared at 50 digits
COLD, LARGE = 0.001, 1000.0
APART, ALIGNED = 1.0, 0.001  # noise of the second view
SCORED = {"scale", "spread"}  # parameters of `example` in losses of scores


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

    def __call__(self, which: int, arguments: Arguments) -> Arrays:
        """Return the loss (which = 0) or the gradient (1), as arrays of the expected shapes.

        Raises Failed if the shapes differ.
        """
        name = self.exercise.functions[which]
        got = tuple(self.ask(name, order(self.exercise, which, arguments)))
        return check_shapes(self.exercise, which, got, arguments)

    def try_call(self, which: int, arguments: Arguments) -> Arrays:
        """Like __call__, but return () if the submission fails."""
        try:
            return self(which, arguments)
        except Failed:
            return ()

    def at(self, which: int, arguments: Mapping[str, Any]) -> Arrays:
        """Return the arrays unchecked: for large logits infinity or NaN is a valid finding."""
        given = order(self.exercise, which, arguments)
        return tuple(np.asarray(x) for x in self.ask(self.exercise.functions[which], given))

    def value(self, arguments: Arguments) -> float:
        return float(self(0, arguments)[0])


def order(exercise: Exercise, which: int, arguments: Mapping[str, Any]) -> list[Any]:
    """Sort arguments into the order in which a function takes them."""
    return [arguments[name] for name in name_parameters(solve(exercise)[which])]


def check_shapes(exercise: Exercise, which: int, got: Arrays, arguments: Arguments) -> Arrays:
    """Return the arrays; raise Failed if their number, a shape or an entry is wrong."""
    name = exercise.functions[which]
    # the value of `sphere` has the shape of its rows
    value = np.shape(arguments["w"]) if "dz" in arguments else ()
    shapes = [np.shape(arguments[by]) for by in exercise.by] if which else [value]
    if len(got) != len(shapes):
        about = f"by {', '.join(exercise.by)}" if which else "a number"
        raise Failed(
            "wrong_shape", f"{name} returns {len(got)} of {len(shapes)} results; it must return {about}"
        )
    for x, shape, by in zip(got, shapes, exercise.by if which else ("",)):
        if x.size == 1 and np.prod(shape) == 1:
            continue
        if x.shape != shape:
            belongs = f"an array of shape {shape}" if shape else "a number"
            raise Failed(
                "wrong_shape",
                f"{name} returns an array of shape {x.shape}{' by ' + by if by else ''}, where {belongs} belongs",
            )
    got = tuple(x.reshape(shape) for x, shape in zip(got, shapes))
    if not all(np.all(np.isfinite(x)) for x in got):
        raise Failed("not_finite", f"{name} returns a number that is not finite at an ordinary batch")
    return got


def diagnose(exercise: Exercise, ask: Ask) -> Report:
    """Check a submission and return the report."""
    asked = Asked(exercise, ask)
    parts: dict[str, bool | None] = dict.fromkeys(exercise.parts, False)
    failed: dict[int, Comment] = {}
    notes: list[str] = []
    told: dict[int, list[Arrays]] = {}
    for which, name in enumerate(exercise.functions):
        try:
            told[which] = [asked(which, probe.arguments) for probe in probes(exercise)]
            again = asked(which, probes(exercise)[0].arguments)
            if not all(np.array_equal(a, b) for a, b in zip(again, told[which][0])):
                raise Failed("random", f"{name} returns something else when it is called again")
            parts[name] = naming.is_right(exercise, which, told[which])
        except Failed as error:
            told.pop(which, None)
            failed[which] = Comment(error.name, error.sentence)
            if error.name in FATAL:
                return Report(exercise.name, parts, [failed[which]], notes, exercise.lesson)
    of_loss = name_loss(exercise, parts, told)
    of_gradient = name_gradient(asked, parts, told, of_loss, notes)
    comments = []
    for which, found in enumerate((of_loss, of_gradient)):
        comments += [failed[which]] if which in failed else [comment(asked, which, each) for each in found]
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
    if not probes(exercise)[0].value.ndim:
        with_what.append(f"differences of your {value}, for the {gradient}")
    return (
        f"Called {value} and {gradient} at drawn batches of the sizes {sizes}. What is not right there was"
        f" compared with {'; '.join(with_what)}. The smallest found is shown."
    )


def report_failure(exercise: Exercise, error: Failed) -> Report:
    """Return the report on a file that could not be called."""
    parts = dict.fromkeys(exercise.parts, False)
    return Report(exercise.name, parts, [Comment(error.name, error.sentence)], [], exercise.lesson)


def name_loss(exercise: Exercise, parts: Mapping[str, bool | None], told: Mapping[int, Told]) -> list[Named]:
    """Name what is wrong with the loss."""
    if 0 not in told or parts[exercise.functions[0]]:
        return []
    name = "few_digits" if naming.is_right(exercise, 0, told[0], CLOSE) else "value_wrong"
    return naming.name(exercise, 0, told[0]) or [Named(name, UNNAMED[name])]


def name_gradient(
    asked: Asked,
    parts: Mapping[str, bool | None],
    told: Mapping[int, Told],
    of_loss: list[Named],
    notes: list[str],
) -> list[Named]:
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
    if naming.is_shared(exercise, of_loss, told[1]):
        notes.append(f"{gradient_name} has the same mistake as {value_name}: correct {value_name} first.")
        return []
    found = (of_loss and after) or naming.name(exercise, 1, told[1], pairs=not of_loss) or after
    return found or [Named("gradient_wrong", UNNAMED["gradient_wrong"])]


def comment(asked: Asked, which: int, found: Named) -> Comment:
    """Return a mistake as a comment, with the smallest batch that shows it."""
    exercise = asked.exercise
    claim = found.claim or read_about(exercise, which)
    id = claim.partition(" ")[0]
    shown = show_batch(asked, which)
    if exercise.given:
        return Comment(f"{exercise.name}.still_there", "the mistake is still there", shown, id, claim)
    return Comment(f"{exercise.name}.{found.name}", found.sentence, shown, id, claim, found.links)


def read_about(exercise: Exercise, which: int) -> str:
    """Choose the claim to read about the loss (0) or the gradient (1) if no mistake names one: the first, or
    the last.
    """
    place = -1 if which else 0
    return equations.pieces(exercise.equations[place])[place]


def show_batch(asked: Asked, which: int) -> tuple[str, ...]:
    """Print the smallest batch at which the loss (0) or the gradient (1) is wrong."""
    where = smallest.find_smallest(asked.exercise, which, lambda arguments: asked.try_call(which, arguments))
    if where is None:
        return ()
    yours, right = smallest.digits(where.yours, where.right)
    name = asked.exercise.functions[which]
    what = f"your {name}{' by ' + where.entry if which and where.entry else where.entry}"
    return *smallest.format_batch(where.arguments), f"{what} is {yours}; right is {right}"


def compare_with_own_loss(asked: Asked) -> list[Named] | None:
    """Compare the gradient with central differences of the file's own loss along random directions.

    Return [] if they agree, the factor or the finite difference by which they differ, None if they differ
    otherwise.
    """
    exercise = asked.exercise
    if probes(exercise)[0].value.ndim:
        return None
    rng = np.random.default_rng(1)
    slopes = []  # by the gradient and by differences, and the number of the batch
    batches = [probe.arguments for probe in probes(exercise)[:3]]
    for place, arguments in enumerate(batches):
        gradients = asked.try_call(1, arguments)
        for name, gradient, right in zip(exercise.by, gradients, probes(exercise)[place].gradients):
            if not np.any(right):  # held constant
                continue
            x = arguments[name]
            step = STEP * rng.standard_normal(np.shape(x))
            try:
                ahead, behind = (asked.value({**arguments, name: x + sign * step}) for sign in (1, -1))
            except Failed:
                return None
            slopes.append((np.sum(gradient * step) / STEP, (ahead - behind) / (2 * STEP), place))
    if not slopes:
        return None

    def near(times: Sequence[float], tolerance: float) -> bool:
        wanted = [(got, times[place] * own) for got, own, place in slopes]
        return all(abs(got - own) <= tolerance * (1 + abs(own)) for got, own in wanted)

    one = [1.0] * len(batches)
    if near(one, CLOSE):
        return []
    for factor, times in naming.list_factors(exercise, batches):
        if near(times, CLOSE):
            return [naming.name_factor(factor, 1)]
    return [Named("finite_difference", UNNAMED["finite_difference"])] if near(one, ROUGH) else None


def digits(asked: Asked, parts: dict[str, bool | None], notes: list[str]) -> list[Comment]:
    """Ask the judge about a file that is right at the probes."""
    exercise = asked.exercise
    if not exercise.registered:
        return []
    if (broken := breaks(asked)) is not None:
        return [digit(exercise, broken, "")]
    loss = make_loss(asked)
    every: list[Check] = []
    for hearing in questions(loss):
        checks = hear(exercise, hearing)
        if ended := getattr(asked.ask, "ended", None):  # the judge goes on after a loss that raises
            if ended.name != "endless":
                raise ended
            rows, features = next(x.shape for x in hearing.case.arguments.values() if np.ndim(x) == 2)
            slow = f"right at small batches, but too slow at {rows} × {features}: not graded"
            parts.update(dict.fromkeys(parts))  # None: it may be wrong where it does not answer
            return [Comment(f"{exercise.name}.too_slow", slow)]
        every += checks
    by = tuple(name for name in loss.differentiable if name in exercise.by)
    grade = judge.grade([check for check in every if check.input in by], loss._replace(differentiable=by))
    if grade.starts is None:
        if "digits" in parts:
            parts["digits"] = True
        notes.append(f"The judge asked {len(every)} questions, and agrees to the last digits.")
        return []
    if grade.verdict == "inexact":
        lost = digit(exercise, "loses_digits", f", from logits of {grade.starts.sharpness:.3g} on")
        if exercise.digits:
            return [lost]
        notes.append(f"It is {lost.sentence}: the exercise stable keeps them.")
        return []
    parts.update(dict.fromkeys(exercise.functions, False))
    return [digit(exercise, "fails_the_judge", f": {grade.starts.place}")]


def hear(exercise: Exercise, hearing: judge.Hearing) -> list[Check]:
    """Return the judge's checks, or none if the solution fails them too: a textbook form may lose all digits
    if rows coincide.
    """
    checks = judge.hear(hearing)
    if all(check.textbook_holds for check in checks):
        return checks
    own = dict(zip(exercise.functions, solve(exercise)))
    solved = make_loss(Asked(exercise, lambda name, given: call(name, own[name], given)))
    of_solution = judge.hear(hearing._replace(case=replace(hearing.case, loss=solved)))
    return checks if all(check.textbook_holds for check in of_solution) else []


def make_loss(asked: Asked) -> Loss:
    """The exercise's loss with the file's value and gradients."""
    exercise = asked.exercise
    entry = ALL[exercise.registered]
    signature = inspect.signature(entry.forward)
    kind = inspect.get_annotations(entry.backward)["return"]

    def forward(*positional: Any, **named: Any) -> tuple[Any, Any]:
        bound = signature.bind(*positional, **named)
        value, kept = entry.forward(*bound.args, **bound.kwargs)
        bound.apply_defaults()
        arguments = {name: convert_to_python(bound.arguments[name]) for name in exercise.parameters}
        options = (p for p in signature.parameters.values() if p.name not in arguments)
        if any(bound.arguments[p.name] != p.default for p in options):
            return value, (None, kept)  # the exercise is the loss with its default options
        return asked.at(0, arguments)[0].astype(value.dtype), (arguments, kept)

    def backward(cache: Any, upstream: float = 1.0) -> Any:
        arguments, kept = cache
        theirs = entry.backward(kept, upstream)
        own = dict(zip(exercise.by, asked.at(1, arguments))) if arguments else {}
        return kind(*(upstream * own[n] if n in own else getattr(theirs, n) for n in kind._fields))

    scaled = tuple(options for options in entry.variants if options.keys() <= SCORED)
    return entry._replace(forward=forward, backward=backward, variants=scaled)


def convert_to_python(x: Any) -> Any:
    """Return a NumPy number as Python's own, as the file receives it."""
    return x.item() if isinstance(x, np.generic | np.ndarray) and np.ndim(x) == 0 else x


def questions(loss: Loss) -> Iterator[judge.Hearing]:
    """Yield the judge's checks of a file: its fixed points, with 50 digits at two temperatures only, and its
    drawn points of every size, temperature, length and content."""
    for hearing in judge.ask_fixed_points(loss, "float64", np.asarray):
        fifty = hearing.witness == precision.WITNESS
        if not (fifty and hearing.case.arguments.get("temperature", COOL) not in (1.0, COOL)):
            yield hearing
    for case in (*drawn.cases(loss, "float64", judge.SEED), *drawn.brief_cases(loss, "float64", judge.SEED)):
        yield judge.Hearing(identities.WITNESS, identities.testify_briefly, case)


def digit(exercise: Exercise, name: str, where: str) -> Comment:
    return Comment(f"{exercise.name}.{name}", UNNAMED[name] + where, (), "S1", "S1 softplus")


def breaks(asked: Asked) -> str | None:
    """Return "overflows" if the file returns NaN or infinity for large logits even if the views are aligned, so
    that the positives have the largest logits; "underflows" if only for other views; None if its results are always
    finite.
    """
    entry = ALL[asked.exercise.registered]
    scores = "scale" in inspect.signature(entry.example).parameters
    if not scores and "temperature" not in entry.example():
        return None

    def is_finite(noise: float) -> bool:
        example = entry.example(noise=noise)
        cold = entry.example(noise=noise, scale=LARGE) if scores else {**example, "temperature": COLD}
        given = {name: cold[name] for name in asked.exercise.parameters}
        return all(np.all(np.isfinite(x)) for which in (0, 1) for x in asked.at(which, given))

    if is_finite(APART):
        return None
    return "underflows" if is_finite(ALIGNED) else "overflows"
