"""Mistakes in simsiam."""

from .entry import Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {name: draw.rows(pairs, features + 1) for name in ("p1", "z1", "p2", "z2")}


LOSS = "return -((unit(p1) * unit(z2)).sum(axis=1) / 2 + (unit(p2) * unit(z1)).sum(axis=1) / 2).mean()"
GRADIENT = "return slope(p1, z2), np.zeros_like(z1), slope(p2, z1), np.zeros_like(z2)"
ENTRY = Entry(
    name="simsiam",
    loss="simsiam",
    by=("p1", "z1", "p2", "z2"),
    batch=batch,
    mistakes=(
        mistake(
            "same_view",
            "each view's prediction is compared with the projection of the same view",
            "D3.44 distance",
            LOSS,
            "return -((unit(p1) * unit(z1)).sum(axis=1) / 2 + (unit(p2) * unit(z2)).sum(axis=1) / 2).mean()",
            GRADIENT,
            "return slope(p1, z1), np.zeros_like(z1), slope(p2, z2), np.zeros_like(z2)",
            links="https://github.com/The-AI-Summer/byol-cifar10/issues/1",
        ),
        mistake(
            "two_minus_two_cosines",
            "2 − 2 cos stands where −cos belongs: BYOL's loss",
            "D3.44 distance",
            LOSS,
            LOSS.replace("return -(", "return (2 - 2 * (").replace(").mean()", ")).mean()"),
            marks=("twice", "constant added"),
            links="https://github.com/vturrisi/solo-learn/pull/36",
        ),
        mistake(
            "mean_squared_error",
            "the mean square of the differences of the rows as they come, where the negative cosine belongs",
            "D3.44 distance",
            LOSS,
            "return (((p1 - z2) ** 2).mean() + ((p2 - z1) ** 2).mean()) / 2",
        ),
        mistake(
            "number_added_to_the_lengths",
            "a thousandth is added to the length of each row, so that none has length 1",
            "D3.44 distance",
            "return x / np.linalg.norm(x, axis=1, keepdims=True)",
            "return x / (np.linalg.norm(x, axis=1, keepdims=True) + 1e-3)",
        ),
        mistake(
            "one_term_alone",
            "the second term overwrites the first, and half of it is the loss",
            "D3.44 distance",
            LOSS,
            "return -((unit(p2) * unit(z1)).sum(axis=1) / 2).mean()",
            links="https://github.com/facebookresearch/VICRegL/issues/6",
        ),
        mistake(
            "first_term_alone",
            "the second term is missing",
            "D3.44 distance",
            LOSS,
            "return -((unit(p1) * unit(z2)).sum(axis=1) / 2).mean()",
        ),
        mistake(
            "not_normalised",
            "rows are not divided by their length: products where cosines belong",
            "D3.44 distance",
            LOSS,
            "return -((p1 * z2).sum(axis=1) / 2 + (p2 * z1).sum(axis=1) / 2).mean()",
            marks="not normalised",
        ),
        mistake(
            "normalised_over_all_axes",
            "the whole batch is divided by one length, where each row should be by its own",
            "D3.44 distance",
            "return x / np.linalg.norm(x, axis=1, keepdims=True)",
            "return x / np.linalg.norm(x)",
        ),
        mistake(
            "normalised_along_batch",
            "each feature has length 1 over the batch, not each row: the wrong axis",
            "D3.44 distance",
            "return x / np.linalg.norm(x, axis=1, keepdims=True)",
            "return x / np.linalg.norm(x, axis=0, keepdims=True)",
        ),
        mistake(
            "stop_gradient_missing",
            "the projections have gradients: they are held constant",
            "D3.45 stopped",
            GRADIENT,
            "return slope(p1, z2), slope(z1, p2), slope(p2, z1), slope(z2, p1)",
            marks="stop-gradient missing",
            links=(
                "https://github.com/lightly-ai/lightly/issues/559",
                "https://github.com/PatrickHua/SimSiam/issues/39",
            ),
        ),
        mistake(
            "stop_gradient_on_the_wrong_side",
            "the predictions are held constant and the projections are trained: it must be the reverse",
            "D3.45 stopped",
            GRADIENT,
            "return np.zeros_like(p1), slope(z1, p2), np.zeros_like(p2), slope(z2, p1)",
            marks="stop gradient on the wrong side",
        ),
        mistake(
            "projection_missing",
            "the part of the gradient along the prediction is still there",
            "M19 p1",
            "return -(z - cosine * q)",
            "return -z",
            marks="projection missing",
        ),
        mistake(
            "norm_missing",
            "the gradient is not divided by the prediction's length",
            "M19 p1",
            "/ (2 * len(p) * np.linalg.norm(p, axis=1, keepdims=True))",
            "/ (2 * len(p))",
            marks="norm missing",
        ),
    ),
    inputs="predictions and projections",
    forms=(Form(("positive",), anchors=("first",), reductions=("mean",), head="pull"),),
)
