"""Describe every loss of the family by a few choices: which rows are compared and how, which candidates the
denominator contains, how similarities become a loss.

    s_ac        similarity of anchor a and candidate c
    p(a), D(a)  the anchor's positive, and the candidates in its denominator
    φ           Σ_a head(s_a, p(a), D(a); t, e),  t = 1/τ,  e the head's second parameter, if it has one
    loss        scale · φ + shift

A `Formula` names one choice of each, of those in `features` and `heads`. The same lines compute φ in float64, for
many points and temperatures at once (leading axes), and in balls of 50 digits.

Arrays by name: x, y (B, d), two views, row i of each a pair, possibly with negatives (M, d) for all or (B, M,
d) for each pair, or with bank (K, d) and index (n,) for y · w (N, d) with labels (N,) · scores (n, K) with
positive (n,).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from . import features, heads
from .digits import Numbers

Arrays = Mapping[str, Numbers]
# arrays that have no gradient: integers, and inputs that a loss holds constant
LABELS = ("labels", "positive", "index", "noise_index", "log_noise_data", "log_noise", "targets")


class Formula(NamedTuple):
    """One loss of the family, each field a name of `features`.

    rows: their normalisation · similarity · candidates: the roles in the denominator · anchors: "first", "second"
    view or "both" · head: from similarities to a loss · positive: which candidate it is · sign: −1 if t is negative
    · numbers: further numbers by name: the head's third, and each ε that is added somewhere.
    """

    candidates: tuple[str, ...]
    anchors: str = "both"
    rows: str = "unit"
    similarity: str = "dot"
    head: str = "cross-entropy"
    positive: str = "partner"
    sign: int = 1
    numbers: tuple[tuple[str, float], ...] = ()

    @property
    def second(self) -> str | None:
        """The name of the head's second parameter."""
        return heads.HEADS[self.head].second

    @property
    def tempered(self) -> bool:
        """Whether a temperature enters."""
        return heads.HEADS[self.head].tempered


class Places(NamedTuple):
    """For each role a mask (anchors, candidates), and which anchors belong to the first view."""

    roles: dict[str, np.ndarray]
    first: np.ndarray


def places(arrays: Arrays, positive: str = "partner", rows: str = "given") -> Places:
    """Return the places of the anchors and candidates among these arrays' rows or columns."""
    if "w" in arrays:
        return place_classes(np.asarray(arrays["labels"]))
    if "scores" in arrays:
        return place_scores(arrays, positive)
    if "labels" in arrays:
        return place_views_of_classes(np.asarray(arrays["labels"]))
    n = arrays["x"].shape[-1 if "columns" in rows else -2]
    if "bank" in arrays:
        own = place_positives(arrays["index"], arrays["bank"].shape[-2], positive)
        return Places({"positive": own, "other view": ~own}, np.ones(n, bool))
    roles, first = place_views(n, positive), np.arange(2 * n) < n
    if "negatives" not in arrays:
        return Places(roles, first)
    of_each_pair = arrays["negatives"].ndim == arrays["x"].ndim + 1
    return Places(add_negatives(roles, n, arrays["negatives"].shape[-2], of_each_pair), first)


def place_positives(index: Any, count: int, positive: str) -> np.ndarray:
    """Return a mask of each anchor's positive among this many candidates."""
    return features.POSITIVES[positive](np.asarray(index), count)[:, None] == np.arange(count)


def place_classes(labels: np.ndarray) -> Places:
    itself = np.eye(len(labels), dtype=bool)
    same = labels[:, None] == labels
    roles = {"self": itself, "positive": same & ~itself, "other view": ~same}
    return Places(roles, np.ones(len(labels), bool))


def place_views_of_classes(labels: np.ndarray) -> Places:
    """The roles of the rows of two views, where every row of the other view with its label is a positive."""
    n = len(labels)
    same = np.tile(labels[:, None] == labels, (2, 2))
    across = np.tile(np.arange(2 * n) < n, (2 * n, 1))
    across[:n] = ~across[:n]
    itself = np.eye(2 * n, dtype=bool)
    roles = {
        "self": itself,
        "positive": across & same,
        "same view": ~across & ~itself,
        "other view": across & ~same,
    }
    return Places(roles, np.arange(2 * n) < n)


def place_scores(arrays: Arrays, positive: str) -> Places:
    """The rows of a matrix are anchors; its columns are too if row i belongs to column i."""
    n, k = arrays["scores"].shape[-2:]
    is_positive = place_positives(arrays["positive"], k, positive)
    square = n == k and bool(np.all(np.asarray(arrays["positive"]) == np.arange(n)))
    masks = np.concatenate([is_positive, is_positive]) if square else is_positive
    return Places({"positive": masks, "other view": ~masks}, np.arange(len(masks)) < n)


