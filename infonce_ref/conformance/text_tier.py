"""Compare a loss with the catalogue's texts of the claimed loss, which contain mistakes that no formula
describes.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..losses import ALL as LOSSES
from ..mistakes import ALL as CATALOGUE
from ..mistakes import Entry
from ..mistakes.entry import ANY
from . import inputs, templates
from .asking import FITS_NOT, Way, example
from .features import ROWS
from .identification import OF_COORDINATES, SIZES, TOLERANCES, Nearest
from .names import Difference
from .numbers import OF_VIEWS, measure_numbers
from .question import Question
from .target import Refused, collect_settings
from .templates import Arrays, Points

LARGE = 32
COARSEST = 3e-3  # relative: a text is not named if the rounding error may be larger
GENERIC = {  # names that the catalogue may replace by a more specific mistake
    *("no formula fits", "order matters", "pairs do not matter", "single coordinates", "one side matters"),
    *("other options", "value not finite"),
    *(
        "softmax for another form",
        "constant factor",
        "constant added",
        "another reduction",
        "another similarity",
        "another loss",
    ),
    *(
        "value not finite",
        "another temperature",
        "unit rows alone",
        "another prior",
        "another beta",
        "another beta1",
        "another beta2",
        "another margin",
        "another bias",
        "another weight",
        "another exponent",
    ),
    *("gradient wrong", "parts weighed otherwise", "gradient by numbers wrong"),
    *("gradient times a constant", "gradient times a number that varies"),
}


class Text(NamedTuple):
    """An entry of the catalogue with its right results at the points of a way, and the results of the loss. unit:
    whether all rows have length 1, so that any use of their lengths is hidden · fitted: the numbers that were not
    given, as measured.
    """

    points: Points
    way: Way
    arrays: tuple[Mapping[str, Any], ...]
    values: tuple[Arrays, ...]
    unit: bool = False
    fitted: Mapping[str, float] = {}

    @property
    def is_right(self) -> bool:
        return templates.is_right(self.points, 0, self.values)

    def gradients(self) -> tuple["Text", tuple[Arrays, ...]] | None:
        """Return the text with these gradients in place of its own; None if the loss has none of them."""
        entry = self.points.entry
        names, ways = array_names(entry), inputs.WAYS[entry.inputs]
        if self.unit:
            return None
        found: list[dict[str, np.ndarray]] = []
        for arrays in self.arrays:
            answer = self.way.answer(arrays)
            if answer.gradients is None:
                return None
            slopes = inputs.WAYS[self.way.name].unpack(answer.gradients)
            packed = dict(zip(names, ways.pack({**arrays, **slopes})))
            numbers = {name: np.asarray(slope) for name, slope in answer.numbers.items()}
            found.append({n: x for n, x in {**packed, **numbers}.items() if n in entry.by})
        kept = tuple(k for k, n in enumerate(entry.by) if all(n in each for each in found))
        if not kept:
            return None
        points = templates.restrict(self.points, kept)
        return self._replace(points=points), tuple(tuple(each[entry.by[k]] for k in kept) for each in found)


def array_names(entry: Entry) -> list[str]:
    """The arguments of a loss that are arrays, in their order."""
    drawn = inputs.WAYS[entry.inputs].pack(inputs.points(inputs.WAYS[entry.inputs].world, 4, each=1)[0])
    return entry.parameters[: len(drawn)]


def worlds(name: str) -> set[str]:
    """Return the kinds of inputs that a loss may have."""
    return {inputs.WAYS[entry.inputs].world for entry in entries(name)} | {
        world for form in CATALOGUE[name].forms for world in form.worlds
    }


def entries(name: str) -> list[Entry]:
    """Return the catalogue's entries for a loss that can be called in this way."""
    return [entry for entry in CATALOGUE.values() if entry.loss == name and entry.inputs]


