"""MoCo: a queue of keys, a momentum encoder, and its algorithm (document D3)."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import mpmath
from sympy import Expr

from ..common import rational
from ..common.moving_average import MOVING_AVERAGE, NETWORKS
from ..common.networks import DIGITS, apply, compare_slopes, decimals
from ..evidence.kinds import Approximate, Empirical, Finding, Misprint
from ..evidence.plain import claim, given
from ..evidence.points import Base, Integers, Rows, UnitRows
from ..losses.query_key import RANGES, SHARED, SHARED_NEGATIVES
from ..prover.evaluate import Evaluator, evaluator
from ..prover.inequality import decimal
from ..symbols import f
from ..symbols import k as row_of

ODDS = "Σ_a e^(L[i,a] - L⁺[i])"

claim("D3.34", "definition", SHARED_NEGATIVES)(
    printed=r"$\mathcal{L}_q = -\log \frac{\exp(q \cdot k^+/\tau)}{\sum_{i=0}^K \exp(q \cdot k_i/\tau)}$",
    checked="The loss of a query is minus the logarithm of its own key's probability: «loss», where «own» for the"
    " positive and «others» for the negatives, which are $M$ here and K in print, so that with the positive there"
    " are K + 1 terms. It is positive: «softplus», and «odds». Where every negative scores as the positive does,"
    " «equal.where L», «equal».",
    loss="ℓ[i]",
    own="L⁺[i]",
    others="L[i,a]",
    softplus=f"ℓ[i] = log(1 + {ODDS})",
    odds=f"{ODDS} > 0",
    equal=SHARED_NEGATIVES.only("ℓ").also("L[i,a] := L⁺[i]")("ℓ[i] = log(1 + M)"),
)


def _of_negatives_alone(query: UnitRows, positive: UnitRows, keys: UnitRows, b: Fraction) -> Finding:
    """e^𝓛 of a query whose denominator holds only the keys, not the positive; e^{1/(25τ)} = b."""
    own, *others = (rational.exp(rational.dot(query[0], row), b) for row in (*positive, *keys))
    return Finding(sum(others) / own, "<", 1, ("e^𝓛", ""))


claim("D3.35", "corrected", SHARED_NEGATIVES)(
    printed="where k⁺ is the positive key (matching key), and the $k_i$ are negative keys",
    checked="All K + 1 keys of the denominator are called negative. They are not: then the loss could be negative,"
    " as «negative» shows.",
    correction="The keys $k_0, …, k_K$ are the positive, number 0 in the algorithm, and K negatives. Then the"
    " loss is positive, «softplus» and «odds», and its bound is that of P1 with N counting all K + 1.",
    softplus=f"ℓ[i] = log(1 + {ODDS})",
    odds=f"{ODDS} > 0",
    negative=lambda: Misprint.at(
        "two negative keys",
        _of_negatives_alone,
        query=UnitRows([[1]]),
        positive=UnitRows([[1]]),
        keys=UnitRows([[-1], [-1]]),
        b=Base(21, 20),
    ),
)


claim("D3.36", "definition", given(f"{RANGES}; c > 0", *SHARED_NEGATIVES.names))(
    printed=r"$\tau$ is a hyperparameter, the temperature",
    checked="A logit is the scalar product of query and key over the temperature, «logit», with a temperature that"
    " is positive: the unit in which scores are measured, for with scores and temperature both $c$ times as large"
    " nothing changes, «scaled». The loss has the slope «slope», as every softmax (M7).",
    logit="L⁺[i]",
    scaled="(Σ_f c q[i,f] k⁺[i,f])/(c τ) = L⁺[i]",
    slope=SHARED.gradients["temperature"].prove,
)


def steps(batches: Iterable[Iterable], keys: Iterable, size: int):
    """For each mini-batch of keys: the negatives that its queries see, then the queue after enqueue and dequeue."""
    queue = deque(keys)
    for batch in batches:
        negatives = list(queue)
        queue.extend(batch)
        while len(queue) > size:
            queue.popleft()
        yield negatives, list(queue)


def _in_order(K: int, batches: Sequence[int]) -> Iterator[Finding]:
    """Keys are numbered in the order of their arrival; those from before the first step have negative numbers."""
    ends = [sum(batches[: place + 1]) for place in range(len(batches))]
    keys = [range(end - count, end) for end, count in zip(ends, batches, strict=True)]
    run = steps(keys, range(-K, 0), K)
    for own, (negatives, queue) in zip(keys, run, strict=True):
        yield Finding(
            negatives, "=", list(range(own.start - K, own.start)), ("negatives", "last keys before")
        )
        yield Finding(queue, "=", list(range(own.stop - K, own.stop)), ("queue", "last keys after"))


claim("D3.37", "checked", SHARED_NEGATIVES)(
    printed="Dictionary queue: a FIFO queue (First In, First Out) of the keys of previous mini-batches. Its"
    " main purpose is to provide a large set of negatives, and it decouples the size of the mini-batch from"
    " that of the dictionary",
    checked="The algorithm was run, on a small, a large and a middling mini-batch and with the keys numbered as"
    " they come: after each step the queue holds the last K of them in order, so that there are K negatives"
    " whatever the mini-batch. The negatives are read before the keys enter, so no query meets its own key"
    " among them. Step by step «run». They were made by older encoders: the independent, identically"
    " distributed negatives of P1 are an idealisation.",
    run=lambda: Approximate.at("the queue, step by step", _in_order, K=4, batches=Integers([1, 6, 2])),
)


claim("D3.38", "definition", NETWORKS)(
    printed=r"$\theta_k \leftarrow m\theta_k + (1 - m)\theta_q$",
    checked="The key encoder follows the query encoder slowly, «update», BYOL's update, whose rate the document"
    " calls m: the key encoder is $ξ$ and the query encoder $θ$. A step goes part of the way, «move»; and"
    " «step.where ξ», a mean of its start and of the earlier query encoders, becomes «step», another, with weights"
    " that always sum to 1, as «weights» (D3.41).",
    brief="A step of the key encoder, $ξ$ here, goes part of the way to the query encoder, «move»: so it is"
    " a mean of its start and of the earlier query encoders, with weights that sum to 1.",
    **MOVING_AVERAGE,
)


claim("D3.39", "no theorem", NETWORKS)(
    printed="instead of copying the query's encoder to the key's at each step (which introduces instability) a"
    " momentum update is used; this keeps the representations consistent throughout training",
    checked="Empirical: «words».",
    correction="What can be proved is how far the key encoder moves in one step, «move»: a copy, at rate 0, goes"
    " all the way.",
    words=lambda: Empirical("stability and consistency of training have no definition here"),
    move=MOVING_AVERAGE["move"],
)


# --- the algorithm --------------------------------------------------------------------------------------

Tensor = Any  # nested lists


def shape(x: Tensor) -> list[int]:
    return [len(x), *shape(x[0])] if isinstance(x, list) else []


def bmm(left: Tensor, right: Tensor) -> Tensor:
    """The product of each matrix of one batch with the corresponding one of the other."""
    return [mm(x, y) for x, y in zip(left, right, strict=True)]


def mm(left: Tensor, right: Tensor) -> Tensor:
    return [[rational.dot(row, column) for column in zip(*right, strict=True)] for row in left]


def l_pos(query: Rows, positive: Rows) -> Tensor:
    """bmm(q.view(N, 1, C), k.view(N, C, 1))"""
    return bmm([[row] for row in query], [[[x] for x in row] for row in positive])


def l_neg(query: Rows, queue: Rows) -> Tensor:
    """mm(q.view(N, C), queue.view(C, K)), the queue's keys in columns."""
    return mm(query, [list(column) for column in zip(*queue, strict=True)])