def place_views(n: int, positive: str) -> dict[str, np.ndarray]:
    """The roles of the rows of two views, each an anchor and a candidate."""
    pairs = place_positives(np.arange(n), n, positive)
    apart, none = ~np.eye(n, dtype=bool), np.zeros((n, n), dtype=bool)

    def mask(within: np.ndarray, across: np.ndarray) -> np.ndarray:
        return np.block([[within, across], [across, within]])

    roles = {
        "self": mask(~apart, none),
        "positive": mask(none, pairs),
        "same view": mask(apart, none),
        "other view": mask(none, ~pairs),
    }
    if positive == "itself":
        roles |= {"positive": roles["self"], "self": mask(none, none), "other view": mask(none, ~none)}
    return roles


def add_negatives(
    roles: dict[str, np.ndarray], n: int, each: int, of_each_pair: bool
) -> dict[str, np.ndarray]:
    """Append candidates that are only negatives: `each` for every pair, or the same number shared by all pairs."""
    mine = np.ones((2 * n, each), dtype=bool)
    if of_each_pair:
        mine = np.tile(np.repeat(np.eye(n, dtype=bool), each, axis=1), (2, 1))
    absent = np.zeros_like(mine)
    unused = np.zeros((2 * n, 2 * n), bool)
    roles = {role: np.hstack([mask, absent]) for role, mask in roles.items()}
    roles["negatives"] = np.hstack([unused, mine])
    of_queries = np.ones_like(mine)
    of_queries[n:] = False
    roles["queries' negatives"] = np.hstack([unused, of_queries])
    if of_each_pair:
        roles["others' negatives"] = np.hstack([unused, ~mine])
    return roles


def similarities(formula: Formula, of: Arrays, to: Arrays) -> Numbers:
    """s (…, anchors, candidates), with anchors from one set of arrays and candidates from another."""
    if "scores" in of:
        s = of["scores"]
        square = places(of).first.sum() < len(places(of).first)
        return np.concatenate([s, np.swapaxes(s, -1, -2)], axis=-2) if square else s
    numbers = dict(formula.numbers)
    prepare = features.ROWS[formula.rows].function
    if formula.rows == "unit" and numbers.keys() & {"length", "root"}:
        prepare = features.each(features.soften(numbers))
    if numbers.keys() & {"variance", "deviation"}:
        prepare = features.each(features.columns(int("B − 1" in formula.rows), numbers))
    anchors, candidates = prepare(of), prepare(to)
    compare = features.compare(formula.similarity, numbers)
    if "lengths" in numbers:
        anchors, candidates = dict(of), dict(to)
    if "bank" in of:
        return compare(anchors["x"], candidates["bank"])
    names = ("w",) if "w" in of else ("x", "y")
    a = np.concatenate([anchors[name] for name in names], axis=-2)
    blocks = [candidates[name] for name in names]
    if "negatives" in candidates:
        queue = candidates["negatives"]
        if queue.ndim == to["x"].ndim + 1:
            queue = queue.reshape(*queue.shape[:-3], -1, queue.shape[-1])
        blocks.append(queue)
    return compare(a, np.concatenate(blocks, axis=-2))


def total(
    formula: Formula, s: Numbers, where: Places, t: Any, e: Any = None, held: Numbers = None
) -> Numbers:
    """φ from the similarities; t and e are numbers, or arrays that broadcast against s. held: the similarities from
    which constant weights are computed.
    """
    chosen = {"first": where.first, "second": ~where.first, "both": np.ones_like(where.first)}[
        formula.anchors
    ] & where.roles["positive"].any(axis=1)  # a row without a positive is no anchor
    positive = where.roles["positive"][chosen]
    others = np.zeros_like(positive)
    for role in formula.candidates:
        if role != "positive":
            others = others | where.roles[role][chosen]
    head = heads.HEADS[formula.head]
    itself = where.roles.get("self")
    return head.function(
        s[..., chosen, :],
        heads.Masks(
            positive,
            others,
            "positive" in formula.candidates,
            None if itself is None else itself[chosen],
            where.first[chosen],
            dict(formula.numbers),
            None if held is None else held[..., chosen, :],
            where.roles["negatives"][chosen] if "negatives" in where.roles else False,
        ),
        t * formula.sign,
        e,
    )


def phi(formula: Formula, arrays: Arrays, t: Any, e: Any = None) -> Numbers:
    """φ at these arrays."""
    return total(formula, similarities(formula, arrays, arrays), places_of(formula, arrays), t, e)


def places_of(formula: Formula, arrays: Arrays) -> Places:
    """The places of a formula's anchors and candidates."""
    return places(arrays, formula.positive, formula.rows)
