"""What `verify` does not try: bad input, kinks, and rows so large, small or near that digits are easily lost."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from infonce_ref import losses, streaming

EXACT = 1e-14  # a few dozen roundings of numbers of order 1
EXAMPLES = {name: loss.example() for name, loss in losses.ALL.items()}
TARGETS = EXAMPLES["soft_targets"]["targets"]
TWINS = EXAMPLES["barlow_twins"]
COPIED = TWINS["z1"][:, [0, 0, 0]]  # three equal columns, so every correlation is 1
DEAD = np.where(np.arange(3) == 1, 0.3, TWINS["z1"])  # the second column is constant
ODD = {"w": np.ones((7, 3))}


# --- bad input ------------------------------------------------------------------------------------------------

# The loss, the change of its example, and the words of the refusal; what holds of every loss: test_contract.py.
REFUSED = [
    ("infonce", {"z": np.ones((7, 3))}, r"even number of rows.*got 7"),
    ("ntxent", ODD, r"even number of rows.*got 7"),
    ("dcl", ODD, r"even number of rows.*got 7"),
    ("dcl", {"w": np.ones((2, 3))}, "at least two pairs: .* an empty sum is −∞"),
    ("dcl", {"sigma": 0.0}, "sigma must be positive and finite; got 0.0"),
    ("hard_negative", ODD, "even number of rows"),
    ("hard_negative", {"beta": -1.0}, "beta must be finite and not negative"),
    ("hard_negative", {"prior": 1.0}, "prior must be at least 0 and below 1; got 1.0"),
    ("supcon", {"labels": np.arange(6)}, "labels must repeat"),
    ("query_key", {"positive": np.ones((3, 0))}, "positive must not be empty"),
    ("soft_targets", {"targets": TARGETS * [[1], [1], [2]]}, "must sum to 1; got one that is 1 off"),
    ("soft_targets", {"targets": TARGETS * [[1], [0.5], [1]]}, "must sum to 1; got one that is 0.5 off"),
    ("soft_targets", {"targets": TARGETS * (1 + 1e-6)}, "must sum to 1; got one that is 1e-06 off"),
    ("soft_targets", {"targets": TARGETS - 0.5}, "must not be negative"),
    ("triplet", {"margin": -0.1}, "margin must be finite and not negative"),
    ("byol", {"target": np.zeros((4, 3))}, "target must have no zero row"),
    ("simsiam", {"stop_gradient": "yes"}, "stop_gradient must be one of"),
    ("alignment", {"exponent": 0.0}, "exponent must be positive and finite"),
    ("alignment", {"exponent": 2000.0}, "alignment overflows float64"),
    ("uniformity", {"z": np.ones((1, 3))}, "z must hold at least two rows"),
    ("uniformity", {"t": 0.0}, "t must be positive and finite"),
    ("spectral", {"z1": np.ones((1, 3)), "z2": np.ones((1, 3))}, "at least two pairs: .* a mean over none"),
    (
        "barlow_twins",
        {"z1": TWINS["z1"][:1], "z2": TWINS["z2"][:1]},
        "at least two rows, or no column varies",
    ),
    ("barlow_twins", {"z1": DEAD}, "z1 must have no constant column, .* drop such features"),
    ("barlow_twins", {"z2": DEAD}, "z2 must have no constant column, .* drop such features"),
    ("barlow_twins", {"weight": -0.1}, "weight must be finite and not negative"),
    ("barlow_twins", {"weight": 1e308, "z1": COPIED, "z2": COPIED}, "barlow_twins overflows float64"),
    ("vicreg", {"z1": TWINS["z1"][:1], "z2": TWINS["z2"][:1]}, "at least two rows, or no column varies"),
    *(
        ("vicreg", {option: -1.0}, f"{option} must be finite and not negative")
        for option in ("invariance", "variance", "covariance", "margin")
    ),
    ("vicreg", {"epsilon": 0.0}, "epsilon must be positive and finite"),
    ("dhn_nce", {"image": np.ones((1, 3)), "text": np.ones((1, 3))}, "at least two pairs: .* is −∞"),
    ("dhn_nce", {"beta1": -0.1}, "beta1 must be finite and not negative"),
    ("dhn_nce", {"beta2": -0.1}, "beta2 must be finite and not negative"),
    ("nce", {"noise_scores": np.ones((3, 0))}, "noise_scores must not be empty"),
    ("instance_nce", {"noise_index": np.zeros((3, 0), dtype=int)}, "noise_index must not be empty"),
]


@pytest.mark.parametrize(("name", "change", "message"), REFUSED)
def test_bad_arguments_are_refused(name, change, message):
    """Also by the streaming form, if it has the option."""
    for registry in (losses.ALL, streaming.ALL):
        if name in registry and not ("sigma" in change and registry is streaming.ALL):
            with pytest.raises(ValueError, match=message):
                registry[name].forward(**EXAMPLES[name] | change)


def test_a_column_that_does_not_count_may_be_empty():
    """The first text keeps only its own image; without the columns' loss it need not have another."""
    keep = np.arange(4) + np.zeros((4, 4)) > 0
    with pytest.raises(ValueError, match="keep must leave each row a candidate besides"):
        losses.clip.forward(**EXAMPLES["clip"], keep=keep)
    assert np.isfinite(losses.clip.forward(**EXAMPLES["clip"], symmetric=False, keep=keep)[0])


