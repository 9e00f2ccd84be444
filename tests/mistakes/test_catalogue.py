"""The catalogue: each mistake changes the losses that have its lines, each differently, and can be read about."""

import re
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from infonce_ref.catalogue import CLAIMS, LOSSES, MISTAKES, build, differentiate, rewrite
from infonce_ref.exercises import equations, mistakes_page
from infonce_ref.losses import ALL

BATCHES = [(2, 3, 1), (5, 4, 2), (4, 3, 3)]  # pairs, features, seed
UNCHANGED = {("estimate_infonce", "rows_counted")}  # its scores are square; the exercise's are not


@cache
def draw(loss):
    made = [mistakes_page.draw(loss, *sizes, np.random.default_rng(seed)) for *sizes, seed in BATCHES]
    if {"x", "y"} <= {*made[0]}:
        made[0]["y"] = made[0]["x"] + 0.1 * made[0]["y"]  # similar views: a loss near its floor
    return made


@cache
def compute(loss, mistake=None):
    """Value and slopes at all batches, in one array."""
    right, wrong = build(loss), build(loss, (mistake,) if mistake else ())
    value = right if mistake and mistake.kind == "∂" else wrong
    found = []
    for at in draw(loss):
        found.append(np.real(value(**at)))
        found += [
            differentiate(wrong, at, by).ravel() for by, x in at.items() if np.asarray(x).dtype == float
        ]
    return np.hstack(found)


def is_same(a, b):
    return np.allclose(a, b, rtol=1e-7, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("loss", LOSSES)
def test_each_mistake_changes_the_loss_and_differs_from_the_others(loss):
    known = [m for m in MISTAKES if rewrite(loss, (m,)) and (loss, m.name) not in UNCHANGED]
    assert [mistake.name for mistake in known if is_same(compute(loss), compute(loss, mistake))] == []
    pairs = combinations(known, 2)
    assert [(a.name, b.name) for a, b in pairs if is_same(compute(loss, a), compute(loss, b))] == []


def test_each_mistake_is_one_of_a_loss():
    assert [m.name for m in MISTAKES if not any(rewrite(loss, (m,)) for loss in LOSSES)] == []
    assert {loss for m in MISTAKES for loss in (*m.only, *m.never)} <= {*LOSSES}


def test_every_loss_has_mistakes():
    assert {*ALL} <= {*LOSSES} & {*CLAIMS}
    assert [loss for loss in ALL if not any(rewrite(loss, (m,)) for m in MISTAKES)] == []


def test_a_name_is_an_identifier_and_a_link_an_issue_or_code():
    names = [name for m in MISTAKES for name in (m.name, *m.others)]
    assert all(re.fullmatch(r"[a-z0-9_]+", name) for name in names)
    form = r"https://github\.com/[\w.-]+/[\w.-]+/(issues/\d+|pull/\d+|blob/[0-9a-f]{40}/.+)"
    assert [link for m in MISTAKES for link in m.links if not re.fullmatch(form, link)] == []


CITED = sorted({m.claim(loss) for m in MISTAKES for loss in LOSSES if rewrite(loss, (m,))} - {""})


@pytest.mark.slow
@pytest.mark.parametrize("claim", CITED)
def test_each_claim_holds_and_has_the_cited_evidence(claim):
    assert equations.read(claim)


def test_the_page_has_every_mistake(monkeypatch):
    monkeypatch.setattr(mistakes_page, "show_batch", lambda *_: "a batch")
    page = "\n".join(mistakes_page.lines(lambda loss: mistakes_page.write_section(loss, "#{}".format)))
    assert all(f'.{mistake.name}"><code' in page for mistake in MISTAKES)
    assert not re.search(r"`[-+] [^`]*\bE\b", page)  # each number is shown
