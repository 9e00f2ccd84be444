"""Types of `infonce_ref.torch`. Written by tools/stubs.py from the registry of losses."""

from collections.abc import Callable
from typing import Literal

from torch import Tensor

from . import nn as nn

def infonce(
    z: Tensor,
    *,
    temperature: float | Tensor,
    keep: Tensor | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def ntxent(
    w: Tensor,
    *,
    temperature: float | Tensor,
    keep: Tensor | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    layout: Literal["concatenated", "interleaved"] = "concatenated",
) -> Tensor: ...
def dcl(
    w: Tensor,
    *,
    temperature: float | Tensor,
    sigma: float | Tensor | None = None,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Literal["mean", "sum", "none"] = "mean",
    layout: Literal["concatenated", "interleaved"] = "concatenated",
) -> Tensor: ...
def hard_negative(
    w: Tensor,
    *,
    temperature: float | Tensor,
    beta: float | Tensor,
    prior: float | Tensor,
    reduction: Literal["mean", "sum", "none"] = "mean",
    layout: Literal["concatenated", "interleaved"] = "concatenated",
) -> Tensor: ...
def supcon(
    w: Tensor,
    *,
    labels: Tensor,
    temperature: float | Tensor,
    form: Literal["out", "in", "pairs"] = "out",
    reduction: Literal["mean", "sum", "none"] = "mean",
    no_positives: Literal["error", "zero"] = "error",
) -> Tensor: ...
def query_key(
    query: Tensor,
    positive: Tensor,
    negatives: Tensor,
    *,
    temperature: float | Tensor,
    keep: Tensor | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def clip(
    image: Tensor,
    text: Tensor,
    *,
    temperature: float | Tensor,
    symmetric: bool = True,
    keep: Tensor | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def siglip(
    image: Tensor,
    text: Tensor,
    *,
    temperature: float | Tensor,
    bias: float | Tensor,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def cpc(
    scores: Tensor,
    *,
    positive: Tensor,
    keep: Tensor | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def soft_targets(
    scores: Tensor, *, targets: Tensor, reduction: Literal["mean", "sum", "none"] = "mean"
) -> Tensor: ...
def triplet(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    margin: float | Tensor,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def byol(
    prediction: Tensor, target: Tensor, *, reduction: Literal["mean", "sum", "none"] = "mean"
) -> Tensor: ...
def simsiam(
    p1: Tensor,
    z1: Tensor,
    p2: Tensor,
    z2: Tensor,
    *,
    stop_gradient: bool = True,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def alignment(
    z1: Tensor, z2: Tensor, *, exponent: float | Tensor, reduction: Literal["mean", "sum", "none"] = "mean"
) -> Tensor: ...
def uniformity(z: Tensor, *, t: float | Tensor) -> Tensor: ...
def spectral(z1: Tensor, z2: Tensor, *, reduction: Literal["mean", "sum", "none"] = "mean") -> Tensor: ...
def barlow_twins(z1: Tensor, z2: Tensor, *, weight: float | Tensor) -> Tensor: ...
def vicreg(
    z1: Tensor,
    z2: Tensor,
    *,
    invariance: float | Tensor,
    variance: float | Tensor,
    covariance: float | Tensor,
    margin: float | Tensor,
    epsilon: float | Tensor,
) -> Tensor: ...
def dhn_nce(
    image: Tensor,
    text: Tensor,
    *,
    temperature: float | Tensor,
    beta1: float | Tensor,
    beta2: float | Tensor,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Literal["mean", "sum", "none"] = "sum",
) -> Tensor: ...
def instance(
    v: Tensor,
    bank: Tensor,
    *,
    index: Tensor,
    temperature: float | Tensor,
    reduction: Literal["mean", "sum", "none"] = "sum",
) -> Tensor: ...
def nce(
    data_scores: Tensor,
    noise_scores: Tensor,
    *,
    log_noise_data: Tensor,
    log_noise: Tensor,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...
def instance_nce(
    v: Tensor,
    bank: Tensor,
    *,
    index: Tensor,
    noise_index: Tensor,
    temperature: float | Tensor,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Tensor: ...

class _Streaming:
    @staticmethod
    def infonce(
        z: Tensor,
        *,
        temperature: float | Tensor,
        reduction: Literal["mean", "sum", "none"] = "mean",
        tile: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Tensor: ...
    @staticmethod
    def ntxent(
        w: Tensor,
        *,
        temperature: float | Tensor,
        reduction: Literal["mean", "sum", "none"] = "mean",
        layout: Literal["concatenated", "interleaved"] = "concatenated",
        tile: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Tensor: ...
    @staticmethod
    def dcl(
        w: Tensor,
        *,
        temperature: float | Tensor,
        reduction: Literal["mean", "sum", "none"] = "mean",
        layout: Literal["concatenated", "interleaved"] = "concatenated",
        tile: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Tensor: ...
    @staticmethod
    def supcon(
        w: Tensor,
        *,
        labels: Tensor,
        temperature: float | Tensor,
        form: Literal["out", "in", "pairs"] = "out",
        reduction: Literal["mean", "sum", "none"] = "mean",
        no_positives: Literal["error", "zero"] = "error",
        tile: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Tensor: ...
    @staticmethod
    def query_key(
        query: Tensor,
        positive: Tensor,
        negatives: Tensor,
        *,
        temperature: float | Tensor,
        reduction: Literal["mean", "sum", "none"] = "mean",
        tile: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Tensor: ...
    @staticmethod
    def clip(
        image: Tensor,
        text: Tensor,
        *,
        temperature: float | Tensor,
        symmetric: bool = True,
        reduction: Literal["mean", "sum", "none"] = "mean",
        tile: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Tensor: ...
    @staticmethod
    def siglip(
        image: Tensor,
        text: Tensor,
        *,
        temperature: float | Tensor,
        bias: float | Tensor,
        reduction: Literal["mean", "sum", "none"] = "mean",
        tile: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Tensor: ...

streaming: _Streaming

class _Information:
    @staticmethod
    def donsker_varadhan(scores: Tensor, *, joint: Tensor) -> Tensor: ...
    @staticmethod
    def infonce(scores: Tensor) -> Tensor: ...
    @staticmethod
    def mine(scores: Tensor) -> Tensor: ...
    @staticmethod
    def nwj(scores: Tensor) -> Tensor: ...
    @staticmethod
    def smile(scores: Tensor, *, clip: float | Tensor) -> Tensor: ...

information: _Information