# --- kinks and empty sums ---------------------------------------------------------------------------------------


def slopes(loss, *rows, **options):
    return loss.backward(loss.forward(*rows, **options)[1])


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0, 3.0])
def test_alignment_of_a_pair_that_coincides_has_loss_0_and_gradient_0(exponent):
    z1, z2 = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[1.0, 2.0], [0.0, 2.0]])
    value, cache = losses.alignment.forward(z1, z2, exponent=exponent)
    assert value == 0.5
    np.testing.assert_array_equal(losses.alignment.backward(cache).z1, [[0, 0], [0, -exponent / 2]])
    assert slopes(losses.alignment, np.array([[5e-324]]), np.array([[0.0]]), exponent=1.0).z1 == 1


def test_the_hinge_of_triplets_is_inactive_at_a_tie_and_active_just_past_it():
    anchor, positive, negative = np.zeros((1, 2)), np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])
    value, cache = losses.triplet.forward(anchor, positive, negative, margin=3.0)  # 1 − 4 + 3
    assert value == 0
    assert all(not np.any(g) for g in losses.triplet.backward(cache))
    past = slopes(losses.triplet, anchor, positive, negative, margin=np.nextafter(3.0, 4.0))
    np.testing.assert_array_equal(past.anchor, 2 * (negative - positive))


def vicreg_of(z1, z2=None, **options):
    example = {name: x for name, x in EXAMPLES["vicreg"].items() if name not in ("z1", "z2")}
    value, cache = losses.vicreg.forward(z1, z1 if z2 is None else z2, **example | options)
    return value, losses.vicreg.backward(cache).z1


COLUMN = np.array([[-1.0], [0.0], [1.0]])  # of deviation 1


def test_the_hinge_of_vicreg_is_inactive_at_the_margin_and_active_just_below_it():
    value, gradient = vicreg_of(COLUMN, margin=1.0, epsilon=1e-20)  # 1 + ε is 1 in float64
    assert value == 0
    assert not np.any(gradient)
    _, gradient = vicreg_of(COLUMN, margin=1 + 2.0**-50, epsilon=1e-20)
    np.testing.assert_array_equal(gradient[:, 0], [12.5, 0, -12.5])  # μ z̃/((B−1) S)


