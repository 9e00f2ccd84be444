"""Exercises: two functions to fill in, and a checker that names the mistakes in them.

    from infonce_ref.exercises import check
    print(check("ntxent", "mine.py"))

A learner's file runs in a process of its own, within limits and with your rights: see `runner`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..names import find_name
from .exercise import ALL, Exercise
from .report import Comment, Report

__all__ = ["ALL", "Comment", "Exercise", "Report", "check", "find", "graded", "hint"]


def find(name: str) -> Exercise:
    """Return the exercise with this name. Raises ValueError if there is none."""
    try:
        return ALL[find_name(name, ALL)]
    except ValueError as error:
        raise ValueError(f"exercise: {error}") from None


def check(name: str, file: str | Path, inside: Sequence[str] = ()) -> Report:
    """Check a learner's file and name its mistakes.

    inside: a command that runs the file's process, as ("bwrap", "--unshare-all", "--ro-bind", "/", "/"). Raises
    ValueError for an unknown exercise, a file that cannot be read or a process that does not start.
    """
    from .diagnosis import diagnose
    from .runner import Learner

    exercise = find(name)
    with Learner(Path(file), exercise.functions, inside) as learner:
        report = diagnose(exercise, learner)
    return report._replace(printed=learner.printed)


def graded(name: str, *functions: Callable[..., Any]) -> Report:
    """Check two functions of this process, as in a notebook; they run without limits."""
    from .diagnosis import diagnose
    from .runner import call

    exercise = find(name)
    own = dict(zip(exercise.functions, functions, strict=True))
    return diagnose(exercise, lambda name, given: call(name, own[name], given))


def hint(exercise: Exercise, number: int) -> str:
    """Return one hint, and how to get the next. Raises ValueError if there are fewer."""
    count = len(exercise.hints)
    if not 1 <= number <= count:
        raise ValueError(f"--hint: {exercise.name} has {count} steps; got {number}")
    next_one = f"--hint {number + 1} has the next"
    after = next_one if number < count else "that was the last; --solution has it all"
    return f"{number} of {count}: {exercise.hints[number - 1]}\n({after})"
