"""InfoNCE over scores on the cheat sheet."""

from sympy import Integer

from . import LossCard

CARD = LossCard(
    group="A query and its candidates",
    title="InfoNCE over scores",
    paper="van den Oord et al. 2018, CPC",
    year=2018,
    inputs=("scores",),
    when="Scores of any model, one right candidate in each row: the cross-entropy itself.",
    rows="of any scores",
    least=Integer(0),
    bound="{P1 bound}, of N candidates, drawn as [P1] says",
    calls=(
        "contrastive_learner.contrastive_learner.contrastive_loss",
        "gradcache.loss.SimpleContrastiveLoss",
        "info_nce.InfoNCE",
        "sentence_transformers.losses.MultipleNegativesRankingLoss",
        "solo.losses.nnclr.nnclr_loss_func",
        "tevatron.loss.SimpleContrastiveLoss",
        "torch.nn.CrossEntropyLoss",
    ),
)