def test_a_candidate_left_out_of_cpc_has_no_gradient_and_a_positive_stays():
    keep, scores = np.array([[False, True, True, False, True]] * 3), EXAMPLES["cpc"]
    stays = keep | (np.arange(5) == scores["positive"][:, None])
    np.testing.assert_array_equal(slopes(losses.cpc, **scores, keep=keep).scores != 0, stays)


@pytest.mark.parametrize("form", ["out", "in"])
def test_an_anchor_without_a_positive_has_no_loss_but_is_a_negative(form):
    batch = losses.ALL["supcon"].example(rows=4)  # classes 0 1 0 1, twice, except for the last row
    each, cache = losses.supcon.forward(**batch, form=form, reduction="none")
    np.testing.assert_array_equal(each > 0, np.arange(8) != 7)
    alone = np.zeros(8)
    alone[-1] = 1.0
    assert not np.any(losses.supcon.backward(cache, alone).w)
    others = losses.supcon.backward(cache, 1 - alone).w
    assert np.linalg.norm(others[-1]) > 0.01
    whole, of_mean = losses.supcon.forward(**batch, form=form)
    assert whole == pytest.approx(np.sum(each) / 7, rel=EXACT, abs=0)
    np.testing.assert_allclose(losses.supcon.backward(of_mean).w, others / 7, atol=EXACT)


# A single pair has no negative; if the loss only needs the sum over negatives, it is log(1 + 0) = 0. An anchor
# without a positive has no loss.
FIRST, SECOND = np.array([[3.0, -1.0, 0.5]]), np.array([[2.5, 0.3, 0.7]])
PAIR = np.concatenate([FIRST, SECOND])
QUERIES = {"query": PAIR, "positive": PAIR + 1.0}
VIEWS = {"image": FIRST, "text": SECOND, "temperature": 0.3}
LEFT_ALONE = {
    "ntxent": {"w": PAIR, "temperature": 0.3},
    "ntxent, interleaved": {"w": PAIR, "temperature": 0.3, "layout": "interleaved"},
    "hard_negative": {"w": PAIR, "temperature": 0.3, "beta": 1.0, "prior": 0.1},
    "hard_negative, debiased": {"w": PAIR, "temperature": 0.3, "beta": 0.0, "prior": 0.5},
    "hard_negative, no prior": {"w": PAIR, "temperature": 1e-3, "beta": 30.0, "prior": 0.0},
    "clip": VIEWS,
    "query_key": {**QUERIES, "negatives": np.ones((0, 3)), "temperature": 0.3},
    "query_key, own": {**QUERIES, "negatives": np.ones((2, 0, 3)), "temperature": 0.3},
    "cpc": {"scores": PAIR[:, :1], "positive": np.array([0, 0])},
    "instance": {"v": PAIR, "bank": FIRST, "index": np.array([0, 0]), "temperature": 0.3},
    "soft_targets": {"scores": PAIR[:, :1], "targets": np.ones((2, 1))},
    "supcon, one class": {"w": PAIR, "labels": np.zeros(2, int), "temperature": 0.1, "form": "pairs"},
}
for rows in (1, 2, 7):
    w = EXAMPLES["supcon"]["w"][[0, 1, 2, 3, 4, 5, 0]][:rows]
    of_supcon = {"w": w, "labels": np.arange(rows), "temperature": 0.01, "no_positives": "zero"}
    LEFT_ALONE |= {f"supcon, {rows} {form}": of_supcon | {"form": form} for form in ("out", "in", "pairs")}


