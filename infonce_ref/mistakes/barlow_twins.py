"""Mistakes in barlow_twins."""

import numpy as np

from .entry import ACROSS, Arguments, Draw, Entry, Form, mistake


def columns(rows: int, features: int, draw: Draw) -> np.ndarray:
    """Draw numbers without a constant column."""
    z = draw.numbers(rows, features)
    return np.where(np.ptp(z, axis=0) == 0, z + np.arange(rows)[:, None], z)


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    """At least three pairs, because every standardised column of two rows is ±(1, −1), and two features."""
    weight = draw.rng.choice([0.5, 2.0]) if draw.small else draw.rng.uniform(0.1, 2)
    z1, z2 = (columns(max(pairs, 3), max(features, 2), draw) for _ in range(2))
    return {"z1": z1, "z2": z2, "weight": float(weight)}


DEVIATION = "deviation = z.std(axis=0)"
VIEWS = "first, second = standardised(z1)[0], standardised(z2)[0]"
LOSS = "return ((1 - c[diagonal]) ** 2).sum() + weight * (c[~diagonal] ** 2).sum()"
G = "g = np.where(np.eye(len(c)) == 1, -2 * (1 - c), 2 * weight * c)"
GRADIENT = "return back(first, s1, second @ g.T), back(second, s2, first @ g)"
ENTRY = Entry(
    name="barlow_twins",
    loss="barlow_twins",
    by=("z1", "z2"),
    batch=batch,
    mistakes=(
        mistake(
            "deviation_over_b_minus_1",
            "columns are divided by the deviation over B − 1, their products by B: no correlation reaches 1",
            "F25 variance",
            DEVIATION,
            "deviation = z.std(axis=0, ddof=1)",
            marks="deviation over B − 1",
            links=(
                "https://github.com/yaohungt/Barlow-Twins-HSIC/issues/6",
                "https://github.com/Lightning-AI/tutorials/pull/96",
            ),
        ),
        mistake(
            "means_left_in",
            "the columns keep their means: products, where correlations belong",
            "F25 mean",
            "return (z - z.mean(axis=0)) / deviation, deviation",
            "return z / deviation, deviation",
        ),
        mistake(
            "not_standardised",
            "the columns are centred and not divided by their deviation: covariances",
            "F25 variance",
            DEVIATION,
            "deviation = np.ones(z.shape[1])",
        ),
        mistake(
            "views_standardised_together",
            "means and deviations are taken over both views together; each view has its own",
            "F25 scale",
            VIEWS,
            "first, second = np.split(standardised(np.concatenate([z1, z2]))[0], 2)",
            links="https://github.com/lightly-ai/lightly/pull/1806",
        ),
        mistake(
            "weight_on_the_diagonal",
            "the weight multiplies both terms, not the redundancy alone",
            "F25 loss",
            LOSS,
            "return weight * (((1 - c[diagonal]) ** 2).sum() + (c[~diagonal] ** 2).sum())",
        ),
        mistake(
            "weight_on_the_other_term",
            "the weight multiplies the diagonal's term, where it belongs to the redundancy",
            "F25 loss",
            LOSS,
            "return weight * ((1 - c[diagonal]) ** 2).sum() + (c[~diagonal] ** 2).sum()",
        ),
        mistake(
            "diagonal_in_the_redundancy",
            "the redundancy includes the diagonal",
            "F25 loss",
            LOSS,
            "return ((1 - c[diagonal]) ** 2).sum() + weight * (c**2).sum()",
        ),
        mistake(
            "mean_over_entries",
            "each term is a mean over its entries, where sums belong",
            "F25 loss",
            LOSS,
            "return ((1 - c[diagonal]) ** 2).mean() + weight * (c[~diagonal] ** 2).mean()",
            marks=("another reduction", "another weight"),
        ),
        mistake(
            "correlations_not_squared",
            "the absolute values of the other correlations are summed, not their squares",
            "F25 loss",
            LOSS,
            "return ((1 - c[diagonal]) ** 2).sum() + weight * abs(c[~diagonal]).sum()",
        ),
        mistake(
            "diagonal_not_squared",
            "the absolute values of 1 − C_ff are summed, not their squares",
            "F25 loss",
            LOSS,
            "return abs(1 - c[diagonal]).sum() + weight * (c[~diagonal] ** 2).sum()",
        ),
        mistake(
            "batch_for_features",
            "B × B products of rows, where d × d correlations of columns belong",
            "F25 correlation",
            "c = correlation(first, second)\n    diagonal",
            "c = correlation(first.T, second.T)\n    diagonal",
        ),
        mistake(
            "batch_for_features",
            "B × B products of rows, over B, where d × d correlations of columns belong",
            "F25 correlation",
            "c = correlation(first, second)\n    diagonal",
            "c = first @ second.T / len(first)\n    diagonal",
        ),
        mistake(
            "not_transposed",
            "the second view is pushed by C, where its transpose belongs",
            "F26 z2",
            GRADIENT,
            "return back(first, s1, second @ g.T), back(second, s2, first @ g.T)",
        ),
        mistake(
            "first_view_not_transposed",
            "the first view is pushed by the transpose of C, where C belongs",
            "F26 z1",
            GRADIENT,
            "return back(first, s1, second @ g), back(second, s2, first @ g)",
        ),
        mistake(
            "weight_twice",
            "the weight multiplies the redundancy's gradient twice",
            "F26 error",
            G,
            "g = np.where(np.eye(len(c)) == 1, -2 * (1 - c), 2 * weight**2 * c)",
        ),
        mistake(
            "square_not_differentiated",
            "the factor 2 of the squares is missing off the diagonal",
            "F26 error",
            G,
            "g = np.where(np.eye(len(c)) == 1, -2 * (1 - c), weight * c)",
        ),
        mistake(
            "deviation_held_constant",
            "means and deviations are held constant in the gradient, which must depend on them",
            "F26 z1",
            "    along = (column * pull).mean(axis=0)\n    return (pull - along * column) /",
            "    return pull /",
        ),
        mistake(
            "second_view_held_constant",
            "the second view has no gradient",
            "F26 z2",
            GRADIENT,
            "return back(first, s1, second @ g.T), 0 * z2",
            marks="one view detached",
        ),
    ),
    inputs="two",
    forms=(Form(ACROSS, rows=("columns",), anchors=("first",), reductions=("mean",), head="decorrelated"),),
)
