"""Types of `infonce_ref.jax`. Written by tools/stubs.py from the registry of losses."""

from collections.abc import Hashable
from typing import Literal

from jax import Array
from numpy import ndarray

def infonce(
    z: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    keep: Array | ndarray | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    axis_name: Hashable | None = None,
) -> Array: ...
def ntxent(
    w: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    keep: Array | ndarray | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    layout: Literal["concatenated", "interleaved"] = "concatenated",
    axis_name: Hashable | None = None,
) -> Array: ...
def dcl(
    w: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    sigma: float | Array | ndarray | None = None,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Literal["mean", "sum", "none"] = "mean",
    layout: Literal["concatenated", "interleaved"] = "concatenated",
    axis_name: Hashable | None = None,
) -> Array: ...
def hard_negative(
    w: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    beta: float | Array | ndarray,
    prior: float | Array | ndarray,
    reduction: Literal["mean", "sum", "none"] = "mean",
    layout: Literal["concatenated", "interleaved"] = "concatenated",
    axis_name: Hashable | None = None,
) -> Array: ...
def supcon(
    w: Array | ndarray,
    *,
    labels: Array | ndarray,
    temperature: float | Array | ndarray,
    form: Literal["out", "in", "pairs"] = "out",
    reduction: Literal["mean", "sum", "none"] = "mean",
    no_positives: Literal["error", "zero"] = "error",
    axis_name: Hashable | None = None,
) -> Array: ...
def query_key(
    query: Array | ndarray,
    positive: Array | ndarray,
    negatives: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    keep: Array | ndarray | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...
def clip(
    image: Array | ndarray,
    text: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    symmetric: bool = True,
    keep: Array | ndarray | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    axis_name: Hashable | None = None,
) -> Array: ...
def siglip(
    image: Array | ndarray,
    text: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    bias: float | Array | ndarray,
    reduction: Literal["mean", "sum", "none"] = "mean",
    axis_name: Hashable | None = None,
) -> Array: ...
def cpc(
    scores: Array | ndarray,
    *,
    positive: Array | ndarray,
    keep: Array | ndarray | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...
def soft_targets(
    scores: Array | ndarray, *, targets: Array | ndarray, reduction: Literal["mean", "sum", "none"] = "mean"
) -> Array: ...
def triplet(
    anchor: Array | ndarray,
    positive: Array | ndarray,
    negative: Array | ndarray,
    *,
    margin: float | Array | ndarray,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...
def byol(
    prediction: Array | ndarray,
    target: Array | ndarray,
    *,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...
def simsiam(
    p1: Array | ndarray,
    z1: Array | ndarray,
    p2: Array | ndarray,
    z2: Array | ndarray,
    *,
    stop_gradient: bool = True,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...
def alignment(
    z1: Array | ndarray,
    z2: Array | ndarray,
    *,
    exponent: float | Array | ndarray,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...
def uniformity(
    z: Array | ndarray, *, t: float | Array | ndarray, axis_name: Hashable | None = None
) -> Array: ...
def spectral(
    z1: Array | ndarray,
    z2: Array | ndarray,
    *,
    reduction: Literal["mean", "sum", "none"] = "mean",
    axis_name: Hashable | None = None,
) -> Array: ...
def barlow_twins(
    z1: Array | ndarray,
    z2: Array | ndarray,
    *,
    weight: float | Array | ndarray,
    axis_name: Hashable | None = None,
) -> Array: ...
def vicreg(
    z1: Array | ndarray,
    z2: Array | ndarray,
    *,
    invariance: float | Array | ndarray,
    variance: float | Array | ndarray,
    covariance: float | Array | ndarray,
    margin: float | Array | ndarray,
    epsilon: float | Array | ndarray,
    axis_name: Hashable | None = None,
) -> Array: ...
def dhn_nce(
    image: Array | ndarray,
    text: Array | ndarray,
    *,
    temperature: float | Array | ndarray,
    beta1: float | Array | ndarray,
    beta2: float | Array | ndarray,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Literal["mean", "sum", "none"] = "sum",
    axis_name: Hashable | None = None,
) -> Array: ...
def instance(
    v: Array | ndarray,
    bank: Array | ndarray,
    *,
    index: Array | ndarray,
    temperature: float | Array | ndarray,
    reduction: Literal["mean", "sum", "none"] = "sum",
) -> Array: ...
def nce(
    data_scores: Array | ndarray,
    noise_scores: Array | ndarray,
    *,
    log_noise_data: Array | ndarray,
    log_noise: Array | ndarray,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...
def instance_nce(
    v: Array | ndarray,
    bank: Array | ndarray,
    *,
    index: Array | ndarray,
    noise_index: Array | ndarray,
    temperature: float | Array | ndarray,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Array: ...

class _Information:
    @staticmethod
    def donsker_varadhan(scores: Array | ndarray, *, joint: Array | ndarray) -> Array: ...
    @staticmethod
    def infonce(scores: Array | ndarray) -> Array: ...
    @staticmethod
    def mine(scores: Array | ndarray) -> Array: ...
    @staticmethod
    def nwj(scores: Array | ndarray) -> Array: ...
    @staticmethod
    def smile(scores: Array | ndarray, *, clip: float | Array | ndarray) -> Array: ...

information: _Information
