"""Identify what public implementations compute, and write docs/peers.md.

pip install -e ".[verify,torch,jax]" --group peers && python tools/peers.py
python tools/peers.py optax monai     only these; the other rows stay
"""

import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from repository import DOCS

from infonce_ref.check import Refused, Report, check
from infonce_ref.figures.measurements import describe_conditions

PAGE = DOCS / "peers.md"
# the following part of the page is written by peers_suites.py
SUITES_HEADING = "## Their own tests, with our losses"


class Peer(NamedTuple):
    """distribution: the name for pip · target: module:attribute of the loss, or of the object from which `adapted`
    makes it · settings: its arguments by name · inputs: the way to pass arrays, if several fit · call: how an
    adapted loss is called · held: for a loss that holds a part of itself constant by definition, a function of two
    views that returns the loss with that part constant.
    """

    distribution: str
    target: str
    settings: Mapping[str, Any] = {}
    inputs: str | None = None
    adapted: Any = None
    call: str = ""
    held: Any = None

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


def weights_held(x: Any, y: Any) -> Any:
    """lightly: DCLW with the weights of these views held constant, because its code detaches them."""
    from lightly.loss.dcl_loss import DCLLoss, negative_mises_fisher_weights
    from torch.nn.functional import normalize

    weights = negative_mises_fisher_weights(normalize(x), normalize(y))
    return DCLLoss(temperature=0.1, weight_fn=lambda *_: weights)


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
    Peer(LIGHTLY, "lightly.loss:DCLWLoss", TAU, held=weights_held),
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
NOT_TRIED = {
    "vissl, mmselfsup, SupContrast, MoCo v3": "no package of theirs installs here beside a current PyTorch",
    "PyGCL": "its import needs dgl",
    "tensorflow-similarity": "its losses have TensorFlow's gradients, which are not asked here",
    "colpali_engine": "its losses take several vectors for each text",
}
ABOUT = """\
# What public libraries compute

`infonce_ref.check` identified each of these losses from its values alone. `python tools/peers.py` writes
this page. It needs the dependency group `peers`, and solo-learn, uniem and tevatron by `pip install --no-deps`,
because their requirements conflict with the others'. Each row is a fact about one version, not a judgement: a loss
that is not in the registry is not worse.

*formula*: the loss of the registry, and what differs · *off by*: the largest difference from that formula at 32
pairs, relative to max(|value|, 1) · *gradient*: by autograd or `jax.grad`, compared with the exact one ·
*float64*, *float32*: the first temperature of 1, 0.3, 0.1, 0.05, 0.02, 0.01, 0.003 at which the error exceeds the
tolerance or the result is inf or NaN; "own": at the only temperature that it has;
"–": not asked.

| library | call | formula | τ | off by | gradient | float64 | float32 |
|---|---|---|---|---|---|---|---|
"""


def ask(peer: Peer, **options: Any) -> Report:
    """Return the report on a peer. Raises ImportError if it is not installed."""
    module, _, name = peer.target.partition(":")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss = getattr(import_module(module), name)
        if peer.adapted:
            loss = peer.adapted(loss)
        return check(loss, inputs=peer.inputs, **peer.settings, **options)


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
    return f"`{report.nearest}`, but {told}" if report.nearest else told


def first_loss_of_digits(report: Report, dtype: str) -> str:
    """Return the first temperature at which digits are lost."""
    cells = [c for c in report.cells if c.dtype == dtype]
    bad = [c for c in cells if not c.exact]
    if not cells:
        return "–"
    if not bad:
        return "none"
    first = max(bad, key=lambda c: c.temperature)
    where = f"{first.temperature:g}" if len({c.temperature for c in cells}) > 1 else "own"
    broken = [c for c in bad if c.came in ("inf", "NaN", "NaN'")]
    if not broken:
        return where
    worst = max(broken, key=lambda c: c.temperature)
    return f"{where}; {worst.came.strip(chr(39))} from {worst.temperature:g}"