def cross_entropy(logits: Tensor, labels: list[int]) -> mpmath.mpf:
    """The mean of −log softmax at the labels: what CrossEntropyLoss is."""
    rows = zip(logits, labels, strict=True)
    return sum(mpmath.log(sum(map(mpmath.exp, row))) - row[label] for row, label in rows) / len(labels)


def algorithm_loss(query: Rows, positive: Rows, queue: Rows, temperature: Fraction) -> mpmath.mpf:
    """The algorithm's lines from l_pos to loss, l_pos squeezed to N×1."""
    squeezed = [row for (row,) in l_pos(query, positive)]
    logits = [own + other for own, other in zip(squeezed, l_neg(query, queue), strict=True)]
    scaled = decimals([x / temperature for x in row] for row in logits)
    return cross_entropy(scaled, [0] * len(logits))


def stated(form: Expr, query: Rows, positive: Rows, queue: Rows, temperature: Fraction) -> Evaluator:
    """An expression of the statement of D3.34."""
    rows = {"query": query, "positive": positive, "negatives": queue}
    numbers = {name: decimals(array) for name, array in rows.items()}
    bound = SHARED.environment(**numbers, temperature=decimal(temperature))
    return evaluator(form, bound, names=SHARED.names)


def _agreement(query: UnitRows, positive: UnitRows, queue: UnitRows, temperature: Fraction) -> Finding:
    with mpmath.workdps(DIGITS):
        run = algorithm_loss(query, positive, queue, temperature)
        mean = stated(SHARED.form, query, positive, queue, temperature)({})[0]
        names = ("the algorithm's loss", "the mean of D3.34")
        return Finding(run, "≈", mean, names, tolerance=mpmath.mpf(10) ** -45)


