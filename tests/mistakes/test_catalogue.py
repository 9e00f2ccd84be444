"""Each mistake of the catalogue is one edit, shown by a small batch, distinct from the others, and measured without
the catalogue's text.
"""

from functools import cache

import mistakes
import numpy as np
import pytest
from exercises.asking import asked

from infonce_ref.conformance import templates, text_tier, tiers
from infonce_ref.conformance.question import Question
from infonce_ref.conformance.target import target
from infonce_ref.exercises import ALL as EXERCISES
from infonce_ref.exercises import diagnosis, smallest
from infonce_ref.exercises.exercise import probes
from infonce_ref.losses import ALL as LOSSES
from infonce_ref.mistakes import ALL
from infonce_ref.mistakes.entry import convert_to_arrays, edit, order, run_text

MISTAKES = {f"{name}.{m.name}": (ALL[name], m) for name in ALL for m in ALL[name].mistakes}
# a loss without a formula is identified by its text alone
MARKED = {id: (entry, m) for id, (entry, m) in MISTAKES.items() if m.marks and entry.forms}
ONE_OF_EACH = {pair[1].marks: id for id, pair in MARKED.items()}  # one mistake for each kind of mark
SETTINGS = {"temperature": 0.3, "margin": 0.4, "bias": -2.0, "beta1": 0.5, "beta2": 0.5, "exponent": 1.3}


@cache
def at_probes(entry):
    return templates.prepare(entry, [probe.arguments for probe in probes(entry)])


COMPUTED = {}


def compute_once(points, which, mistakes, compute=templates.compute):
    """Run each text once, because every mistake is compared with all others."""
    key = points.entry.name, which, mistakes
    if key not in COMPUTED:
        COMPUTED[key] = compute(points, which, mistakes)
    return COMPUTED[key]


def changed(entry, mistake):
    """Return which function the mistake changes: the loss (0), or otherwise the gradient (1)."""
    points = at_probes(entry)
    made = [templates.compute(points, which, (mistake,)) for which in (0, 1)]
    return next(which for which in (0, 1) if not templates.is_right(points, which, made[which])), made


@pytest.mark.parametrize("id", MISTAKES)
def test_a_mistake_is_named_by_its_text(id, monkeypatch):
    monkeypatch.setattr(templates, "compute", compute_once)
    entry, mistake = MISTAKES[id]
    points, (_, made) = at_probes(entry), changed(entry, mistake)
    wrong = [which for which in (0, 1) if not templates.is_right(points, which, made[which])]
    found = [[each.known for each in templates.name(points, which, made[which])] for which in wrong]
    assert [mistake.name] in found


@pytest.mark.parametrize("name", ALL)
def test_all_mistakes_are_different_edits(name):
    entry = ALL[name]
    edits = [mistake.edits for mistake in entry.mistakes]
    assert len(set(edits)) == len(edits)
    assert all(edit(entry.text, each) is not None for each in edits)


@pytest.mark.parametrize(
    "name", ["cpc", *(pytest.param(name, marks=pytest.mark.nightly) for name in ALL if name != "cpc")]
)
def test_a_small_batch_shows_each_mistake(name):
    assert all(mistakes.show_batch(ALL[name], mistake) for mistake in ALL[name].mistakes)


@pytest.mark.parametrize("name", ALL)
def test_a_text_computes_its_loss(name):
    points = at_probes(ALL[name])
    for which in (0, 1):
        assert templates.is_right(points, which, templates.compute(points, which, ()))


def test_every_loss_of_the_registry_is_in_the_catalogue():
    assert set(LOSSES) <= set(ALL)


@cache
def measured(id):
    """Return the engine's measurement of a mistake, without any text of the catalogue."""
    entry, mistake = MARKED[id]
    which, _ = changed(entry, mistake)
    functions = run_text(edit(entry.text, mistake.edits), entry.functions)
    arguments = probes(entry)[0].arguments
    numbers = {n: x for n, x in arguments.items() if not isinstance(x, np.ndarray)}
    numbers |= {n: x for n, x in SETTINGS.items() if n in numbers}
    names = [name for name in entry.parameters if name not in numbers]

    def compute(k, arrays):
        given = dict(zip(names, arrays, strict=True)) | numbers
        with np.errstate(all="ignore"):
            return convert_to_arrays(functions[k](*order(functions[k], given)))

    def loss(*arrays):
        return float(compute(0, arrays)[0])

    def backward(*arrays):
        return {n: x for n, x in zip(entry.by, compute(1, arrays), strict=True) if n not in numbers}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_tier, "ask", lambda *_: [])
        made = target(loss, None, backward if which else None)
        claim = numbers | ({"reduction": "sum"} if entry.reduction == "sum" else {})
        named = ("formula", "gradient")[: 1 + which]
        return [
            d.mistake
            for d in tiers.answer_question(Question(made, entry.loss, claim, entry.inputs, named)).mistakes
        ]


def marks_of(id):
    return MARKED[id][1].marks


@pytest.mark.nightly
@pytest.mark.parametrize("id", MARKED)
def test_marks_of_a_mistake_are_measured_without_its_text(id):
    assert tuple(measured(id)) == marks_of(id)


SOME = list(ONE_OF_EACH.values())[::6]


@pytest.mark.slow
@pytest.mark.parametrize("id", SOME)
def test_marks_of_each_kind_are_measured(id):
    assert tuple(measured(id)) == marks_of(id)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("exercise", "mistake"),
    [(e, m) for e in EXERCISES.values() if not e.given for m in e.entry.mistakes],
    ids=lambda x: x.name,
)
def test_an_exercise_names_its_mistake(exercise, mistake, monkeypatch):
    """The engine names each mistake; it may give a factor or another name only if these compute the same."""
    monkeypatch.setattr(diagnosis, "digits", lambda *_: [])
    monkeypatch.setattr(smallest, "find_smallest", lambda *_: None)
    report = diagnosis.diagnose(exercise, asked(exercise, edit(exercise.entry.text, mistake.edits)))
    assert not report.holds
    named = {comment.id.partition(".")[2] for comment in report.comments}
    assert mistake.name in named or named & {diagnosis.slug(mark) for mark in mistake.marks}, report


def test_the_page_has_every_mistake(monkeypatch):
    monkeypatch.setattr(mistakes, "show_batch", lambda *_: "a batch")
    page = mistakes.page()
    assert all(f"| `{mistake.name}` | " in page for _, mistake in MISTAKES.values())
