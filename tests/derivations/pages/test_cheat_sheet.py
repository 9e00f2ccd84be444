"""The cheat sheet: the library's values stay within its ranges and reach their ends."""

import inspect

import numpy as np
import pytest

from infonce_ref import floors
from infonce_ref.derivations import losses, symbols
from infonce_ref.derivations.coq import accepted, theorems
from infonce_ref.derivations.pages import cheat_sheet
from infonce_ref.derivations.pages.loss_cards import CARDS
from infonce_ref.losses import ALL

TAU = 0.5
NORTH, SOUTH = np.array([1.0, 0.0]), np.array([-1.0, 0.0])
LOOSE = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])  # columns without correlation


CLASSES = np.array([0, 0, 1, 2, 0, 3, 3, 4])
HARD = {"beta": 1.0, "prior": 0.2}
BY_SIZE = {symbols.N: 8, symbols.B: 4, symbols.M: 3, symbols.K: 4, symbols.d: 2, symbols.tau: TAU}
SHARES = np.array([[0.5, 0.25, 0.25]])
FAR = np.array([[40.0, -40.0, -40.0]])  # e^−80 is lost beside 1
VICREG = {"invariance": 25.0, "variance": 25.0, "covariance": 1.0, "margin": 1.0, "epsilon": 1e-4}
NO_NOISE = {"log_noise_data": np.zeros(1), "log_noise": np.zeros((1, 2))}
INSTANCE_NCE = {"index": np.array([0]), "noise_index": np.array([[1, 2, 2]]), "temperature": TAU}


def cold(**arguments):
    return arguments | {"temperature": TAU}


def ends(make, **options):
    """The batches for both ends: anchor 0 is at the pole with its positive, the others opposite; or reversed."""
    return cold(**make(NORTH, SOUTH), **options), cold(**make(SOUTH, NORTH), **options)


def views(positive, negative):
    return np.stack([NORTH, *[negative] * 3, positive, *[negative] * 3])


def captions(positive, negative):
    return {"image": np.stack([NORTH, *[SOUTH] * 3]), "text": np.stack([positive, *[negative] * 3])}


def keys(positive, negative):
    return {"query": NORTH[None], "positive": positive[None], "negatives": np.stack([negative] * 3)}


def memory(own, other):
    return {"v": NORTH[None], "bank": np.stack([own, *[other] * 3]), "index": np.array([0])}


def pairs(z1, z2, **options):
    return {"z1": z1, "z2": z2, **options}


def on_views(name):
    return lambda *poles: {name: views(*poles)}


# For each loss a batch whose first row, or value, is at the lower end, another one for the upper end, and the
# parameters of its range.
ENDS = {
    "infonce": ends(on_views("z")),
    "ntxent": ends(on_views("w")),
    "dcl": ends(on_views("w")),
    "hard_negative": ends(on_views("w"), **HARD),
    "supcon": (cold(w=np.where((CLASSES == 0)[:, None], NORTH, SOUTH), labels=CLASSES), None),
    "clip": ends(captions),
    "siglip": ends(captions, bias=-1.0),
    "dhn_nce": ends(captions, beta1=0.5, beta2=1.0),
    "cpc": ({"scores": FAR, "positive": np.array([0])}, None),
    "query_key": ends(keys),
    "soft_targets": ({"scores": np.log(SHARES), "targets": SHARES}, None),
    "instance": ends(memory),
    "triplet": ({"anchor": LOOSE, "positive": LOOSE, "negative": LOOSE + 9, "margin": 1.0}, None),
    "byol": ({"prediction": LOOSE, "target": 2 * LOOSE}, {"prediction": LOOSE, "target": -LOOSE}),
    "simsiam": tuple({"p1": LOOSE, "z1": LOOSE, "p2": x, "z2": x} for x in (LOOSE, -LOOSE)),
    "alignment": tuple(pairs(NORTH[None], other[None], exponent=3.0) for other in (NORTH, SOUTH)),
    "uniformity": tuple({"z": np.stack([NORTH, other]), "t": 2.0} for other in (SOUTH, NORTH)),
    "spectral": (pairs(np.eye(2), np.eye(2)), pairs(np.stack([NORTH] * 2), np.stack([SOUTH] * 2))),
    "barlow_twins": (
        pairs(LOOSE, LOOSE, weight=0.3),
        pairs(LOOSE[:, [0, 0]], -LOOSE[:, [0, 0]], weight=0.3),
    ),
    "vicreg": (pairs(5 * LOOSE, 5 * LOOSE, **VICREG), None),
    "nce": ({"data_scores": FAR[:, 0], "noise_scores": FAR[:, 1:], **NO_NOISE}, None),
    "instance_nce": (
        {"v": 40 * NORTH[None], "bank": np.stack([NORTH, 0 * NORTH, SOUTH]), **INSTANCE_NCE},
        None,
    ),
}
PARAMETERS = {
    symbols.prior_of_class: HARD["prior"],
    symbols.siglip_bias: -1.0,
    symbols.exponent: 3,
    symbols.sharpness: 2,
    symbols.redundancy: 0.3,
}
ROWS = {"z", "w", "z1", "z2", "image", "text", "query", "positive", "negatives", "v", "bank"}