@pytest.mark.parametrize(
    ("loss", "arguments"),
    [
        pytest.param(loss, arguments, id=kind + case)
        for kind, registry in (("", losses.ALL), ("streaming.", streaming.ALL))
        for case, arguments in LEFT_ALONE.items()
        if (loss := registry.get(case.partition(",")[0]))
    ],
)
def test_a_loss_without_negatives_or_positives_is_0_and_so_is_each_gradient(loss, arguments, library):
    if not library.streams and loss in streaming.ALL.values():
        return
    for reduction in ("mean", "sum", "none"):
        value, cache = loss.forward(**library.arguments(arguments), reduction=reduction)
        shape = (len(arguments[loss.differentiable[0]]),) if reduction == "none" else ()
        assert value.shape == shape
        upstream = np.full(shape, 1.5) if reduction == "none" else 1.5
        gradients = loss.backward(cache, **library.arguments({"upstream": upstream}))
        assert np.all(library.back(value)[0] == 0)
        for name, gradient in zip(loss.differentiable, library.back(*gradients), strict=True):
            assert gradient.shape == np.shape(arguments[name])
            assert np.all(gradient == 0)


# --- rows that nearly coincide, or are far from 0 -----------------------------------------------------------------


@pytest.mark.parametrize("factor", [1.0, 3.0, 1e-200, 1e200, -1.0, -3.0, -1e200])
@pytest.mark.parametrize("angle", [1e-3, 1e-9, 1e-15])
def test_a_target_of_byol_parallel_or_opposite_to_the_prediction_loses_no_digits(factor, angle):
    q = np.array([[3.0, 4.0, 1.0]])
    z = factor * (q + angle * np.array([[4.0, -3.0, 0.5]]))
    value, cache = losses.byol.forward(q, z)
    with mpmath.workdps(60):
        exact = [[mpmath.mpf(float(x)) for x in rows[0]] for rows in (q, z)]
        q_unit, z_unit = ([x / mpmath.norm(row) for x in row] for row in exact)
        expected = sum((a - b) ** 2 for a, b in zip(q_unit, z_unit))
        cosine = sum(a * b for a, b in zip(q_unit, z_unit))
        right = [-2 * (b - cosine * a) / mpmath.norm(exact[0]) for a, b in zip(q_unit, z_unit)]
        assert abs(value / expected - 1) < EXACT
        errors = [abs(x - y) for x, y in zip(losses.byol.backward(cache).prediction[0], right)]
        assert max(errors) / max(map(abs, right)) < EXACT


@pytest.mark.parametrize("angle", [1e-3, 1e-9, 1e-15])
def test_nearly_opposite_rows_of_simsiam_are_as_accurate_as_nearly_equal_ones(angle):
    """−(p/‖p‖)·(−z/‖z‖) = −D(p, z): the gradient by p changes sign with z, the one by z does not."""
    p, z1 = EXAMPLES["simsiam"]["p1"], EXAMPLES["simsiam"]["z1"]
    z = p + angle * z1
    near, opposite = (slopes(losses.simsiam, p1=p, z1=y, p2=p, z2=y, stop_gradient=False) for y in (z, -z))
    np.testing.assert_array_equal(opposite.p1, -near.p1)
    np.testing.assert_array_equal(opposite.z1, near.z1)


def test_a_negative_almost_equal_to_the_positive_keeps_its_digits():
    a, p, n = 1e8, 1.0, 1.0 + 2.0**-30
    exact = (Fraction(a) - Fraction(p)) ** 2 - (Fraction(a) - Fraction(n)) ** 2
    value, _ = losses.triplet.forward(*(np.array([[x]]) for x in (a, p, n)), margin=0.0)
    assert value == pytest.approx(float(exact), rel=EXACT, abs=0)


def test_rows_of_uniformity_that_nearly_coincide_keep_their_digits():
    z = np.array([[1.0], [1.0 + 2**-30], [1.0 - 2**-30]])
    value, cache = losses.uniformity.forward(z, t=2.0)
    # −t times the mean of 1, 1 and 4; relative to it the next term is 2⁻⁶⁰
    assert value == pytest.approx(-2 * 2 * 2.0**-60, rel=1e-15, abs=0)
    np.testing.assert_allclose(losses.uniformity.backward(cache).z[:, 0], [0, -(2**-28), 2**-28], rtol=1e-15)


