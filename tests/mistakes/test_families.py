"""The mistakes that several losses share: each edited line computes what its sentence says."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from infonce_ref import conformance
from infonce_ref.mistakes import families
from infonce_ref.mistakes.entry import edit

S = np.array([[-0.5, 0.25]])
W = np.array([[3.0, 4.0], [0.0, 2.0]])
Z = np.array([[0.6, 0.8], [0.0, 1.0]])
G = np.array([[1.0, 2.0], [5.0, -3.0]])
DZ = np.array([[1.0, 2.0], [3.0, 4.0]])
ALONG = np.array([[1.32, 1.76], [0.0, 4.0]])  # ⟨z, dz⟩ z: 2.2 and 4 times z
RAW = np.array([[33.0, 44.0], [0.0, 16.0]])  # ⟨w, dz⟩ w: 11 and 8 times w

SIMILARITIES = "x = (s) / temperature"
ROWS = "z = w / np.linalg.norm(w, axis=1, keepdims=True)"
OF_G = "dw = (g + g.T) @ z / (len(w))"
BACK = """def back(w, z, dz):
    radial = (z * dz).sum(axis=1, keepdims=True) * z
    return (dz - radial) / np.linalg.norm(w, axis=1, keepdims=True)
x = back(w, z, dz)
"""
PULL = "g[rows, p] -= 1"
LENGTHS = np.array([[5.0], [2.0]])

# the mistakes, the text that they change, and what it then computes
EDITED = {
    "temperature_twice": (SIMILARITIES, S / 0.25),
    "temperature_multiplied": (SIMILARITIES, S / 2),
    "temperature_not_used": (SIMILARITIES, S),
    "root_of_temperature": (SIMILARITIES, S * 2**0.5),
    "temperature_fixed": (SIMILARITIES, S * 10),
    "scale_not_exponentiated": (SIMILARITIES, S * np.log(2)),
    "distance_for_similarity": (SIMILARITIES, [[3.0, 1.5]]),
    "similarities_clamped": (SIMILARITIES, [[0.0, 0.5]]),
    "absolute_similarities": (SIMILARITIES, [[1.0, 0.5]]),
    "squared_similarities": (SIMILARITIES, [[0.5, 0.125]]),
    "not_normalised": (ROWS, W),
    "normalised_along_batch": (ROWS, [[1.0, 4 / 20**0.5], [0.0, 2 / 20**0.5]]),
    "normalised_over_all_axes": (ROWS, W / 29**0.5),
    "number_added_to_the_lengths": (ROWS, [[3 / 5.001, 4 / 5.001], [0.0, 2 / 2.001]]),
    "transpose_missing": (OF_G, [[0.3, 1.4], [1.5, 0.5]]),
    "candidates_only": (OF_G, [[0.3, 2.9], [0.6, -0.7]]),
    "g_taken_for_symmetric": (OF_G, [[0.6, 2.8], [3.0, 1.0]]),
    "projection_missing": (BACK, DZ / LENGTHS),
    "norm_missing": (BACK, DZ - ALONG),
    "sphere_forgotten": (BACK, DZ),
    "projected_by_raw_rows": (BACK, (DZ - RAW) / LENGTHS),
    "pull_missing": (PULL, G),
    "pull_doubled": (PULL, [[1.0, 0.0], [3.0, -3.0]]),
    "pull_reversed": (PULL, [[1.0, 3.0], [6.0, -3.0]]),
    "pull_in_whole_columns": (PULL, [[0.0, 1.0], [4.0, -4.0]]),
    "softmax_along_two_axes": ("x = np.exp(x).sum(axis=1, keepdims=True)", np.exp(S[0])),
}
FAMILIES = (
    *families.temperature("claim", "(s)"),
    *families.unit_rows("claim", ROWS, "w"),
    *families.rows_of_g("claim"),
    *families.projection("claim"),
    *families.error("claim", PULL),
    families.mixed_axes("claim"),
)


def run(text):
    """What the text computes: the names that it assigns."""
    space = {"np": np, "s": S, "x": S, "w": W, "z": Z, "dz": DZ, "g": G.copy(), "temperature": 0.5}
    space |= {"rows": np.arange(2), "p": np.array([1, 0])}
    exec(text, space)
    return space


def test_each_mistake_is_in_this_file_once():
    assert [m.name for m in FAMILIES] == list(EDITED)


@pytest.mark.parametrize("mistake", FAMILIES, ids=EDITED)
def test_a_mistake_computes_what_its_sentence_says(mistake):
    text, expected = EDITED[mistake.name]
    wrong = edit(text, mistake.edits)
    assert wrong not in (None, text)
    name = {ROWS: "z", OF_G: "dw", PULL: "g"}.get(text, "x")
    found = run(wrong)[name]
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)  # a few roundings of numbers near 1
    assert not np.array_equal(found, run(text)[name])


def strings_of(folder):
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_the_marks_are_names_that_the_measurement_gives():
    given = set(strings_of(Path(conformance.__file__).parent))
    assert {mark for m in FAMILIES for mark in m.marks} <= given
    unmarked = [m.name for m in FAMILIES if not m.marks]
    assert unmarked == ["pull_reversed", "pull_in_whole_columns", "softmax_along_two_axes"]


def test_a_mistake_says_what_is_wrong_and_where_to_read_it():
    for m in FAMILIES:
        assert m.claim == "claim"
        assert " " in m.sentence
        assert " " not in m.name


def test_links_are_of_reports():
    links = {m.name: m.links for m in FAMILIES if m.links}
    assert {name: len(each) for name, each in links.items()} == {
        "scale_not_exponentiated": 2,
        "normalised_along_batch": 2,
        "normalised_over_all_axes": 1,
    }
    for each in links.values():
        assert type(each) is tuple
        assert all(re.fullmatch(r"https://github\.com/[\w-]+/[\w-]+/issues/\d+", link) for link in each)


def test_the_line_of_the_logits_and_the_rows_are_the_caller_s():
    found = families.temperature("claim", "u @ v.T")
    assert type(found) is tuple
    (first, *_) = found
    assert first.edits == (("u @ v.T / temperature", "u @ v.T / temperature**2"),)
    (first, *_) = families.unit_rows("claim", "line", "rows")
    assert first.edits == (("line", "z = rows"),)


@pytest.mark.parametrize(
    ("names", "left"), [((), []), (("a",), ["b"]), (("a", "b"), []), (("c",), ["a", "b"])]
)
def test_marks_are_dropped_of_the_named_mistakes_or_of_all(names, left):
    two = tuple(FAMILIES[0]._replace(name=name) for name in ("a", "b"))
    dropped = families.drop_marks(two, *names)
    assert type(dropped) is tuple
    assert [m.name for m in dropped] == ["a", "b"]
    assert [m.name for m in dropped if m.marks] == left
    assert all(m._replace(marks=()) == n._replace(marks=()) for m, n in zip(dropped, two, strict=True))
