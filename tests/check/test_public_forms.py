"""Forms of the family in public code: each gets its name, with its numbers, and no invented reason."""

import numpy as np
import pytest
from check.plain import cpc, logsumexp, rows, unit

from infonce_ref.check import check
from infonce_ref.losses import ALL


def ratio(x, y, temperature=0.5, inside=0.0, below=0.0, norm=0.0):
    z = np.concatenate([x, y])
    z = z / (np.linalg.norm(z, axis=1, keepdims=True) + norm)
    e = np.exp(z @ z.T / temperature)
    np.fill_diagonal(e, 0)
    n = len(z)
    chosen = e[np.arange(n), (np.arange(n) + n // 2) % n]
    return -np.log(chosen / (e.sum(axis=1) + below) + inside).mean()


def self_term_of_unit_rows(x, y, temperature=0.5):
    """e^{1/τ} is the row's term with itself only if rows have length 1."""
    z = np.concatenate([x, y])
    e, n = np.exp(z @ z.T / temperature), len(z)
    chosen = e[np.arange(n), (np.arange(n) + n // 2) % n]
    return -np.log(chosen / (e.sum(axis=1) - np.exp(1 / temperature))).mean()


def sigmoid_without_bias(x, y):
    sign = 2 * np.eye(len(x)) - 1
    return np.logaddexp(0, -10 * sign * (unit(x) @ unit(y).T)).sum() / len(x)


def directions(x, y, share=0.75):
    s = unit(x) @ unit(y).T / 0.1
    return share * rows(s).mean() + (1 - share) * rows(s.T).mean()


def two_temperatures(x, y):
    s = unit(x) @ unit(y).T
    return (rows(s / 0.1) + rows(s / 0.5)).mean()


def margin_in_one_direction(x, y):
    s = unit(x) @ unit(y).T
    return (rows((s - 0.3 * np.eye(len(s))) / 0.05) + rows(s.T / 0.05)).mean() / 2


def softened_quotient(x, y, temperature=0.1, norm=0.0, added=1e-8):
    x, y = (v / (np.linalg.norm(v, axis=1, keepdims=True) + norm) for v in (x, y))
    e = np.exp(x @ y.T / temperature)
    return -np.log((np.diag(e) + added) / (e.sum(axis=1) + added)).mean()


def uniform(x, t):
    apart = ((x[:, None] - x) ** 2).sum(-1)[~np.eye(len(x), dtype=bool)]
    return np.log(np.exp(-t * apart).mean())


def aligned_and_uniform(x, y, weight=0.7, t=2):
    x, y = unit(x), unit(y)
    return ((x - y) ** 2).sum(-1).mean() + weight * (uniform(x, t) + uniform(y, t)) / 2


def scale_as_logarithm(x, y, logit_scale=2.0):
    return rows(np.exp(logit_scale) * unit(x) @ unit(y).T).mean()


def targets_of_labels(x, y, labels):
    s = unit(x) @ unit(y).T / 0.1
    share = (labels[:, None] == labels) / (labels[:, None] == labels).sum(axis=1)
    return (logsumexp(s) - (share * s).sum(axis=1)).mean()


def labels_unused(x, y, labels):
    return cpc(x, y, 0.1)


def texts_unused(image, text, temperature=0.1):
    """The texts are forgotten: it computes CLIP of the images as if they were scores."""
    logits = image / temperature
    own = np.arange(len(logits))
    return sum(np.mean(logsumexp(x, axis=1) - x[own, own]) for x in (logits, logits.T)) / 2


def one_denominator(video, text):
    s = video @ text.T
    return (np.logaddexp(logsumexp(s), logsumexp(s.T)) - np.diag(s)).mean()


def soft_targets(x, y):
    x, y = unit(x), unit(y)
    s, alike = y @ x.T / 0.5, (x @ x.T + y @ y.T) / 2 * 0.5
    q = np.exp(alike - logsumexp(alike)[:, None])
    return (
        (q * (logsumexp(s)[:, None] - s)).sum(1) + (q.T * (logsumexp(s.T)[:, None] - s.T)).sum(1)
    ).mean() / 2


def decoupled(x, y, temperature=0.1, sigma=0.5, both=True):
    """DCLW of both views, or of the anchors of the first alone."""
    x, y = unit(x), unit(y)
    own = (x * y).sum(1)
    share = np.exp(own / sigma) / np.exp(own / sigma).sum()
    weight = 2 - len(x) * share

    def one_way(a, b):
        s = np.concatenate([a @ a.T, a @ b.T], axis=1) / temperature
        s[np.tile(np.eye(len(a), dtype=bool), 2)] = -np.inf
        return (logsumexp(s) - weight * own / temperature).mean()

    return (one_way(x, y) + one_way(y, x)) / 2 if both else one_way(x, y)


def hard(x, y, temperature=0.5, beta=1.0, prior=0.1):
    w = np.concatenate([x, y])
    return ALL["hard_negative"].forward(w, temperature=temperature, beta=beta, prior=prior)[0]


def two_hardnesses(x, y):
    return ALL["dhn_nce"].forward(x, y, temperature=0.5, beta1=0.15, beta2=1.0)[0]


def own_negatives_in_one_direction(a, p, n):
    a, p, n = unit(a), unit(p), unit(n)
    s, back = 20 * a @ np.concatenate([p, n]).T, 20 * p @ a.T
    return (logsumexp(s) - np.diag(s[:, : len(a)]) + logsumexp(back) - np.diag(back)).mean() / 2


def each_pair_alone(w, labels):
    s = unit(w) @ unit(w).T / 0.1
    other = labels[:, None] != labels
    pairs = ~other & ~np.eye(len(w), dtype=bool)
    negatives = logsumexp(np.where(other, s, -np.inf))[:, None]
    return (np.logaddexp(s, negatives) - s)[pairs].mean()


def vicreg(x, y):
    numbers = {"invariance": 5.0, "variance": 12.5, "covariance": 1.0, "margin": 1.0, "epsilon": 1e-4}
    return ALL["vicreg"].forward(x, y, **numbers)[0]


def positive_among_the_compared(scores, margin=0.2):
    gap = np.diag(scores)
    return (np.maximum(margin + scores - gap[:, None], 0) + np.maximum(margin + scores - gap, 0)).mean()


def mean_negative(x, y, margin=0.5):
    apart = np.sqrt(((x[:, None] - y) ** 2).sum(-1))
    others = (apart.sum(1) - np.diag(apart)) / (len(x) - 1)
    return np.maximum(np.diag(apart) - others + margin, 0).mean()


def softened_triplet(a, p, n, margin=0.3):
    def apart(c):
        return np.linalg.norm(a - c + 1e-6, axis=1)

    return np.maximum(apart(p) - apart(n) + margin, 0).mean()


def one_denominator_with_the_positive_once(scores):
    others = np.where(np.eye(len(scores), dtype=bool), -np.inf, scores.T)
    return (np.logaddexp(logsumexp(scores), logsumexp(others)) - np.diag(scores)).mean()


def added_to_each_exponential(w, labels, temperature=0.5):
    s = unit(w) @ unit(w).T / temperature
    e = np.exp(s - s.max(axis=1, keepdims=True)) + 1e-5
    apart = ~np.eye(len(w), dtype=bool)
    positive = (labels[:, None] == labels) & apart
    loss = -np.log(e / (e * apart).sum(axis=1, keepdims=True))
    return ((loss * positive).sum(axis=1) / positive.sum(axis=1)).mean()


def a_cold_sigmoid_of_raw_rows(x, y):
    sign = 2 * np.eye(len(x)) - 1
    return np.logaddexp(0, -sign * (10 * x @ y.T - 10)).sum() / len(x)


def less_its_bound(x, y):
    return cpc(x, y, 0.1) - np.log(len(x))


def of_products(x, y):
    return 2 - 2 * (x * y).sum(1).mean()


def lengths_added(x, y):
    """N-pair with a penalty, which is constant for unit rows."""
    return rows(x @ y.T).mean() + 0.02 * (x**2 + y**2).sum(1).mean()


def weights_of_the_mean(x, y):
    return two_hardnesses(x, y) / len(x)


def agreement(x, y):
    return (unit(x) * unit(y)).sum(1).mean()


def form(loss, word, nearest, words, **settings):
    """A loss, the word of the verdict, the name of the nearest loss, words of the verdict, and settings."""
    return loss, settings, word, nearest, words


FORMS = [
    form(ratio, "right", "ntxent", "with about 1e-08 added inside the logarithm", inside=1e-8),
    form(ratio, "right", "ntxent", "1e-06 added to the length of each row", inside=1e-8, norm=1e-6),
    form(ratio, "wrong", "ntxent", "1e-05 is added to the denominator", below=1e-5),
    form(self_term_of_unit_rows, "right", "ntxent", "τ = 0.5"),
    form(sigmoid_without_bias, "right", "siglip", "bias 0"),
    form(directions, "variant", "clip", "the two directions are weighed"),
    form(two_temperatures, "variant", "cpc", "the sum of the loss at two temperatures"),
    form(margin_in_one_direction, "variant", "clip", "in one direction, of the first view's anchors"),
    form(softened_quotient, "right", "cpc", "with about 1e-08 added to the numerator and to the denominator"),
    form(softened_quotient, "wrong", "cpc", "0.001 is added to the length of each", norm=1e-3, added=0.0),
    form(
        aligned_and_uniform, "variant", "uniformity", "alignment, and by weight the uniformity of each view"
    ),
    form(scale_as_logarithm, "right", "cpc", "τ = 0.135335"),
    form(targets_of_labels, "right", "cpc", "with the anchor's label is a positive, as in UniCL"),
    form(labels_unused, "right", "cpc", "pairs that share a label are negatives of each other"),
    form(texts_unused, "unknown", "clip", "it ignores the last of its arrays"),
    form(one_denominator, "variant", "clip", "as in MIL-NCE"),
    form(soft_targets, "variant", "clip", "a softmax of both views' own similarities"),
    form(decoupled, "right", "dcl", "sigma 0.5"),
    form(decoupled, "variant", "dcl", "rows of the first view alone are anchors", both=False),
    form(hard, "right", "hard_negative", "beta 1, prior 0.1"),
    form(hard, "right", "hard_negative", "beta 0, prior 0.1", beta=0.0),
    form(two_hardnesses, "right", "dhn_nce", "beta1 0.15, beta2 1"),
    form(own_negatives_in_one_direction, "variant", "query_key", "the other direction has none"),
    form(each_pair_alone, "right", "supcon", "form=pairs"),
    form(vicreg, "right", "vicreg", "invariance 5, variance 12.5, covariance 1, margin 1, epsilon 0.0001"),
    form(positive_among_the_compared, "variant", "clip", "each positive is compared with itself too"),
    form(softened_triplet, "variant", "triplet", "rows are compared by −‖a − c‖"),
    form(mean_negative, "variant", "cpc", "the negatives of an anchor are averaged"),
    form(one_denominator_with_the_positive_once, "variant", "clip", "the positive once"),
    form(added_to_each_exponential, "wrong", "supcon", "1e-05 is added to each exponential"),
    form(a_cold_sigmoid_of_raw_rows, "right", "siglip", "bias -10"),
    form(less_its_bound, "right", "information.infonce", "it is minus the estimate"),
    form(of_products, "variant", "byol", "rows are not divided by their length"),
    form(lengths_added, "variant", "cpc", "+0.04, which has no gradient, on rows of length 1 alone"),
    form(
        weights_of_the_mean,
        "variant",
        "dhn_nce",
        "nearest to dhn_nce: the mean over the pairs, where the sum",
    ),
    form(agreement, "wrong", "simsiam", "training raises what it should lower"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "settings", "word", "nearest", "words"), FORMS, ids=lambda x: getattr(x, "__name__", "")
)
def test_a_form_of_public_code_is_named(loss, settings, word, nearest, words):
    report = check(loss, tiers=("formula",), **settings)
    assert (report.verdicts["formula"].word, report.nearest) == (word, nearest), report
    assert words in report.verdicts["formula"].sentence


def negatives_by_distance(query, positive, negatives):
    """2 − ‖a − c‖² is 2a·c only for unit rows."""
    squares = ((query[:, None] - negatives) ** 2).sum(axis=2)
    products = 2 * (query * positive).sum(axis=1)
    return (logsumexp(np.concatenate([products[:, None], 2 - squares], axis=1)) - products).mean()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "claim", "inputs"),
    [(self_term_of_unit_rows, "ntxent", None), (negatives_by_distance, "query_key", "own negatives")],
)
def test_a_claim_is_not_met_on_unit_rows_alone(loss, claim, inputs):
    report = check(loss, is_=claim, inputs=inputs, tiers=("formula",))
    assert report.verdicts["formula"].word == "right on unit rows"
    assert not report.holds
    assert [m.mistake for m in report.mistakes] == ["unit rows alone"]


def keys_held(x, y):
    """The gradient of CPC at τ = 0.1 by its queries only."""
    a, c = unit(x), unit(y)
    s = a @ c.T / 0.1
    p = np.exp(s - logsumexp(s)[:, None]) - np.eye(len(x))
    slope = p @ c / 0.1 / len(x)
    slope -= (slope * a).sum(1, keepdims=True) * a
    return slope / np.linalg.norm(x, axis=1, keepdims=True), 0 * y


@pytest.mark.parametrize(("is_", "word"), [(None, "right"), ("cpc", "wrong")])
def test_constant_keys_are_reported_and_wrong_only_with_a_claim(is_, word):
    report = check(lambda x, y: cpc(x, y, 0.1), is_=is_, backward=keys_held, tiers=("gradient",))
    assert report.verdicts["gradient"].word == word
    assert ("the keys are held constant" in report.verdicts["gradient"].sentence) == (is_ is None)


@pytest.mark.torch
@pytest.mark.parametrize("both", [False, True])
def test_weights_that_are_held_constant_are_right_everywhere(both):
    torch = pytest.importorskip("torch")
    normalize = torch.nn.functional.normalize

    def one_way(x, y, tau):
        s = torch.cat([x @ x.T, x @ y.T], dim=1) / tau
        s = s.masked_fill(torch.eye(len(x), dtype=torch.bool).repeat(1, 2), -torch.inf)
        own = (x * y).sum(dim=1)
        weights = 2 - len(x) * (own / 0.5).softmax(dim=0).detach()
        return (s.logsumexp(dim=1) - weights * own / tau).mean()

    def loss(x, y, temperature=0.1):
        x, y = normalize(x), normalize(y)
        other = one_way(y, x, temperature) if both else 0
        return (one_way(x, y, temperature) + other) / (1 + both)

    report = check(loss)
    assert report.holds, report
    assert "the weights are held constant" in report.verdicts["gradient"].sentence


@pytest.mark.torch
def test_a_learned_number_without_its_gradient_is_named():
    torch = pytest.importorskip("torch")

    class Learned(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.logit_scale = torch.nn.Parameter(torch.tensor(2.0, dtype=torch.float64))

        def forward(self, x, y):
            x, y = (v / v.norm(dim=1, keepdim=True) for v in (x, y))
            s, k = x @ y.T, torch.arange(len(x))
            held = self.logit_scale.exp().detach() * s.T
            cross_entropy = torch.nn.functional.cross_entropy
            return (cross_entropy(self.logit_scale.exp() * s, k) + cross_entropy(held, k)) / 2

    report = check(Learned, tiers=("gradient",))
    assert [m.mistake for m in report.mistakes] == ["gradient by numbers wrong"]
    assert "the gradient by logit_scale is" in report.verdicts["gradient"].sentence


@pytest.mark.torch
@pytest.mark.parametrize(
    ("highest", "mistakes"), [(100, []), (5, ["learned number without effect"])], ids=["free", "clamped"]
)
def test_a_learned_scale_that_starts_beyond_its_clamp_is_wrong(highest, mistakes):
    """A number that is learned for another task is noted."""
    torch = pytest.importorskip("torch")

    class Clamped(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.logit_scale = torch.nn.Parameter(torch.tensor(2.0, dtype=torch.float64))
            self.other = torch.nn.Parameter(torch.zeros(1))

        def forward(self, scores):
            scale = self.logit_scale.exp().clamp(max=highest)
            return torch.nn.functional.cross_entropy(scale * scores, torch.arange(len(scores)))

    report = check(Clamped, tiers=("gradient",), inputs="scores")
    assert [m.mistake for m in report.mistakes] == mistakes
    assert "other, which it learns, is not used" in report.about


@pytest.mark.torch
def test_a_module_that_computes_another_loss_in_evaluation_mode_is_noted():
    torch = pytest.importorskip("torch")

    class Cold(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.teacher = torch.nn.Identity().eval()

        def forward(self, scores):
            tau = 0.5 if self.training else 1
            return torch.nn.functional.cross_entropy(scores / tau, torch.arange(len(scores)))

    loss = Cold()
    about = check(loss, tiers=("formula",), inputs="scores").about
    assert "asked in training mode; in evaluation mode it returns another value" in about
    assert [loss.training, loss.teacher.training] == [True, False]


@pytest.mark.torch
def test_predictions_before_projections_are_distinguished_from_their_targets():
    torch = pytest.importorskip("torch")

    class Pull(torch.nn.Module):
        def __init__(self, held="z"):
            super().__init__()
            self.held = held

        def pull(self, p, z):
            p, z = (p, z.detach()) if self.held == "z" else (p.detach(), z)
            return -torch.nn.functional.cosine_similarity(p, z, dim=-1).mean()

        def forward(self, p1, p2, z1, z2):
            return (self.pull(p1, z2) + self.pull(p2, z1)) / 2

    def words(held):
        return check(Pull, held=held, tiers=("gradient",)).verdicts["gradient"].sentence

    assert "as a target is" in words("z")
    assert "the prediction is held constant and the target is trained" in words("p")
