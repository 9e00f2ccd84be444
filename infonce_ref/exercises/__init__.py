"""Exercises: two functions to fill in, and a checker that names the mistakes in them.

    from infonce_ref.exercises import check
    print(check("ntxent", "mine.py"))

A learner's file runs in a process of its own, within limits and with your rights: see `runner`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..catalogue import Mistake
from ..names import describe_unknown
from ..output import escape_controls
from .comments import Comment, Report
from .exercise import ALL, Exercise

__all__ = [
    "ALL",
    "Comment",
    "Exercise",
    "Mistake",
    "Report",
    "check",
    "file",
    "find",
    "graded",
    "hint",
    "solution",
]


def find(name: str) -> Exercise:
    """Return the exercise with this name. Raises ValueError if there is none."""
    if name not in ALL:
        raise ValueError(f"exercise: {describe_unknown(name, ALL)}")
    return ALL[name]


def check(name: str, file: str | Path, inside: Sequence[str] = ()) -> Report:
    """Check a learner's file and name its mistakes.

    inside: a command that runs the file's process, as ("bwrap", "--unshare-all", "--ro-bind", "/", "/"). Raises
    ValueError for an unknown exercise, a file that cannot be read or a process that does not start.
    """
    from .diagnosis import diagnose, report_failure
    from .runner import Failed, Learner

    exercise = find(name)
    learner = Learner(Path(file), exercise.functions, inside)
    try:
        with learner:
            report = diagnose(exercise, learner)
            told = {comment.id for comment in report.comments}
            if learner.ended and not told & {learner.ended.name, f"{name}.too_slow"}:
                report = report_failure(exercise, learner.ended)
    except Failed as error:
        report = report_failure(exercise, error)
    comments = [read(comment) for comment in report.comments]
    return report._replace(comments=comments, printed=escape_controls(learner.printed), limits=learner.limits)


def graded(name: str, *functions: Callable[..., Any]) -> Report:
    """Check two functions of this process, as in a notebook; they run without limits."""
    from . import runner
    from .diagnosis import diagnose

    exercise = find(name)
    own = dict(zip(exercise.functions, functions, strict=True))

    def ask(name: str, arguments: Sequence[Any]) -> list[Any]:
        try:
            return runner.call(name, own[name], arguments)
        except Exception as error:  # a learner's function may raise anything
            code = getattr(own[name], "__code__", None)
            raise runner.describe(error, code.co_filename if code else "", name) from None

    report = diagnose(exercise, ask)
    return report._replace(comments=[read(comment) for comment in report.comments])


def read(comment: Comment) -> Comment:
    """Add the statement of its claim to a comment, and escape what the file wrote into its sentence."""
    from . import equations

    says, id = equations.read(comment.claim) if comment.claim else "", comment.claim.partition(" ")[0]
    return comment._replace(claim=id, says=says, sentence=escape_controls(comment.sentence))


def file(exercise: Exercise) -> str:
    """The file that a learner fills in."""
    from . import template

    return template.write(exercise)


def solution(exercise: Exercise) -> str:
    """The file of a learner who has solved it: the loss and its gradient in NumPy."""
    from . import template

    return template.solve(exercise)


def hint(exercise: Exercise, number: int) -> str:
    """Return one hint, and how to get the next. Raises ValueError if there are fewer."""
    count = len(exercise.hints)
    if not 1 <= number <= count:
        raise ValueError(f"--hint: {exercise.name} has {count} steps; got {number}")
    after = (
        f"--hint {number + 1} has the next" if number < count else "that was the last; --solution has it all"
    )
    return f"{number} of {count}: {exercise.hints[number - 1]}\n({after})"
