"""Mistakes in siglip."""

from . import clip
from .entry import ACROSS, ANY, Arguments, Draw, Entry, Form, mistake
from .families import drop_marks, temperature


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    bias = draw.rng.choice([-2.0, 1.0]) if draw.small else draw.rng.uniform(-3, 0.5)
    return {**clip.batch(pairs, features, draw), "bias": float(bias)}


SCORES = "return image @ text.T / temperature"
X = "x = scores(image, text, temperature) + bias"
LOSS = "return np.logaddexp(0, -signs(len(x)) * x).sum(axis=1).mean()"
G = "g = -y * np.exp(-np.logaddexp(0, y * (s + bias))) / len(s)"
GRADIENT = "return g @ text / temperature, g.T @ image / temperature, -(g * s).sum() / temperature, g.sum()"
ENTRY = Entry(
    name="siglip",
    loss="siglip",
    by=("image", "text", "temperature", "bias"),
    batch=batch,
    mistakes=(
        *drop_marks(
            temperature("F10 image.where L", "image @ text.T"),
            "root_of_temperature",
            "scale_not_exponentiated",
            "distance_for_similarity",
            "similarities_clamped",
            "absolute_similarities",
            "squared_similarities",
        ),
        mistake(
            "rows_normalised",
            "rows are divided by their length: this loss takes them as they come",
            "F10 image.where L",
            SCORES,
            "unit = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in (image, text)]\n"
            "    return unit[0] @ unit[1].T / temperature",
        ),
        mistake(
            "bias_forgotten",
            "the bias is missing: at the start the B − 1 other texts of each image outweigh its own",
            "F9 row",
            X,
            "x = scores(image, text, temperature)",
            "y * (s + bias)",
            "y * s",
            marks="another bias",
        ),
        mistake(
            "bias_fixed",
            "the bias is always −1, whatever is passed",
            "F9 row",
            "+ bias",
            "- 1",
            marks="another bias",
        ),
        mistake(
            "bias_subtracted",
            "the bias is taken off the scores: the sign of the formula in print, not of its algorithm",
            "F9 printed",
            X,
            "x = scores(image, text, temperature) - bias",
            marks="another bias",
        ),
        mistake(
            "scores_with_the_sign_in_print",
            "the scores are negated, as in the formula in print: pairs are pushed apart",
            "F9 pair",
            X,
            "x = -scores(image, text, temperature) + bias",
            marks=("both directions", "sign flipped"),
            links="https://github.com/mlfoundations/open_clip/issues/476",
        ),
        mistake(
            "mean_over_all_pairs",
            "the mean over all B² scores, where all texts of an image are summed",
            "F9 loss",
            LOSS,
            "return np.logaddexp(0, -signs(len(x)) * x).mean()",
            marks="another reduction",
        ),
        mistake(
            "cross_entropy_without_bias",
            "the mean over all B² scores, and no bias: binary cross-entropy as it comes",
            "F9 row",
            X,
            "x = scores(image, text, temperature)",
            LOSS,
            "return np.logaddexp(0, -signs(len(x)) * x).mean()",
            marks=("another reduction", "another bias"),
            links="https://github.com/HeartWise-AI/DeepCORO_CLIP/issues/39",
        ),
        mistake(
            "mean_over_all_pairs_and_images",
            "the mean over all B² scores, and divided by B once more",
            "F9 loss",
            LOSS,
            "return np.logaddexp(0, -signs(len(x)) * x).mean() / len(x)",
            links="https://github.com/google-research/big_vision/issues/115",
        ),
        mistake(
            "signs_flipped",
            "each sigmoid has the wrong sign: pairs are pushed apart",
            "F9 pair",
            "return 2 * np.eye(n) - 1",
            "return 1 - 2 * np.eye(n)",
        ),
        mistake(
            "pairs_alone",
            "the other texts are missing: nothing is pushed apart",
            "F9 row",
            LOSS,
            "return np.logaddexp(0, -np.diag(x)).mean()",
        ),
        mistake(
            "softmax_for_sigmoids",
            "a softmax over the texts of each image, not a sigmoid of each score",
            "F9 row",
            LOSS,
            "return (np.log(np.exp(x).sum(axis=1)) - np.diag(x)).mean()",
            marks="softmax for another form",
        ),
        mistake(
            "not_transposed",
            "G I stands for the texts, where Gᵀ I belongs",
            "F10 text",
            "g.T @ image / temperature",
            "g @ image / temperature",
        ),
        mistake(
            "pull_missing",
            "the sigmoids stand where the sigmoids less 1 belong, at the pairs: nothing pulls them",
            "F10 error",
            G,
            "g = np.exp(-np.logaddexp(0, -(s + bias))) / len(s)",
            marks="P for P − 1",
        ),
        mistake(
            "pairs_left_out",
            "the pairs' own entries of the gradient are 0: the others are pushed, and nothing is pulled",
            "F10 error",
            G,
            "g = (y < 0) * np.exp(-np.logaddexp(0, -(s + bias))) / len(s)",
        ),
        mistake(
            "bias_divided_too",
            "the gradient by the temperature contains L + b; the temperature divides only L",
            "F10 temperature",
            "-(g * s).sum() / temperature",
            "-(g * (s + bias)).sum() / temperature",
        ),
        mistake(
            "bias_of_negatives_alone",
            "the bias is pushed by the other texts alone: the pairs' −1 is missing in its sum",
            "F10 bias",
            GRADIENT,
            GRADIENT.replace("g.sum()", "np.maximum(g, 0).sum()"),
        ),
        mistake(
            "text_held_constant",
            "the texts have no gradient",
            "F10 text",
            "g.T @ image / temperature",
            "0 * text",
            marks="one view detached",
        ),
    ),
    inputs="two",
    forms=(Form(ACROSS, ("views", "scores"), ANY, ("first",), head="sigmoid"),),
)
