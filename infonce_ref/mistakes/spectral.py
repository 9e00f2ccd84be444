"""Mistakes in spectral."""

from .entry import ACROSS, ANY, Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {"z1": draw.rows(pairs, features), "z2": draw.rows(pairs, features)}


LOSS = "return -2 * np.diag(s).mean() + (others**2).sum() / (len(s) * (len(s) - 1))"
G = "g = (2 * push / (len(s) - 1) - 2 * np.eye(len(s))) / len(s)"
GRADIENT = "return g @ z2, g.T @ z1"
ENTRY = Entry(
    name="spectral",
    loss="spectral",
    by=("z1", "z2"),
    batch=batch,
    mistakes=(
        mistake(
            "pairs_among_the_squares",
            "the products of the pairs are among the squares: pairs are pushed apart as well as pulled",
            "F7 row",
            LOSS,
            LOSS.replace("others**2", "s**2"),
            "push = s * (1 - np.eye(len(s)))",
            "push = s",
        ),
        mistake(
            "mean_over_all",
            "the squares are divided by B², as a mean over the whole matrix is, where B(B − 1) are summed",
            "F7 row",
            LOSS,
            LOSS.replace("(len(s) - 1)", "len(s)"),
            G,
            G.replace("(len(s) - 1)", "len(s)"),
        ),
        mistake(
            "squares_summed",
            "the squares of a row are summed, where their mean belongs",
            "F7 row",
            LOSS,
            LOSS.replace("(len(s) * (len(s) - 1))", "len(s)"),
        ),
        mistake(
            "pull_once",
            "the pull is −S_ii, where −2 S_ii belongs",
            "F7 row",
            LOSS,
            LOSS.replace("-2 *", "-1 *"),
        ),
        mistake(
            "square_not_differentiated",
            "the factor 2 of the squares is missing",
            "F8 z1",
            G,
            G.replace("2 * push", "push"),
        ),
        mistake(
            "not_transposed",
            "the pushes G z1 stand for the second view, where Gᵀ z1 belongs",
            "F8 z2",
            GRADIENT,
            "return g @ z2, g @ z1",
        ),
        mistake(
            "pull_by_own_row",
            "the pull is along the row itself, not along its partner",
            "F8 pull",
            GRADIENT,
            "return g @ z2 + 2 / len(s) * (z2 - z1), g.T @ z1",
        ),
        mistake(
            "second_view_held_constant",
            "the second view has no gradient",
            "F8 z2",
            GRADIENT,
            "return g @ z2, 0 * z2",
            marks="one view detached",
        ),
    ),
    inputs="two",
    forms=(Form(ACROSS, ("views", "scores"), ANY, ("first",), head="pull and squares"),),
)
