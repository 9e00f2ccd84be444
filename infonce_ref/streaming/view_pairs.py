"""The common tiled forward and backward of losses over two views of a batch, with rows of any length; each loss
supplies a plan.

Such losses differ only in how they use a row's positive logit and the sums over its negatives.
"""

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, get_args

from ..arrays import Array
from ..checks import check, check_choice, check_gradients, check_positive, check_value
from ..examples import ntxent_example
from ..isolation import isolate
from ..pairs import Layout, check_some_negative, count_pairs
from ..reduction import Reduction, check_reduction, reduce_losses, split_upstream
from ..registry import Loss
from . import engine, rows, tiles, two_views
from .sums import Softmax, Sums

P = ParamSpec("P")
R = TypeVar("R")


class Plan(NamedTuple):
    """name · source: the paper, for the docstring · needs_negative: whether a single pair is refused ·
    weigh(positive, sums): ℓ (N,) and the softmax over the negatives, from the positive's logit (N,) and the sums
    over the negatives · shows: what the docstrings' examples print."""

    name: str
    source: str
    needs_negative: bool
    weigh: Callable[[Array, Sums], tuple[Array, Softmax]]
    shows: tuple[str, str]


class Cache(NamedTuple):
    """length, scale: ‖w‖ as two factors (N, 1), as in `sphere` · pairs: z/√τ and its softmax, partners adjacent ·
    layout · reduction.
    """

    length: Array
    scale: Array
    pairs: two_views.Cache
    layout: Layout
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂w (N, d), orthogonal to each row, and ∂𝓛/∂τ (0-d)."""

    w: Array
    temperature: Array


FORWARD = """The loss in nats, a 0-d array, and the cache for `backward`.

    w may be memory-mapped. tile: the side of a tile in rows, made even; chosen from the cache if None.
    progress(done, to_do): called after each round of tiles, of either pass.
    Raises ValueError for an odd number of rows,{single} a zero row, NaN or infinity, a
    temperature that is not positive and finite, an unknown reduction or layout, a tile below 1, JAX arrays.
    Source: {source}.

    >>> import numpy as np
    >>> from infonce_ref.streaming import {name}
    >>> value, _ = {name}.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(f"{{value:.6f}} nats")
    {shows[0]} nats
    """
BACKWARD = """The gradients of upstream · 𝓛, from the cache of `forward`.

    >>> import numpy as np
    >>> from infonce_ref.streaming import {name}
    >>> _, cache = {name}.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print({name}.backward(cache).w[0].round(4))
    {shows[1]}
    """


def forward(
    plan: Plan,
    w: Array,
    *,
    temperature: float,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The forward of the loss with this plan; `bind` gives it a docstring."""
    xp, size = check(w=(w, "N d"))
    tile = engine.check_tile(tile, xp)
    pairs = count_pairs("w", size["N"])
    if plan.needs_negative:
        check_some_negative("w", pairs)
    tau = check_positive("temperature", temperature)
    check_choice("layout", layout, get_args(Layout))
    check_reduction(reduction)
    x, length, scale = rows.project_rows(two_views.interleave(w, layout), tau)
    scores, positive, sums = two_views.forward(x, tile, progress)
    losses, softmax = plan.weigh(positive, sums)
    # 𝓛 = (1/2B) Σ ℓ_i                                                    [D3.4, F1]
    value = check_value(plan.name, reduce_losses(two_views.restore_order(losses, layout), reduction))
    return value, Cache(length, scale, two_views.Cache(scores, softmax, tau), layout, reduction)


def backward(plan: Plan, cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The backward of the loss with this plan; `bind` gives it a docstring."""
    length, scale, pairs, layout, reduction = cache
    upstream = split_upstream(upstream, reduction, pairs.softmax.q)
    # multiply each row of G, from `weigh`, by the anchor's upstream      [D1.11, F2]
    dz, dtau = two_views.backward(pairs, two_views.interleave(upstream, layout))
    dw = rows.differentiate_by_w(dz, pairs.scores.rows, length, scale, pairs.temperature)
    return check_gradients(plan.name, Gradients(two_views.restore_order(dw, layout), dtau))


def bind(plan: Plan, one_pass: Callable[Concatenate[Plan, P], R], text: str) -> Callable[P, R]:
    """Return a plan's forward or backward as a function of the module that defines the plan."""

    def bound(*arguments: P.args, **options: P.kwargs) -> R:
        return one_pass(plan, *arguments, **options)

    bound.__module__ = f"{__package__}.{plan.name}"
    bound.__name__ = bound.__qualname__ = one_pass.__name__
    bound.__doc__ = text.format(**plan._asdict(), single=" a single pair," if plan.needs_negative else "")
    bound.__annotations__ = {name: hint for name, hint in one_pass.__annotations__.items() if name != "plan"}
    signature = inspect.signature(one_pass)
    bound.__signature__ = signature.replace(parameters=[*signature.parameters.values()][1:])  # type: ignore[attr-defined]
    return isolate(bound)


def declare(plan: Plan, forward: Callable[..., Any], backward: Callable[..., Any]) -> Loss:
    """Make the entry of the registry."""
    return Loss(
        name=plan.name,
        forward=forward,
        backward=backward,
        differentiable=("w", "temperature"),
        example=ntxent_example,
        variants=({"layout": "interleaved"}, {"reduction": "sum"}, {"reduction": "none"}, {"tile": 2}),
    )
