"""instance wrong on purpose."""

from infonce_ref.losses import instance


def mean_for_sum(v, bank, **options):
    return instance.forward(v, bank, **options | {"reduction": "mean"})


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("own_row_alone", "bank")]
FAULTS = [
    ({"forward": mean_for_sum}, "v", DIFFERENCES),
]
