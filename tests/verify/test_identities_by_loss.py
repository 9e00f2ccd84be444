"""The documents' formulas in the files of five losses, and what the identities of each notice.

The definitions are typed here with loops, and differentiated by complex steps: the derivative of a function that is
analytic is the imaginary part of its value at x + hi, divided by h, without a difference that cancels.
"""

import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify import identities
from infonce_ref.verify.case import Case
from infonce_ref.verify.identities.identity import file_of

STEP = 1e-100
RNG = np.random.default_rng(0)
W = RNG.standard_normal((6, 3)) * 1.5
BANK = RNG.standard_normal((5, 3))
SCORES = RNG.standard_normal((3, 4)) * 2
POSITIVE = np.array([1, 3, 0])
KEEP = np.array([[True, True, False, True], [True, False, False, False], [False, True, True, True]])
LABELS = np.array([0, 1, 0, 1, 0, 2])  # classes of three rows, of two, and of one


def unit(w):
    return w / np.sqrt(np.sum(w * w, axis=1, keepdims=True))


def reduce(losses, reduction):
    return sum(losses) / (len(losses) if reduction == "mean" else 1)


def supcon(w, temperature, labels, form="out", reduction="mean"):
    """F21, F22, F32: over the anchors with a positive, or over the pairs."""
    z, n = unit(w), len(w)
    e = np.exp(z @ z.T / temperature)
    losses = []
    for i in range(n):
        positives = [j for j in range(n) if j != i and labels[j] == labels[i]]
        everyone = sum(e[i, j] for j in range(n) if j != i)
        negatives = sum(e[i, j] for j in range(n) if labels[j] != labels[i])
        if form == "pairs":
            losses += [-np.log(e[i, p] / (e[i, p] + negatives)) for p in positives]
        elif positives and form == "in":
            losses.append(-np.log(sum(e[i, p] for p in positives) / len(positives) / everyone))
        elif positives:
            losses.append(-sum(np.log(e[i, p] / everyone) for p in positives) / len(positives))
    return reduce(losses, reduction)


def cpc(scores, positive, keep=None, reduction="mean"):
    """D1.6, M36: the positive counts whatever the mask says."""
    losses = []
    for i, (row, p) in enumerate(zip(scores, positive, strict=True)):
        kept = [j for j in range(len(row)) if j == p or keep is None or keep[i, j]]
        losses.append(-np.log(np.exp(row[p]) / sum(np.exp(row[j]) for j in kept)))
    return reduce(losses, reduction)


def instance_nce(v, bank, index, noise_index, temperature, reduction="mean"):
    """D3.12, D3.13, D3.18: ĥ = e^u/(e^u + m/K), e^u = e^s/Ẑ, Ẑ = (K/m) Σ e^s over the noise."""
    k, m = len(bank), noise_index.shape[1]
    losses = []
    for row, own, noise in zip(v, index, noise_index, strict=True):
        e = np.exp(bank @ row / temperature)
        h = e / (k / m * sum(e[j] for j in noise))
        h = h / (h + m / k)
        losses.append(-np.log(h[own]) - sum(np.log(1 - h[j]) for j in noise))
    return reduce(losses, reduction)


def spectral(z1, z2, reduction="mean"):
    """F7: the pushes are a mean over all B(B − 1) non-pairs; the sum is B times the mean."""
    b = len(z1)
    pull = sum(np.sum(x * y) for x, y in zip(z1, z2, strict=True)) / b
    push = sum(np.sum(z1[k] * z2[j]) ** 2 for k in range(b) for j in range(b) if j != k) / (b * (b - 1))
    return (push - 2 * pull) * (1 if reduction == "mean" else b)


def byol(prediction, target, reduction="mean"):
    """D3.43: the squared distance of unit rows."""
    difference = unit(prediction) - unit(target)
    return reduce(list(np.sum(difference * difference, axis=1)), reduction)


DEFINITIONS = {"supcon": supcon, "cpc": cpc, "instance_nce": instance_nce, "spectral": spectral, "byol": byol}
DRAWN = {
    "v": W[:4],
    "bank": BANK,
    "index": np.array([2, 0, 4, 2]),
    "noise_index": np.array([[0, 1], [3, 4], [1, 1], [3, 2]]),
    "temperature": 0.7,
}
CASES = [
    *(
        ("supcon", {"w": W, "temperature": 0.6, "labels": LABELS, **form, "reduction": reduction})
        for form in ({}, {"form": "in"}, {"form": "out"}, {"form": "pairs"})
        for reduction in ("mean", "sum")
    ),
    ("cpc", {"scores": SCORES, "positive": POSITIVE}),
    ("cpc", {"scores": SCORES, "positive": POSITIVE, "keep": KEEP}),
    ("cpc", {"scores": SCORES, "positive": POSITIVE, "keep": KEEP, "reduction": "sum"}),
    ("instance_nce", DRAWN),
    ("instance_nce", DRAWN | {"reduction": "sum"}),
    ("spectral", {"z1": W[:4], "z2": W[2:]}),
    ("spectral", {"z1": W[:4], "z2": W[2:], "reduction": "sum"}),
    ("byol", {"prediction": W[:4], "target": W[2:]}),
    ("byol", {"prediction": W[:4], "target": W[2:], "reduction": "sum"}),
]
NAMES = [f"{name} {x.get('form', '')} {x.get('reduction', '')} {'keep' * ('keep' in x)}" for name, x in CASES]
each_case = pytest.mark.parametrize(("name", "arguments"), CASES, ids=NAMES)


