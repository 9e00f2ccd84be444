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
from .prover.calculus import check_variable
from .prover.closed_form import derive_gradient
from .prover.hypotheses import MapsInto, WellDefined
from .prover.language import Facts, Language
from .prover.notation import Definition, base_of, is_index, quantities_of, unfold
from .prover.numpy_code import Code, write_numpy
from .prover.proof import Proof
from .prover.show import text
from .prover.zero_test import NotProved

ALIKE = 1e-9  # relative tolerance in double precision, at points without much cancellation
POINTS = range(4, 256, 4)  # draws of the second check with distinct numbers
ENOUGH = 3  # of them that the hypotheses allow


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
    for name, each in statement.gradients.items() if isinstance(statement, Statement) else ():
        try:
            found[f"gradient by {name}"] = each.prove()
        except (NotProved, second_look.Refused) as error:
            raise Unproved(f"gradient by {name}: {error}") from error
    return found


def gradients(names: Mapping[str, Any]) -> Iterator[Gradient]:
    """Derive the gradients of the LOSS of a file, by each entry in its BY.

    LOSS: an expression or its Definition. BY: entries such as z[k, f], or symbols. NAMES, FACTS: the
    definitions and the assumptions. Raises ValueError if one of them has another type.
    """
    if "LOSS" not in names:
        return
    loss, by = names["LOSS"], names.get("BY", ())
    definitions, facts = names.get("NAMES", ()), names.get("FACTS", Facts())
    for what, good in (
        ("LOSS: an expression of SymPy, or its Definition", isinstance(loss, Expr | Definition)),
        ("BY: a tuple of entries such as z[k, f], or of symbols", isinstance(by, tuple) and by),
        (
            "NAMES: a tuple of Definitions",
            isinstance(definitions, tuple | list)
            and all(isinstance(name, Definition) for name in definitions),
        ),
        ("FACTS: the Facts of the symbols", isinstance(facts, Facts)),
    ):
        if not good:
            name, _, rule = what.partition(":")
            raise ValueError(f"{name} must be{rule}; got {names.get(name)!r}")
    if isinstance(loss, Definition):
        definitions = (*definitions, loss)
        loss = loss.head
    definitions = tuple(dict.fromkeys(definitions))
    for entry in by:
        _check_entry(entry, loss, definitions, facts)
        try:
            proof = derive_gradient(loss, entry, names=definitions, facts=facts)
        except (NotProved, second_look.Refused) as error:
            raise Unproved(f"by {entry}: {error}") from error
        indices = entry.indices if isinstance(entry, Indexed) else ()
        code = write_numpy("gradient", proof.lines[-1].expression, indices, names=definitions, facts=facts)
        _compare(code, proof)
        yield Gradient(entry, proof, code.source)


def _check_entry(entry: Any, loss: Expr, definitions: tuple[Definition, ...], facts: Facts) -> None:
    """Raise ValueError unless the loss is a number that depends on the entry, for each value of its indices."""
    check_variable(entry)
    Language(facts, definitions).check(loss, entry)
    indices = entry.indices if isinstance(entry, Indexed) else ()
    if len({*indices}) < len(indices) or not {*indices} <= facts.ranges.keys():
        raise ValueError(
            f"BY: {text(entry)} must have a letter of its own for each index, with a range in FACTS; write z[k, f]"
        )
    for index in filter(is_index, loss.free_symbols - {*indices}):
        raise ValueError(
            f"LOSS: {text(loss)} has the free index {index}, so it is no number; sum over {index}"
        )
    others = (name for name in definitions if base_of(name.head) != base_of(entry))
    if base_of(entry) not in quantities_of(unfold(loss, others)):
        raise ValueError(
            f"BY: {text(loss)} does not contain {base_of(entry)}; take another, or define in NAMES what contains it"
        )


def _compare(code: Code, proof: Proof) -> None:
    """Compare the code with the independent interpreter at random points. Raises Unproved if they differ."""
    namespace: dict[str, Any] = {}
    exec(code.source, namespace)  # this module generated the source
    # a map that no step of the proof needed is still an index in the code
    maps = tuple(MapsInto(map, *sizes) for map, sizes in proof.facts.maps.items())
    needs = frozenset(one for one in proof.hypotheses if isinstance(one, WellDefined))
    compared = 0
    for seed in POINTS:
        draw = second_look.Draw(seed, (*proof.hypotheses, *maps), proof.facts.ranges)
        look = second_look.Interpreter(draw, proof.definitions, needs)
        given = {word: _draw(draw, *what) for word, what in code.arguments.items()}
        with numpy.errstate(all="ignore"):
            got = numpy.asarray(namespace["gradient"](**given))
        with mpmath.workdps(second_look.DIGITS):
            for place in numpy.ndindex(got.shape):
                at = dict(zip(code.indices, place, strict=True))
                try:
                    expected = float(look.value(proof.lines[-1].expression, at))
                except second_look.Outside:
                    break
                if not abs(got[place] - expected) <= ALIKE * max(1, abs(expected)):
                    raise Unproved(f"the NumPy code gives {got[place]} for {expected} at {place}")
            else:
                compared += 1
                if compared == ENOUGH:
                    return
    raise Unproved(f"the NumPy code could be compared at {compared} points, not at {ENOUGH}")


def _draw(draw: second_look.Draw, quantity: Expr, shape: tuple[Expr, ...]) -> Any:
    """Draw a number, a size, or an array of this shape."""
    if not isinstance(quantity, IndexedBase):
        return draw.size(quantity) if quantity.is_integer else float(draw.number(quantity))
    sizes = [draw.whole_number(size) for size in shape]
    entry = draw.image if quantity.is_integer else lambda *which: float(draw.number(*which))
    return numpy.array([entry(quantity, place) for place in numpy.ndindex(*sizes)]).reshape(sizes)
