"""The identities by themselves: they hold for right losses, check every input, and detect a small error."""

import inspect
import re
from itertools import islice

import numpy as np
import pytest

from infonce_ref.derivations.documents import PATTERN
from infonce_ref.floors import least
from infonce_ref.information import ESTIMATORS
from infonce_ref.losses import ALL
from infonce_ref.verify import drawn, identities, judge
from infonce_ref.verify.case import Case
from infonce_ref.verify.identities import shared
from infonce_ref.verify.identities.identity import file_of


@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_an_error_of_a_millionth_in_one_entry_is_detected(loss):
    for name in loss.differentiable:

        def nudged(cache, upstream=1.0, name=name):
            gradients = loss.backward(cache, upstream)
            wrong = np.array(getattr(gradients, name))
            wrong.flat[-1] += 1e-6
            return gradients._replace(**{name: wrong})

        case = Case.of(loss._replace(backward=nudged), loss.example(), "", "float64")
        assert not all(check.holds for check in identities.testify(case) if check.input == name), name


@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
def test_the_identities_of_an_estimator_hold_at_every_drawn_case(estimator):
    """Laws with nearly empty cells are among them."""
    for case in drawn.cases(estimator, "float64", judge.SEED):
        assert [check for check in identities.testify(case) if not check.holds] == []


@pytest.mark.parametrize("loss", ALL)
def test_every_identity_begins_with_its_claims(loss):
    for identity in identities.list_all(loss):
        claims, colon, _ = identity.__doc__.partition(":")
        assert colon
        for claim in claims.split(", "):
            assert claim == "The contract" or re.fullmatch(PATTERN, claim)


@pytest.mark.parametrize("loss", ALL)
def test_every_identity_of_a_file_is_listed(loss):
    file = file_of(loss)
    written = {
        name
        for name, x in vars(file).items()
        if inspect.isgeneratorfunction(x) and x.__module__ == file.__name__
    }
    assert written <= {identity.__name__ for identity in file.IDENTITIES}


JUDGED = {loss.name: loss for loss in (*ALL.values(), *ESTIMATORS.values())}


def list_terms(case):
    """What the document's formulas give, and the size of the terms: entries of gradients, and the value."""
    formulas = file_of(case.loss.name)
    return [
        *formulas.gradient(case).values(),
        *([formulas.value(case)] if hasattr(formulas, "value") else []),
    ]


@pytest.mark.parametrize("name", JUDGED)
def test_the_size_of_the_terms_is_at_least_their_sum(name):
    """Of both sides of every identity, except that of dtypes and shapes. 1e-6: small terms are rounded."""
    for case in islice(drawn.cases(JUDGED[name], "float64", judge.SEED), 9):
        known = identities.list_all(name) if case.arguments.get("reduction") != "none" else ()
        compared = {
            identity.__name__: list(identity(case)) for identity in known if identity is not shared.contract
        }
        for sides in compared.values():
            for _, left, right, size in sides:
                larger = np.nan_to_num(np.maximum(np.abs(left), np.abs(right)), posinf=0.0)
                assert np.all(larger <= np.abs(size) * (1 + 1e-6))


@pytest.mark.parametrize("name", JUDGED)
def test_the_size_of_the_terms_does_not_hide_their_sum(name):
    """Errors are relative to it. Where few terms cancel, as at the example, it is a few times the sum."""
    case = Case.of(JUDGED[name], JUDGED[name].example(), "", "float64")
    ratios = [np.median(size / np.maximum(np.abs(sum), 1e-300)) for sum, size in list_terms(case)]
    assert max(ratios) < 40


POLES = np.tile([[1.0, 0.0], [-1.0, 0.0]], (2, 1))  # each positive is at its anchor, each negative opposite
NO_CORRECTION = {"beta": 0.0, "prior": 0.0}
REACHED = [
    ("ntxent", "within_its_range", {"w": POLES, "temperature": 0.5}, abs),
    ("dcl", "within_its_range", {"w": POLES, "temperature": 0.5}, lambda value: abs(value - np.log(2))),
    ("hard_negative", "no_lower_than_its_floor", {"w": POLES, "temperature": 0.5, **NO_CORRECTION}, abs),
    ("infonce", "floor_of_log_two", {"z": POLES, "temperature": 0.01}, abs),
    (
        "soft_targets",
        "at_least_the_entropy",
        {"scores": np.zeros((3, 2)), "targets": np.full((3, 2), 0.5)},
        abs,
    ),
    ("information.infonce", "at_most_log_n", {"scores": 100 * np.eye(3)}, abs),
]


@pytest.mark.parametrize(
    ("name", "identity", "arguments", "measure"), REACHED, ids=[f"{x[0]} {x[1]}" for x in REACHED]
)
def test_a_bound_is_reached(name, identity, arguments, measure):
    """A weaker bound would hold too, and so no case could show it. The identity of a loss of 0 shows the bound."""
    loss = JUDGED[name]
    reached = measure(Case(loss, loss.example() | arguments, "").value())
    nothing = loss._replace(forward=lambda **_: (0.0, None))
    _, *sides, _ = next(getattr(file_of(name), identity)(Case(nothing, loss.example() | arguments, "")))
    assert any(abs(side) == pytest.approx(reached, rel=1e-15, abs=0) for side in sides)