def test_one_near_pair_of_many_keeps_its_digits():
    # 2/(N(N−1)) is not close to 1, so log(1 + (2/(N(N−1)) − 1)) would lose two digits
    value, _ = losses.uniformity.forward(np.array([[0.0], *([float(k)] for k in range(82))]), t=1e4)
    assert value == pytest.approx(-math.log(83 * 82 / 2), rel=1e-15, abs=0)


def test_a_mean_far_from_0_costs_no_digits():
    z1, z2 = (np.round(TWINS[name] * 16) / 16 for name in ("z1", "z2"))  # so that 2³⁰ + z is exact
    for x, y in zip(*(slopes(losses.barlow_twins, z, z2, weight=0.1) for z in (z1, z1 + 2**30)), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-13)
    np.testing.assert_allclose(vicreg_of(z1)[1], vicreg_of(z1 + 2**30)[1], rtol=1e-13)


def test_a_bank_far_from_0_keeps_its_digits():
    bank = np.round(EXAMPLES["instance"]["bank"] * 2**10) / 2**10  # so that the sum is exact
    near, far = (
        losses.instance.forward(**EXAMPLES["instance"] | {"bank": b})[0] for b in (bank, bank + 2.0**30)
    )
    assert far == pytest.approx(near, rel=EXACT, abs=0)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("loss", [losses.query_key, streaming.query_key])
def test_keys_that_coincide_far_from_0_give_a_query_no_gradient(own, loss):
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((5, 3)), 1e4 + rng.standard_normal((1, 3))
    negatives = np.broadcast_to(key, (5, 7, 3) if own else (7, 3)).copy()
    value, cache = loss.forward(query, np.repeat(key, 5, axis=0), negatives, temperature=0.3)
    gradients = loss.backward(cache)
    assert value == pytest.approx(np.log(8), rel=1e-15, abs=0)
    assert not np.any(gradients.query)
    assert gradients.temperature == 0


@pytest.mark.parametrize("loss", [losses.query_key, streaming.query_key])
def test_keys_far_from_0_and_near_to_one_another_keep_their_digits(loss):
    """Subtracting 2²⁰, which is exact, gives keys near 0 with the same loss."""
    rng = np.random.default_rng(1)
    query, rows = rng.standard_normal((5, 3)), np.round(rng.standard_normal((12, 3)) * 2**20) / 2**20
    near, far = (slopes(loss, query, x[:5], x[5:], temperature=0.3) for x in (rows, rows + 2.0**20))
    np.testing.assert_allclose(far.query, near.query, rtol=1e-13)
    np.testing.assert_allclose(far.temperature, near.temperature, rtol=1e-13)


@pytest.mark.parametrize(("dtype", "offset"), [("float32", 1e4), ("float64", 1e8), ("float64", 1e15)])
def test_adding_any_number_to_a_row_of_scores_changes_nothing(dtype, offset):
    """The scores are multiples of 1/2, so that adding the offset is exact."""
    scores = np.asarray([[0.5, -1.0, 2.0, 0.0], [3.0, 0.0, -0.5, 1.0]], dtype=dtype)
    there = scores + np.asarray(offset, dtype=dtype)
    here, there = (losses.cpc.forward(x, positive=np.array([1, 0]))[0] for x in (scores, there))
    assert there == here


# --- rows and options at the ends of the dtype -----------------------------------------------------------------


@pytest.mark.parametrize(
    "row", [[-3e-300, 4e-300], [-3e200, -4e200], [3e200, 4e-200], [1e-200, 3e200, 4e200]]
)
def test_a_distance_of_any_size_is_right(row):
    row = np.array([row])
    value, cache = losses.alignment.forward(row, np.zeros_like(row), exponent=1.0)
    assert value == pytest.approx(math.hypot(*row[0]), rel=1e-15, abs=0)
    np.testing.assert_allclose(losses.alignment.backward(cache).z1, row / value, rtol=1e-15)


