"""SimCLR's Algorithm 1, line by line, run with linear networks (document D3)."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

import mpmath
from mpmath import mp

from ..common import rational
from ..common.networks import DIGITS, apply, compare_slopes, decimals
from ..evidence.kinds import Approximate, Finding
from ..evidence.plain import claim
from ..evidence.points import Base, Rows, root
from ..losses import ntxent
from ..prover.evaluate import Functions, evaluator
from ..symbols import f, k

FUNCTIONS = Functions(mp.exp, mp.log, mp.sqrt, lambda one, other: mpmath.mpf(one) / other)


def augment(images: Rows, first: Rows, second: Rows) -> list[list[Fraction]]:
    """x̃ = t(x) and t′(x) in the rows 2k − 1 and 2k; t and t′ are matrices too."""
    return [row for x in images for t in (first, second) for row in apply(t, [x])]


def similarity(z: list[list], root) -> list[list]:
    """s_ij = z_iᵀ z_j / (‖z_i‖ ‖z_j‖) for all i and j, the row itself among them."""
    norm = [root(rational.dot(row, row)) for row in z]
    return [
        [rational.dot(one, other) / (a * b) for other, b in zip(z, norm, strict=True)]
        for one, a in zip(z, norm, strict=True)
    ]


def product_of_losses(s: list[list], exponential) -> Fraction | mpmath.mpf:
    """e^{2N 𝓛}: ℓ(i, j) = −log e^{s_ij/τ} / Σ 1[k ≠ i] e^{s_ik/τ}, over (2k − 1, 2k) and (2k, 2k − 1)."""

    def risk(i: int, j: int):
        return sum(exponential(s[i][n]) for n in range(len(s)) if n != i) / exponential(s[i][j])

    return prod(risk(2 * n, 2 * n + 1) * risk(2 * n + 1, 2 * n) for n in range(len(s) // 2))


def _run(images: Rows, first: Rows, second: Rows, f: Rows, g: Rows, b: Base) -> Iterator[Finding]:
    """One minibatch in fractions, and its loss by D3.2 and D3.4."""
    z = apply(g, apply(f, augment(images, first, second)))
    yield Finding(len(z), "=", 2 * len(images), ("rows z", "2N"))
    s = similarity(z, root)
    yield Finding([s[n][n] for n in range(len(s))], "=", [1] * len(s), ("each row with itself", ""))
    unit = [[x / root(rational.dot(row, row)) for x in row] for row in z]
    stated = prod(ntxent.risk(unit, b, row, row ^ 1) for row in range(len(z)))
    names = ("e^(2N 𝓛) of the algorithm", "of D3.4")
    yield Finding(product_of_losses(s, lambda x: rational.exp(x, b)), "=", stated, names)


def _update(images: Rows, first: Rows, second: Rows, f: Rows, g: Rows, colder: int) -> Iterator[Finding]:
    """The slopes of the loss by the weights of f and of g, and those by the rows (M5) through g and f."""
    with mp.workdps(DIGITS):
        views = augment(images, first, second)

        def loss(f: Rows, g: Rows) -> mpmath.mpf:
            s = similarity(decimals(apply(g, apply(f, views))), mp.sqrt)
            return mp.log(product_of_losses(s, lambda x: mp.exp(colder * x))) / len(s)

        inside = apply(f, views)
        by_row = _by_rows(decimals(apply(g, inside)), colder)
        back = [[rational.dot(column, row) for column in zip(*decimals(g), strict=True)] for row in by_row]
        yield compare_slopes("f", lambda moved: loss(moved, g), f, back, views)
        yield compare_slopes("g", lambda moved: loss(f, moved), g, by_row, inside)


def _by_rows(w: list[list[mpmath.mpf]], colder: int) -> list[list[mpmath.mpf]]:
    gradient = ntxent.STATEMENT.gradients["w"]
    given = ntxent.STATEMENT.environment(w=w, temperature=mpmath.mpf(1) / colder, layout="interleaved")
    at = evaluator(gradient.form, given, FUNCTIONS, gradient.names)
    return [[at({k: row, f: feature})[0] for feature in range(len(w[0]))] for row in range(len(w))]


BATCH = {
    "images": Rows([[5, 0], [0, 5], [4, 3]]),
    "first": Rows([[0, 1], [1, 0]]),
    "second": Rows([[1, 0], [0, -1]]),
    "f": Rows([[0, 2], [-2, 0]]),
    "g": Rows([[3, 0], [0, 3]]),
}

claim("D3.48", "checked", ntxent.NTXENT)(
    printed=r"Algorithm 1 SimCLR's main learning algorithm. input: batch size N, constant $\tau$, structure"
    r" of f, g, $\mathcal{T}$. for sampled minibatch $\{x_k\}_{k=1}^N$ do for all $k \in \{1, \dots, N\}$ do"
    r" draw two augmentation functions $t \sim T$, $t' \sim T$; $\tilde{x}_{2k-1} = t(x_k)$, $h_{2k-1} ="
    r" f(\tilde{x}_{2k-1})$, $z_{2k-1} = g(h_{2k-1})$; $\tilde{x}_{2k} = t'(x_k)$, $h_{2k} ="
    r" f(\tilde{x}_{2k})$, $z_{2k} = g(h_{2k})$ end for; for all $i \in \{1, \dots, 2N\}$ and $j \in \{1,"
    r" \dots, 2N\}$ do $s_{i,j} = z_i^\top z_j / (\|z_i\| \|z_j\|)$ end for; define $\ell(i,j)$ as"
    r" $\ell(i,j) = -\log \frac{\exp(s_{i,j}/\tau)}{\sum_{k=1}^{2N} 1_{[k \neq i]} \exp(s_{i,k}/\tau)}$;"
    r" $\mathcal{L} = \frac{1}{2N} \sum_{k=1}^N [\ell(2k-1, 2k) + \ell(2k, 2k-1)]$; update networks f and g"
    r" to minimize $\mathcal{L}$ end for; return encoder network $f(\cdot)$, and throw away $g(\cdot)$",
    checked="Every line is right, run with linear networks, three images and two augmentations that turn them."
    " The rows and the loss are exact: «run»; the similarity of a row with itself is computed and masked. To"
    " update both networks the gradient by the rows (M5) is sent through g and then through f: by"
    " differences of the loss «update». So f is trained only through g, which is thrown away; how good the f"
    " that is returned will be is measured, not proved.",
    brief="Every line is right, run with linear networks, three images and two augmentations: «run». To"
    " update both networks the gradient by the rows (M5) goes through g and then through f: «update».",
    run=lambda: Approximate.at("one minibatch", _run, **BATCH, b=Base(21, 20)),
    update=lambda: Approximate.at("the same minibatch, 50 digits", _update, **BATCH, colder=2),
)
