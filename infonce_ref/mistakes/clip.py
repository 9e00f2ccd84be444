"""Mistakes in clip."""

from .entry import ACROSS, ANY, Arguments, Draw, Entry, Form, mistake
from .families import drop_marks, mixed_axes, temperature


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {
        "image": draw.rows(pairs, features),
        "text": draw.rows(pairs, features),
        "temperature": draw.temperature(),
    }


LOSS = "return -(np.diag(log_softmax(x)).mean() + np.diag(log_softmax(x.T)).mean()) / 2"
LOGITS = "return image @ text.T / temperature"
G = "g = np.exp(log_softmax(x)) + np.exp(log_softmax(x.T)).T - 2 * np.eye(len(x))"
GRADIENT = "return g @ text / scale, g.T @ image / scale"
ENTRY = Entry(
    name="clip",
    loss="clip",
    by=("image", "text"),
    batch=batch,
    mistakes=(
        *drop_marks(
            temperature("M17 logits", "image @ text.T"), "absolute_similarities", "squared_similarities"
        ),
        mistake(
            "rows_normalised",
            "rows are divided by their length: this loss takes them as they come",
            "M17 logits",
            LOGITS,
            "unit = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in (image, text)]\n"
            "    return unit[0] @ unit[1].T / temperature",
        ),
        mistake(
            "images_normalised_alone",
            "the images are divided by their rows' length, the texts are not",
            "M17 logits",
            LOGITS,
            "image = image / np.linalg.norm(image, axis=1, keepdims=True)\n    " + LOGITS,
        ),
        mistake(
            "normalised_over_all_axes",
            "each view is divided by one length for the whole batch",
            "M17 logits",
            LOGITS,
            "return image @ text.T / np.linalg.norm(image) / np.linalg.norm(text) / temperature",
            marks="normalised over all axes",
        ),
        mistake(
            "layer_norm",
            "rows are centred and divided by their standard deviation, but should be used as they come",
            "M17 logits",
            LOGITS,
            "unit = [(v - v.mean(axis=1, keepdims=True)) / v.std(axis=1, keepdims=True) for v in (image, text)]\n"
            "    return unit[0] @ unit[1].T / temperature",
            marks="layer norm for unit norm",
            links="https://github.com/lucidrains/CoCa-pytorch/issues/10",
        ),
        mistake(
            "mean_over_features",
            "products are means over the features, where sums belong: the temperature is d times too high",
            "M17 logits",
            LOGITS,
            LOGITS + " / image.shape[1]",
            marks="mean over the features",
        ),
        mistake(
            "attention_scaling",
            "products are divided by √d as well",
            "M17 logits",
            LOGITS,
            LOGITS + " / image.shape[1] ** 0.5",
            marks="divided by √d",
        ),
        mixed_axes("M17 rows"),
        mistake(
            "rows_alone",
            "the softmax over the columns is missing: one direction alone",
            "M17 columns",
            LOSS,
            "return -np.diag(log_softmax(x)).mean()",
            marks="one direction",
            links=(
                "https://github.com/lucidrains/DALLE-pytorch/issues/32",
                "https://github.com/PeterDeWeirdt/defense_predictor/issues/7",
            ),
        ),
        mistake(
            "columns_alone",
            "the softmax over the rows is missing: one direction alone",
            "M17 rows",
            LOSS,
            "return -np.diag(log_softmax(x.T)).mean()",
            marks="one direction",
        ),
        mistake(
            "whole_matrix",
            "one softmax over the whole matrix, where each row and each column has its own",
            "M17 rows",
            LOSS,
            "return np.log(np.exp(x).sum()) - np.diag(x).mean()",
            marks=("softmax over the whole matrix", "constant added"),
        ),
        mistake(
            "label_smoothing",
            "a tenth of each target is spread over the whole row, negatives among it",
            "M17 logits",
            LOSS,
            "return -(0.9 * np.diag(log_softmax(x)).mean() + 0.1 * log_softmax(x).mean()"
            " + 0.9 * np.diag(log_softmax(x.T)).mean() + 0.1 * log_softmax(x.T).mean()) / 2",
            marks="label smoothing",
            links="https://github.com/beichenzbc/Long-CLIP/issues/62",
        ),
        mistake(
            "labels_shifted",
            "the positive of image i is text i + 1: the labels are shifted by one",
            "M17 logits",
            LOSS,
            "p = np.roll(np.arange(len(x)), -1)\n    return -log_softmax(x)[np.arange(len(x)), p].mean()",
            marks=("one direction", "labels shifted"),
        ),
        mistake(
            "positive_missing",
            "the denominators sum the negatives alone: the positive belongs there too",
            "M17 rows",
            LOSS,
            "off = np.where(np.eye(len(x)) == 1, -np.inf, x)\n"
            "    def lse(u): return np.log(np.exp(u).sum(axis=1))\n"
            "    return ((lse(off) + lse(off.T)) / 2 - np.diag(x)).mean()",
            marks="positive missing from the denominator",
        ),
        mistake(
            "sigmoids_for_softmax",
            "every pair passes a sigmoid of its own; nothing couples a row",
            "M17 rows",
            LOSS,
            "return np.logaddexp(0, np.where(np.eye(len(x)) == 1, -x, x)).sum(axis=1).mean()",
            marks=("one direction", "sigmoid for softmax"),
        ),
        mistake(
            "sigmoid_sign_flipped",
            "every pair passes a sigmoid of its own, with the wrong sign: pairs are pushed apart",
            "M17 rows",
            LOSS,
            "return np.logaddexp(0, np.where(np.eye(len(x)) == 1, x, -x)).mean()",
            marks=("sigmoid for softmax", "sign flipped", "another reduction"),
            links="https://github.com/illuin-tech/colpali/pull/382",
        ),
        mistake(
            "soft_targets_from_itself",
            "the targets are a softmax of the views' own similarities: which rows are a pair is not used",
            "M17 logits",
            LOSS,
            "t = np.exp(log_softmax((image @ image.T + text @ text.T) / 2 * temperature))\n"
            "    return -((t * log_softmax(x)).sum(axis=1) + (t.T * log_softmax(x.T)).sum(axis=1)).mean() / 2",
            links=(
                "https://github.com/moein-shariatnia/OpenAI-CLIP/issues/27",
                "https://github.com/moein-shariatnia/OpenAI-CLIP/issues/16",
            ),
        ),
        mistake(
            "soft_targets_in_one_direction",
            "the targets are a softmax of the views' own similarities, and the columns are missing",
            "M17 logits",
            LOSS,
            "t = np.exp(log_softmax((image @ image.T + text @ text.T) / 2 * temperature))\n"
            "    return -(t * log_softmax(x)).sum(axis=1).mean()",
            links="https://github.com/bowang-lab/BLEEP/issues/5",
        ),
        mistake(
            "columns_not_transposed",
            "the columns' part of G is not transposed back",
            "M17 logits",
            "np.exp(log_softmax(x.T)).T",
            "np.exp(log_softmax(x.T))",
        ),
        mistake(
            "not_transposed",
            "G I stands for the texts, where Gᵀ I belongs",
            "M17 text",
            GRADIENT,
            "return g @ text / scale, g @ image / scale",
        ),
        mistake(
            "sides_exchanged",
            "the gradients are swapped: the images get the texts' and the texts the images'",
            "M17 image",
            GRADIENT,
            "return g.T @ image / scale, g @ text / scale",
        ),
        mistake(
            "text_held_constant",
            "the texts have no gradient",
            "M17 text",
            GRADIENT,
            "return g @ text / scale, 0 * text",
            marks="one view detached",
        ),
        mistake(
            "image_held_constant",
            "the images have no gradient",
            "M17 image",
            GRADIENT,
            "return 0 * image, g.T @ image / scale",
            marks="one view detached",
        ),
        mistake(
            "one_direction_held_constant",
            "the columns' loss is in the value and not in the gradient",
            "M17 columns",
            G,
            "g = np.exp(log_softmax(x)) - np.eye(len(x))",
            marks="one direction detached",
        ),
        mistake(
            "candidates_held_constant",
            "a row has a gradient as an anchor, none as a candidate",
            "M17 image",
            GRADIENT,
            "p, c = np.exp(log_softmax(x)) - np.eye(len(x)), np.exp(log_softmax(x.T)) - np.eye(len(x))\n"
            "    return p @ text / scale, c @ image / scale",
            marks="candidates detached",
            links=(
                "https://github.com/facebookresearch/SLIP/issues/31",
                "https://github.com/facebookresearch/vissl/pull/123",
            ),
        ),
        mistake(
            "pull_missing",
            "P stands where P − 1[positive] belongs: nothing pulls the pairs",
            "M17 logits",
            G,
            "g = np.exp(log_softmax(x)) + np.exp(log_softmax(x.T)).T",
            marks="P for P − 1",
        ),
        mistake(
            "pull_reversed",
            "2 is added on the diagonal, where it is subtracted: the pairs are pushed apart",
            "M17 logits",
            "- 2 * np.eye(len(x))",
            "+ 2 * np.eye(len(x))",
        ),
        mistake(
            "pull_of_every_entry",
            "2 is subtracted from every entry, not only on the diagonal",
            "M17 logits",
            "- 2 * np.eye(len(x))",
            "- 2",
        ),
        mistake(
            "pull_once",
            "the pairs are pulled by one direction alone: −1 on the diagonal, where −2 belongs",
            "M17 logits",
            "- 2 * np.eye(len(x))",
            "- np.eye(len(x))",
        ),
    ),
    inputs="two",
    forms=(Form(ACROSS, ("views", "scores"), ANY, reductions=("mean",)),),
)
