"""Types of `infonce_ref.torch.nn`. Written by tools/stubs.py from the registry of losses."""

from typing import Literal

from torch import Tensor
from torch.nn import Parameter

from ..reduction import Reduction
from ..streaming.tiles import Progress
from .modules import LossModule
from .queues import Queue as Queue

MODULES: dict[str, type[LossModule]]

class InfoNCELoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    __call__ = forward

class UnmaskedInfoNCELoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    __call__ = forward

class NTXentLoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    __call__ = forward

class DCLLoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        sigma: float | None = None,
        weights: Literal["differentiated", "constant"] = "differentiated",
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    __call__ = forward

class HardNegativeLoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        beta: float,
        prior: float,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    __call__ = forward

class SupConLoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        form: Literal["out", "in", "pairs"] = "out",
        reduction: Reduction = "mean",
        no_positives: Literal["error", "zero"] = "error",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, w: Tensor, labels: Tensor) -> Tensor: ...
    __call__ = forward

class QueryKeyLoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
    ) -> None: ...
    def forward(
        self, query: Tensor, positive: Tensor, negatives: Tensor, *, keep: Tensor | None = None
    ) -> Tensor: ...
    __call__ = forward

class CLIPLoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        symmetric: bool = True,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, image: Tensor, text: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    __call__ = forward

class SigLIPLoss(LossModule):
    logit_scale: Parameter
    bias: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        bias: float,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        learn_bias: bool = False,
        max_scale: float | None = None,
        streaming: bool = False,
        tile: int | None = None,
        progress: Progress | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, image: Tensor, text: Tensor) -> Tensor: ...
    __call__ = forward

class CPCLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def forward(self, scores: Tensor, positive: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    __call__ = forward

class SoftTargetsLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def forward(self, scores: Tensor, targets: Tensor) -> Tensor: ...
    __call__ = forward

class TripletLoss(LossModule):
    def __init__(self, *, margin: float, reduction: Reduction = "mean") -> None: ...
    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor: ...
    __call__ = forward

class BYOLLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def forward(self, prediction: Tensor, target: Tensor) -> Tensor: ...
    __call__ = forward

class SimSiamLoss(LossModule):
    def __init__(self, *, stop_gradient: bool = True, reduction: Reduction = "mean") -> None: ...
    def forward(self, p1: Tensor, z1: Tensor, p2: Tensor, z2: Tensor) -> Tensor: ...
    __call__ = forward

class AlignmentLoss(LossModule):
    def __init__(self, *, exponent: float, reduction: Reduction = "mean") -> None: ...
    def forward(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    __call__ = forward

class UniformityLoss(LossModule):
    def __init__(self, *, t: float, gather: bool = False) -> None: ...
    def forward(self, z: Tensor) -> Tensor: ...
    __call__ = forward

class SpectralLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean", gather: bool = False) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    __call__ = forward

class BarlowTwinsLoss(LossModule):
    def __init__(self, *, weight: float, gather: bool = False) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    __call__ = forward

class VICRegLoss(LossModule):
    def __init__(
        self,
        *,
        invariance: float,
        variance: float,
        covariance: float,
        margin: float,
        epsilon: float,
        gather: bool = False,
    ) -> None: ...
    def forward(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    __call__ = forward

class DHNNCELoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        beta1: float,
        beta2: float,
        weights: Literal["differentiated", "constant"] = "differentiated",
        reduction: Reduction = "sum",
        learn_temperature: bool = False,
        max_scale: float | None = None,
        gather: bool = False,
    ) -> None: ...
    def forward(self, image: Tensor, text: Tensor) -> Tensor: ...
    __call__ = forward

class InstanceLoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        reduction: Reduction = "sum",
        learn_temperature: bool = False,
        max_scale: float | None = None,
    ) -> None: ...
    def forward(self, v: Tensor, bank: Tensor, index: Tensor) -> Tensor: ...
    __call__ = forward

class NCELoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def forward(
        self, data_scores: Tensor, noise_scores: Tensor, log_noise_data: Tensor, log_noise: Tensor
    ) -> Tensor: ...
    __call__ = forward

class InstanceNCELoss(LossModule):
    logit_scale: Parameter
    def __init__(
        self,
        *,
        temperature: float,
        reduction: Reduction = "mean",
        learn_temperature: bool = False,
        max_scale: float | None = None,
    ) -> None: ...
    def forward(self, v: Tensor, bank: Tensor, index: Tensor, noise_index: Tensor) -> Tensor: ...
    __call__ = forward
