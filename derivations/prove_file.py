"""Prove a user's own file: its proofs, and the gradients of its loss."""

import runpy
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import numpy
from sympy import Expr, Indexed, IndexedBase

from .common.statement import Statement
from .evidence.kinds import PROVING, NotShown
from .prover import second_look
from .prover.closed_form import derive_gradient
from .prover.hypotheses import MapsInto
from .prover.language import Facts
from .prover.notation import Definition
from .prover.numpy_code import Code, write_numpy
from .prover.proof import Proof
from .prover.zero_test import NotProved

ALIKE = 1e-9  # relative tolerance in double precision, at points without much cancellation
POINTS = (4, 8, 12)  # draws of the second check: of different sizes, with distinct numbers


class Unproved(ValueError):
    """A statement in the file does not follow."""


class Gradient(NamedTuple):
    """A derived gradient: the entry, the proof, the NumPy code."""

    by: Expr
    proof: Proof
    code: str


def read(path: Path) -> Mapping[str, Any]:
    """Run the file, which checks every proof in it, and return its names.

    Raises Unproved if a line does not follow, and ValueError for any other error; both name the line.
    """
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file; name a Python file")
    try:
        return runpy.run_path(str(path))
    except (NotProved, NotShown, second_look.Refused) as error:
        raise Unproved(f"{_place(path, error)}: {error}") from error
    except Exception as error:
        raise ValueError(f"{_place(path, error)}: {type(error).__name__}: {error}") from error


def _place(path: Path, error: Exception) -> str:
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{path}, line {error.lineno}"
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    return f"{path}, line {lines[-1]}" if lines else str(path)


def proofs(names: Mapping[str, Any]) -> dict[str, Any]:
    """Find the proofs, signs and bounds of a file, including those of its STATEMENT's gradients."""
    found = {name: piece for name, piece in names.items() if isinstance(piece, PROVING)}
    statement = names.get("STATEMENT")
    if isinstance(statement, Statement):
        found |= {f"gradient by {name}": each.prove() for name, each in statement.gradients.items()}
    return found


def gradients(names: Mapping[str, Any]) -> Iterator[Gradient]:
    """Derive the gradients of the LOSS of a file, by each entry in its BY.

    LOSS: an expression or its Definition. BY: entries such as z[k, f], or symbols. NAMES, FACTS: the
    definitions and the assumptions. Raises ValueError if one of them has another type.
    """
    if "LOSS" not in names:
        return
    loss, by = names["LOSS"], names.get("BY", ())
    definitions, facts = tuple(names.get("NAMES", ())), names.get("FACTS", Facts())
    if isinstance(loss, Definition):
        definitions = tuple(dict.fromkeys((*definitions, loss)))
        loss = loss.head
    for what, good in (
        ("LOSS: an expression of SymPy, or its Definition", isinstance(loss, Expr)),
        ("BY: a tuple of entries such as z[k, f], or of symbols", isinstance(by, tuple) and by),
        ("NAMES: a tuple of Definitions", all(isinstance(name, Definition) for name in definitions)),
        ("FACTS: the Facts of the symbols", isinstance(facts, Facts)),
    ):
        if not good:
            name, _, rule = what.partition(":")
            raise ValueError(f"{name} must be{rule}; got {names.get(name)!r}")
    for entry in by:
        try:
            proof = derive_gradient(loss, entry, names=definitions, facts=facts)
        except (NotProved, second_look.Refused) as error:
            raise Unproved(f"by {entry}: {error}") from error
        indices = entry.indices if isinstance(entry, Indexed) else ()
        code = write_numpy("gradient", proof.lines[-1].expression, indices, names=definitions, facts=facts)
        _compare(code, proof)
        yield Gradient(entry, proof, code.source)


def _compare(code: Code, proof: Proof) -> None:
    """Compare the code with the independent interpreter at random points. Raises Unproved if they differ."""
    namespace: dict[str, Any] = {}
    exec(code.source, namespace)  # this module generated the source
    # a map that no step of the proof needed is still an index in the code
    maps = tuple(MapsInto(map, *sizes) for map, sizes in proof.facts.maps.items())
    for seed in POINTS:
        draw = second_look.Draw(seed, (*proof.hypotheses, *maps), proof.facts.ranges)
        look = second_look.Interpreter(draw, proof.definitions, frozenset())
        got = namespace["gradient"](**{word: _draw(draw, *what) for word, what in code.arguments.items()})
        with mpmath.workdps(second_look.DIGITS):
            for place in numpy.ndindex(*numpy.shape(got)):
                expected = float(
                    look.value(proof.lines[-1].expression, dict(zip(code.indices, place, strict=True)))
                )
                if not abs(got[place] - expected) <= ALIKE * max(1, abs(expected)):
                    raise Unproved(f"the NumPy code gives {got[place]} for {expected} at {place}")


def _draw(draw: second_look.Draw, quantity: Expr, shape: tuple[Expr, ...]) -> Any:
    """Draw a number, a size, or an array of this shape."""
    sizes = [draw.whole_number(size) for size in shape]
    if not isinstance(quantity, IndexedBase):
        return draw.size(quantity) if quantity in draw.whole else float(draw.number(quantity))
    if quantity in draw.into or quantity.is_integer:
        return numpy.array([draw.image(quantity, (n,)) for n in range(sizes[0])])
    return numpy.array([float(draw.number(quantity, place)) for place in numpy.ndindex(*sizes)]).reshape(
        sizes
    )
