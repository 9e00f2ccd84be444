"""Mistakes in triplet."""

from .entry import Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    rows = {name: draw.rows(pairs, features) for name in ("anchor", "positive", "negative")}
    return {**rows, "margin": 2.0 if draw.small else float(draw.rng.uniform(0.5, 2))}


LOSS = "return np.maximum(hinge(anchor, positive, negative, margin), 0).mean()"
H = "return near - far + margin"
FAR = "far = ((anchor - negative) ** 2).sum(axis=1)"
ENTRY = Entry(
    name="triplet",
    loss="triplet",
    by=("anchor", "positive", "negative"),
    batch=batch,
    mistakes=(
        mistake(
            "margin_subtracted",
            "the margin is subtracted, not added: a positive may then be farther than the negative",
            "M12 anchor",
            H,
            "return near - far - margin",
        ),
        mistake(
            "margin_missing",
            "the margin is left out",
            "M12 anchor",
            H,
            "return near - far",
            marks="another margin",
        ),
        mistake(
            "margin_fixed",
            "the hinge has 0.1, whatever margin was asked for",
            "M12 anchor",
            H,
            "return near - far + 0.1",
            marks="another margin",
            links="https://github.com/taylover-pei/SSDG-CVPR2020/issues/2",
        ),
        mistake(
            "sides_exchanged",
            "positive and negative are swapped: positives are pushed away",
            "M12 anchor",
            H,
            "return far - near + margin",
            marks="sign flipped",
        ),
        mistake(
            "distance_not_squared",
            "the distance instead of its square: the margin has another unit",
            "M12 anchor",
            H,
            "return near**0.5 - far**0.5 + margin",
            marks="another similarity",
            links=(
                "https://github.com/VisualComputingInstitute/triplet-reid/pull/12",
                "https://github.com/tensorflow/addons/pull/1966",
                "https://github.com/Nanne/pytorch-NetVlad/issues/57",
            ),
        ),
        mistake(
            "mean_over_features",
            "distances are means over the features, d times too small for the margin",
            "M12 anchor",
            H,
            "return (near - far) / anchor.shape[1] + margin",
            marks=("mean over features", "another margin"),
            links="https://github.com/keras-team/keras/issues/9498",
        ),
        mistake(
            "hinge_after_the_mean",
            "the batch's mean is cut at 0, not each triplet: easy ones pay for those that are violated",
            "M12 anchor",
            LOSS,
            "return np.maximum(hinge(anchor, positive, negative, margin).mean(), 0)",
            marks=("hinge after the mean", "another reduction"),
            links="https://github.com/akarshzingade/image-similarity-deep-ranking/issues/17",
        ),
        mistake(
            "hinge_missing",
            "nothing is cut at 0: a well separated triplet has a loss below 0",
            "M12 anchor",
            LOSS,
            "return hinge(anchor, positive, negative, margin).mean()",
            marks=(
                "positive missing from the denominator",
                "softmax for another form",
                "times temperature",
                "constant added",
            ),
        ),
        mistake(
            "soft_margin",
            "the smooth form log(1 + e^h) leaves the margin out",
            "M12 anchor",
            LOSS,
            "return np.logaddexp(0, hinge(anchor, positive, negative, 0)).mean()",
            marks="softmax for another form",
            links="https://github.com/KevinMusgrave/pytorch-metric-learning/issues/315",
        ),
        mistake(
            "softplus_for_the_hinge",
            "the smooth log(1 + e^h) stands where max(0, h) belongs",
            "M12 anchor",
            LOSS,
            "return np.logaddexp(0, hinge(anchor, positive, negative, margin)).mean()",
        ),
        mistake(
            "mean_over_open_triplets",
            "the sum is divided by the number of triplets with an open hinge, which may be 0",
            "M12 anchor",
            LOSS,
            "h = np.maximum(hinge(anchor, positive, negative, margin), 0)\n"
            "    return h.sum() / max((h > 0).sum(), 1)",
            links=(
                "https://github.com/KevinMusgrave/pytorch-metric-learning/issues/107",
                "https://github.com/tensorflow/addons/issues/2447",
            ),
        ),
        mistake(
            "farthest_negative",
            "each anchor gets the farthest negative of the batch, the easiest, for its own",
            "M12 anchor",
            FAR,
            "far = ((anchor[:, None] - negative) ** 2).sum(axis=2).max(axis=1)",
            links=(
                "https://github.com/adambielski/siamese-triplet/issues/3",
                "https://github.com/xiaolonw/caffe-video_triplet/issues/10",
            ),
        ),
        mistake(
            "hinge_ignored_in_gradient",
            "triplets with loss 0 have a gradient too",
            "M12 anchor",
            "is_open = (hinge(anchor, positive, negative, margin) > 0)[:, None]",
            "is_open = np.ones((len(anchor), 1))",
        ),
        mistake(
            "negative_gets_the_positives_side",
            "the negative's gradient has the positive in it, where a − n belongs",
            "M12 negative",
            "scale * (anchor - negative),",
            "scale * (anchor - positive),",
        ),
        mistake(
            "negative_pulled",
            "the negative's gradient has the wrong sign: it is pulled to the anchor",
            "M12 negative",
            "scale * (anchor - negative),",
            "scale * (negative - anchor),",
        ),
        mistake(
            "sides_confused",
            "positive and negative move the wrong way: what should be pulled is pushed",
            "M12 negative",
            "        scale * (positive - anchor),\n        scale * (anchor - negative),\n",
            "        scale * (anchor - positive),\n        scale * (negative - anchor),\n",
        ),
        mistake(
            "gradients_exchanged",
            "the gradients of positive and negative are swapped",
            "M12 negative",
            "        scale * (positive - anchor),\n        scale * (anchor - negative),\n",
            "        scale * (anchor - negative),\n        scale * (positive - anchor),\n",
        ),
        mistake(
            "anchor_held_constant",
            "the anchor has no gradient",
            "M12 anchor",
            "scale * (negative - positive),",
            "0 * anchor,",
            marks="one view detached",
        ),
    ),
    inputs="triplets",
    forms=(
        Form(
            ("positive", "negatives"),
            ("one negative",),
            ("given",),
            ("first",),
            similarity="squared distance",
            head="hinge",
        ),
    ),
)
