"""SupCon tile by tile: `losses.supcon`, which has the equations.

The rows are sorted by class, so that positives and negatives share a tile only where a class ends. Their sums are
separate, so that nothing cancels as the loss goes to its minimum [S2]. The mean of the positives' logits is linear
and needs no tile: it and its gradient follow from the sum over the class, in O(N d). In the form "pairs" the sums
over the negatives come first, and then each positive has its own sigmoid.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..elementary import identity_mask, sigmoid, softplus
from ..isolation import isolate
from ..losses.supcon import LOSS as PLAIN
from ..losses.supcon import Form
from ..losses.supcon import Gradients as Gradients
from ..pairs import NoPositives, check_labels_repeat
from ..reduction import Reduction, reduce_losses, split_upstream
from . import engine, rows, tiles
from .classes import Classes, Part
from .sums import Logistic, Softmax, weight


class Cache(NamedTuple):
    """length, scale: ‖w‖ in two factors (N, 1), as in `sphere` · classes · positives, negatives: the scores of z/√τ
    within and across classes, and the softmax over each · pull (N,): weight of the mean of an anchor's positives, 0
    if it has at most one, or if the form is not "out" · form · τ · reduction. All are sorted by class. In the form
    "pairs" the positives' scores have the opposite sign, and are stored with the LSE of each anchor's negatives
    (N,).
    """

    length: Array
    scale: Array
    classes: Classes
    positives: "tuple[engine.Plan, Softmax | Array]"
    negatives: "tuple[engine.Plan, Softmax]"
    pull: Array
    form: Form
    temperature: float
    reduction: Reduction


@isolate
def forward(
    w: Array,
    *,
    labels: Array,
    temperature: float,
    form: Form = "out",
    reduction: Reduction = "mean",
    no_positives: NoPositives = "error",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`, as `losses.supcon` has them.

    tile, progress: see `infonce_ref.streaming`. Raises ValueError where `losses.supcon` does, or for a bad tile.

    >>> import numpy as np
    >>> from infonce_ref.streaming import supcon
    >>> value, cache = supcon.forward(np.eye(4), labels=np.array([0, 0, 0, 1]), temperature=0.5, tile=2)
    >>> print(f"{value:.6f} nats")
    1.098612 nats
    >>> print(supcon.backward(cache).w[0].round(4))
    [ 0.     -0.2222 -0.2222  0.2222]
    """
    xp, _ = check(w=(w, "N d"), labels=(labels, "N → any"))
    tile = engine.check_tile(tile, xp)
    tau = check_positive("temperature", temperature)
    classes = Classes.from_labels(labels)
    check_labels_repeat(classes.size > 1, no_positives)
    x, length, scale = rows.project_rows(classes.sort_rows(w), tau)
    within, across = (Part(classes.label, classes.label, within) for within in (True, False))
    anchors = -x if form == "pairs" else x
    positives = engine.plan(anchors, x, tile, progress, excluded=identity_mask, part=within)
    negatives = engine.plan(x, x, tile, progress, part=across)
    weigh = weigh_pairs if form == "pairs" else weigh_positives
    losses, of_positives, of_negatives, pull = weigh(x, positives, negatives, classes, form)
    terms = count_terms(x, classes, form)
    losses = xp.where(terms > 0, losses, xp.zeros_like(losses))
    value = reduce_losses(classes.restore_order(losses), reduction, terms)
    within_and_across = (positives, of_positives), (negatives, of_negatives)
    return value, Cache(length, scale, classes, *within_and_across, pull, form, tau, reduction)


def weigh_positives(
    x: Array, positives: "engine.Plan", negatives: "engine.Plan", classes: Classes, form: Form
) -> tuple[Array, Softmax, Softmax, Array]:
    """ℓ_i of the forms "out" and "in", each softmax of the cache, and its pull."""
    xp = array_namespace(x)
    count, _ = classes.count_positives(x)
    # m_i, the mean of the positives' logits, linear in the rows
    (mean,) = rows.map_rows(
        lambda x, of_class, count: (xp.linalg.vecdot(x, of_class - x) / count,),
        *(x, classes.sum_classes(x), count),
    )
    # LSE_p L_ip − m_i, and LSE_n L_in minus both
    (of_positives,), (of_negatives,) = positives.sums(), negatives.sums()
    spread = of_positives.above(mean)
    margin = of_negatives.above(mean + spread)
    # out: LSE_{k≠i} L_ik − m_i,  in: log|P_i| + LSE_{k≠i} L_ik − LSE_p L_ip; a single positive is its own
    # mean, and both must then agree to the last digit                                     [F21, F22, S1]
    several = xp.astype(count > 1, x.dtype) * float(form == "out")
    losses = xp.where(several > 0, spread, xp.log(count)) + softplus(margin)
    # P_n = q r_n,  P_p = (1 − q) r_p, less 1/|P_i| out, less r_p in          [F23, S2]
    q = sigmoid(margin)
    return losses, of_positives.softmax(several - q), of_negatives.softmax(q), several / count


