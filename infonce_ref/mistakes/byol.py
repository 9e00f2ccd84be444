"""Mistakes in byol."""

from .entry import Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {"prediction": draw.rows(pairs, features + 1), "target": draw.rows(pairs, features + 1)}


LOSS = "return ((unit(prediction) - unit(target)) ** 2).sum(axis=1).mean()"
GRADIENT = "return -2 * (z - cosine * q) / (len(q) * length), np.zeros_like(target)"
ENTRY = Entry(
    name="byol",
    loss="byol",
    by=("prediction", "target"),
    batch=batch,
    mistakes=(
        mistake(
            "not_normalised",
            "rows are not divided by their length: a distance of vectors, not of directions",
            "D3.43 distance",
            LOSS,
            "return ((prediction - target) ** 2).sum(axis=1).mean()",
            GRADIENT,
            "return 2 * (prediction - target) / len(q), np.zeros_like(target)",
        ),
        mistake(
            "normalised_over_all_axes",
            "the whole batch is divided by one length, where each row should be by its own",
            "D3.43 distance",
            "return x / np.linalg.norm(x, axis=1, keepdims=True)",
            "return x / np.linalg.norm(x)",
        ),
        mistake(
            "normalised_along_batch",
            "each feature has length 1 over the batch, not each row: the wrong axis",
            "D3.43 distance",
            "return x / np.linalg.norm(x, axis=1, keepdims=True)",
            "return x / np.linalg.norm(x, axis=0, keepdims=True)",
        ),
        mistake(
            "normalised_over_all_axes",
            "the whole batch is divided by one length, where each row should be by its own: no 2 − 2 cos",
            "D3.43 distance",
            LOSS,
            "q, z = prediction / np.linalg.norm(prediction), target / np.linalg.norm(target)\n"
            "    return (2 - 2 * (q * z).sum(axis=1)).mean()",
        ),
        mistake(
            "not_normalised",
            "rows are not divided by their length: 2 − 2 q·z, where 2 − 2 cos belongs",
            "D3.43 distance",
            LOSS,
            "return (2 - 2 * (prediction * target).sum(axis=1)).mean()",
            marks="not normalised",
        ),
        mistake(
            "constant_two_missing",
            "−2 cos stands where 2 − 2 cos belongs: only the value is wrong, by a constant that no gradient shows",
            "D3.43 distance",
            LOSS,
            "return -2 * (unit(prediction) * unit(target)).sum(axis=1).mean()",
            marks="constant added",
            links=(
                "https://github.com/Lightning-Universe/lightning-bolts/issues/1058",
                "https://github.com/lucidrains/byol-pytorch/issues/6",
                "https://github.com/jramapuram/BYOL/issues/5",
                "https://github.com/sthalles/PyTorch-BYOL/issues/5",
            ),
        ),
        mistake(
            "distance_not_squared",
            "the distance stands where its square belongs",
            "D3.43 distance",
            LOSS,
            "return (((unit(prediction) - unit(target)) ** 2).sum(axis=1) ** 0.5).mean()",
            marks=("another similarity", "power", "half", "constant added"),
        ),
        mistake(
            "mean_over_features",
            "the mean over the features too, where their sum belongs",
            "D3.43 distance",
            LOSS,
            "return ((unit(prediction) - unit(target)) ** 2).mean()",
            marks=("mean over features", "constant added"),
        ),
        mistake(
            "stop_gradient_missing",
            "the target has a gradient: it is held constant, or both sides may run to one point",
            "D3.45 stopped",
            "np.zeros_like(target)",
            "-2 * (q - cosine * z) / (len(q) * np.linalg.norm(target, axis=1, keepdims=True))",
            marks="stop-gradient missing",
        ),
        mistake(
            "stop_gradient_on_the_wrong_side",
            "the prediction is held constant and the target is trained: it must be the reverse",
            "D3.45 stopped",
            GRADIENT,
            "return np.zeros_like(q), -2 * (q - cosine * z)"
            " / (len(q) * np.linalg.norm(target, axis=1, keepdims=True))",
            marks="stop gradient on the wrong side",
        ),
        mistake(
            "projection_missing",
            "the part of the gradient along the prediction is still there: the loss does not depend on its length",
            "M18 across",
            "-2 * (z - cosine * q) / (len(q) * length)",
            "-2 * z / (len(q) * length)",
            marks="projection missing",
        ),
        mistake(
            "norm_missing",
            "the gradient is not divided by the prediction's length",
            "M18 gradient",
            "(len(q) * length)",
            "len(q)",
            marks="norm missing",
        ),
        mistake(
            "chord_for_gradient",
            "twice the difference of the unit rows: the Jacobian of the normalisation is missing",
            "M18 gradient",
            "-2 * (z - cosine * q) / (len(q) * length)",
            "2 * (q - z) / len(q)",
        ),
    ),
    inputs="two",
    forms=(Form(("positive",), anchors=("first",), head="pull", factor=2.0, shift=2.0),),
)