def ask(question: Question, nearest: Nearest) -> list[Text]:
    """Evaluate the texts of the claimed loss at the way's points; if none is claimed and no formula fits, the texts
    of all losses with such inputs. None if the claim has options that the text lacks, or unknown numbers.
    """
    way = nearest.way
    if way.unit:  # no formula fits rows that are not normalised, but a text may
        if question.is_ is None or way.others != FITS_NOT:
            return []
        way, nearest = way._replace(unit=False), nearest._replace(found=None, facts=None)
    if question.entry is not None:
        asked = [question.entry]
    elif question.is_ is not None:
        asked = entries(question.is_)
    else:
        asked = (
            []
            if nearest.found
            else [
                entry
                for name in LOSSES
                if name in CATALOGUE
                for entry in entries(name)
                if may_be(entry, nearest)
            ]
        )
    tolerance = TOLERANCES[nearest.precision]
    facts = nearest.facts
    lengths = facts is None or facts.length_of_x or facts.length_of_y  # whether the loss depends on lengths
    rows = (False,) if lengths else (True, False)
    measured = nearest.found and nearest.found.temperature
    texts = [prepare(question, way, entry, measured, tolerance, unit) for unit in rows for entry in asked]
    return [text for text in texts if text is not None]


def may_be(entry: Entry, nearest: Nearest) -> bool:
    """Return whether a loss may be an entry's: a rotation of all rows must change both or neither."""
    moves = nearest.facts is not None and nearest.facts.coordinates
    return not moves or all(form.rows[0] in OF_COORDINATES for form in entry.forms)


def prepare(
    question: Question, way: Way, entry: Entry, temperature: float | None, tolerance: float, unit: bool
) -> Text | None:
    """Evaluate an entry at the points of a way. temperature: as measured, for a loss that takes none · unit:
    whether to use unit rows, for a loss that does not normalise and is also called with unit rows.
    """
    if unit and not any(form.rows == ANY for form in entry.forms):
        return None
    if inputs.WAYS[entry.inputs].world != way.world or not has_defaults(question, entry):
        return None
    names = array_names(entry)
    known = {**collect_settings(question.target, way.session.function), **question.options}
    known.setdefault("temperature", temperature)
    if is_rounded(temperature, known["temperature"]):
        known["temperature"] = temperature
    wanted = [name for name in entry.parameters if name not in names]
    given = {name: known[name] for name in wanted if isinstance(known.get(name), int | float)}
    fitted = measure_numbers(entry, way, names) if entry.loss and len(given) < len(wanted) else {}
    numbers = {name: given.get(name, fitted.get(name)) for name in wanted}
    if not all(isinstance(x, int | float) for x in numbers.values()):
        return None
    arrays = [point for size in SIZES for point in inputs.points(way.world, size, each=1)]
    arrays += [*inputs.points(way.world, LARGE, each=1)[:1], dict(example(way.world, SIZES[0]))]
    if way.world == "classes":
        arrays.append(dict(inputs.leave_alone(arrays[0])))
    if unit:
        prepare_rows = ROWS["unit"].function
        arrays = [{**point, **prepare_rows(point)} for point in arrays]
    pack = inputs.WAYS[entry.inputs].pack
    arguments = [{**dict(zip(names, pack(point))), **numbers} for point in arrays]
    try:
        points = templates.prepare(entry, arguments, min(max(templates.RIGHT, 10 * tolerance), COARSEST))
    except (ValueError, Refused):
        return None  # the named loss lacks an option
    try:
        values = tuple((np.asarray(way.value(point)),) for point in arrays)
    except Exception:  # this loss refuses a batch: a user's code may raise anything
        return None
    new = {name: x for name, x in fitted.items() if name not in given}
    return Text(points, way, tuple(arrays), values, unit, new)


def is_rounded(measured: float | None, given: Any) -> bool:
    """Return whether the loss holds its temperature, or its logarithm, in float32: a relative change of up to 3e-7
    that its value shows.
    """
    return bool(measured and isinstance(given, int | float) and 1e-10 < abs(measured / given - 1) < 4e-7)


