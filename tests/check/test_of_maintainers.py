"""Our contrastive losses are identified as their documented formulas, with the exact gradient."""

import pytest

from infonce_ref.testing import assert_loss

PML, SENTENCES = "pytorch_metric_learning.losses", "sentence_transformers.sentence_transformer.losses"
TAU, SCALE = {"temperature": 0.1}, {"logit_scale": 10.0}
GATHER = {"local_loss": True, "gather_with_grad": True}
BOTH = {"directions": ("query_to_doc", "doc_to_query"), "partition_mode": "per_direction"}
UNIT = {"normalised": True}  # for formulas that do not normalise the rows
CASES = [
    (PML, "NTXentLoss", "ntxent", {"settings": TAU, "inputs": "pairs with labels"}),
    (PML, "SupConLoss", "supcon", {"settings": TAU, "inputs": "classes"}),
    ("lightly.loss", "NTXentLoss", "ntxent", {"settings": TAU}),
    ("lightly.loss", "NTXentLoss", "ntxent", {"settings": TAU | {"gather_distributed": True}, "ranks": 2}),
    ("lightly.loss", "DCLLoss", "dcl", {"settings": TAU}),
    ("lightly.loss", "NegativeCosineSimilarity", "simsiam", {"target": "held"}),
    ("open_clip.loss", "ClipLoss", "clip", {"settings": SCALE}),
    ("open_clip.loss", "ClipLoss", "clip", {"settings": SCALE | GATHER, "ranks": 2}),
    ("open_clip.loss", "SigLipLoss", "siglip", {"settings": SCALE | {"logit_bias": -3.0}}),
    (SENTENCES, "MultipleNegativesRankingLoss", "cpc", UNIT),
    (SENTENCES, "MultipleNegativesRankingLoss", "clip", UNIT | {"built": BOTH}),
    ("monai.losses", "ContrastiveLoss", "ntxent", {"per_batch": TAU, "temperature": 0.1}),
    ("optax.losses", "ntxent", "ntxent", {"settings": TAU, "inputs": "pairs with labels"}),
    ("info_nce", "InfoNCE", "cpc", UNIT | {"settings": TAU}),
    ("info_nce", "InfoNCE", "cpc", UNIT | {"settings": TAU | {"reduction": "none"}}),
]


@pytest.mark.parametrize(("module", "name", "formula", "asked"), CASES)
def test_a_loss_is_its_formula(module, name, formula, asked):
    loss, asked = getattr(pytest.importorskip(module), name), dict(asked)
    if module == SENTENCES:
        loss = of_embeddings(loss, **asked.pop("built", {}))
    if asked.pop("target", None):  # SimSiam's caller, not its loss, holds the target constant
        made = loss()
        loss = lambda p, z: made(p, z.detach())  # noqa: E731
    if built := asked.get("per_batch"):  # MONAI warns that its argument batch_size is ignored
        make, loss, asked["per_batch"] = loss, None, lambda size: make(**built)
    assert_loss(loss, formula, **asked)


def of_embeddings(make, **built):
    """sentence-transformers: the loss of two embeddings, with no model before it."""
    torch = pytest.importorskip("torch")

    class Model(torch.nn.Module):
        def forward(self, features):
            return {"sentence_embedding": features}

    loss = make(Model(), **built)
    return lambda x, y: loss([x, y], None)
