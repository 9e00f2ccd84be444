"""Mistakes in alignment."""

from .entry import ANY, Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    exponent = draw.rng.choice([1.0, 2.0]) if draw.small else draw.rng.uniform(0.5, 3)
    return {"z1": draw.rows(pairs, features), "z2": draw.rows(pairs, features), "exponent": float(exponent)}


LOSS = "return (((z1 - z2) ** 2).sum(axis=1) ** (exponent / 2)).mean()"
SLOPE = "slope = exponent * square ** (exponent / 2 - 1) * (z1 - z2) / len(z1)"
ENTRY = Entry(
    name="alignment",
    loss="alignment",
    by=("z1", "z2"),
    batch=batch,
    mistakes=(
        mistake(
            "exponent_doubled",
            "the squared distance is raised to the exponent: the power is twice the exponent",
            "F12 row",
            LOSS,
            LOSS.replace("(exponent / 2)", "exponent"),
            SLOPE,
            "slope = 2 * exponent * square ** (exponent - 1) * (z1 - z2) / len(z1)",
            marks="another exponent",
        ),
        mistake(
            "exponent_halved",
            "the root of the distance is raised to the exponent: the power is half the exponent",
            "F12 row",
            LOSS,
            LOSS.replace("exponent / 2", "exponent / 4"),
            SLOPE,
            "slope = exponent / 2 * square ** (exponent / 4 - 1) * (z1 - z2) / len(z1)",
            marks="another exponent",
        ),
        mistake(
            "mean_over_entries",
            "the square is a mean over the features, not their sum",
            "F12 row",
            LOSS,
            LOSS.replace(".sum(axis=1)", ".mean(axis=1)"),
        ),
        mistake(
            "exponent_missing_in_gradient",
            "the factor exponent of the power's slope is missing",
            "F13 z1",
            SLOPE,
            SLOPE.replace("exponent * square", "square"),
        ),
        mistake(
            "distance_for_direction",
            "the power keeps its exponent: differentiation must lower it by one",
            "F13 z1",
            SLOPE,
            SLOPE.replace("exponent / 2 - 1", "exponent / 2 - 1 / 2"),
        ),
        mistake(
            "second_view_held_constant",
            "the second view has no gradient",
            "F13 z2",
            "return slope, -slope",
            "return slope, 0 * z2",
            marks="one view detached",
        ),
        mistake(
            "pulled_the_same_way",
            "both views are pulled in the same direction; the signs must be opposite",
            "F13 z2",
            "return slope, -slope",
            "return slope, slope",
        ),
    ),
    inputs="two",
    forms=(
        Form(("positive",), rows=ANY, anchors=("first",), similarity="distance", head="power"),
        # with the exponent 2 and unit rows
        Form(("positive",), anchors=("first",), head="pull", factor=2.0, shift=2.0),
    ),
)