def case(name, arguments, **changes):
    return Case(ALL[name]._replace(**changes), arguments, "")


def by(name, arguments, input):
    """The definition's gradient by one input."""
    x = np.asarray(arguments[input], dtype=complex)
    found = np.empty(x.shape)
    for at in np.ndindex(x.shape):
        moved = x.copy()
        moved[at] += STEP * 1j
        given = moved if x.ndim else complex(moved)
        found[at] = DEFINITIONS[name](**arguments | {input: given}).imag / STEP
    return found


@each_case
def test_the_documents_gradient_is_that_of_the_definition(name, arguments):
    found = file_of(name).gradient(case(name, arguments))
    assert list(found) == list(ALL[name].differentiable)
    for input, (value, size) in found.items():
        expected = by(name, arguments, input)
        # roundings of sums of a few terms, whose sizes are given
        assert np.shape(value) == np.shape(size) == np.shape(expected)
        assert np.all(np.abs(value - expected) <= 1e-14 * size)
        assert np.all(np.abs(value) <= size * (1 + 1e-15))


@each_case
def test_the_documents_value_is_that_of_the_definition(name, arguments):
    value, size = file_of(name).value(case(name, arguments))
    assert value == pytest.approx(DEFINITIONS[name](**arguments), rel=1e-13, abs=0)  # of cancelling terms
    assert size >= abs(value) * (1 - 1e-15)


def test_the_size_of_a_value_counts_every_term_positively():
    opposite = {"prediction": np.array([[-1.0, 0.0]] * 2), "target": np.array([[1.0, 0.0]] * 2)}
    # 2 − 2 cos of cos = −1, and of cos = 1
    assert file_of("byol").value(case("byol", opposite)) == (4, 4)
    same = {"prediction": np.eye(2), "target": np.eye(2)}
    assert file_of("byol").value(case("byol", same)) == (0, 4)
    # 2 − 2 · 0.6, and 2 + 2 · 0.6
    some = {"prediction": np.array([[0.6, 0.8]]), "target": np.array([[1.0, 0.0]])}
    assert file_of("byol").value(case("byol", some)) == pytest.approx((0.8, 3.2), rel=1e-15, abs=0)
    # all products are 1 − 1, of terms 1: 2 times 2 for the pulls, and for the pushes 2² of each of the two over 2
    rows = {"z1": np.array([[1.0, 1.0], [1.0, 1.0]]), "z2": np.array([[1.0, -1.0], [-1.0, 1.0]])}
    assert file_of("spectral").value(case("spectral", rows)) == (0, 2 * 2 + 2 * 2**2 / 2)


def test_the_size_of_a_gradient_counts_every_term_positively():
    rows = {"z1": np.array([[1.0, 1.0], [1.0, 1.0]]), "z2": np.array([[1.0, -1.0], [-1.0, 1.0]])}
    value, size = file_of("spectral").gradient(case("spectral", rows))["z1"]
    # −2 z'_k/B + 2 S_kj z'_j/B of B = 2 and S = 1 − 1
    assert value.tolist() == [[-1, 1], [1, -1]]
    assert size.tolist() == [[3, 3], [3, 3]]


def test_the_size_of_a_gradient_through_the_normaliser_counts_both_ways():
    """Two equal queries with one noise row: ĥ is 1/2, so that the slopes g by u are ∓1/4 under a mean. By the logit
    of the noise row they are 1/4 − (1/4 − 1/4), of terms 1/4 + (1/4 + 1/4)."""
    own, noise = np.array([0, 0]), np.array([[1], [1]])
    arguments = {"v": np.zeros((2, 1)), "bank": np.ones((2, 1)), "index": own, "noise_index": noise}
    found = file_of("instance_nce").gradient(case("instance_nce", arguments | {"temperature": 1.0}))
    value, size = found["v"]
    assert value == pytest.approx(0, abs=1e-16)  # a rounding of 1/4
    assert size == pytest.approx(np.full((2, 1), 0.25 + 0.75), rel=1e-15, abs=0)


@each_case
def test_every_identity_holds(name, arguments):
    here = case(name, arguments)
    for identity in file_of(name).IDENTITIES:
        assert all(check.holds for check in identities.ask(here, (identity,))), identity.__name__


def notices(name, arguments, changes):
    """The identities that some check of fails, of a changed loss."""
    here = case(name, arguments, **changes)
    return {
        identity.__name__
        for identity in file_of(name).IDENTITIES
        if not all(check.holds for check in identities.ask(here, (identity,)))
    }