def value(name, arguments):
    """The loss of the first row if the range is that of a row; DHN-NCE's rows have two directions, equal at
    the ends.
    """
    row = CARDS[name].of != symbols.loss
    found, _ = ALL[name].forward(**arguments, **({"reduction": "none"} if row else {}))
    return (found[0] if row else found) / (2 if name == "dhn_nce" else 1)


def number(end):
    """An end of a range as a number, for the batches above."""
    if end.has(symbols.target_share):
        return -np.sum(SHARES * np.log(SHARES))
    named = {symbols.number[symbols.i]: np.sum(CLASSES == 0) - 1}
    return float(end.subs(BY_SIZE | PARAMETERS | named))


def test_every_loss_has_a_card_and_every_range_has_ends():
    assert set(CARDS) == set(ALL)
    assert {name for name, card in CARDS.items() if card.least is not None} == set(ENDS)


@pytest.mark.parametrize("name", ENDS)
def test_the_ends_of_the_range_are_reached(name):
    for batch_at, end in zip(ENDS[name], (CARDS[name].least, CARDS[name].most), strict=True):
        assert (batch_at is None) == (end is None)
        if end is not None:
            # 1e-12 allows a few hundred roundings of exponentials up to e^4
            assert value(name, batch_at) == pytest.approx(number(end), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", [name for name, card in CARDS.items() if card.rows == "of unit rows"])
def test_random_unit_rows_stay_within(name):
    rng = np.random.default_rng(0)
    card = CARDS[name]
    for _ in range(50):
        arguments = dict(ENDS[name][0])
        for rows in ROWS & set(arguments):
            drawn = rng.standard_normal(arguments[rows].shape)
            arguments[rows] = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        found = value(name, arguments)
        assert number(card.least) <= found
        assert card.most is None or found <= number(card.most)


SIZES = cold(pairs=4, rows=8, features=8, t=2.0, beta1=0.5, beta2=1.0, sigma=None)


@pytest.mark.parametrize("name", [name for name, card in CARDS.items() if card.floor is not None])
def test_floors_are_the_library_s(name):
    takes = {one: SIZES[one] for one in inspect.signature(floors.ALL[name]).parameters}
    known = floors.least(name, **takes)
    assert number(CARDS[name].floor) == pytest.approx(known.value, rel=1e-12, abs=0)  # a few roundings
    assert known.reached


def test_the_libraries_of_a_loss_compute_nothing_else():
    """MONAI's and lightly's functions compute NT-Xent; others of docs/peers.md compute variants of it."""
    assert cheat_sheet.find_calls("ntxent")[:2] == ["lightly.loss.NTXentLoss", "monai.losses.ContrastiveLoss"]
    assert cheat_sheet.find_calls("dhn_nce") == []


def test_a_gradient_has_a_tick_if_coq_accepted_it(find_card, monkeypatch):
    """And the sheet gives the date, since Coq does not run when the sheet is built."""
    statement = losses.statements("query_key")[""]
    by = statement.gradients["query"]
    cards = {id: find_card(id) for id in by.claims}
    bare = {id: card._replace(evidence={}) for id, card in cards.items()}
    for known in (cards, bare):  # the gradient is proved here if no claim does
        assert "accepted by Coq" in cheat_sheet.Sheet(known, []).prove(statement, by)[1]
    monkeypatch.setattr(theorems, "_accepted", frozenset)
    assert cheat_sheet.Sheet(bare, []).prove(statement, by)[1] == ""
    known = accepted.read_record()
    assert (
        f"where Coq accepted it, recorded with Coq {known['coq']} on {known['date']}" in cheat_sheet._head()
    )
