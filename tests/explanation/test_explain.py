"""Every number of an explanation, against its definition on a small batch."""

import math

import numpy as np
import pytest

import infonce_ref
from infonce_ref.explanation import batch, explained, sweep
from infonce_ref.explanation.drawing import entries
from infonce_ref.explanation.text import render
from infonce_ref.losses import ntxent

B, D = 24, 6
CLASSES = np.array(["cat", "dog", "emu"])


def batch_of(dtype="float64", noise=0.5, seed=0, pairs=B):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, pairs)
    things = rng.standard_normal((3, D))[labels] + rng.standard_normal((pairs, D))
    a, b = ((things + noise * rng.standard_normal((pairs, D))).astype(dtype) for _ in range(2))
    return a, b, CLASSES[labels]


def brute(a, b, labels, tau):
    """Compute the numbers from their definitions, on whole matrices, without the library's closed forms."""
    w = np.concatenate([a, b]).astype(np.float64)
    z, n = w / np.linalg.norm(w, axis=1, keepdims=True), len(w)
    s, marks, itself = z @ z.T, np.tile(labels, 2), np.eye(n, dtype=bool)
    partner = np.roll(itself, n // 2, axis=1)
    positive, negatives = s[partner], ~(itself | partner)
    e = np.where(itself, 0, np.exp(s / tau))
    total = e.sum(axis=1)
    factor = 1 - np.exp(positive / tau) / total
    shares = np.where(negatives, e, 0) / np.sum(e, axis=1, where=negatives, keepdims=True)
    entropy = -np.sum(shares * np.log(np.where(shares > 0, shares, 1)), axis=1)
    push, alike = factor[:, None] * shares, negatives & (marks == marks[:, None])
    return {
        "loss": np.mean(np.log(total) - positive / tau),
        "factor": np.mean(factor),
        "effective_negatives": np.mean(np.exp(entropy)),
        "hardest_share": np.sum(np.sort(push)[:, -math.ceil((n - 2) / 100) :]) / push.sum(),
        "same_label_share": np.sum(push, where=alike) / push.sum(),
        "same_label_chance": np.sum(factor * alike.sum(axis=1)) / (n - 2) / push.sum(),
        "slope": np.mean(positive - np.sum(e * s, axis=1) / total) / tau**2,
        "beaten": np.mean(np.max(s, axis=1, where=negatives, initial=-1) > positive),
    }


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize(
    ("tau", "pairs"),
    [(1.0, B), (0.1, B), (0.02, B), (0.0025, B), pytest.param(0.005, 270, marks=pytest.mark.slow)],
)
def test_the_table_equals_the_definitions(dtype, tau, pairs):
    """540 rows are several tiles. Some rows are far from all others: in float32 a common shift would lose their
    terms.
    """
    a, b, labels = batch_of(dtype, pairs=pairs)
    a[:4] *= -1
    found = infonce_ref.explain(a, b, labels=labels, temperature=tau)
    expected = brute(a, b, labels, tau)
    beaten = expected.pop("beaten")
    # cosines in float32 have an error of some 1e-7, which the temperature divides; float16 is converted to
    # float32
    tolerance = 1e-11 if dtype == "float64" else 2e-6 / tau
    for name, number in expected.items():
        assert getattr(found.row, name) == pytest.approx(number, rel=tolerance, abs=0), name
    assert found.facts.beaten == beaten


@pytest.mark.parametrize(("dtype", "length"), [("float32", 1), ("float64", 1e-300), ("float64", 1e300)])
def test_the_gradient_norm_equals_the_backward_pass(dtype, length):
    a, b, _ = batch_of(dtype)
    found = infonce_ref.explain(length * a, length * b)
    for row in found.table:
        value, cache = ntxent.forward(np.concatenate([a, b]).astype("float64"), temperature=row.temperature)
        grads = ntxent.backward(cache)
        tolerance = 1e-10 if dtype == "float64" else 2e-6 / row.temperature  # as above
        assert row.loss == pytest.approx(float(value), rel=tolerance, abs=0)
        assert row.gradient_norm * length == pytest.approx(np.linalg.norm(grads.w), rel=tolerance, abs=0)
        assert row.slope == pytest.approx(float(grads.temperature), rel=tolerance, abs=0)


def test_facts_equal_the_similarity_matrix():
    a, b, _ = batch_of()
    facts = infonce_ref.explain(a, b).facts
    w = np.concatenate([a, b])
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    s, n = z @ z.T, len(z)
    positive = np.diag(s, n // 2)
    off = ~np.eye(n, dtype=bool)
    negative = off & ~np.roll(np.eye(n, dtype=bool), n // 2, axis=0)
    singular = np.linalg.svd(z, compute_uv=False)
    shares = singular / singular.sum()
    expected = {
        "positive_similarity": positive.mean(),
        "negative_similarity": s[negative].mean(),
        "alignment": np.mean(np.sum((z[:B] - z[B:]) ** 2, axis=1)),
        "uniformity": np.log(np.mean(np.exp(-2 * np.sum((z[:, None] - z) ** 2, axis=2))[off])),
        "centre": np.linalg.norm(z.mean(axis=0)),
        "gap": np.linalg.norm(z[:B].mean(axis=0) - z[B:].mean(axis=0)),
        "effective_rank": np.exp(-np.sum(shares * np.log(shares))),
        "shortest": np.linalg.norm(w, axis=1).min(),
        "mean_length": np.linalg.norm(w, axis=1).mean(),
        "longest": np.linalg.norm(w, axis=1).max(),
    }
    for name, number in expected.items():
        assert getattr(facts, name) == pytest.approx(number, rel=1e-10, abs=0), name


def test_floor_and_ceiling_are_reached():
    """A regular simplex of coinciding pairs attains the floor. One row attains the ceiling, if its positive
    is opposite and all others coincide with it; so here the ceiling is above the mean.
    """
    simplex = np.eye(5) - 0.2
    for row in infonce_ref.explain(simplex, simplex).table:
        assert row.loss == pytest.approx(row.floor, rel=1e-9, abs=0)
        assert row.loss < row.ceiling
    views = np.ones((5, 1)), np.where(np.arange(5)[:, None] == 0, -1.0, 1.0)
    losses, _ = ntxent.forward(np.concatenate(views), temperature=1.0, reduction="none")
    row = infonce_ref.explain(*views, temperature=1.0).row
    assert row.ceiling == pytest.approx(float(losses.max()), rel=1e-12, abs=0)


class TestRest:
    def test_the_slope_of_the_loss_is_0_at_the_resting_temperature(self):
        a, b, _ = batch_of()
        rest = infonce_ref.explain(a, b).rest
        _, cache = ntxent.forward(np.concatenate([a, b]), temperature=rest.temperature)
        slope = float(ntxent.backward(cache).temperature)
        # [R1]: the search ends within 1e-5 of the root, where the slope changes by less than 1/τ³ per unit of τ
        assert abs(slope) < 1e-5 * rest.temperature / rest.temperature**3
        assert rest.below <= rest.temperature <= rest.above

    @pytest.mark.parametrize(
        ("a", "b", "rest", "clamp", "signs"),
        [
            (np.eye(4), np.eye(4), 0, True, {1}),  # no negative is nearer than its positive
            (batch_of()[0], -batch_of()[0], math.inf, False, {-1}),  # positives are no nearer than candidates
            (np.ones((8, 3), "f4"), None, math.nan, False, {-1, 0, 1}),  # collapsed
        ],
    )
    def test_the_resting_temperature_at_its_ends(self, a, b, rest, clamp, signs):
        found = infonce_ref.explain(a, b)
        assert found.rest.temperature == pytest.approx(rest, nan_ok=True)
        assert any("clamp" in advice.then for advice in found.advice) == clamp
        assert {np.sign(row.slope) for row in found.table} <= signs
        said = {0: "not stop: it keeps falling", math.inf: "not stop: it keeps rising"}
        assert said.get(rest, "The loss does not depend on the temperature.") in render(found, width=1000)
        assert ("trivial here" in render(found, width=1000)) == (rest != 0)

    def test_a_collapsed_batch_is_called_collapsed(self):
        """If all rows are equal, every pair coincides, and advice to drop duplicates would not help."""
        found = infonce_ref.explain(np.ones((100, 8)), np.ones((100, 8)))
        assert found.facts.duplicates == 19_800
        assert str(found).splitlines()[1].startswith("COLLAPSED")
        assert ["of 19800 pairs" in advice.what for advice in found.advice] == [True]
        narrow_cone = 1 + 0.01 * np.random.default_rng(0).standard_normal((60, 4))
        for rows in (np.eye(2)[np.arange(60) % 2], narrow_cone):  # two points, and a cone
            assert str(infonce_ref.explain(rows, rows)).splitlines()[1].startswith("COLLAPSED")

    def test_a_sample_of_anchors_gives_nearly_the_same(self, monkeypatch):
        a, b, _ = batch_of(pairs=200)
        all_of_them = infonce_ref.explain(a, b).rest
        monkeypatch.setattr(explained, "KEPT", 400 * 40)
        some = infonce_ref.explain(a, b).rest
        # 40 rows of 400, corrected by the slopes of all rows; without the correction the error would be 10 %
        assert some.temperature == pytest.approx(all_of_them.temperature, rel=0.02, abs=0)


class TestPairs:
    def test_the_nearest_pairs_carry_the_stated_share_of_the_push(self):
        a, b, labels = batch_of()
        found = infonce_ref.explain(a, b, labels=labels, top=4)
        w = np.concatenate([a, b])
        z = w / np.linalg.norm(w, axis=1, keepdims=True)
        s, n, marks = z @ z.T, len(z), np.tile(labels, 2)
        candidates = [(s[i, j], i, j) for i in range(n) for j in range(i + 1, n) if j - i != n // 2]
        for shown, pairs in (
            (found.hardest, candidates),
            (found.labelled, [x for x in candidates if marks[x[1]] == marks[x[2]]]),
        ):
            nearest = sorted(pairs, reverse=True)[:4]
            assert [set(x.rows) for x in shown] == [{i, j} for _, i, j in nearest]
            assert [x.similarity for x in shown] == pytest.approx([s for s, _, _ in nearest])
        np.fill_diagonal(s, -np.inf)
        p = np.exp(s / 0.1) / np.exp(s / 0.1).sum(axis=1, keepdims=True)
        p[np.arange(n), (np.arange(n) + n // 2) % n] = 0
        for x in found.hardest:
            i, j = x.rows
            assert x.push == pytest.approx((p[i, j] + p[j, i]) / p.sum() * n * (n - 2) / 2)
            assert x.names == tuple(f"{'ab'[r // B]}[{r % B}]" for r in x.rows)
            assert x.same_label == (marks[i] == marks[j])

    def test_worst_positives_have_the_largest_loss(self):
        a, b, _ = batch_of()
        found = infonce_ref.explain(a, b, top=3)
        losses, _ = ntxent.forward(np.concatenate([a, b]), temperature=0.1, reduction="none")
        by_pair = np.maximum(losses[:B], losses[B:])
        assert [x.rows[0] % B for x in found.worst] == np.argsort(-by_pair)[:3].tolist()
        assert [x.loss for x in found.worst] == pytest.approx(np.sort(by_pair)[::-1][:3])

    def test_duplicates_are_counted_and_kept_from_the_nearest(self):
        a, b, _ = batch_of("float32")
        a[7] = a[3]
        b[20] = a[3] * 2  # the same direction
        found = infonce_ref.explain(a, b)
        assert found.facts.duplicates == 3
        assert {frozenset(x.rows) for x in found.duplicates} == {
            frozenset(x) for x in [(3, 7), (3, 44), (7, 44)]
        }
        assert all(x.similarity < 1 - sweep.SAME for x in found.hardest)
        assert any("coincide" in advice.what for advice in found.advice)


def test_what_is_drawn_of_each_negative_is_its_part_of_the_gradient():
    """P √(1 − s²) for the row with the median loss, over the largest that there can be."""
    axis = entries(infonce_ref.explain(*batch_of()[:2]))["pushes"].draw().axes[0]
    *drawn, _ = axis.lines  # the last marks the positive
    for curve, markers in zip(drawn[::2], drawn[1::2], strict=True):
        tau = float(curve.get_label().removeprefix("τ = "))
        (fine, size), (s, found) = curve.get_data(), markers.get_data()
        largest = np.max(np.exp((fine - 1) / tau) * np.sqrt(1 - fine**2))
        for cosine, part in ((fine, size), (s, found)):
            expected = np.exp((cosine - 1) / tau) * np.sqrt(1 - cosine**2) / largest
            np.testing.assert_allclose(part, expected, rtol=1e-9, atol=1e-9)


def test_unrelated_views_are_detected():
    """All 40 draws of unrelated views are detected; three standard errors would allow one miss in 700."""
    views = np.random.default_rng(0).standard_normal((40, 2, 50, 16))
    for a, b in views:
        assert str(infonce_ref.explain(a, b, temperatures=())).splitlines()[1].startswith("UNRELATED")
        (advice,) = infonce_ref.explain(np.concatenate([a, b]), temperatures=()).advice
        assert advice.then == "check that the two rows of each pair show the same thing"
    a, b, _ = batch_of()
    assert str(infonce_ref.explain(a, b)).splitlines()[1].startswith("The views belong together")


def test_advice_is_said_once_after_the_verdict():
    a, b, labels = batch_of()
    found = infonce_ref.explain(a, b, labels=labels, temperature=0.02)
    lines = render(found, width=1000).splitlines()
    for k, advice in enumerate(found.advice):
        assert lines[4 + 2 * k] == f"→ {advice.what}: {advice.then}."
        assert lines.count(lines[4 + 2 * k]) == 1
    assert max(map(len, str(found).splitlines())) <= 80  # of a terminal that is not there


@pytest.mark.parametrize("more", [{}, {"batch": 20, "draws": 4}, {"batch": 20, "draws": 1}])
def test_a_loss_above_that_of_a_collapsed_batch_is_an_alarm(more):
    """The views belong together, and a cold temperature makes the loss larger than that of equal rows."""
    a, b, _ = batch_of(noise=1.0, pairs=60)
    for tau, alarm in ((0.5, False), (0.01, True)):
        found = infonce_ref.explain(a, b, temperature=tau, **more)
        assert (found.row.loss > math.log(2 * found.batch - 1)) == alarm
        assert ("LOSS TOO LARGE" in str(found)) == alarm
    assert found.advice[0].then.startswith("raise τ (at ")


def test_the_definitions_are_printed_on_request():
    a, b, _ = batch_of()
    found = infonce_ref.explain(a, b)
    assert "of the push goes to" in render(found)
    assert "of the push goes to" not in render(found, verbose=False)


@pytest.mark.parametrize(
    "convert",
    [
        lambda a, b: {"a": np.stack([a, b], axis=1)},
        lambda a, b: {"a": np.stack([a, b])},
        lambda a, b: {"a": a.astype(np.int64), "b": b.astype(np.int8)},
        lambda a, b: {"a": a.reshape(B, D // 2, 2), "b": b.reshape(B, D // 2, 2)},
    ],
    ids=["pairs", "views", "integers", "images"],
)
def test_shapes_and_integers_are_converted(convert):
    a, b, labels = batch_of()
    a, b = np.round(a * 10), np.round(b * 10)
    converted = infonce_ref.explain(**convert(a, b), labels=[f"label {x}" for x in labels])
    assert converted.table == infonce_ref.explain(a, b, labels=labels).table


class TestDrawn:
    @pytest.mark.slow
    def test_the_mean_of_batches_lies_within_its_standard_errors(self):
        """The true mean for batches of 16 pairs comes from 400 of them."""
        a, b, _ = batch_of(pairs=300)
        truth = infonce_ref.explain(a, b, batch=16, draws=400, temperatures=(), seed=9)
        some = infonce_ref.explain(a, b, batch=16, draws=18, temperatures=())
        for name in ("loss", "effective_negatives", "hardest_share", "gradient_norm", "slope"):
            error = getattr(some.errors[0], name)
            away = abs(getattr(some.row, name) - getattr(truth.row, name))
            assert 0 < error < 0.2 * abs(getattr(truth.row, name))
            assert away < 4 * error  # four standard errors: probability one in 16,000, and the seed is fixed

    def test_drawn_anchors_lie_within_their_standard_errors(self, monkeypatch):
        a, b, _ = batch_of(pairs=300)
        exact = infonce_ref.explain(a, b)
        monkeypatch.setattr(batch, "MOST", 600 * 100)
        drawn = infonce_ref.explain(a, b)
        assert drawn.anchors == 100
        for row, error, truth in zip(drawn.table, drawn.errors, exact.table):
            for name in ("hardest_share", "gradient_norm"):
                assert getattr(error, name) > 0
                assert abs(getattr(row, name) - getattr(truth, name)) < 4 * getattr(error, name)
            assert row.loss == truth.loss


def test_rows_keep_their_numbers_in_every_layout():
    a, b, labels = batch_of()
    side_by_side = np.stack([a, b], axis=1).reshape(2 * B, D)
    found = infonce_ref.explain(side_by_side, labels=labels, layout="interleaved")
    same = infonce_ref.explain(np.concatenate([a, b]), labels=np.tile(labels, 2))
    assert found.table == same.table
    (i, j), (k, m) = found.hardest[0].rows, same.hardest[0].rows
    np.testing.assert_array_equal(side_by_side[[i, j]], np.concatenate([a, b])[[k, m]])
    assert found.hardest[0].names == (str(i), str(j))


@pytest.mark.parametrize("pairs", [24, 25])
@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_the_wrong_layout_is_recognised(pairs, layout):
    a, b, _ = batch_of(pairs=pairs)
    rows = np.concatenate([a, b]) if layout == "interleaved" else np.stack([a, b], axis=1).reshape(-1, D)
    wrong = infonce_ref.explain(rows, layout=layout)
    right = infonce_ref.explain(a, b)
    # of an odd number of pairs the middle one is left out
    seen = [k for k in range(pairs) if layout == "interleaved" or pairs % 2 == 0 or k != pairs // 2]
    cosines = [x @ y / np.linalg.norm(x) / np.linalg.norm(y) for x, y in zip(a[seen], b[seen])]
    assert wrong.facts.other_layout == pytest.approx(np.mean(cosines), rel=1e-12, abs=0)
    assert "--layout" in wrong.advice[0].then
    assert math.isnan(right.facts.other_layout)
    assert not any("--layout" in advice.then for advice in right.advice)


def test_the_floor_by_labels_counts_false_negatives():
    a, b, labels = batch_of()
    both = np.tile(labels, 2)
    others = [np.sum(both == x) - 2 for x in both]
    assert infonce_ref.explain(a, b, labels=labels).facts.label_floor == pytest.approx(
        np.mean(np.log1p(others))
    )


@pytest.mark.torch
def test_pytorch_tensors_are_accepted():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    a, b, _ = batch_of()
    tensors = [torch.tensor(x, requires_grad=True) for x in (a, b)]
    assert infonce_ref.explain(*tensors).table == infonce_ref.explain(a, b).table


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda a, b: {"a": a[:1], "b": b[:1]}, "at least two pairs"),
        (lambda a, b: {"a": a[:5], "b": None}, "even number of rows"),
        (lambda a, b: {"b": b[:-1]}, "give both the same shape"),
        (lambda a, b: {"a": a[0], "b": b[0]}, r"shape \(rows, features\)"),
        (lambda a, b: {"a": a[:0], "b": b[:0]}, "both positive"),
        (lambda a, b: {"a": a + 0j}, "a must be float16, float32 or float64; got complex128"),
        (lambda a, b: {"a": np.stack([a] * 3, axis=1), "b": None}, r"\(B, 2, features\); got"),
        (
            lambda a, b: {"a": np.where(np.arange(B)[:, None] == 3, np.nan, a)},
            r"row a\[3\] holds NaN or infinity",
        ),
        (lambda a, b: {"b": b * (np.arange(B) != 5)[:, None]}, r"row b\[5\] holds only zeros"),
        (lambda a, b: {"temperature": 0.0}, "temperature must be positive"),
        (lambda a, b: {"temperature": 1e-4}, "at least 0.002"),
        (lambda a, b: {"labels": np.zeros(7)}, "one for each pair, or"),
        (lambda a, b: {"labels": np.linspace(0, 1, B)}, "whole numbers or words"),
        (lambda a, b: {"layout": "interleaved"}, "layout applies to one array"),
        (lambda a, b: {"batch": B}, "fewer than all 24"),
        (lambda a, b: {"batch": 1}, "at least 2 pairs"),
        (lambda a, b: {"top": -1}, "top must be"),
        (lambda a, b: {"seed": -1}, "seed must be"),
    ],
)
def test_bad_input_is_refused(change, line):
    a, b, _ = batch_of()
    with pytest.raises(ValueError, match=line):
        infonce_ref.explain(**({"a": a, "b": b} | change(a, b)))


def test_too_many_rows_require_a_batch(monkeypatch):
    monkeypatch.setattr(explained, "MANY", 40)
    a, b, _ = batch_of()
    with pytest.raises(ValueError, match="--batch 4096"):
        infonce_ref.explain(a, b)
    assert infonce_ref.explain(a, b, batch=8, draws=2).draws == 2