def has_defaults(question: Question, entry: Entry) -> bool:
    """Whether every claimed option that is not a number has the loss's default; the text is written for the
    defaults."""
    if not entry.loss:
        return True
    defaults = {n: p.default for n, p in inspect.signature(LOSSES[entry.loss].forward).parameters.items()}
    return all(
        defaults[name] == value
        for name, value in question.options.items()
        if name in defaults and isinstance(value, str | bool)
    )


def is_vague(mistakes: Sequence[Difference]) -> bool:
    """Return whether a text may be more specific than the measurement."""
    return any(each.mistake in GENERIC for each in mistakes)


def improve(mistakes: Sequence[Difference], found: Sequence[Difference]) -> list[Difference]:
    """Return the names from the texts if they are more specific than the measurement: a name where it had
    none, or fewer names.
    """
    better = found and (is_vague(mistakes) or len(found) < len(mistakes))
    return list(found) if better else list(mistakes)


def look_up(texts: Sequence[Text], found: Difference) -> Difference:
    """Find the name and claim of a measurement in the catalogue: among the mistakes with these values, the
    one with this mark, or the first.
    """
    every = (
        (m, templates.compute(text.points, 0, (m,)), text)
        for text in texts
        for m in text.points.entry.mistakes
    )
    same = [
        m
        for m, made, text in every
        if made and templates.is_multiple(text.values, made, text.points.tolerance)
    ]
    known = next((m for m in same if found.mistake in m.marks), same[0] if same else None)
    return found._replace(known=known.name, claim=known.claim, links=known.links) if known else found


def name_value(texts: Sequence[Text], mistakes: Sequence[Difference]) -> list[Difference]:
    """Name the mistakes of a wrong value. The texts are not tried if one plain name is known already."""
    asked = texts if is_vague(mistakes) or len(mistakes) > 1 else ()
    found = (compare_views(text) or templates.name(text.points, 0, text.values) for text in asked)
    improved = improve(mistakes, next((each for each in found if each), []))
    return [each if each.known else look_up(texts, each) for each in improved]


def compare_views(text: Text) -> list[Difference]:
    """Describe terms that have another weight for each view, as measured."""
    of = text.fitted
    words = [
        f"the {term} of the first view has weight {of[f'{term} of view 1']:.6g}, "
        f"that of the second {of[f'{term} of view 2']:.6g}"
        for term in OF_VIEWS
        if f"{term} of view 1" in of
    ]
    return [Difference("views weighed", "; ".join(words))] if words else []


def take_from_catalogue(found: Difference) -> dict[str, Any]:
    """Replace a measured mistake by the catalogue's name, sentence and claim."""
    return {"known": found.known, "claim": found.claim, "links": found.links}


def name_gradient(texts: Sequence[Text], mistakes: Sequence[Difference]) -> list[Difference]:
    """Name the mistakes of a wrong gradient: by the arrays, or by a number such as the temperature."""
    for text in texts:
        asked = text.gradients()
        if asked is None or templates.is_right(asked[0].points, 1, asked[1]):
            continue
        found = templates.name(asked[0].points, 1, asked[1])
        if found and mistakes and mistakes[0].mistake.startswith("gradient times"):
            why = found[0].sentence.removeprefix("the gradient: ")
            found = [found[0]._replace(sentence=f"{mistakes[0].sentence}: {why}"), *found[1:]]
        if found:
            improved = improve(mistakes, found) if mistakes else found
            attached = take_from_catalogue(found[0]) if len(found) == 1 == len(improved) else {}
            return [d._replace(**attached) for d in improved]
    return list(mistakes)


def follows_claim(texts: Sequence[Text]) -> bool:
    """Return whether the gradient is that of the claimed loss, even if the value is wrong."""
    asked = [text.gradients() for text in texts]
    known = [each for each in asked if each is not None]
    return bool(known) and all(templates.is_right(text.points, 1, got) for text, got in known)
