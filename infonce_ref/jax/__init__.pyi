"""Types of `infonce_ref.jax`. Written by tools/stubs.py from the registry of losses."""

from collections.abc import Hashable
from typing import Literal

from jax import Array
from numpy import ndarray

from ..pairs import Layout
from ..reduction import Reduction

_Array = Array | ndarray
_Number = float | _Array
_Mask = _Array | None

def infonce(
    z: _Array,
    *,
    temperature: _Number,
    keep: _Mask = None,
    reduction: Reduction = "mean",
    axis_name: Hashable | None = None,
) -> Array: ...
def ntxent(
    w: _Array,
    *,
    temperature: _Number,
    keep: _Mask = None,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
    axis_name: Hashable | None = None,
) -> Array: ...
def dcl(
    w: _Array,
    *,
    temperature: _Number,
    sigma: _Number | None = None,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
    axis_name: Hashable | None = None,
) -> Array: ...
def hard_negative(
    w: _Array,
    *,
    temperature: _Number,
    beta: _Number,
    prior: _Number,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
    axis_name: Hashable | None = None,
) -> Array: ...
def supcon(
    w: _Array,
    *,
    labels: _Array,
    temperature: _Number,
    form: Literal["out", "in", "pairs"] = "out",
    reduction: Reduction = "mean",
    no_positives: Literal["error", "zero"] = "error",
    axis_name: Hashable | None = None,
) -> Array: ...
def query_key(
    query: _Array,
    positive: _Array,
    negatives: _Array,
    *,
    temperature: _Number,
    keep: _Mask = None,
    reduction: Reduction = "mean",
) -> Array: ...
def clip(
    image: _Array,
    text: _Array,
    *,
    temperature: _Number,
    symmetric: bool = True,
    keep: _Mask = None,
    reduction: Reduction = "mean",
    axis_name: Hashable | None = None,
) -> Array: ...
def siglip(
    image: _Array,
    text: _Array,
    *,
    temperature: _Number,
    bias: _Number,
    reduction: Reduction = "mean",
    axis_name: Hashable | None = None,
) -> Array: ...
def cpc(scores: _Array, *, positive: _Array, keep: _Mask = None, reduction: Reduction = "mean") -> Array: ...
def soft_targets(scores: _Array, *, targets: _Array, reduction: Reduction = "mean") -> Array: ...
def triplet(
    anchor: _Array, positive: _Array, negative: _Array, *, margin: _Number, reduction: Reduction = "mean"
) -> Array: ...
def byol(prediction: _Array, target: _Array, *, reduction: Reduction = "mean") -> Array: ...
def simsiam(
    p1: _Array,
    z1: _Array,
    p2: _Array,
    z2: _Array,
    *,
    stop_gradient: bool = True,
    reduction: Reduction = "mean",
) -> Array: ...
def alignment(z1: _Array, z2: _Array, *, exponent: _Number, reduction: Reduction = "mean") -> Array: ...
def uniformity(z: _Array, *, t: _Number, axis_name: Hashable | None = None) -> Array: ...
def spectral(
    z1: _Array, z2: _Array, *, reduction: Reduction = "mean", axis_name: Hashable | None = None
) -> Array: ...
def barlow_twins(z1: _Array, z2: _Array, *, weight: _Number, axis_name: Hashable | None = None) -> Array: ...
def vicreg(
    z1: _Array,
    z2: _Array,
    *,
    invariance: _Number,
    variance: _Number,
    covariance: _Number,
    margin: _Number,
    epsilon: _Number,
    axis_name: Hashable | None = None,
) -> Array: ...
def dhn_nce(
    image: _Array,
    text: _Array,
    *,
    temperature: _Number,
    beta1: _Number,
    beta2: _Number,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Reduction = "sum",
    axis_name: Hashable | None = None,
) -> Array: ...
def instance(
    v: _Array, bank: _Array, *, index: _Array, temperature: _Number, reduction: Reduction = "sum"
) -> Array: ...
def nce(
    data_scores: _Array,
    noise_scores: _Array,
    *,
    log_noise_data: _Array,
    log_noise: _Array,
    reduction: Reduction = "mean",
) -> Array: ...
def instance_nce(
    v: _Array,
    bank: _Array,
    *,
    index: _Array,
    noise_index: _Array,
    temperature: _Number,
    reduction: Reduction = "mean",
) -> Array: ...

class _Information:
    def donsker_varadhan(self, scores: _Array, *, joint: _Array) -> Array: ...
    def infonce(self, scores: _Array) -> Array: ...
    def mine(self, scores: _Array) -> Array: ...
    def nwj(self, scores: _Array) -> Array: ...
    def smile(self, scores: _Array, *, clip: _Number) -> Array: ...

information: _Information
