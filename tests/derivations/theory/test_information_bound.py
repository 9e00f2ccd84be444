"""The InfoNCE bound in floating point, by independently written enumeration."""

import itertools
import math
import random

import pytest

from infonce_ref.derivations import symbols
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.theory import information_bound as lesson

ROUNDING = 1e-12  # a few hundred terms of order 1


def law(seed):
    r = random.Random(seed)
    cells = [[r.random() ** 3 for _ in range(2)] for _ in range(3)]
    whole = sum(map(sum, cells))
    return [[cell / whole for cell in row] for row in cells]


def marginals(cells):
    return [sum(row) for row in cells], [sum(column) for column in zip(*cells, strict=True)]


def loss(cells, f, size):
    x, _ = marginals(cells)
    mean = 0.0
    for a, b in itertools.product(range(3), range(2)):
        for others in itertools.product(range(3), repeat=size - 1):
            chance = cells[a][b] * math.prod(x[other] for other in others)
            mean -= chance * math.log(f[a][b] / (f[a][b] + sum(f[other][b] for other in others)))
    return mean


def setting(cells, f, size):
    """Every draw of the proof's symbols, for a law that may have cells of probability 0."""
    x, c = marginals(cells)
    pairs = [(a, b) for a, b in itertools.product(range(3), range(2)) if cells[a][b]]
    lists = [(b, xs) for b in range(2) for xs in itertools.product(range(3), repeat=size)]
    draws = [(m, (xs[l], b)) for m, (b, xs) in enumerate(lists) for l in range(size) if cells[xs[l]][b]]
    impossible = [sum(f[a][b] for a in xs if not cells[a][b]) for b, xs in lists]
    return {
        symbols.V: len(pairs),
        symbols.D: len(draws),
        symbols.W: len(lists),
        symbols.N: size,
        symbols.drawn: [m for m, _ in draws],
        symbols.pair: [pairs.index(cell) for _, cell in draws],
        symbols.others_weight: [c[b] * math.prod(x[a] for a in xs) for b, xs in lists],
        symbols.density_weight: [7 * cells[a][b] / x[a] / c[b] for a, b in pairs],  # any factor is allowed
        symbols.score: [f[a][b] for _, (a, b) in draws],
        symbols.rest: [float(score) for score in impossible],
    }


@pytest.mark.parametrize("zeros", [(), ((0, 1),), ((0, 0), (2, 1))])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_symbols_of_the_proof_are_the_loss_and_the_information_of_a_law(zeros, size):
    cells, r = law(3), random.Random(size)
    for a, b in zeros:
        cells[a][b] = 0.0
    whole = sum(map(sum, cells))
    cells = [[cell / whole for cell in row] for row in cells]
    f = [[10 * r.random() + 0.01 for _ in range(2)] for _ in range(3)]
    names, values = (*lesson.DRAWN.names, *lesson.BY_LISTS.only("Φ", "Ψ").names), setting(cells, f, size)

    def value(form):
        return evaluator(form, values, names=names)({})[0]

    x, c = marginals(cells)
    told = sum(p * math.log(p / x[a] / c[b]) for a, row in enumerate(cells) for b, p in enumerate(row) if p)
    assert value(symbols.information) == pytest.approx(told, abs=ROUNDING)
    assert value(symbols.loss) == pytest.approx(loss(cells, f, size), abs=ROUNDING)
    lines = [value(line.expression) for line in lesson.THE_BOUND().steps]
    assert all(before <= after + ROUNDING for before, after in itertools.pairwise(lines))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_positive_drawn_independently_of_its_context_has_the_mean_share_1_over_n(size):
    cells, r = law(3), random.Random(size)
    x, _ = marginals(cells)
    pairs = list(itertools.product(range(3), range(2)))
    others = list(itertools.product(range(3), repeat=size - 1))
    f = [[10 * r.random() + 0.01 for _ in range(2)] for _ in range(3)]
    values = {
        symbols.V: len(pairs),
        symbols.W: len(others),
        symbols.N: size,
        symbols.x_of: [a for a, _ in pairs],
        symbols.c_of: [b for _, b in pairs],
        symbols.weight: [cells[a][b] for a, b in pairs],
        symbols.others_weight: [math.prod(x[a] for a in other) for other in others],
        symbols.value_score: f,
        symbols.others_score: [[sum(f[a][b] for a in other) for other in others] for b in range(2)],
    }
    apart, pairs_loss = lesson.INDEPENDENT, lesson.LOSS_OF_PAIRS
    names = (lesson.LAW, lesson.LISTS, apart["Φˣ"], apart["P̄ˣ"], pairs_loss["𝓛ᵃ"])
    share, value = (
        evaluator(form, values, names=names)({})[0] for form in (symbols.mean_share, symbols.loss_apart)
    )
    assert share == pytest.approx(1 / size, abs=ROUNDING)
    assert value == pytest.approx(loss(cells, f, size), abs=ROUNDING)
