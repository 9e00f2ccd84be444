"""MoCo: a queue of keys, an encoder that follows slowly, and its algorithm (document D3)."""

import random
from collections import deque
from collections.abc import Iterable

import mpmath
from sympy import Symbol, exp, log

from ..claims import claim
from ..evidence import Verdict
from ..losses.query_key import FACTS, SHARED
from ..prover.evaluate import evaluator
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..symbols import L, L_positive, M, a, average, d, ell, f, i, key, newest, q, rate, tau
from ..unbound import Counterexample, counterexample
from .moving_average import moving_average

Rows = list[list[mpmath.mpf]]


@claim(
    "D3.34",
    printed=r"\mathcal{L}_q = -\log \frac{\exp(q \cdot k^+/\tau)}{\sum_{i=0}^K \exp(q \cdot k_i/\tau)}",
    statement=r"A definition, of K + 1 terms: k^+ and K negatives. \mathcal{L}_q = \log(1 + \sum_{i \ne +}"
    r" e^{(q \cdot k_i - q \cdot k^+)/\tau}), positive, and \log(K + 1) where all keys agree.",
    verdict=Verdict.PROVED,
)
def loss_of_a_query() -> tuple[Proof | Sign, ...]:
    odds = total(exp(L[i, a] - L_positive[i]), (a, M))
    agree = Definition(L[i, a], L_positive[i])
    row = next(name for name in SHARED.names if name.head == ell[i])
    return (
        derive(ell[i], (DEFINITION, log(1 + odds)), names=SHARED.names, facts=FACTS),
        nonnegative(odds),
        derive(ell[i], (DEFINITION, log(1 + M)), names=(row, agree), facts=FACTS),
    )


@claim(
    "D3.35",
    printed="k_i are negative keys",
    statement="Not all of them: k^+ is one of k_0, …, k_K, number 0 in the algorithm. Without it in the denominator"
    " the loss can be negative.",
    verdict=Verdict.CORRECTED,
    right=r"\{k_0, …, k_K\} is k^+ and K negatives; the loss is then positive, and its bound is P1 with N = K + 1.",
)
def the_positive_is_a_key() -> tuple[Counterexample, tuple[Proof | Sign, ...]]:
    """q = k⁺ = 1 and K + 1 = 2 keys at −1, in one dimension, τ = 1: −1 + log(2/e) = log(2/e²)."""
    loss = mpmath.iv.log(2) - 2
    negative = counterexample(
        "q = k⁺ = 1, two negative keys −1 and no positive in the denominator: a negative loss",
        holds=loss < 0,
        numbers={"loss": "log 2 − 2", "enclosed in": loss},
    )
    return negative, *loss_of_a_query()


