"""CLIP's loss as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import at_most, detach, log, logsumexp, softmax, softplus


def directions(s):
    """The mean of the cross-entropies over rows and over columns, which is right."""
    here = np.arange(len(s.value))
    return (logsumexp(s, 1) + logsumexp(s, 0) - 2 * s[here, here]).mean() / 2


def textbook(image, text, temperature):
    return directions(image @ text.T / temperature)


@bug("symbolic", of="layer_norm", named=("layer norm for unit norm",))
def layer_norm_instead_of_unit_norm(image, text, temperature):
    """Embeddings are centred and divided by their standard deviation, so that logits are d times too large."""

    def normed(x):
        centred = x - x.sum(1, keepdims=True) / x.shape[1]
        return centred / ((centred * centred).sum(1, keepdims=True) / x.shape[1]) ** 0.5

    return directions(normed(image) @ normed(text).T / temperature)


@bug("symbolic", of="rows_alone", named=("one direction",))
def clip_only_text_to_image(image, text, temperature):
    """One direction alone: the cross-entropy over the other axis is missing."""
    s = image @ text.T / temperature
    here = np.arange(len(s.value))
    return (logsumexp(s, 1) - s[here, here]).mean()


@bug("symbolic", of="scale_not_exponentiated", named=("scale not exponentiated",))
def logit_scale_not_exponentiated(image, text, temperature):
    """The learned parameter is log 1/τ and multiplies the similarities as it is."""
    return directions(image @ text.T * -log(temperature))


@bug("precision", "https://github.com/openai/CLIP/issues/46", "https://github.com/openai/CLIP/pull/530")
def clamp_of_scale_in_the_graph_kills_its_gradient(image, text, temperature):
    """1/τ is cut at 100 inside the forward pass: past it the temperature has no gradient and never comes back."""
    return directions(image @ text.T * at_most(1 / temperature, 100.0))


@bug("symbolic", of="soft_targets_from_itself", named=("soft targets from itself",))
def soft_targets_from_the_models_own_similarities(image, text, temperature):
    """Targets are a softmax of the embeddings' own similarities, and carry a gradient: to coincide is a minimum."""
    s = image @ text.T / temperature
    t = softmax((image @ image.T + text @ text.T) / 2 * temperature, 1)
    rows = (t * (logsumexp(s, 1)[:, None] - s)).sum(1)
    columns = (t.T * (logsumexp(s.T, 1)[:, None] - s.T)).sum(1)
    return (rows + columns).mean() / 2


@bug(
    "finite differences",
    of="soft_targets_in_one_direction",
    named=("soft targets in one direction", "gradient wrong"),
)
def targets_multiplied_by_temperature(image, text, temperature):
    """Logits are divided by τ, but the similarities for the targets are multiplied by it."""
    s = image @ text.T / temperature
    t = softmax(detach(image @ image.T + text @ text.T) / 2 * detach(temperature), 1)
    return (t * (logsumexp(s, 1)[:, None] - s)).sum(1).mean()


@bug("symbolic", of="label_smoothing", named=("label smoothing",))
def label_smoothing_on_contrastive_targets(image, text, temperature):
    """A tenth of each target is spread over the whole row, negatives and all."""
    s = image @ text.T / temperature
    target = 0.9 * np.eye(len(s.value)) + 0.1 / len(s.value)

    def smoothed(x):
        return (logsumexp(x, 1) - (x * target).sum(1)).mean()

    return (smoothed(s) + smoothed(s.T)) / 2


@bug("finite differences", of="candidates_held_constant", named=("candidates detached",))
def gathered_candidates_carry_no_gradient(image, text, temperature):
    """The gather cuts the graph: a row has a gradient as an anchor, none as a candidate."""
    here = np.arange(len(image.value))

    def one_way(anchors, candidates):
        s = anchors @ detach(candidates).T / temperature
        return (logsumexp(s, 1) - s[here, here]).mean()

    return (one_way(image, text) + one_way(text, image)) / 2


@bug("symbolic", of="sigmoid_sign_flipped", named=("sigmoid sign flipped",))
def margin_loss_sigmoid_sign_flipped(image, text, temperature):
    """softplus of +y s where −y s belongs: pairs are pushed apart."""
    s = image @ text.T / temperature
    return softplus(s * (2 * np.eye(len(s.value)) - 1)).mean()