def weigh_pairs(
    x: Array, positives: "engine.Plan", negatives: "engine.Plan", *_: object
) -> tuple[Array, Array, Softmax, Array]:
    """The same for the form "pairs"; LSE_n L_in in place of the positives' softmax."""
    (of_negatives,) = negatives.sums()
    xp = array_namespace(x)
    # LSE_n L_in; the margin of each positive, LSE_n L_in − L_ip; its loss is the softplus   [F32, S1]
    highest = of_negatives.above(xp.zeros_like(of_negatives.total))
    losses, q = (sums.total for sums in positives.sums(shift=highest))
    # the negatives share q = Σ_p (1 − P_ip), 1 − P_ip = sigmoid(margin)     [F33, S2]
    return losses, highest, of_negatives.softmax(q), xp.zeros_like(q)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    length, scale, classes, _, negatives, _, form, tau, reduction = cache
    x = negatives[0].rows
    xp = array_namespace(x)
    upstream = split_upstream(upstream, reduction, x, classes.restore_order(count_terms(x, classes, form)))
    upstream = classes.sort_rows(upstream)
    size = rows.find_scale(upstream)
    pull_together = pull_pairs if form == "pairs" else pull_positives
    dz, slopes = pull_together(cache, upstream / size)
    # ∂𝓛/∂τ = −⟨Z, ∂𝓛/∂Z⟩ / (2τ), Z = √τ X                                    [M7]
    dtau = -xp.sum(slopes) / (2 * math.sqrt(tau)) * size
    (dz,) = rows.map_rows(lambda dz: (dz * size,), dz)
    dw = rows.differentiate_by_w(dz, x, length, scale, tau)
    return Gradients(classes.restore_order(dw), dtau)


def pull_positives(cache: Cache, each: Array) -> Sequence[Array]:
    """∂𝓛/∂z (N, d) up to a multiple of z, and ⟨x, ∂𝓛/∂z⟩ (N,), for the forms "out" and "in". each: the upstream of
    the rows (N,), class by class.
    """
    _, _, classes, positives, negatives, pull, _, tau, _ = cache
    x = positives[0].rows
    xp = array_namespace(x)
    count, _ = classes.count_positives(x)
    within, across = (weight(softmax, each) for _, softmax in (positives, negatives))
    # Within a class, G + Gᵀ is W, computed tile by tile, minus the weights p of the means, which need no
    # tile. If the class has nearly collapsed, Σ_j (G + Gᵀ)_ij x_j is a small difference of long vectors. So
    # sum short vectors: D_i = Σ_j (G + Gᵀ)_ij (x_j − x_i) differs by a multiple of x_i, which ∂𝓛/∂w drops
    # [M5]. With y = x minus the mean of its class, Σ_j y_j = 0 and
    # D_i = Σ_j W_ij y_j − Σ_j p_j y_j − (Σ_j W_ij − Σ_j p_j − |class| p_i) y_i                 [F23]
    # Without p nothing cancels; y = x then keeps the small entries of a row accurate
    pull = pull[:, None]
    y, y_and_1 = rows.map_rows(append_ones, classes.center(x), x, pull)
    wy, _ = positives[0].products(within, within, (y_and_1, y_and_1))
    pushed, _ = negatives[0].products(across, across)
    pull = each[:, None] * pull

    def pull_rows(
        wy: Array, pushed: Array, x: Array, y: Array, q: Array, pulls: Array, pull: Array
    ) -> tuple[Array, Array]:
        wy = wy - pulls
        dz = (wy[:, :-1] - (wy[:, -1:] - pull) * y + pushed) / math.sqrt(tau)
        # D leaves out Σ_ij (G + Gᵀ)_ij ‖x_i‖²: over the positives Σ_j G_ij = −q_i, and ‖x_i‖² = 1/τ
        return dz, xp.linalg.vecdot(x, dz) - 2 * q / tau / math.sqrt(tau)

    arrays = pushed, x, y, across.q, classes.sum_classes(pull * y_and_1), pull * (count + 1)[:, None]
    return rows.map_rows(pull_rows, wy, *arrays)


def pull_pairs(cache: Cache, each: Array) -> Sequence[Array]:
    """The same for the form "pairs"."""
    (positives, highest), (negatives, softmax) = cache.positives, cache.negatives
    assert not isinstance(highest, Softmax)
    x, across = negatives.rows, weight(softmax, each)
    xp = array_namespace(x)
    # within a class G = −W, W_ip = 1 − P_ip: for rows −x the two products are W X and −Wᵀ X   [F33]
    wx, wtx = positives.products(Logistic(highest, each))
    pushed, _ = negatives.products(across, across)

    def add(wx: Array, wtx: Array, pushed: Array, x: Array) -> tuple[Array, Array]:
        dz = (pushed - wx + wtx) / math.sqrt(cache.temperature)
        return dz, xp.linalg.vecdot(x, dz)

    return rows.map_rows(add, wx, wtx, pushed, x)


def count_terms(x: Array, classes: Classes, form: Form) -> Array:
    """The number of terms of each anchor in the mean (N,), class by class: see `losses.supcon`."""
    count, counted = classes.count_positives(x)
    return count * counted if form == "pairs" else counted


def append_ones(centred: Array, x: Array, pull: Array) -> tuple[Array, Array]:
    """Return the centred rows, or x itself if no mean has a weight, and the same with a column of ones."""
    xp = array_namespace(x)
    y = xp.where(pull > 0, centred, x)
    return y, xp.concat([y, xp.ones_like(pull)], axis=1)


LOSS = engine.declare(PLAIN, forward, backward)