def scaled(name, factor=1.001):
    """The loss with all gradients too large."""

    def backward(cache, upstream=1.0):
        return (
            type(found)(*(factor * x for x in found))
            if (found := ALL[name].backward(cache, upstream))
            else None
        )

    return {"backward": backward}


def shifted(name, amount=1e-3):
    """The loss with a value that is too large by a thousandth, times what it already is, and a thousandth."""

    def forward(**arguments):
        value, cache = ALL[name].forward(**arguments)
        return value * (1 + amount) + amount, cache

    return {"forward": forward}


OF_VALUES = {
    # that of an anchor alone in its class, which has no term, too
    "supcon": {
        "one_positive_is_ntxent",
        "outside_is_soft_targets",
        "pairs_are_cpc",
        "each_positive_alone_is_cpc",
        "alone_is_at_most_among_all",
    },
    "cpc": {"over_a_bank_of_basis_vectors"},
    "instance_nce": {"one_noise_sample", "unbiased_normaliser"},
    "spectral": set(),
    "byol": {"twice_simsiam"},
}
OF_GRADIENTS = {
    "supcon": {
        "one_positive_is_ntxent",
        "outside_is_soft_targets",
        "pairs_are_cpc",
        "each_positive_alone_is_cpc",
    },
    "cpc": {"over_a_bank_of_basis_vectors"},
    "instance_nce": {"one_noise_sample"},
    "spectral": {"by_scale", "opposite"},
    "byol": {"sine", "twice_simsiam"},
}
FIRST = dict(reversed([(name, arguments) for name, arguments in CASES if "keep" not in arguments]))


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_wrong_value_is_noticed_by_the_identities_of_values(name):
    assert notices(name, FIRST[name], shifted(name)) == OF_VALUES[name]


@pytest.mark.parametrize("name", DEFINITIONS)
def test_gradients_of_a_wrong_size_are_noticed_by_the_identities_that_fix_it(name):
    assert notices(name, FIRST[name], scaled(name)) == OF_GRADIENTS[name]


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_candidates_that_are_left_out_are_compared_with_rows_without_them(reduction):
    arguments = {"scores": SCORES, "positive": POSITIVE, "keep": KEEP, "reduction": reduction}
    identity = file_of("cpc").without_the_candidates_left_out
    (of_gradient, of_value) = identity(case("cpc", arguments))
    assert np.allclose(*of_gradient[1:3], rtol=1e-13, atol=1e-16)  # rounding
    assert of_value[1] == pytest.approx(of_value[2], rel=1e-13, abs=0)
    for changes in (scaled("cpc"), shifted("cpc")):
        wrong = case("cpc", arguments, **changes)
        assert not all(check.holds for check in identities.ask(wrong, (identity,)))


def test_the_least_value_of_spectral_is_reached_by_orthogonal_pairs():
    """Then nothing pushes; a value below is noticed."""
    rows = {"z1": np.eye(3), "z2": np.eye(3)}
    (least, value) = next(file_of("spectral").at_least(case("spectral", rows)))[1:3]
    assert (least, value) == pytest.approx((-2, -2), rel=1e-15, abs=0)
    assert "at_least" in notices("spectral", rows, shifted("spectral"))


def test_the_rest_of_instance_nce_is_bounded_by_what_equal_noise_rows_have():
    """m log (1 + 1/m) besides the InfoNCE of each query, which is log (1 + m)."""
    arguments = DRAWN | {"bank": np.ones((5, 3)), "noise_index": np.array([[0, 1, 3]] * 4)}
    _, (_, value, most, _) = file_of("instance_nce").nearly_constant_rest(case("instance_nce", arguments))
    assert (value, most) == pytest.approx(
        [np.log(4) + 3 * np.log(4 / 3)] * 2, rel=1e-14, abs=0
    )  # a few roundings


@pytest.mark.parametrize(
    ("name", "identity", "many", "sides"),
    [
        (
            "cpc",
            "without_the_candidates_left_out",
            lambda n: {
                "scores": np.zeros((n, 4)),
                "positive": np.zeros(n, dtype=int),
                "keep": np.ones((n, 4), dtype=bool),
            },
            2,
        ),
        *(
            (
                "supcon",
                identity,
                lambda n: {"w": np.eye(n), "labels": np.arange(n) // 2, "temperature": 1.0},
                3,
            )
            for identity in ("pairs_are_cpc", "each_positive_alone_is_cpc")
        ),
    ],
)
def test_up_to_40_rows_are_compared_one_by_one(name, identity, many, sides):
    ask = getattr(file_of(name), identity)
    assert len(list(ask(case(name, many(40))))) == sides
    assert list(ask(case(name, many(41)))) == []


def test_without_a_mask_nothing_is_compared_row_by_row():
    identity = file_of("cpc").without_the_candidates_left_out
    assert list(identity(case("cpc", {"scores": SCORES, "positive": POSITIVE}))) == []