def test_the_scale_of_a_distance_causes_no_rounding():
    # with 1/9 rounded, its square and the root of 1 + 1/81 would not round to the number nearest to √82
    rows = np.array([[float(x), 9.0] for x in range(1, 9)])
    lengths, _ = losses.alignment.forward(rows, np.zeros_like(rows), exponent=1.0, reduction="none")
    np.testing.assert_array_equal(lengths, [math.sqrt(x * x + 81) for x in range(1, 9)])


@pytest.mark.parametrize("length", [1e-300, 1e300])
def test_columns_of_any_length_have_the_same_loss(length):
    value = losses.barlow_twins.forward(TWINS["z1"] * length, TWINS["z2"], weight=0.005)[0]
    assert value == pytest.approx(losses.barlow_twins.forward(**TWINS)[0], rel=EXACT, abs=0)


def test_a_deviation_is_found_if_its_square_overflows():
    assert vicreg_of(COLUMN * 1e170)[0] == 0  # the columns' deviation exceeds the margin


def test_a_row_whose_length_overflows_still_has_a_direction():
    largest, target = np.finfo(float).max, np.array([[1.0, 1.0, 2.0]])
    expected, cache = losses.byol.forward(np.ones((1, 3)), target)
    value, of_huge = losses.byol.forward(np.full((1, 3), largest), 1e-150 * target)
    assert value == pytest.approx(expected, rel=EXACT, abs=0)
    right = losses.byol.backward(cache).prediction / largest
    np.testing.assert_allclose(losses.byol.backward(of_huge).prediction, right, rtol=EXACT)


def test_rows_whose_squared_distance_overflows_do_not_interact():
    value, cache = losses.uniformity.forward(np.array([[0.0], [1.0], [1e200]]), t=1.0)
    assert value == pytest.approx(-1 - math.log(3), rel=1e-15, abs=0)
    assert losses.uniformity.backward(cache).z[2] == 0


def test_the_hardest_weight_does_not_lose_the_digits_of_beta_times_its_logit():
    # βL is near 1e8: log W as a difference of such numbers would be wrong in its 8th digit
    logits = np.array([[0.0, 3.3, 1.0], [1.0, 0.0, 2.3], [7.1, 6.0, 0.0]])
    value, _ = losses.dhn_nce.forward(logits, np.eye(3), temperature=1.0, beta1=1e7, beta2=1e7)
    hardest = (3.3 + 2.3 + 7.1) + (7.1 + 6.0 + 2.3)  # of each row, and of each column; the others weigh 0
    assert value == pytest.approx(hardest + 6 * math.log(2), rel=1e-13, abs=0)
    angle = np.array([0.3, 0.7, 1.6, 2.4])
    w = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    value, _ = losses.hard_negative.forward(w, temperature=1.0, beta=1e7, prior=0.0)
    cosines = np.cos(angle[:, None] - angle)
    positive = cosines[np.arange(4), [2, 3, 0, 1]]
    hardest = cosines[np.arange(4), [1, 0, 3, 2]]  # of the nearest row, which is no partner
    expected = np.mean(np.log1p(2 * np.exp(hardest - positive)))
    assert value == pytest.approx(expected, rel=EXACT, abs=0)


def test_targets_off_by_half_the_digits_change_the_gradient_by_as_much():
    targets = np.array([[0.0, 1 + 2.0**-26]])
    value, cache = losses.soft_targets.forward(np.array([[700.0, 0.0]]), targets=targets)
    assert value == 700 * targets[0, 1]
    np.testing.assert_array_equal(
        losses.soft_targets.backward(cache).scores, targets[0, 1] * np.array([[1, -1]])
    )
    with pytest.raises(ValueError, match="the gradient of soft_targets by scores overflows float64"):
        losses.soft_targets.backward(cache, np.finfo(float).max)


