"""A map of a pair of indices, t(n, a), is an index; a sum over its images can be written as one over the
pairs.
"""

import pytest
from sympy import Symbol
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.hypotheses import Into
from infonce_ref.derivations.prover.interpret import Draw, Refused, require_equal
from infonce_ref.derivations.prover.notation import one_if, total
from infonce_ref.derivations.prover.numpy_code import _shape
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.sums import Facts, NotProved

D, W = (Symbol(name, integer=True, positive=True) for name in "DW")
n, a, m, k = (Symbol(name, integer=True, nonnegative=True) for name in "namk")
t, p = (IndexedBase(name, integer=True) for name in "tp")
x, y = (IndexedBase(name, real=True) for name in "xy")
OVER = ((a, W), (n, D))
RANGES = {n: D, m: D, a: W, k: W}
FACTS = Facts(ranges=RANGES, maps={t: ((D, W), D)})
BY_IMAGE = total(x[m] * total(one_if(m, t[n, a]) * y[n, a], *OVER), (m, D))
BY_PAIR = total(y[n, a] * x[t[n, a]], *OVER)


def test_a_sum_over_images_is_one_over_pairs():
    proof = derive(BY_IMAGE, (SUMS, BY_PAIR), facts=FACTS)
    assert Into(t, (D, W), D) in proof.hypotheses
    assert "t maps 0 … D − 1 and 0 … W − 1 into 0 … D − 1" in proof.assumptions


@pytest.mark.parametrize(
    "maps",
    [{}, {t: ((D, W), W)}],  # the map's codomain is undeclared, or another range
)
def test_without_the_map_s_range_the_sum_is_not_proved(maps):
    with pytest.raises(NotProved):
        derive(BY_IMAGE, (SUMS, BY_PAIR), facts=Facts(ranges=RANGES, maps=maps))


def test_arguments_are_kept_in_their_order():
    square = Facts(ranges={n: D, m: D}, maps={t: ((D, D), D)})
    with pytest.raises(NotProved):
        derive(x[t[n, m]], (SUMS, x[t[m, n]]), facts=square)
    swapped = total(y[n, m] * x[t[n, m]], (m, D), (n, D))
    assert derive(swapped, (SUMS, total(y[m, n] * x[t[m, n]], (m, D), (n, D))), facts=square)
    renamed = total(one_if(m, n) * x[t[m, n]], (m, D))
    assert derive(renamed, (SUMS, x[t[n, n]]), facts=square)


@pytest.mark.parametrize(
    ("maps", "derangements", "first", "said"),
    [
        ({t: ((W, D), D)}, (), BY_PAIR, r"t is a map of 0 … W − 1, but in t\[n, a\] its argument runs to D − 1"),
        ({t: ((D, D), D)}, (), BY_PAIR, r"t is a map of 0 … D − 1, but in t\[n, a\] its argument runs to W − 1"),
        ({t: (D, D)}, (), BY_PAIR, r"t is a map of 1 indices, unlike in t\[n, a\]"),
        ({t: ((D, W), D)}, (), x[t[n]], r"t is a map of 2 indices, unlike in t\[n\]"),
        ({t: ((D, W), D)}, (t,), BY_PAIR, "t has several indices"),
        ({t: ((D, n), D)}, (), BY_PAIR, "which is not a size"),
    ],
)  # fmt: skip
def test_an_undeclared_map_is_refused(maps, derangements, first, said):
    with pytest.raises(ValueError, match=said):
        derive(first, (SUMS, first), facts=Facts(ranges=RANGES, maps=maps, derangements=derangements))


def test_the_second_look_has_an_image_for_each_pair():
    into = Into(t, (D, W), D)
    draws = [Draw(seed, (into,), RANGES) for seed in range(9)]
    large = [draw for draw in draws if draw.size(D) > 2]
    assert large
    for draw in large:
        pairs = [(one, other) for one in range(draw.size(D)) for other in range(draw.size(W))]
        assert all(draw.image(t, pair) < draw.size(D) for pair in pairs)
    assert len({draw.image(t, pair) for draw in large for pair in ((0, 1), (1, 0), (1, 1), (0, 0))}) > 1
    # outside its domain the map may have any value
    assert {large[-1].image(t, (7, 0)) for _ in range(3)} <= set(range(5))
    with pytest.raises(Refused):
        require_equal((x[t[n, m]], x[t[m, n]]), (), (), {n: D, m: D})


def test_numpy_takes_a_table_of_the_images():
    assert _shape(t, (), FACTS) == (D, W)