def test_the_floor_of_barlow_twins_is_the_least_value_that_is_known():
    """The identity of a loss of 0, which is below the floor, shows the floor."""
    loss = ALL["barlow_twins"]
    case = Case(
        loss._replace(forward=lambda **_: (0.0, None)), loss.example(rows=4, features=5) | {"weight": 0.3}, ""
    )
    ((_, shown, value, _),) = file_of("barlow_twins").above_its_floor(case)
    assert value == 0
    assert shown == pytest.approx(
        least("barlow_twins", pairs=4, features=5, weight=0.3).value, rel=1e-15, abs=0
    )


def test_at_the_kink_of_the_triplet_loss_both_hinges_are_inactive():
    loss = ALL["triplet"]
    arguments = loss.example()
    case = Case(loss, arguments | {"negative": arguments["positive"]}, "")
    assert all(np.array_equal(left, right) for _, left, right, _ in file_of("triplet").both_sides(case))


def test_the_terms_of_vicreg_do_not_grow_with_the_mean():
    """1e-9: the rows are rounded at a thousand times their size."""
    loss = ALL["vicreg"]
    case = Case(loss, loss.example(), "")
    moved = case.at(**{name: case.arguments[name] + 1000.0 for name in ("z1", "z2")})
    here, there = (file_of("vicreg").gradient(at) for at in (case, moved))
    for name in here:
        assert np.allclose(here[name][1], there[name][1], rtol=1e-9, atol=0)


def test_rows_get_different_lengths():
    """A loss that depends on the ratio of two lengths shows it."""
    lengths = []
    loss = ALL["ntxent"]

    def forward(**arguments):
        lengths.append(np.linalg.norm(arguments["w"], axis=1))
        return loss.forward(**arguments)

    list(shared.scale_free(Case(loss._replace(forward=forward), loss.example(), "")))
    assert np.ptp(lengths[-1] / lengths[0]) > 1


def test_simsiam_is_compared_with_and_without_its_stop_gradient():
    loss = ALL["simsiam"]

    def forward(stop_gradient=True, **arguments):
        value, cache = loss.forward(stop_gradient=stop_gradient, **arguments)
        return value + (not stop_gradient), cache

    case = Case(loss._replace(forward=forward), loss.example(), "")
    *_, (_, there, here, _) = file_of("simsiam").the_gradient_stops(case)
    assert there == here + 1


def test_a_gradient_along_its_rows_is_shown_whole():
    """The gradient w of ½‖w‖² has ⟨w_i, w_i⟩ = 25 along each row of length 5."""
    loss = ALL["ntxent"]
    w = np.tile([3.0, 4.0], (4, 1))
    wrong = loss._replace(
        backward=lambda *_: loss.backward(loss.forward(w, temperature=1.0)[1])._replace(w=w)
    )
    ((_, along, zero, _),) = shared.tangential(Case(wrong, loss.example() | {"w": w}, ""))
    assert along.tolist() == [25.0] * 4
    assert not zero.any()


def lean(loss):
    """The loss with gradients that one entry of its first array multiplies, as no property of the family allows."""
    first = loss.differentiable[0]

    def forward(**arguments):
        value, cache = loss.forward(**arguments)
        return value, (cache, 1 + arguments[first][1, 1])

    def backward(cache, upstream=1.0):
        gradients = loss.backward(cache[0], upstream)._asdict()
        return loss.backward(cache[0], upstream)._replace(
            **{n: x * cache[1] for n, x in gradients.items() if n in loss.differentiable}
        )

    return loss._replace(forward=forward, backward=backward)


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        (shared.turned, "ntxent"),
        (shared.scale_free, "ntxent"),
        (shared.exchanged, "ntxent"),
        (shared.layouts, "ntxent"),
        (shared.scale_free_columns, "barlow_twins"),
        (shared.in_any_order, "barlow_twins"),
        (shared.signs_of_features, "barlow_twins"),
        (shared.views_exchanged, "barlow_twins"),
        (shared.shared_feature, "query_key"),
    ],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_an_identity_alone_refuses_gradients_that_lean_on_one_entry(identity, name):
    """A change of the arrays that changes nothing would show nothing."""
    wrong = lean(ALL[name])
    sides = list(identity(Case.of(wrong, wrong.example(), "", "float64")))
    assert any(np.max(np.abs(left - right)) > 1e-3 for _, left, right, _ in sides)
    sides = list(identity(Case.of(ALL[name], wrong.example(), "", "float64")))
    assert all(np.max(np.abs(left - right)) < 1e-12 for _, left, right, _ in sides)
