"""Ask `check` what public libraries compute: docs/peers.md has the table, and the cheat sheet the names in it.

pip install -e ".[verify,torch,jax]" --group peers && python tools/peers.py
python tools/peers.py optax monai     only these

A row of Markdown for each loss; for a library that is not installed here, or a call that fails, the reason.
"""

import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from infonce_ref.check import Refused, Report, check
from infonce_ref.figures.measurements import describe_conditions


class Peer(NamedTuple):
    """distribution: the name for pip · target: module:attribute of the loss, or of the object from which `adapted`
    makes it · settings: its arguments by name · inputs: the way to pass arrays, if several fit · call: how an
    adapted loss is called.
    """

    distribution: str
    target: str
    settings: Mapping[str, Any] = {}
    inputs: str | None = None
    adapted: Any = None
    call: str = ""

    @property
    def shown(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return self.call or f"{self.target.replace(':', '.')}({given})"


def sentence_pairs(loss: Any) -> Any:
    """sentence-transformers: the loss of two embeddings, without the model that makes them."""
    import torch

    class Model(torch.nn.Module):
        def forward(self, features: Any) -> dict:
            return {"sentence_embedding": features}

    made = loss(Model())
    return partial(take_as_pairs, made)


def take_as_pairs(loss: Any, x: Any, y: Any) -> Any:
    return loss([x, y], None)


def average(loss: Any) -> Any:
    return lambda x, y: loss(x, y).mean()


def ntxent_of_pairs(wrapper: Any) -> Any:
    from pytorch_metric_learning.losses import NTXentLoss

    return wrapper(NTXentLoss(temperature=0.1))


TAU = {"temperature": 0.1}
PML, LIGHTLY, SOLO = "pytorch-metric-learning", "lightly", "solo-learn"
PEERS = (
    Peer(PML, "pytorch_metric_learning.losses:NTXentLoss", TAU, "pairs with labels"),
    Peer(PML, "pytorch_metric_learning.losses:NTXentLoss", TAU, "classes"),
    Peer(PML, "pytorch_metric_learning.losses:SupConLoss", TAU, "classes"),
    Peer(
        PML,
        "pytorch_metric_learning.losses:SelfSupervisedLoss",
        adapted=ntxent_of_pairs,
        call="pytorch_metric_learning.losses.SelfSupervisedLoss(NTXentLoss(temperature=0.1))",
    ),
    Peer(LIGHTLY, "lightly.loss:NTXentLoss", TAU),
    Peer(LIGHTLY, "lightly.loss:DCLLoss", TAU),
    Peer(LIGHTLY, "lightly.loss:DCLWLoss", TAU),
    Peer(LIGHTLY, "lightly.loss:NegativeCosineSimilarity"),
    Peer(LIGHTLY, "lightly.loss:BarlowTwinsLoss"),
    Peer(LIGHTLY, "lightly.loss:VICRegLoss"),
    Peer("optax", "optax.losses:ntxent", TAU, "pairs with labels"),
    Peer("optax", "optax.losses:ntxent", TAU, "classes"),
    Peer("open_clip_torch", "open_clip.loss:ClipLoss", {"logit_scale": 10.0}),
    Peer("open_clip_torch", "open_clip.loss:SigLipLoss", {"logit_scale": 10.0, "logit_bias": -3.0}),
    Peer(
        "sentence-transformers",
        "sentence_transformers.losses:MultipleNegativesRankingLoss",
        adapted=sentence_pairs,
        call="sentence_transformers.losses.MultipleNegativesRankingLoss(model)",
    ),
    Peer(
        "sentence-transformers",
        "sentence_transformers.losses:MultipleNegativesSymmetricRankingLoss",
        adapted=sentence_pairs,
        call="sentence_transformers.losses.MultipleNegativesSymmetricRankingLoss(model)",
    ),
    Peer("info-nce-pytorch", "info_nce:InfoNCE", TAU),
    Peer("info-nce-pytorch", "info_nce:InfoNCE", TAU, "queue"),
    Peer("info-nce-pytorch", "info_nce:InfoNCE", {**TAU, "negative_mode": "paired"}, "own negatives"),
    Peer("monai", "monai.losses:ContrastiveLoss", TAU),
    Peer("monai", "monai.losses:BarlowTwinsLoss"),
    Peer(
        "byol-pytorch",
        "byol_pytorch.byol_pytorch:cosine_loss_fn",
        adapted=average,
        call="byol_pytorch.byol_pytorch.cosine_loss_fn(x, y).mean()",
    ),
    Peer("gradcache", "gradcache.loss:SimpleContrastiveLoss"),
    Peer("tevatron", "tevatron.loss:SimpleContrastiveLoss"),
    Peer("cebra", "cebra.models.criterions:FixedCosineInfoNCE", TAU, "queue"),
    Peer("cebra", "cebra.models.criterions:FixedEuclideanInfoNCE", {"temperature": 1.0}, "queue"),
    Peer("contrastive-learner", "contrastive_learner.contrastive_learner:nt_xent_loss", TAU),
    Peer("contrastive-learner", "contrastive_learner.contrastive_learner:contrastive_loss", TAU),
    Peer("uniem", "uniem.criteria:PairInBatchNegSoftmaxContrastLoss", TAU),
    Peer("uniem", "uniem.criteria:PairInBatchNegSigmoidContrastLoss", TAU),
    Peer(SOLO, "solo.losses.simclr:simclr_loss_func", TAU),
    Peer(SOLO, "solo.losses.moco:moco_loss_func", TAU, "queue"),
    Peer(SOLO, "solo.losses.nnclr:nnclr_loss_func", TAU),
    Peer(SOLO, "solo.losses.byol:byol_loss_func"),
    Peer(SOLO, "solo.losses.simsiam:simsiam_loss_func"),
    Peer("transformers", "transformers.models.clip.modeling_clip:clip_loss", inputs="scores"),
    Peer("torch", "torch.nn:TripletMarginLoss", {"margin": 0.3}),
    Peer("torch", "torch.nn:CrossEntropyLoss", {}, "scores and labels"),
)


def ask(peer: Peer) -> Report:
    """Return the report on a peer. Raises ImportError if it is not installed."""
    module, _, name = peer.target.partition(":")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss = getattr(import_module(module), name)
        return check(peer.adapted(loss) if peer.adapted else loss, inputs=peer.inputs, **peer.settings)


def formula(report: Report) -> str:
    """Return the loss, and how it differs."""
    if report.loss:
        chosen = [
            "normalised"
            if name == "normalised"
            else f"{name} {value:.6g}"
            if isinstance(value, float)
            else str(value)
            for name, value in report.options.items()
            if value is not False and name != "reduction"
        ]
        return f"`{report.loss}`" + (f" ({', '.join(chosen)})" if chosen else "")
    told = "; ".join(d.sentence for d in report.mistakes if not d.mistake.startswith("gradient"))
    return f"`{report.nearest}`, but {told}" if report.nearest else f"unknown; {told.rpartition('; ')[2]}"


def row(peer: Peer, report: Report) -> str:
    cells = (
        f"{peer.distribution} {version(peer.distribution)}",
        f"`{peer.shown}`" + (f", {peer.inputs}" if peer.inputs else ""),
        formula(report),
        f"{report.temperature:.6g}" if report.temperature else "–",
        report.verdicts["gradient"].word,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def main(named: Sequence[str]) -> None:
    for peer in PEERS:
        if named and peer.distribution not in named:
            continue
        try:
            version(peer.distribution)
            print(row(peer, ask(peer)), flush=True)
        except (ImportError, PackageNotFoundError, AttributeError, RuntimeError, Refused) as error:
            print(f"{peer.distribution}, `{peer.shown}`: {' '.join(str(error).split())[:160]}")
    print(describe_conditions("numpy"))


if __name__ == "__main__":
    main(sys.argv[1:])
