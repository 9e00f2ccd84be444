"""What each loss declares about itself, so that tests, judge, lessons, figures and command keep no lists."""

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from .checks import list_choices
from .contract import LossModule, name_loss

Kind = Literal[
    "score", "bias", "length", "squared length", "inverse squared length", "hardness", "temperature", "label"
]


class IllConditioned(NamedTuple):
    """A value or gradient that is a small difference of large terms, in any form.

    where: the condition under which it cancels · number: its condition number, Σ|terms| / |Σ terms| · judged:
    whether it occurs at the judge's points; `tests/digits.py` draws others.
    """

    where: str
    number: str
    judged: bool = False


NEAR = "rows far from 0 nearly coincide, or pulls cancel"
SLOPES = IllConditioned("slopes have either sign", "Σ|G_ij L_ij| / |Σ G_ij L_ij|")  # of ∂𝓛/∂τ
PULLS = IllConditioned(  # for rows of any length
    "rows nearly coincide, however far from 0, or pulls cancel",
    "Σ_j |G_ij + G_ji| / |(I − z_i z_iᵀ) Σ_j (G_ij + G_ji) z_j|",
)


class Loss(NamedTuple):
    """One entry of `infonce_ref.losses.ALL`, or of `infonce_ref.information.ESTIMATORS`.

    differentiable: the inputs that have a gradient, in the order of the Gradients tuple.
    example(seed=0, noise=1.0, *, rows, features, **options): arguments of forward by name, arrays as NumPy
        float64; a small noise makes the positives nearly equal. rows: number of anchors or pairs.
    variants: settings of the options that the judge runs besides the defaults; `declare` adds each choice.
    stopped: the inputs at which the gradient stops, each with the option under which it does; None for always.
    batch: for a loss over both views of a batch, concatenated in one input, that input's name, so that it can be
        judged on a user's own rows; z if they must have length 1. None for any other loss.
    views: for a loss with one array of unit rows for each view, the two names; the judge takes a user's rows.
    fewest: rows of the smallest example that the judge uses: 2 if the loss of a single pair is undefined, or if
        a part of its statement divides by an empty sum, as hard_negative's weights do.
    varying: the inputs in which no column may be constant.
    kinds: arguments other than rows and temperatures that the judge must know: a "score" is a logit; a "bias" is
        added to logits; a "length" has the unit of the rows' length, and a "squared length" of its square, as a
        margin has; an "inverse squared length" multiplies squares; a "hardness" β multiplies logits by 1 + β;
        a "temperature" divides cosines, as the temperature does; a "label" is only compared for equality.
    ill_conditioned: the "value", or inputs whose gradient cancels in any form. The judge measures their error
    relative to the summed terms; everything else also relative to its largest entry.
    drawn: options of the example that the judge draws, besides rows, features and noise, or overrides of their
    ranges: each with the least and the greatest value, integers for counts.
    title: the loss's usual name in the literature; by default it is made from `name`: "NT-Xent" is NTXentLoss in
        `infonce_ref.torch.nn`.
    compares: whether rows of different things are compared with one another, so that the loss of a batch is not the
        mean over its parts, and ranks must gather their rows.
    tried: values of the example's options at which code may branch, such as 0, 1 or a large size; the judge tries
        each exactly, with its type.
    """

    name: str
    forward: Callable[..., tuple[Any, Any]]
    backward: Callable[..., Any]
    differentiable: tuple[str, ...]
    example: Callable[..., dict[str, Any]]
    variants: tuple[dict[str, Any], ...]
    stopped: Mapping[str, str | None] = {}
    batch: str | None = None
    views: tuple[str, ...] = ()
    fewest: int = 1
    varying: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = {}
    ill_conditioned: Mapping[str, IllConditioned] = {}
    drawn: Mapping[str, tuple[float, float]] = {}
    tried: Mapping[str, tuple[float, ...]] = {}
    title: str = ""
    compares: bool = False

    @property
    def claims(self) -> tuple[str, ...]:
        """The ids of the ledger in the file of the loss, in its order."""
        source = inspect.getsource(sys.modules[self.forward.__module__])
        cited = " ".join(re.findall(r"\[.*?\]", source))
        return tuple(dict.fromkeys(re.findall(r"\b(?:D\d\.|[A-Z])\d+\b", cited)))


def declare(
    forward: Callable, backward: Callable, example: Callable, variants: tuple = (), **declared: Any
) -> Loss:
    """The entry of a loss: its file has its name, its gradients have those of its inputs, and another choice of an
    option is a variant.
    """
    inputs = inspect.signature(backward).return_annotation._fields
    options = inspect.signature(forward).parameters
    others = ((name, x) for name, values in list_choices(options).items() for x in values)
    chosen = tuple({name: x} for name, x in others if x != options[name].default)
    return Loss(name_loss(forward), forward, backward, inputs, example, chosen + variants, **declared)


def entries(names: Mapping[str, Any]) -> dict[str, Loss]:
    """The entries of the loss modules among some names, in their order."""
    modules = {name: module for name, module in names.items() if hasattr(module, "LOSS")}
    for module in modules.values():
        module.__class__ = LossModule
    return {name: module.LOSS for name, module in modules.items()}
