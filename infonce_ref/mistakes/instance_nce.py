"""Mistakes in instance_nce."""

from .entry import Arguments, Draw, Entry, mistake
from .families import drop_marks, temperature


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    samples = pairs + 1
    return {
        "v": draw.rows(pairs, features),
        "bank": draw.rows(samples, features),
        "index": draw.index(samples, pairs),
        "noise_index": draw.index(samples, pairs, features + 1),
        "temperature": draw.temperature(),
    }


LOSS = "return (softplus(-data) + softplus(others).sum(axis=1)).mean()"
ODDS = "return own - total[:, 0], noise - total"
ENTRY = Entry(
    name="instance_nce",
    loss="instance_nce",
    by=("v", "bank"),
    batch=batch,
    mistakes=(
        *drop_marks(temperature("D3.5 logits", 'np.einsum("nd,nkd->nk", v, bank[drawn])')),
        mistake(
            "bank_size_forgotten",
            "the normaliser is the mean of the noise samples' exponentials, not scaled by K",
            "D3.13 mean",
            "log_odds(own, noise)\n    return (softplus",
            "log_odds(own, noise)\n    data, others = data + np.log(len(bank)), others + np.log(len(bank))\n"
            "    return (softplus",
            "data, others = log_odds(own, noise)\n    of_own",
            "data, others = log_odds(own, noise)\n"
            "    share = np.exp(others)\n"
            "    data, others = data + np.log(len(bank)), others + np.log(len(bank))\n    of_own",
            "    share = np.exp(others)\n    through",
            "    through",
        ),
        mistake(
            "noise_missing",
            "only the data's term is there: the sum over the noise samples is missing",
            "D3.18 loss",
            " + softplus(others).sum(axis=1)",
            "",
            links="https://github.com/akwasigroch/Pretext-Invariant-Representations/issues/1",
        ),
        mistake(
            "noise_averaged",
            "the noise samples of a feature are averaged, not summed",
            "D3.18 loss",
            "softplus(others).sum(axis=1)",
            "softplus(others).mean(axis=1)",
        ),
        mistake(
            "normaliser_held_constant",
            "the normaliser is held constant in the gradient: it depends on v and on the bank",
            "D3.17 posterior",
            "of_noise + through",
            "of_noise",
            links=(
                "https://github.com/HobbitLong/CMC/issues/23",
                "https://github.com/HobbitLong/RepDistiller/issues/51",
                "https://github.com/HobbitLong/RepDistiller/issues/5",
            ),
        ),
        mistake(
            "drawn_once",
            "a row of the bank that is drawn twice gets the gradient of one draw",
            "M16 bank",
            "    return np.einsum",
            "    counts = np.array([np.sum(drawn == j) for j in range(len(bank))])\n"
            "    dbank = dbank / np.maximum(counts, 1)[:, None]\n    return np.einsum",
        ),
        mistake(
            "drawn_last",
            "a row of the bank that is drawn twice keeps the last draw's gradient: bank[drawn] += adds one of them",
            "M16 bank",
            "np.add.at(dbank, drawn, g[:, :, None] * v[:, None, :])",
            "dbank[drawn] += g[:, :, None] * v[:, None, :]",
        ),
    ),
    inputs="bank and noise",
)
