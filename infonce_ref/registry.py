"""What each loss says of itself, so that tests, judge, lessons, figures and command keep no list of theirs."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Kind = Literal[
    "score",
    "bias",
    "length",
    "squared length",
    "inverse squared length",
    "hardness",
    "distribution",
    "law",
    "label",
]


class IllConditioned(NamedTuple):
    """A value or gradient that is a small difference of large terms, whatever form computes it.

    where: it cancels · number: its condition number, the summed terms over what is left of them · judged: whether
    the judge's points show it; other points do, which `tools/digits.py` draws."""

    where: str
    number: str
    judged: bool = False


SLOPES = IllConditioned("slopes have either sign", "Σ|G_ij L_ij| / |Σ G_ij L_ij|")  # of ∂𝓛/∂τ
PULLS = IllConditioned(  # of rows of any length
    "rows nearly coincide, however far from 0, or pulls meet",
    "Σ_j |G_ij + G_ji| / |(I − z_i z_iᵀ) Σ_j (G_ij + G_ji) z_j|",
)


class Loss(NamedTuple):
    """One row of the registry `infonce_ref.losses.ALL`, or of `infonce_ref.information.ESTIMATORS`.

    differentiable: the inputs that have a gradient, in the order of the Gradients tuple.
    example(seed=0, noise=1.0, *, rows, features, **options): arguments of forward by name, arrays as NumPy
        float64; a small noise makes the positives nearly equal. rows: how many anchors or pairs.
    variants: settings of the options that the judge runs beside the defaults.
    claims: ids of the ledger that the file implements.
    held(**arguments): for a loss with a stop-gradient, a function of the arguments that returns the value with
        what the gradient does not pass through kept as it is here; None where there is no such thing.
    stopped: the inputs at which the gradient stops, each with the option under which it does; None where always.
    batch: for a loss over both views of a batch, concatenated in one input, that input's name, so that it can be
        judged on a user's own rows; z where they must have length 1. None for any other loss.
    fewest: rows of the smallest example that the judge asks about: 2 where the loss of a single pair is undefined,
        or, as hard_negative's weights do, a part of its statement divides by an empty sum.
    varying: the inputs of which no column may be constant.
    kinds: what an argument is that is neither rows nor a temperature, where the judge must know it: a "score" is a
        logit as it stands; a "bias", a number, is added to logits; a "length" is measured by the rows' length, and
        a "squared length" by its square, as a margin is; by an "inverse squared length" squares are multiplied; by
        a "hardness" β logits are multiplied, as 1 + β; each row of a "distribution" sums to 1, and all of a "law";
        a "label" is an integer that is only compared for equality.
    ill_conditioned: the "value" or the inputs whose gradient cancels by nature. The judge measures these against
        their terms alone, everything else also against its largest entry.
    views: for a loss of one array of unit rows for each view, the names of the two; the judge takes a user's rows.
    drawn: what else of the example the judge draws, beside rows, features and noise, or those in another range than
        other losses': each with the least and the most, and whole where they are.
    tried: values of the example's options at which code may branch, such as 0, 1 or a large size; the judge tries
        each exactly, with its type.
    """

    name: str
    forward: Callable[..., tuple[Any, Any]]
    backward: Callable[..., Any]
    differentiable: tuple[str, ...]
    example: Callable[..., dict[str, Any]]
    variants: tuple[dict[str, Any], ...]
    claims: tuple[str, ...]
    held: Callable[..., Callable[..., Any]] | None = None
    stopped: Mapping[str, str | None] = {}
    batch: str | None = None
    views: tuple[str, ...] = ()
    fewest: int = 1
    varying: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = MappingProxyType({})
    ill_conditioned: Mapping[str, IllConditioned] = MappingProxyType({})
    drawn: Mapping[str, tuple[float, float]] = MappingProxyType({})
    tried: Mapping[str, tuple[float, ...]] = MappingProxyType({})


def entries(names: Mapping[str, Any]) -> dict[str, Loss]:
    """The entries of the loss modules among some names, in their order."""
    return {name: module.LOSS for name, module in names.items() if hasattr(module, "LOSS")}