@claim(
    "D3.36",
    printed=r"\tau is a hyperparameter, the temperature",
    statement=r"A definition: \tau > 0 is the unit in which scores are measured, c q at temperature c \tau"
    r" giving the"
    r" same logits; d\mathcal{L}/d\tau = (s_p - E_P[s])/\tau^2, as of every softmax (M7).",
    verdict=Verdict.PROVED,
)
def temperature() -> tuple[Proof, Proof]:
    c = Symbol("c", positive=True)
    scaled = total(c * q[i, f] * key[i, f], (f, d)) / (c * tau)
    return (
        derive(scaled, (DEFINITION, L_positive[i]), names=SHARED.names, facts=FACTS),
        SHARED.gradients["temperature"].prove(),
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


@claim(
    "D3.37",
    printed="the dictionary is a FIFO queue of keys of previous mini-batches, its size decoupled from theirs",
    statement="The algorithm was run: after each step the queue holds the last K keys in order, whatever the"
    " sizes of"
    " the mini-batches; the negatives are read before the keys enter, so no query meets its own key among them."
    " They were made by older encoders: the independent, identically distributed negatives of P1 are an"
    " idealisation.",
    verdict=Verdict.CHECKED,
    scope="K = 6 and 20 mini-batches of 1 to 4 keys",
)
def first_in_first_out() -> Counterexample:
    r, size = random.Random(0), 6
    seen = list(range(-size, 0))
    batches: list[list[int]] = []
    for _ in range(20):
        start = sum(map(len, batches))
        batches.append(list(range(start, start + r.randint(1, 4))))
    stands = True
    for batch, (negatives, queue) in zip(batches, steps(batches, seen, size), strict=True):
        stands &= negatives == seen[-size:] and not set(negatives) & set(batch)
        seen += batch
        stands &= queue == seen[-size:]
    return counterexample(
        "the queue holds the last K keys, and the negatives are those from before the step",
        holds=stands,
        numbers={
            "K": size,
            "mini-batches": [len(batch) for batch in batches],
            "queue at the end": seen[-size:],
        },
    )


@claim(
    "D3.38",
    printed=r"\theta_k \leftarrow m\theta_k + (1 - m)\theta_q",
    statement=r"A definition; after t updates \theta_k = m^t \theta_0 + (1 - m) \sum_{s<t} m^{t-1-s}"
    r" \theta_q^{(s)}, weights"
    r" that sum to 1, both by induction (D3.41), and each step moves by (1 - m)(\theta_q - \theta_k). It is BYOL's"
    r" update, whose rate is \zeta below.",
    verdict=Verdict.PROVED,
)
def momentum():
    return moving_average()


@claim(
    "D3.39",
    printed="copying the encoder at each step introduces instability; the momentum update keeps consistency",
    statement="Empirical: no theorem says what training does. What can be proved is how far the key encoder"
    " moves in"
    r" one step, (1 - m)(\theta_q - \theta_k): a copy, m = 0, moves all the way.",
    verdict=Verdict.NO_THEOREM,
)
def drift() -> Proof:
    update = rate * average + (1 - rate) * newest
    return derive(update - average, (SUMS, (1 - rate) * (newest - average)), facts=FACTS)


def dot(x: list[mpmath.mpf], y: list[mpmath.mpf]) -> mpmath.mpf:
    return sum(one * other for one, other in zip(x, y, strict=True))


def cross_entropy(logits: Rows, labels: list[int]) -> mpmath.mpf:
    """The mean of −log softmax at the labels: what CrossEntropyLoss is."""
    rows = zip(logits, labels, strict=True)
    return sum(mpmath.log(sum(map(mpmath.exp, row))) - row[label] for row, label in rows) / len(labels)


def algorithm_loss(query: Rows, positive: Rows, queue: Rows, temperature: mpmath.mpf) -> mpmath.mpf:
    """The algorithm's lines from l_pos to loss; the queue as rows, where the print has columns."""
    l_pos = [[dot(x, y)] for x, y in zip(query, positive, strict=True)]  # squeezed to N×1
    l_neg = [[dot(x, y) for y in queue] for x in query]
    logits = [own + other for own, other in zip(l_pos, l_neg, strict=True)]
    return cross_entropy([[x / temperature for x in row] for row in logits], [0] * len(logits))


def bmm(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a batch matrix product: (N, r, C) with (N, C, s) gives (N, r, s)."""
    return left[0], left[1], right[2]


@claim(
    "D3.40",
    printed="MoCo, Algorithm 1: l_pos = bmm(q.view(N, 1, C), k.view(N, C, 1)); l_neg = mm(…);"
    " logits = cat([l_pos, l_neg], dim=1); loss = CrossEntropyLoss(logits/t, zeros(N)); enqueue (queue, k) \\#",
    statement="The algorithm was run: its loss is the mean of D3.34 over the queries, the positive at column 0. As"
    " printed bmm gives N×1×1, which cannot be joined to N×K; the backslash before # is an artefact; and the rows"
    " are not normalised in the code, though bounds and temperatures assume that they are.",
    verdict=Verdict.CORRECTED,
    right=r"l_pos is squeezed to N×1, q and k are normalised first; k is held constant, and"
    r" \partial \mathcal{L} / \partial q = \frac{1}{N\tau} [(P_0 - 1) k^+ + \sum_n P_n k_n].",
)
def algorithm() -> tuple[Counterexample, Counterexample, Proof]:
    r = random.Random(1)
    query, positive, negatives = (
        [[mpmath.mpf(r.randint(-8, 8)) / 8 for _ in range(3)] for _ in range(rows)] for rows in (2, 2, 5)
    )
    with mpmath.workdps(50):
        cold = mpmath.mpf(1) / 4
        run = algorithm_loss(query, positive, negatives, cold)
        environment = SHARED.bind(query=query, positive=positive, negatives=negatives, temperature=cold)
        mean = evaluator(SHARED.definition, environment)({})[0]
        agree = counterexample(
            "N = 2 queries, K = 5 keys: the algorithm's loss is the mean of D3.34, to 45 digits",
            holds=abs(run - mean) < mpmath.mpf(10) ** -45,
            numbers={"algorithm": mpmath.nstr(run, 20), "mean of D3.34": mpmath.nstr(mean, 20)},
        )
    shape = bmm((2, 1, 3), (2, 3, 1))
    ranks = counterexample(
        "as printed, cat joins a row of three dimensions to one of two",
        holds=len(shape) != len((2, 5)),
        numbers={"l_pos": shape, "l_neg": (2, 5)},
    )
    return agree, ranks, SHARED.gradients["query"].prove()
