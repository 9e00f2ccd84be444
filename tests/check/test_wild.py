"""Losses written like those of strangers: each gets the answer that a careful reader of its file would give."""

from pathlib import Path

import pytest

pytest.importorskip("torch")

from infonce_ref.check import Refused, check

pytestmark = pytest.mark.torch
OF_VALUE = {"tiers": ("formula",)}
WILD = Path(__file__).parent / "wild"
# file:name, how it is asked, exit status, words of the report (after "not: " words that it must not have)
TABLE = [
    # how it is called
    (
        "logs_beside.py:loss",
        {},
        0,
        ["cpc, τ = 0.1", "number 0 (from 0) is judged, which has", "left: number 1, number 2"],
    ),
    (
        "returns.py:accuracy_first",
        OF_VALUE,
        0,
        ["right: it is cpc", "number 1 (from 0) is judged", "left: number 0"],
    ),
    ("returns.py:loss_and_logits", OF_VALUE, 0, ["right: it is cpc", "loss is judged", "left: logits"]),
    ("returns.py:logits_labels_loss", OF_VALUE, 0, ["right: it is cpc", "left: number 0, number 1"]),
    (
        "returns.py:logits_in_a_dict",
        OF_VALUE,
        0,
        ["right: it is cpc", "(logits, labels): their cross-entropy"],
    ),
    (
        "returns.py:loss_of_each_row",
        OF_VALUE,
        0,
        ["right: it is cpc", "left: 1.pos, 1.acc", "a number for each row"],
    ),
    ("returns.py:loss_of_each_row", OF_VALUE | {"reduction": "none"}, 0, ["right: it is cpc"]),
    ("returns.py:list_of_rows", OF_VALUE, 0, ["right: it is cpc", "a number for each row"]),
    (
        "returns.py:parts_and_total",
        OF_VALUE,
        0,
        ["right: it is clip", "total is judged", "left: i2t, t2i, acc"],
    ),
    ("returns.py:two_parts", OF_VALUE, 0, ["right: it is clip", "2 losses: their sum is judged; left: acc"]),
    (
        "returns.py:positive_not_detached",
        OF_VALUE,
        0,
        ["right: it is cpc", "no formula fits the sum of its losses"],
    ),
    ("returns.py:regularised", OF_VALUE, 0, ["right: it is cpc", "nce_loss is judged", "left: l2_loss"]),
    (
        "returns.py:of_unit_rows",
        OF_VALUE,
        0,
        ["it is cpc", "others it raises AssertionError: normalise first"],
    ),
    ("returns.py:named_tuple", OF_VALUE, 0, ["right: it is cpc", "contrastive is judged", "left: accuracy"]),
    ("returns.py:named_tuple", OF_VALUE | {"take": 1}, 1, ["UNKNOWN"]),
    ("returns.py:data_class", OF_VALUE, 0, ["right: it is cpc", "left: features, temperature"]),
    ("returns.py:WithScale", OF_VALUE, 0, ["right: it is cpc", "number 1 (from 0) is judged"]),
    (
        "returns_numpy.py:loss_and_accuracy",
        {},
        0,
        ["right: it is cpc", "a NumPy function", "left: number 1", "not: has a gradient"],
    ),
    ("returns_numpy.py:loss_and_positive", OF_VALUE, 0, ["right: it is cpc", "nce is judged; left: pos"]),
    (
        "returns_numpy.py:rows_and_log",
        OF_VALUE,
        0,
        ["right: it is cpc", "left: number 1", "a number for each row"],
    ),
    (
        "returns_jax.py:loss",
        OF_VALUE,
        0,
        ["right: it is cpc", "left: 1.pos, 1.logits", "a number for each row"],
    ),
    ("two_logits.py:Loss", {}, 0, ["it is clip", "two square matrices of scores", "gradient  right"]),
    ("two_logits.py:Loss", OF_VALUE | {"is_": "clip"}, 0, ["it is clip"]),
    ("scores.py:of_output", OF_VALUE, 0, ["it is clip", "a dict that is asked for two square matrices"]),
    ("scores.py:with_labels", OF_VALUE, 0, ["it is clip", "and the numbers of the rows"]),
    (
        "pos_neg_scores.py:loss",
        {},
        0,
        ["it is cpc", "positive (B,), and the scores (B, M)", "gradient  right"],
    ),
    (
        "scores.py:of_columns",
        OF_VALUE,
        0,
        ["it is cpc", "positive (B, 1), and the scores (B, M)", "these first"],
    ),
    ("scores.py:in_a_dict", OF_VALUE, 0, ["it is cpc", "(B, M) of its negatives, in a dict"]),
    ("scores.py:triplets", OF_VALUE, 0, ["nearest to triplet: 0.5 times the loss", "in a dict"]),
    (
        "scores.py:hinge",
        OF_VALUE,
        0,
        ["variant: nearest to cpc: each anchor pays Σ_n max(0, s_n − s_p + margin)"],
    ),
    (
        "pair_mask.py:loss",
        {},
        0,
        ["it is clip, τ = 0.07", "leaves out is no anchor, and stays among the others"],
    ),
    ("masks.py:left_out", OF_VALUE, 0, ["it is cpc", "the mask leaves out is left out altogether"]),
    ("masks.py:weighed", OF_VALUE, 0, ["it is cpc", "the mask leaves out adds 0 to the mean over all pairs"]),
    ("masks.py:unused", OF_VALUE, 0, ["it is cpc", "the mask leaves out is in the loss all the same"]),
    (
        "masks.py:mixed",
        OF_VALUE,
        1,
        ["UNKNOWN: of all pairs it is cpc, but with a pair that the mask leaves out"],
    ),
    (
        "unit_rows.py:loss",
        {},
        0,
        ["ntxent, τ = 0.05", "on rows of length 1, for on others", "gradient  right"],
    ),
    (
        "insists_on_unit_rows.py:InfoNCE",
        {},
        0,
        ["query_key, τ = 0.07", "others it raises", "gradient  right"],
    ),
    ("cold_numpy.py:supcon", {}, 0, ["it is supcon, τ = 0.02", "on rows of length 1 alone"]),
    ("cold_numpy.py:supcon", {"is_": "supcon"}, 1, ["RIGHT ON UNIT ROWS: supcon"]),
    (
        "queue_module.py:Loss",
        {},
        1,
        ["it holds bank (16, 5)", "pass a queue or a memory in", "not: rotation"],
    ),
    ("memories.py:MoCo", {}, 1, ["it holds queue (5, 24)", "pass a queue or a memory in", "gradient  right"]),
    ("memories.py:Large", {}, 2, ["it holds queue (128, 4096)", "pass a queue or a memory in"]),
    (
        "memories.py:Prototypes",
        OF_VALUE,
        1,
        ["it learns layer.weight (7, 5): ask about the loss of what"],
    ),
    (
        "nan_slope.py:loss",
        {},
        4,
        ["uniformity", "NaN or infinity, first from distance = jnp.sqrt(", "line 6"],
    ),
    ("nan_slopes.py:contrast", {}, 4, ["it is ntxent", "first from apart =", "line 9): the slope of a root"]),
    ("nan_slopes.py:logarithm", {}, 4, ["it is supcon", "first from return -(torch.where(same, p.log()"]),
    ("turned.py:supcon", OF_VALUE, 0, ["it is supcon, τ = 0.1", "rows and their labels, these first"]),
    ("turned.py:cross_entropy", OF_VALUE, 0, ["it is cpc", "the column of each row's positive, these first"]),
    ("of_tensorflow.py:nt_xent", {}, 2, ["pass dtype='float32', in which TensorFlow and Keras compute"]),
    (
        "of_tensorflow.py:nt_xent",
        {"dtype": "float32"},
        0,
        ["it is ntxent", "by its values, not by its gradient"],
    ),
    ("of_tensorflow.py:SupCon", {"dtype": "float32"}, 0, ["it is supcon, τ = 0.2", "labels, these first"]),
    # its value and its gradient
    (
        "donsker_varadhan.py:loss",
        {},
        0,
        ["it is minus the estimate information.mine, τ = 1", "(Donsker–Varadhan)"],
    ),
    ("estimates.py:own_infonce", OF_VALUE, 0, ["it is the estimate information.infonce"]),
    ("estimates.py:own_mine", OF_VALUE, 0, ["it is minus the estimate information.mine"]),
    ("estimates.py:nwj", OF_VALUE, 0, ["it is minus the estimate information.nwj"]),
    ("estimates.py:smile", OF_VALUE, 0, ["it is minus the estimate information.smile", "clip 1: "]),
    (
        "estimates.py:over_all_pairs",
        OF_VALUE,
        0,
        ["information.mine: the positive stands in the denominator"],
    ),
    ("estimates.py:less_a_root", OF_VALUE, 0, ["cpc: differs by a constant, -2", "on the number of pairs"]),
    ("estimates.py:less_a_root", OF_VALUE | {"is_": "cpc"}, 1, ["WRONG"]),
    ("float32_constant.py:loss", {}, 0, ["information.infonce, τ = 0.1", "log B less cpc"]),
    ("tau_is_scale.py:loss", {}, 0, ["it is cpc, τ = 0.05", "tau multiplies: it is 1/τ"]),
    (
        "tau_is_scale.py:loss",
        OF_VALUE | {"temperature": 20.0},
        1,
        ["multiplied by the temperature, not divided"],
    ),
    ("of_features.py:means", OF_VALUE, 1, ["are means over the features", "not: never reaches the loss"]),
    ("of_features.py:scaled", OF_VALUE, 0, ["variant: nearest to cpc: products are divided by √d as well"]),
    (
        "of_features.py:city_blocks",
        OF_VALUE,
        1,
        ["UNKNOWN: a rotation of all rows changes it", "it compares "],
    ),
    ("of_features.py:uniformity_of_a_sum", OF_VALUE, 0, ["uniformity: the logarithm is of the kernel's sum"]),
    (
        "leaps.py:below_one",
        {},
        5,
        ["the value jumps at ordinary", "does rounding", "not: rotation", "not: mixture"],
    ),
    ("leaps.py:hardest_few", {}, 0, ["only the k largest negatives count", "gradient  right"]),
    # forms, and mistakes, that it may have
    (
        "many_in_one_log.py:loss",
        {},
        0,
        ["cpc: the positives' probabilities are added before the logarithm, in both"],
    ),
    (
        "clamps.py:positive_capped",
        OF_VALUE,
        1,
        ["WRONG: cpc, but the positive's logit is clamped to ± 5 above the line"],
    ),
    (
        "clamps.py:positive_capped_above",
        OF_VALUE,
        1,
        ["the positive's logit is clamped", "8.5"],
    ),
    (
        "clamps.py:never_reached",
        OF_VALUE,
        0,
        ["variant: nearest to cpc: when colder, as at τ = 0.0222, the logits are clamped from above, at 20"],
    ),
    ("clamps.py:long_rows", OF_VALUE, 1, ["WRONG: cpc, but the logits are clamped from above, at 30"]),
    ("clamps.py:of_scores", OF_VALUE, 1, ["WRONG: cpc, but the logits are clamped to ± 20"]),
    ("clamps.py:negatives", OF_VALUE, 1, ["the negatives' logits are clamped to ± 6"]),
    ("clamps.py:of_cosines", OF_VALUE, 0, ["right: it is cpc, τ = 0.1"]),
    ("clamps.py:OfScale", OF_VALUE | {"is_": "clip"}, 0, ["right: it is clip, τ = 0.07"]),
    (
        "sizes.py:over_a_base",
        OF_VALUE | {"is_": "cpc"},
        1,
        ["RIGHT AT ONE TEMPERATURE", "at temperature = 0.105 it is 1.5 times the loss: right at 0.07 alone"],
    ),
    ("sizes.py:over_a_base", OF_VALUE, 0, ["variant: nearest to cpc: temperature also changes the size"]),
    (
        "sizes.py:Learned",
        OF_VALUE | {"is_": "cpc"},
        1,
        ["tau, which is learned, changes the size of the loss: at 1.1 it is 1.1 times"],
    ),
    *(
        (f"own_positive.py:{name}", OF_VALUE | {"is_": "supcon"}, 1, ["not supcon: the anchor stands among"])
        for name in ("counted", "summed", "inside")
    ),
    (
        "own_positive.py:pulled",
        OF_VALUE | {"is_": "supcon"},
        1,
        ["not supcon: ", "each row is its own positive"],
    ),
    (
        "own_positive.py:and_a_candidate",
        OF_VALUE | {"is_": "supcon"},
        1,
        ["supcon: no mask leaves the anchor"],
    ),
    ("of_views.py:vicreg", OF_VALUE | {"is_": "vicreg"}, 0, ["right: it is vicreg"]),
    (
        "of_views.py:variance_of_one_at_half",
        OF_VALUE | {"is_": "vicreg"},
        1,
        ["not vicreg: the variance of the first view has weight 25, that of the second 12.5"],
    ),
    (
        "of_views.py:covariance_of_one_alone",
        OF_VALUE | {"is_": "vicreg"},
        1,
        ["the covariance of the first view has weight 0, that of the second 1"],
    ),
    (
        "of_views.py:simsiam",
        OF_VALUE,
        0,
        ["the terms of the two predictions have unlike", "share = 0.666667"],
    ),
    (
        "of_views.py:spread",
        OF_VALUE,
        0,
        ["and by weight the uniformity of each view (weights 1 and 0.5"],
    ),
    ("margins.py:root", OF_VALUE, 0, ["by −‖a − c‖", "1e-06 added to the squared distance, under its root"]),
    ("margins.py:root_of_triplets", OF_VALUE, 0, ["triplet", "1e-06 added to the squared distance"]),
    ("margins.py:root_of_pairs", OF_VALUE, 0, ["it is alignment", "1e-06 added to the squared distance"]),
    ("margins.py:own_hard", OF_VALUE, 0, ["each given negative of the anchor is raised", "shift = 1,"]),
    ("margins.py:angle", OF_VALUE, 0, ["cpc: a margin is added to the positive's angle", "margin = 0.2,"]),
    (
        "sums.py:without_axis",
        OF_VALUE,
        1,
        ["query_key, but each anchor's denominator has the negatives of all"],
    ),
    ("sums.py:mean_without_axis", {}, 1, ["query_key, but", "averaged over the anchors too"]),
    ("sums.py:above_and_below", OF_VALUE, 1, ["exponentials of all anchors are added before the logarithm"]),
    ("sums.py:above_alone", OF_VALUE, 1, ["above the line each anchor has the positives of all anchors"]),
    ("sizes.py:twice_the_temperature", OF_VALUE, 0, ["2 times the loss: multiplied by 2τ", "not: at T ="]),
    ("sizes.py:decoupled", {}, 0, ["0.0714286 times the mean over the pairs", "gradient  right: within"]),
    ("sizes.py:by_its_root", {}, 0, ["0.377964 times at another batch size", "gradient  right: within"]),
    ("sizes.py:always_cold", OF_VALUE, 1, ["the temperature is always 0.07, whatever is passed"]),
    ("sizes.py:smoothed", OF_VALUE, 0, ["variant: nearest to cpc: a share, 0.1, of each target is spread"]),
    ("of_features.py:batch_norm", OF_VALUE, 0, ["right: it is barlow_twins", "1e-05 added to the variance"]),
    ("estimates.py:of_two", OF_VALUE, 1, ["UNKNOWN"]),
]


@pytest.mark.parametrize(("loss", "asked", "status", "words"), TABLE)
def test_a_stranger_is_told_what_a_careful_reader_says(loss, asked, status, words):
    try:
        report = check(f"{WILD / loss}", **asked)
        found, text = report.status, report.text()
    except Refused as error:
        found, text = 2, str(error)
    if "needs tensorflow, which is not installed" in text:
        pytest.skip(text)
    assert found == status, text
    for each in words:
        wanted = each.removeprefix("not: ")
        assert (wanted in text) == (wanted == each), text
