"""Mutual information: computed from a known law, bounded by a loss, and estimated from scores.

    I(X;Y) = Σ_xy p(x,y) log p(x,y)/(p(x) p(y))                         [D3.21]

    mutual_information, entropy, conditional_entropy     of a discrete law                  `laws`
    bound                                                log N − 𝓛 of a loss                `loss_bound`
    donsker_varadhan, nwj, infonce, mine, smile          an estimate from a score u(x, c)   one file each

An estimator has the contract of a loss, but is maximised:

    value, cache = mine.forward(scores)           # 0-d, in nats
    grads = mine.backward(cache, upstream=1.0)    # grads.scores

In training code a batch of N pairs gives a matrix of scores, row i the sample x_i and column j the context c_j: the
diagonal is drawn jointly, from p(x,c), everything else independently, from p(x) p(c). All estimators but
`donsker_varadhan`, which takes a law, have these arguments. For any score they are                         [R9]

    donsker_varadhan   a lower bound of I
    nwj                a lower bound of I in the mean over batches
    infonce            a lower bound of I in the mean over batches, and at most log N         [P1]
    mine               neither: too large in the mean, and without a limit as the score grows
    smile              neither, and without a limit as the score grows

`ESTIMATORS` maps each name to its entry, as `infonce_ref.losses.ALL` does of the losses.
"""

from ..registry import Loss, entries
from . import donsker_varadhan as donsker_varadhan
from . import infonce as infonce
from . import mine as mine
from . import nwj as nwj
from . import smile as smile
from .laws import conditional_entropy as conditional_entropy
from .laws import entropy as entropy
from .laws import mutual_information as mutual_information
from .loss_bound import DECOUPLED as DECOUPLED
from .loss_bound import SETTINGS as SETTINGS
from .loss_bound import bound as bound

ESTIMATORS: dict[str, Loss] = entries(globals())
