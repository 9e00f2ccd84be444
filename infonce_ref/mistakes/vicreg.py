"""Mistakes in vicreg."""

from .barlow_twins import columns
from .entry import Arguments, Draw, Entry, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    """Draw some columns with a deviation below the margin, some above it."""
    z1, z2 = (columns(pairs, features, draw) for _ in range(2))
    weights = {"invariance": 2.0, "variance": 3.0, "covariance": 0.5}
    return {"z1": z1, "z2": z2, **weights, "margin": 1.0, "epsilon": 1e-4}


APART = "apart = ((z1 - z2) ** 2).sum(axis=1).mean()"
DEVIATIONS = "return np.sqrt((centred(z) ** 2).sum(axis=0) / (len(z) - 1) + epsilon)"
HINGE = "hinge = sum(np.maximum(margin - deviations(z, epsilon), 0).sum() / d for z in (z1, z2))"
COVARIANCES = "return c.T @ c / (len(z) - 1) * (1 - np.eye(z.shape[1]))"
REDUNDANCY = "redundancy = sum((covariances(z) ** 2).sum() / d for z in (z1, z2))"
SPREAD = "spread = -variance * (s < margin) * centred(z) / (d * (n - 1) * s)"
PUSH = "return spread + 4 * covariance * centred(z) @ covariances(z) / (d * (n - 1))"
ENTRY = Entry(
    name="vicreg",
    loss="vicreg",
    by=("z1", "z2"),
    batch=batch,
    mistakes=(
        mistake(
            "mean_over_entries",
            "the invariance is a mean over all B·d entries, 1/d of the mean over the pairs",
            "F27 loss",
            APART,
            "apart = ((z1 - z2) ** 2).mean()",
        ),
        mistake(
            "hinges_averaged",
            "the variance term is the mean of both views, but the paper has their sum",
            "F27 loss",
            HINGE,
            HINGE + " / 2",
            links=(
                "https://github.com/facebookresearch/vicreg/issues/8",
                "https://github.com/facebookresearch/vicreg/issues/26",
            ),
        ),
        mistake(
            "covariances_averaged",
            "the covariance term is the mean of both views, but the paper has their sum",
            "F27 loss",
            REDUNDANCY,
            REDUNDANCY + " / 2",
        ),
        mistake(
            "means_left_in_the_covariance",
            "the columns are not centred in the covariance: rows are pulled to the origin",
            "F27 covariance",
            "    c = centred(z)\n",
            "    c = z\n",
            links="https://github.com/KevinMusgrave/pytorch-metric-learning/issues/467",
        ),
        mistake(
            "diagonal_in_the_covariance",
            "the variances stand among the covariances, so that one term shrinks what another spreads",
            "F27 loss",
            COVARIANCES,
            "return c.T @ c / (len(z) - 1)",
        ),
        mistake(
            "covariance_over_b",
            "covariances are divided by B, not by B − 1",
            "F27 covariance",
            COVARIANCES,
            "return c.T @ c / len(z) * (1 - np.eye(z.shape[1]))",
        ),
        mistake(
            "deviation_over_b",
            "deviations are divided by B, not by B − 1",
            "F27 spread",
            DEVIATIONS,
            "return np.sqrt((centred(z) ** 2).mean(axis=0) + epsilon)",
        ),
        mistake(
            "epsilon_outside_the_root",
            "epsilon is added to the deviation, not to the variance within the root",
            "F27 variance",
            DEVIATIONS,
            "return np.sqrt((centred(z) ** 2).sum(axis=0) / (len(z) - 1)) + epsilon",
        ),
        mistake(
            "hinge_on_the_variance",
            "the margin limits variances, not deviations",
            "F27 loss",
            DEVIATIONS,
            "return (centred(z) ** 2).sum(axis=0) / (len(z) - 1) + epsilon",
            "/ (d * (n - 1) * s)",
            "* 2 / (d * (n - 1))",
        ),
        mistake(
            "hinge_forgotten",
            "the hinge is missing: columns that vary enough are pulled to the margin too",
            "F28 kink",
            HINGE,
            "hinge = sum((margin - deviations(z, epsilon)).sum() / d for z in (z1, z2))",
            "(s < margin) * ",
            "",
        ),
        mistake(
            "one_view_alone",
            "spread and covariances of the first view only, not of each view",
            "F27 loss",
            HINGE,
            HINGE.replace("(z1, z2)", "(z1,)"),
            REDUNDANCY,
            REDUNDANCY.replace("(z1, z2)", "(z1,)"),
        ),
        mistake(
            "second_view_forgotten",
            "of the second view's hinge and covariances there is no gradient",
            "F28 z2",
            "return first + towards, second - towards",
            "return first + towards, -towards",
        ),
        mistake(
            "deviation_not_differentiated",
            "the pull of the hinge is not divided by the deviation, as if the margin limited half the variance",
            "F28 z1",
            SPREAD,
            SPREAD.replace(" * s)", ")"),
        ),
        mistake(
            "square_not_differentiated",
            "2 stands where 4 belongs: a covariance enters twice, and each time squared",
            "F28 z1",
            PUSH,
            PUSH.replace("4 *", "2 *"),
        ),
        mistake(
            "covariance_over_b_on_the_way_back",
            "covariances are over B in the gradient, over B − 1 in the loss",
            "F28 z1",
            PUSH,
            "return spread + 4 * covariance * centred(z) @ covariances(z) * (n - 1) / (d * n**2)",
        ),
        mistake(
            "pull_in_one_direction",
            "both views are pulled in the same direction; the signs must be opposite",
            "F28 z2",
            "second - towards",
            "second + towards",
        ),
        mistake(
            "second_view_held_constant",
            "the second view has no gradient",
            "F28 z2",
            "return first + towards, second - towards",
            "return first + towards, 0 * z2",
        ),
    ),
    inputs="two",
)