def test_the_slopes_of_noise_rows_beside_a_dominant_one_keep_their_digits():
    """r = (1 − ε, ε) and q = ε: the slopes are −ε, ε − ε/2 and ε/2; computing 1 − r would lose them. Of the second
    feature r = (⅓, ⅓, ⅓) and q = 3 e⁻²⁰⁰: its three slopes are q/3 each.
    """
    bank, epsilon = np.array([[2.0], [1.0], [0.0], [0.0]]), math.exp(-100)
    drawn = {"index": np.array([0]), "noise_index": np.array([[1, 2]]), "temperature": 0.01}
    found = slopes(losses.instance_nce, np.ones((1, 1)), bank, **drawn).bank[:3, 0] * 0.01
    np.testing.assert_allclose(found, [-epsilon, epsilon / 2, epsilon / 2], rtol=1e-12)  # eps/τ
    drawn |= {"index": np.array([0, 0]), "noise_index": np.array([[1, 2, 2], [3, 3, 3]])}
    found = slopes(losses.instance_nce, np.ones((2, 1)), bank, **drawn).bank[3, 0] * 0.01 * 2
    assert found == pytest.approx(3 * math.exp(-200), rel=1e-12, abs=0)


def test_a_feature_that_all_rows_share_has_no_gradient():
    drawn = EXAMPLES["instance_nce"]
    batch = {"v": np.c_[drawn["v"], np.zeros(3)], "bank": np.c_[drawn["bank"], np.full((5, 1), 2.0**20)]}
    np.testing.assert_array_equal(slopes(losses.instance_nce, **drawn | batch).v[:, -1], 0)


def test_the_error_does_not_grow_with_the_number_of_pairs():
    """float32, 4096 pairs: the columns' sums are as accurate as the rows'."""
    rng = np.random.default_rng(0)
    image, text = rng.standard_normal((2, 4096, 4)).astype("float32")
    value, cache = losses.clip.forward(image, text, temperature=10.0)
    exact, exact_cache = losses.clip.forward(image.astype("f8"), text.astype("f8"), temperature=10.0)
    tolerance = float(16 * np.finfo("float32").eps)
    assert value == pytest.approx(exact, rel=tolerance, abs=0)
    np.testing.assert_allclose(cache.columns.q, exact_cache.columns.q, rtol=tolerance)


# --- the streaming forms ----------------------------------------------------------------------------------------


def test_each_row_of_a_pair_is_compared_with_itself_by_its_own_length():
    """The scores of row 0 are 4 with itself and 2 with its partner; those of row 1 are 1 and 2."""
    found, _ = streaming.infonce.forward(np.array([[2.0], [1.0]]), temperature=1.0, reduction="none")
    assert found == pytest.approx([math.log1p(math.exp(2)), math.log1p(math.exp(-1))], rel=EXACT, abs=0)


@pytest.mark.parametrize(("tile", "rounds"), [(2, [(1, 3), (2, 3), (3, 3)]), (None, [(1, 1)])])
def test_own_negatives_are_taken_a_tile_of_queries_at_a_time(tile, rounds):
    rows, said = np.eye(5), []
    options = {"temperature": 1.0, "tile": tile, "progress": lambda *at: said.append(at)}
    slopes(streaming.query_key, rows, rows, np.zeros((5, 4, 5)), **options)
    assert said == 2 * rounds


@pytest.mark.parametrize("negatives", [np.zeros((2, 1, 1)), np.zeros((1, 1))], ids=["own", "queue"])
def test_rows_of_one_feature(negatives):
    """The scores are log 3 of the positive and 0 of the negative, so P of the negative is ¼."""
    query, positive = np.full((2, 1), math.log(3)), np.ones((2, 1))
    value, cache = streaming.query_key.forward(query, positive, negatives, temperature=1.0)
    assert value == pytest.approx(math.log(4 / 3), rel=EXACT, abs=0)
    # the mean over two queries of −¼ k
    found = streaming.query_key.backward(cache).query
    assert found == pytest.approx(np.full((2, 1), -1 / 8), rel=EXACT, abs=0)
