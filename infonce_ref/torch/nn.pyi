"""Types of `infonce_ref.torch.nn`. Written by tools/stubs.py from the registry of losses."""

from typing import Literal

from torch import Tensor
from torch.nn import Parameter

from ..reduction import Reduction
from ..streaming.tiles import Progress
from .modules import LossModule
from .queues import Queue as Queue

MODULES: dict[str, type[LossModule]]

class _InfoNCELoss(LossModule):
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
    def __call__(self, z1: Tensor, z2: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    forward = __call__

class InfoNCELoss(_InfoNCELoss): ...
class UnmaskedInfoNCELoss(_InfoNCELoss): ...
class NTXentLoss(_InfoNCELoss): ...

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
    def __call__(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    forward = __call__

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
    def __call__(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    forward = __call__

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
    def __call__(self, w: Tensor, labels: Tensor) -> Tensor: ...
    forward = __call__

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
    def __call__(
        self, query: Tensor, positive: Tensor, negatives: Tensor, *, keep: Tensor | None = None
    ) -> Tensor: ...
    forward = __call__

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
    def __call__(self, image: Tensor, text: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    forward = __call__

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
    def __call__(self, image: Tensor, text: Tensor) -> Tensor: ...
    forward = __call__

class CPCLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def __call__(self, scores: Tensor, positive: Tensor, *, keep: Tensor | None = None) -> Tensor: ...
    forward = __call__

class SoftTargetsLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def __call__(self, scores: Tensor, targets: Tensor) -> Tensor: ...
    forward = __call__

class TripletLoss(LossModule):
    def __init__(self, *, margin: float, reduction: Reduction = "mean") -> None: ...
    def __call__(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor: ...
    forward = __call__

class BYOLLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def __call__(self, prediction: Tensor, target: Tensor) -> Tensor: ...
    forward = __call__

class SimSiamLoss(LossModule):
    def __init__(self, *, stop_gradient: bool = True, reduction: Reduction = "mean") -> None: ...
    def __call__(self, p1: Tensor, z1: Tensor, p2: Tensor, z2: Tensor) -> Tensor: ...
    forward = __call__

class AlignmentLoss(LossModule):
    def __init__(self, *, exponent: float, reduction: Reduction = "mean") -> None: ...
    def __call__(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    forward = __call__

class UniformityLoss(LossModule):
    def __init__(self, *, t: float, gather: bool = False) -> None: ...
    def __call__(self, z: Tensor) -> Tensor: ...
    forward = __call__

class SpectralLoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean", gather: bool = False) -> None: ...
    def __call__(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    forward = __call__

class BarlowTwinsLoss(LossModule):
    def __init__(self, *, weight: float, gather: bool = False) -> None: ...
    def __call__(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    forward = __call__

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
    def __call__(self, z1: Tensor, z2: Tensor) -> Tensor: ...
    forward = __call__

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
    def __call__(self, image: Tensor, text: Tensor) -> Tensor: ...
    forward = __call__

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
    def __call__(self, v: Tensor, bank: Tensor, index: Tensor) -> Tensor: ...
    forward = __call__

class NCELoss(LossModule):
    def __init__(self, *, reduction: Reduction = "mean") -> None: ...
    def __call__(
        self, data_scores: Tensor, noise_scores: Tensor, log_noise_data: Tensor, log_noise: Tensor
    ) -> Tensor: ...
    forward = __call__

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
    def __call__(self, v: Tensor, bank: Tensor, index: Tensor, noise_index: Tensor) -> Tensor: ...
    forward = __call__