def is_right_where_held(peer: Peer) -> bool:
    """Return whether autograd's gradient is that of the loss with the held part constant, by central
    differences.
    """
    import torch

    module, _, name = peer.target.partition(":")
    loss = getattr(import_module(module), name)(**peer.settings)
    x, y = torch.randn(2, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    held = peer.held(x, y)
    moved = x.clone().requires_grad_()
    loss(moved, y).backward()
    steps = 1e-6 * torch.eye(x.numel(), dtype=x.dtype).reshape(-1, *x.shape)
    slopes = torch.stack([(held(x + step, y) - held(x - step, y)) / 2e-6 for step in steps]).reshape(x.shape)
    return torch.allclose(moved.grad, slopes, rtol=0, atol=1e-7 * float(slopes.abs().max()))


def gradient(peer: Peer, report: Report) -> str:
    """Return the verdict on the gradient; what the loss holds constant by definition is right."""
    if peer.held is None:
        return report.verdicts["gradient"].word
    word = "right" if is_right_where_held(peer) else "wrong"
    return f"{word}, its weights being constant by definition"


def row(peer: Peer, report: Report) -> str:
    off = next((r.error for r in report.records if r.check.startswith("formula at")), None)
    tau = f"{report.temperature:.6g}" if report.temperature else "–"
    cells = (
        f"{peer.distribution} {version(peer.distribution)}",
        f"`{peer.shown}`" + (f", {peer.inputs}" if peer.inputs else ""),
        formula(report),
        tau,
        "–" if off is None else f"{off:.0e}",
        gradient(peer, report),
        # the error of the gradient comes from the part held constant
        *("–" if peer.held else first_loss_of_digits(report, dtype) for dtype in ("float64", "float32")),
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def key(line: str) -> tuple[str, str]:
    """The library and the call of a row, without the version."""
    library, call, *_ = line.removeprefix("| ").split(" | ")
    return library.split()[0], call


def main(named: Sequence[str]) -> None:
    """Check the named libraries, or all; the rows of the others stay."""
    page, heading, suites = PAGE.read_text(encoding="utf-8").partition(SUITES_HEADING)
    before = page.splitlines() if named else []
    rows = {key(line): line for line in before if "| `" in line}
    known = {f"- {peer.distribution}, `{peer.shown}`" for peer in PEERS}
    absent = {title: line for line in before if (title := line.partition(": ")[0]) in known}
    for peer in PEERS:
        call = f"`{peer.shown}`" + (f", {peer.inputs}" if peer.inputs else "")
        title = f"- {peer.distribution}, `{peer.shown}`"
        if named and peer.distribution not in named:
            continue
        rows.pop((peer.distribution, call), None)
        absent.pop(title, None)
        try:
            version(peer.distribution)
            line = row(peer, ask(peer))
        except (ImportError, PackageNotFoundError, AttributeError, RuntimeError, Refused) as error:
            absent[title] = f"{title}: {' '.join(str(error).split())[:160]}"
            continue
        rows[key(line)] = line
        print(line, file=sys.stderr)
    order = [(p.distribution, f"`{p.shown}`" + (f", {p.inputs}" if p.inputs else "")) for p in PEERS]
    lines = [rows[place] for place in order if place in rows]
    of_family = sum(line.split(" | ")[2].startswith("`") for line in lines)
    absent |= {f"- {name}": f"- {name}: {reason}" for name, reason in NOT_TRIED.items()}
    PAGE.write_text(
        ABOUT
        + "\n".join(lines)
        + f"\n\n{len(lines)} calls, of which {of_family} have a formula of the family. "
        + f"Asked last: {describe_conditions('numpy')}.\n\n## Not asked\n\n"
        + "\n".join(absent.values())
        + "\n"
        + (f"\n{heading}{suites}" if heading else ""),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(sys.argv[1:])
