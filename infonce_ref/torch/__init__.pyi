"""Types of `infonce_ref.torch`. Written by tools/stubs.py from the registry of losses."""

from typing import Literal

from torch import Tensor

from ..pairs import Layout
from ..reduction import Reduction
from ..streaming.tiles import Progress
from . import nn as nn

_Number = float | Tensor
_Mask = Tensor | None

def infonce(
    z: Tensor, *, temperature: _Number, keep: _Mask = None, reduction: Reduction = "mean"
) -> Tensor: ...
def ntxent(
    w: Tensor,
    *,
    temperature: _Number,
    keep: _Mask = None,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
) -> Tensor: ...
def dcl(
    w: Tensor,
    *,
    temperature: _Number,
    sigma: _Number | None = None,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
) -> Tensor: ...
def hard_negative(
    w: Tensor,
    *,
    temperature: _Number,
    beta: _Number,
    prior: _Number,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
) -> Tensor: ...
def supcon(
    w: Tensor,
    *,
    labels: Tensor,
    temperature: _Number,
    form: Literal["out", "in", "pairs"] = "out",
    reduction: Reduction = "mean",
    no_positives: Literal["error", "zero"] = "error",
) -> Tensor: ...
def query_key(
    query: Tensor,
    positive: Tensor,
    negatives: Tensor,
    *,
    temperature: _Number,
    keep: _Mask = None,
    reduction: Reduction = "mean",
) -> Tensor: ...
def clip(
    image: Tensor,
    text: Tensor,
    *,
    temperature: _Number,
    symmetric: bool = True,
    keep: _Mask = None,
    reduction: Reduction = "mean",
) -> Tensor: ...
def siglip(
    image: Tensor, text: Tensor, *, temperature: _Number, bias: _Number, reduction: Reduction = "mean"
) -> Tensor: ...
def cpc(scores: Tensor, *, positive: Tensor, keep: _Mask = None, reduction: Reduction = "mean") -> Tensor: ...
def soft_targets(scores: Tensor, *, targets: Tensor, reduction: Reduction = "mean") -> Tensor: ...
def triplet(
    anchor: Tensor, positive: Tensor, negative: Tensor, *, margin: _Number, reduction: Reduction = "mean"
) -> Tensor: ...
def byol(prediction: Tensor, target: Tensor, *, reduction: Reduction = "mean") -> Tensor: ...
def simsiam(
    p1: Tensor,
    z1: Tensor,
    p2: Tensor,
    z2: Tensor,
    *,
    stop_gradient: bool = True,
    reduction: Reduction = "mean",
) -> Tensor: ...
def alignment(z1: Tensor, z2: Tensor, *, exponent: _Number, reduction: Reduction = "mean") -> Tensor: ...
def uniformity(z: Tensor, *, t: _Number) -> Tensor: ...
def spectral(z1: Tensor, z2: Tensor, *, reduction: Reduction = "mean") -> Tensor: ...
def barlow_twins(z1: Tensor, z2: Tensor, *, weight: _Number) -> Tensor: ...
def vicreg(
    z1: Tensor,
    z2: Tensor,
    *,
    invariance: _Number,
    variance: _Number,
    covariance: _Number,
    margin: _Number,
    epsilon: _Number,
) -> Tensor: ...
def dhn_nce(
    image: Tensor,
    text: Tensor,
    *,
    temperature: _Number,
    beta1: _Number,
    beta2: _Number,
    weights: Literal["differentiated", "constant"] = "differentiated",
    reduction: Reduction = "sum",
) -> Tensor: ...
def instance(
    v: Tensor, bank: Tensor, *, index: Tensor, temperature: _Number, reduction: Reduction = "sum"
) -> Tensor: ...
def nce(
    data_scores: Tensor,
    noise_scores: Tensor,
    *,
    log_noise_data: Tensor,
    log_noise: Tensor,
    reduction: Reduction = "mean",
) -> Tensor: ...
def instance_nce(
    v: Tensor,
    bank: Tensor,
    *,
    index: Tensor,
    noise_index: Tensor,
    temperature: _Number,
    reduction: Reduction = "mean",
) -> Tensor: ...

class _Streaming:
    def infonce(
        self,
        z: Tensor,
        *,
        temperature: _Number,
        reduction: Reduction = "mean",
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def ntxent(
        self,
        w: Tensor,
        *,
        temperature: _Number,
        reduction: Reduction = "mean",
        layout: Layout = "concatenated",
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def dcl(
        self,
        w: Tensor,
        *,
        temperature: _Number,
        reduction: Reduction = "mean",
        layout: Layout = "concatenated",
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def supcon(
        self,
        w: Tensor,
        *,
        labels: Tensor,
        temperature: _Number,
        form: Literal["out", "in", "pairs"] = "out",
        reduction: Reduction = "mean",
        no_positives: Literal["error", "zero"] = "error",
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def query_key(
        self,
        query: Tensor,
        positive: Tensor,
        negatives: Tensor,
        *,
        temperature: _Number,
        reduction: Reduction = "mean",
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def clip(
        self,
        image: Tensor,
        text: Tensor,
        *,
        temperature: _Number,
        symmetric: bool = True,
        reduction: Reduction = "mean",
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def siglip(
        self,
        image: Tensor,
        text: Tensor,
        *,
        temperature: _Number,
        bias: _Number,
        reduction: Reduction = "mean",
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...

streaming: _Streaming

class _Information:
    def donsker_varadhan(self, scores: Tensor, *, joint: Tensor) -> Tensor: ...
    def infonce(self, scores: Tensor) -> Tensor: ...
    def mine(self, scores: Tensor) -> Tensor: ...
    def nwj(self, scores: Tensor) -> Tensor: ...
    def smile(self, scores: Tensor, *, clip: _Number) -> Tensor: ...

information: _Information
