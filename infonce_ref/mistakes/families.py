"""Mistakes that occur in several losses: in the temperature, the unit rows, the softmax, and G."""

from .entry import Mistake, mistake


def drop_marks(mistakes: tuple[Mistake, ...], *names: str) -> tuple[Mistake, ...]:
    """Remove the marks of the named mistakes, or of all, because no formula of this loss can measure them."""
    return tuple(m._replace(marks=()) if not names or m.name in names else m for m in mistakes)


TEMPERATURES = (  # name, sentence, the replacement of `{where} / temperature`, mark, links
    ("temperature_twice", "the temperature is applied twice", "{} / temperature**2", "temperature twice"),
    (
        "temperature_multiplied",
        "similarities are multiplied by the temperature, not divided",
        "{} * temperature",
        "multiplied by the temperature",
    ),
    ("temperature_not_used", "the temperature never reaches the loss", "{}", "temperature not used"),
    (
        "root_of_temperature",
        "the root of the temperature is applied",
        "{} / temperature**0.5",
        "root of the temperature",
    ),
    (
        "temperature_fixed",
        "the temperature is always 0.1, whatever is passed",
        "{} / 0.1",
        "another temperature",
    ),
    (
        "scale_not_exponentiated",
        "log 1/τ multiplies the similarities as it is, not exponentiated",
        "{} * np.log(1 / temperature)",
        "scale not exponentiated",
        "https://github.com/BAAI-DCAI/M3D/issues/52",
        "https://github.com/BAAI-DCAI/M3D/issues/64",
    ),
    (
        "distance_for_similarity",
        "1 − s stands where the similarity s belongs: pairs are pushed apart",
        "(1 - {}) / temperature",
        "sign flipped",
    ),
    (
        "similarities_clamped",
        "similarities below 0 are clamped to 0: pairs past a right angle exert no force",
        "np.maximum({}, 0) / temperature",
        "similarities clamped at 0",
    ),
    (
        "absolute_similarities",
        "similarities lose their sign: opposite rows count as equal ones",
        "abs({}) / temperature",
        "absolute similarities",
    ),
    (
        "squared_similarities",
        "similarities are squared: opposite rows count as equal ones",
        "({}) ** 2 / temperature",
        "squared similarities",
    ),
)


def temperature(claim: str, where: str) -> tuple[Mistake, ...]:
    """List mistakes in logits that are written `where / temperature`."""
    return tuple(
        mistake(
            name,
            sentence,
            claim,
            f"{where} / temperature",
            instead.format(where),
            marks=mark,
            links=tuple(links),
        )
        for name, sentence, instead, mark, *links in TEMPERATURES
    )


def unit_rows(claim: str, line: str, row: str) -> tuple[Mistake, ...]:
    """List mistakes in a line that divides rows by their length."""
    return (
        mistake(
            "not_normalised",
            "rows are not divided by their length: products where cosines belong",
            claim,
            line,
            f"z = {row}",
            marks="not normalised",
        ),
        mistake(
            "normalised_along_batch",
            "each feature has length 1 over the batch, not each row: the wrong axis",
            claim,
            line,
            f"z = {row} / np.linalg.norm({row}, axis=0, keepdims=True)",
            marks="normalised along the batch",
            links=(
                "https://github.com/alireza-nasiri/SoundCLR/issues/4",
                "https://github.com/gabeur/mmt/issues/1",
            ),
        ),
        mistake(
            "normalised_over_all_axes",
            "the whole batch is divided by one length, where each row should be by its own",
            claim,
            line,
            f"z = {row} / np.linalg.norm({row})",
            marks="normalised over all axes",
            links="https://github.com/tensorflow/similarity/issues/237",
        ),
        mistake(
            "number_added_to_the_lengths",
            "a thousandth is added to the length of each row, so that none has length 1",
            claim,
            line,
            f"z = {row} / (np.linalg.norm({row}, axis=1, keepdims=True) + 1e-3)",
            marks="number added to the lengths",
        ),
    )


def rows_of_g(claim: str) -> tuple[Mistake, ...]:
    """Of the gradient (G + Gᵀ) Z / (N τ)."""
    line = "(g + g.T) @ z / (len("
    return (
        mistake(
            "transpose_missing",
            "G Z, where (G + Gᵀ) Z belongs: each row is an anchor, and a candidate of all others too",
            claim,
            line,
            "g @ z / (len(",
            marks="candidates detached",
        ),
        mistake(
            "candidates_only",
            "Gᵀ Z, where (G + Gᵀ) Z belongs: each row is a candidate of all others, and an anchor too",
            claim,
            line,
            "g.T @ z / (len(",
            marks="anchors detached",
        ),
        mistake(
            "g_taken_for_symmetric",
            "2 G Z, where (G + Gᵀ) Z belongs: G is not symmetric, as each row has its own denominator",
            claim,
            line,
            "2 * g @ z / (len(",
            marks="g taken for symmetric",
        ),
    )


def projection(claim: str) -> tuple[Mistake, ...]:
    """List mistakes in the gradient from unit rows back to rows of any length."""
    line = "return (dz - radial) / np.linalg.norm(w, axis=1, keepdims=True)"
    return (
        mistake(
            "projection_missing",
            "the part of the gradient along each row is still there: project it away",
            claim,
            line,
            "return dz / np.linalg.norm(w, axis=1, keepdims=True)",
            marks="projection missing",
        ),
        mistake(
            "norm_missing",
            "the projected gradient is not divided by the row's length",
            claim,
            line,
            "return dz - radial",
            marks="norm missing",
        ),
        mistake(
            "sphere_forgotten",
            "it is the gradient by the unit rows, not by the rows that were given",
            claim,
            line,
            "return dz",
            marks="sphere forgotten",
        ),
        mistake(
            "projected_by_raw_rows",
            "the projection is made with the rows as they came, not with the unit rows",
            claim,
            "radial = (z * dz).sum(axis=1, keepdims=True) * z",
            "radial = (w * dz).sum(axis=1, keepdims=True) * w",
            marks="projected by raw rows",
        ),
    )


def error(claim: str, pull: str) -> tuple[Mistake, ...]:
    """List mistakes in G = P − 1[positive], where the line `pull` subtracts the 1."""
    return (
        mistake(
            "pull_missing",
            "P stands where P − 1[positive] belongs: nothing pulls the positives",
            claim,
            pull,
            "pass",
            marks="P for P − 1",
        ),
        mistake(
            "pull_doubled",
            "the 1 of the positive is subtracted twice",
            claim,
            pull,
            pull.replace("-= 1", "-= 2"),
            marks="P − 2 for P − 1",
        ),
        mistake(
            "pull_reversed",
            "1 is added at the positive, where it is subtracted: the positives are pushed away",
            claim,
            pull,
            pull.replace("-= 1", "+= 1"),
        ),
        mistake(
            "pull_in_whole_columns",
            "1 is subtracted in the whole column of each positive, not only in its row: g[:, p] for g[rows, p]",
            claim,
            pull,
            "g[:, " + pull.partition(", ")[2],
        ),
    )


def mixed_axes(claim: str) -> Mistake:
    """List mistakes of a softmax along two axes, for logits that are symmetric, or whose rows and columns are
    both used.
    """
    return mistake(
        "softmax_along_two_axes",
        "the softmax takes its largest along one axis and its sum along the other: both belong to the row, axis 1",
        claim,
        "np.exp(x).sum(axis=1, keepdims=True)",
        "np.exp(x).sum(axis=0)",
    )