def _ranks(query: UnitRows, positive: UnitRows, queue: UnitRows) -> Finding:
    ranks = [len(shape(part)) for part in (l_pos(query, positive), l_neg(query, queue))]
    return Finding(ranks[0], "≠", ranks[1], ("dimensions of l_pos as printed", "of l_neg"))


ROWS = {
    name: UnitRows(rational.rows(*rows))
    for name, rows in (
        ("query", ((3, 4), (5, 0))),
        ("positive", ((4, 3), (3, -4))),
        ("queue", ((0, 5), (-4, 3), (4, -3))),
    )
}

claim("D3.40", "corrected", SHARED_NEGATIVES)(
    printed=r"Algorithm 1 Pseudocode of MoCo in a PyTorch-like style. … l_pos = bmm(q.view(N, 1, C),"
    r" k.view(N, C, 1)); … l_neg = mm(q.view(N,C), queue.view(C,K)); … logits = cat([l_pos, l_neg], dim=1); …"
    r" labels = zeros(N); … loss = CrossEntropyLoss(logits/t, labels); … enqueue (queue, k) \#",
    checked="As printed bmm gives a matrix for each query where the comment says N×1, and cat cannot join it to"
    " l_neg: «ranks». The backslash before # is an artefact; and the rows are not normalised in the code,"
    " though bounds and temperatures assume that they are.",
    correction="l_pos is squeezed, q and k are normalised first. Then the algorithm, run, computes the mean of"
    " D3.34 over the queries, the positive in column 0: «run». k is held constant, and «gradient».",
    ranks=lambda: Misprint.at("the product executed", _ranks, **ROWS),
    run=lambda: Approximate.at("the algorithm executed", _agreement, **ROWS, temperature=Fraction(1, 4)),
    gradient=SHARED.gradients["query"].prove,
)


# --- what a step changes --------------------------------------------------------------------------------


def _drop_earliest(K: int, batches: Sequence[int]) -> Finding:
    """The queue as printed: whole minibatches, the earliest of which is dropped at each step."""
    queue = deque([batches[0]] * (K // batches[0]))
    for size in batches:
        queue.append(size)
        queue.popleft()
    return Finding(sum(queue), "≠", K, ("keys in the queue as printed", "K"))


def _through_the_encoder(f_q: Rows, x_q: Rows, k: Rows, queue: Rows, temperature: Fraction) -> Finding:
    """The algorithm's slope by each weight of f_q is Σ_i ∂𝓛/∂q_i x_iᵀ, k and the queue being constant."""
    with mpmath.workdps(DIGITS):
        queries = apply(f_q, x_q)
        at = stated(SHARED.gradients["query"].form, queries, k, queue, temperature)
        slopes = [[at({row_of: n, f: c})[0] for c in range(len(f_q))] for n in range(len(x_q))]

        def loss(moved: Rows) -> mpmath.mpf:
            return algorithm_loss(apply(moved, x_q), k, queue, temperature)

        return compare_slopes("f_q", loss, f_q, slopes, x_q)


claim("D3.49", "corrected", NETWORKS)(
    printed=r"k = k.detach() # no gradient to keys; loss.backward(); update(f_q.params);"
    r" f_k.params = m*f_k.params+(1-m)*f_q.params; enqueue (queue, k) \# enqueue the current minibatch;"
    r" dequeue (queue) # dequeue the earliest minibatch",
    checked="To drop the earliest minibatch keeps K keys only if all minibatches are of one size. With a"
    " smaller last one, as a loader gives, «dequeue».",
    correction="As many keys leave as enter (D3.37). The rest is as printed. loss.backward() follows «gradient»,"
    " in which k and the queue are constants; through a linear f_q, executed, «run». What detach leaves out"
    " is «left out», which would train f_k. So f_k moves by the average alone, «move», towards f_q as it is"
    " after its own update.",
    dequeue=lambda: Misprint.at("a last minibatch of one", _drop_earliest, K=4, batches=Integers([2, 2, 1])),
    run=lambda: Approximate.at(
        "two images, three keys in the queue",
        _through_the_encoder,
        f_q=Rows([[1, Fraction(1, 2)], [0, 1]]),
        x_q=Rows([[1, 2], [-1, 1]]),
        k=Rows([[1, 0], [Fraction(3, 5), Fraction(4, 5)]]),
        queue=Rows([[0, 1], [Fraction(-4, 5), Fraction(3, 5)], [1, -1]]),
        temperature=Fraction(1, 2),
    ),
    gradient=SHARED.gradients["query"].prove,
    left_out=SHARED.gradients["positive"].prove,
    move=MOVING_AVERAGE["move"],
)
