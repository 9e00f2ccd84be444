"""What was not asked is noted: optional arrays, and the other mode of a module of PyTorch."""

import sys

import pytest
from conformance.fitted import cpc, nearest

from infonce_ref.conformance import notes
from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target


@pytest.mark.parametrize(
    ("loss", "way", "settings", "said"),
    [
        (cpc, "two", {}, []),
        (
            lambda x, y, labels=None, queue=None: 0.0,
            "two",
            {},
            ["asked without labels, queue, which it may be given: --inputs chooses"],
        ),
        (lambda x, y, labels=None: 0.0, "two", {"labels": 1}, []),
        (lambda x, y, labels=None: 0.0, "two with labels", {}, []),
    ],
)
def test_optional_arrays_that_were_not_passed_are_noted(loss, way, settings, said):
    session = Session(target(loss, settings), "numpy")
    notes.note_unasked(Way(way, session))
    assert list(session.notes) == said


def note_modes(in_training, in_evaluation, training=True):
    torch = pytest.importorskip("torch")

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.part = torch.nn.Linear(1, 1)

        def forward(self, x, y):
            return (in_training if self.training else in_evaluation)(torch.sum(x * y), len(x))

    module = Module().train(training)
    module.part.train(not training)
    session = Session(target(module), "torch")
    notes.note_evaluation(Way("two", session))
    assert (module.training, module.part.training) == (training, not training)
    return list(session.notes)


def test_a_module_with_one_value_in_both_modes_gets_no_note():
    assert note_modes(lambda s, n: s, lambda s, n: s * (1 + 9e-7)) == []


@pytest.mark.parametrize("training", [True, False])
def test_another_value_in_the_other_mode_is_noted(training):
    own, other = ("training", "evaluation") if training else ("evaluation", "training")
    found = note_modes(lambda s, n: s, lambda s, n: s * (1 + 1e-5), training)
    assert found == [f"asked in {own} mode; in {other} mode it returns another value"]


def test_another_small_value_is_noted():
    assert note_modes(lambda s, n: 1e-12 * s, lambda s, n: 2e-12 * s) != []


def test_another_value_at_one_size_is_noted():
    assert note_modes(lambda s, n: s, lambda s, n: s + (n == 6)) != []


def test_an_error_in_the_other_mode_is_noted():
    (note,) = note_modes(lambda s, n: s, lambda s, n: s / 0 if n == 1 else [][0])
    assert note.startswith("asked in training mode; in evaluation mode it raises IndexError")


def test_a_function_has_no_modes():
    pytest.importorskip("torch")
    session = Session(target(lambda x, y: (x * y).sum()), "torch")
    notes.note_evaluation(Way("two", session))
    assert not session.notes


def test_without_torch_there_are_no_modes(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    asked = nearest(cpc)
    notes.note_evaluation(asked.way)
    assert not asked.way.session.notes
