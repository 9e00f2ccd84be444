"""Mistakes in query_key."""

from .entry import ANY, Arguments, Draw, Entry, Form, Mistake, Words, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {
        "query": draw.rows(pairs, features),
        "positive": draw.rows(pairs, features),
        "negatives": draw.rows(features + 1, features),
        "temperature": draw.temperature(),
    }


X = "x = np.concatenate([own / temperature, query @ negatives.T / temperature], axis=1)"
MEAN = "return -log_softmax(query, positive, negatives, temperature)[:, 0].mean()"
GRADIENT = "return (pull * positive + push @ negatives) / scale, pull * query / scale, push.T @ query / scale"
ROW = "D3.34 loss own others"


def slip(name: str, sentence: str, x: str, marks: Words = (), links: Words = ()) -> Mistake:
    return mistake(name, sentence, ROW, X, x, marks=marks, links=links)


ENTRY = Entry(
    name="query_key",
    loss="query_key",
    by=("query", "positive", "negatives"),
    batch=batch,
    mistakes=(
        slip(
            "temperature_twice",
            "the temperature is applied twice",
            "x = np.concatenate([own, query @ negatives.T], axis=1) / temperature**2",
            marks="temperature twice",
        ),
        slip(
            "temperature_multiplied",
            "similarities are multiplied by the temperature, not divided",
            "x = np.concatenate([own, query @ negatives.T], axis=1) * temperature",
            marks="multiplied by the temperature",
        ),
        slip(
            "temperature_not_used",
            "the temperature never reaches the loss",
            "x = np.concatenate([own, query @ negatives.T], axis=1)",
            marks="temperature not used",
        ),
        slip(
            "temperature_fixed",
            "the temperature is always 0.1, whatever is passed",
            "x = np.concatenate([own, query @ negatives.T], axis=1) / 0.1",
            marks="another temperature",
            links=(
                "https://github.com/vturrisi/solo-learn/issues/293",
                "https://github.com/vturrisi/solo-learn/pull/294",
            ),
        ),
        slip(
            "positive_untempered",
            "only the negatives are divided by the temperature",
            "x = np.concatenate([own, query @ negatives.T / temperature], axis=1)",
            marks="temperature missing on the positive",
            links="https://github.com/RElbers/info-nce-pytorch/pull/17",
        ),
        slip(
            "negatives_untempered",
            "only the positive is divided by the temperature",
            "x = np.concatenate([own / temperature, query @ negatives.T], axis=1)",
            marks="temperature missing on the negatives",
        ),
        mistake(
            "positive_untempered_below",
            "the positive is divided by the temperature above the line and not below",
            ROW,
            MEAN,
            "own, rest = (query * positive).sum(axis=1), query @ negatives.T / temperature\n"
            "    return (np.log(np.exp(own) + np.exp(rest).sum(axis=1)) - own / temperature).mean()",
            marks="temperature missing on the positive in the denominator",
            links="https://github.com/huiserwang/ContrastMask/issues/4",
        ),
        mistake(
            "rows_normalised",
            "rows are divided by their length: this loss takes them as they come",
            ROW,
            MEAN,
            "query, positive, negatives = (x / np.linalg.norm(x, axis=1, keepdims=True)"
            " for x in (query, positive, negatives))\n    " + MEAN,
        ),
        mistake(
            "positive_missing",
            "the denominator sums the queue alone: the positive belongs there too, or it is no probability",
            "D3.34 loss",
            MEAN,
            "rest = np.exp(query @ negatives.T / temperature).sum(axis=1)\n"
            "    return (np.log(rest) - (query * positive).sum(axis=1) / temperature).mean()",
            marks="positive missing from the denominator",
            links=(
                "https://github.com/danielward27/flowjax/pull/164",
                "https://github.com/MIDA-group/CoMIR/issues/51",
                "https://github.com/Shen-Lab/GraphCL/issues/2",
            ),
        ),
        mistake(
            "positive_twice",
            "the positive enters the denominator twice: its key is in the queue as well",
            "D3.34 loss",
            X,
            "x = np.concatenate([own, own, query @ negatives.T], axis=1) / temperature",
            "pull, push = p[:, :1] - 1, p[:, 1:]",
            "pull, push = p[:, :1] - 1 + p[:, 1:2], p[:, 2:]",
            marks="positive counted twice",
        ),
        slip(
            "positive_for_a_negative",
            "the positive stands in the queue in the last one's place: an index is off by one",
            "x = np.concatenate([own, own, query @ negatives[:-1].T], axis=1) / temperature",
            links="https://github.com/modelscope/ms-swift/pull/10068",
        ),
        slip(
            "wrong_keys_paired",
            "a query's key is the next one's: rows of queries and keys are not aligned",
            "own = np.roll((np.roll(query, 1, axis=0) * positive), -1, axis=0).sum(axis=1, keepdims=True)\n"
            "    x = np.concatenate([own / temperature, query @ negatives.T / temperature], axis=1)",
            marks="labels shifted",
        ),
        mistake(
            "double_softmax",
            "the logits pass a softmax, and then a cross-entropy that takes another one",
            "D3.34 loss",
            MEAN,
            "p = np.exp(log_softmax(query, positive, negatives, temperature))\n"
            "    return (np.log(np.exp(p).sum(axis=1)) - p[:, 0]).mean()",
            marks="double softmax",
            links="https://github.com/gitabcworld/MatchingNetworks/issues/5",
        ),
        mistake(
            "logarithm_missing",
            "the probability of the positive, without its logarithm",
            "D3.34 loss",
            MEAN,
            "return -np.exp(log_softmax(query, positive, negatives, temperature)[:, 0]).mean()",
            marks="logarithm missing",
            links="https://github.com/CIA-Oceanix/TrAISformer/issues/26",
        ),
        mistake(
            "exponential_of_mean_probability",
            "probabilities stand where logarithms belong, and an exponential on top",
            "D3.34 loss",
            MEAN,
            "return np.exp(-np.exp(log_softmax(query, positive, negatives, temperature)[:, 0]).mean())",
            links="https://github.com/somijeong/MGUIT/issues/2",
        ),
        mistake(
            "sigmoids_for_softmax",
            "every score passes a binary cross-entropy of its own; nothing couples a row",
            "D3.34 loss",
            MEAN,
            "own = (query * positive).sum(axis=1, keepdims=True)\n"
            "    x = np.concatenate([-own, query @ negatives.T], axis=1) / temperature\n"
            "    return np.logaddexp(0, x).mean()",
            marks=("sigmoid for softmax", "another reduction"),
            links=(
                "https://github.com/momo-journey/simcse-pytorch/issues/2",
                "https://github.com/kandorm/CLINE/issues/4",
            ),
        ),
        mistake(
            "square_of_denominators",
            "a column of positives is added to a row of negative sums: broadcasting makes a matrix"
            " that mixes queries",
            "D3.34 loss",
            MEAN,
            "own = (query * positive).sum(axis=1, keepdims=True) / temperature\n"
            "    rest = np.exp(query @ negatives.T / temperature).sum(axis=1)\n"
            "    return (np.log(np.exp(own) + rest) - own).mean()",
            links="https://github.com/Seonghoon-Yu/MoCov2_Pytorch_tutorial/issues/2",
        ),
        mistake(
            "labels_for_logits",
            "the arguments of the cross-entropy are exchanged: the loss is linear in every score",
            "D3.34 loss",
            MEAN,
            "own = (query * positive).sum(axis=1, keepdims=True)\n"
            "    x = np.concatenate([own, query @ negatives.T], axis=1) / temperature\n"
            "    labels = np.eye(x.shape[1])[0]\n"
            "    return -(x * (labels - np.log(np.exp(labels).sum()))).sum(axis=1).mean()",
            links=(
                "https://github.com/isaaccorley/detcon-pytorch/issues/1",
                "https://github.com/lucidrains/stylegan2-pytorch/issues/289",
            ),
        ),
        mistake(
            "negatives_averaged",
            "the negatives are averaged, not summed",
            "D3.34 softplus",
            MEAN,
            "own = (query * positive).sum(axis=1, keepdims=True)\n"
            "    return np.log(1 + np.exp((query @ negatives.T - own) / temperature).mean(axis=1)).mean()",
            marks="negatives averaged",
        ),
        mistake(
            "hardest_alone",
            "only the hardest negative counts",
            "D3.34 softplus",
            MEAN,
            "own = (query * positive).sum(axis=1)\n"
            "    return np.logaddexp(0, ((query @ negatives.T).max(axis=1) - own) / temperature).mean()",
            marks="hardest only",
        ),
        mistake(
            "one_not_shifted",
            "log(1 + Σ e^x) is shifted by the largest x, and the 1 is not",
            "D3.34 softplus",
            MEAN,
            "x = (query @ negatives.T - (query * positive).sum(axis=1, keepdims=True)) / temperature\n"
            "    top = x.max(axis=1, keepdims=True)\n"
            "    return (top[:, 0] + np.log(1 + np.exp(x - top).sum(axis=1))).mean()",
            links="https://github.com/leeesangwon/PyTorch-Image-Retrieval/pull/16",
        ),
        mistake(
            "keys_held_constant",
            "the keys have no gradient, neither the positives nor the queue",
            "D2.7 loss",
            GRADIENT,
            "return (pull * positive + push @ negatives) / scale, 0 * positive, 0 * negatives",
            marks="keys detached",
            links="https://github.com/facebookresearch/fairseq2/pull/731",
        ),
        mistake(
            "positives_held_constant",
            "the positives have no gradient",
            "D2.7 loss",
            GRADIENT,
            "return (pull * positive + push @ negatives) / scale, 0 * positive, push.T @ query / scale",
            marks="one view detached",
        ),
        mistake(
            "queue_held_constant",
            "the queue has no gradient",
            "D2.7 loss",
            GRADIENT,
            "return (pull * positive + push @ negatives) / scale, pull * query / scale, 0 * negatives",
            marks="negatives detached",
        ),
        mistake(
            "queries_held_constant",
            "the queries have no gradient",
            "D2.9 gradient",
            GRADIENT,
            "return 0 * query, pull * query / scale, push.T @ query / scale",
            marks="one view detached",
        ),
        mistake(
            "queue_averaged",
            "a key of the queue gets a mean over the queries, where the loss has taken that mean already",
            "D2.7 loss",
            GRADIENT,
            "return (pull * positive + push @ negatives) / scale, pull * query / scale, "
            "push.T @ query / scale / len(query)",
        ),
        mistake(
            "last_row_alone",
            "the last query's gradient alone is kept: each overwrites the one before",
            "D2.9 gradient",
            GRADIENT,
            "p[:-1, 0], p[:-1, 1:] = 1, 0\n    pull, push = p[:, :1] - 1, p[:, 1:]\n    " + GRADIENT,
            links="https://github.com/huggingface/sentence-transformers/pull/3862",
        ),
        mistake(
            "own_key_in_the_queue",
            "the query's own key is found among the negatives too, held constant there",
            "D3.34 loss",
            X,
            "x = np.concatenate([own, own, query @ negatives.T], axis=1) / temperature",
            "    pull, push = p[:, :1] - 1, p[:, 1:]\n",
            "    pull, twin, push = p[:, :1] - 1, p[:, 1:2], p[:, 2:]\n",
            GRADIENT,
            "return ((pull + twin) * positive + push @ negatives) / scale, pull * query / scale, "
            "push.T @ query / scale",
            marks="positive counted twice",
            links="https://github.com/lightly-ai/lightly/issues/564",
        ),
        mistake(
            "pull_missing",
            "nothing pulls a query to its key: P stands where P − 1 belongs",
            "D2.9 gradient",
            "p[:, :1] - 1",
            "p[:, :1]",
            marks="P for P − 1",
        ),
        mistake(
            "push_missing",
            "the queue pushes nothing",
            "D2.9 gradient",
            "pull, push = p[:, :1] - 1, p[:, 1:]",
            "pull, push = p[:, :1] - 1, 0 * p[:, 1:]",
            marks="push missing",
        ),
        mistake(
            "push_on_the_query_missing",
            "the keys of the queue are pushed, and the query is not: only its positive moves it",
            "D2.9 gradient",
            "(pull * positive + push @ negatives) / scale",
            "pull * positive / scale",
        ),
    ),
    inputs="queue",
    forms=(Form(("positive", "negatives"), ("queue", "own", "one negative"), ANY, ("first",)),),
)
