"""Estimates of mutual information, to be maximised, and losses made of them."""
import numpy as np

from infonce_ref.information import infonce, mine


def own_infonce(scores):
    return infonce.forward(scores)[0]


def own_mine(scores):
    return -mine.forward(scores)[0]


def nwj(x, y):
    scores = x @ y.T
    apart = ~np.eye(len(x), dtype=bool)
    return np.exp(scores[apart] - 1).mean() - scores.diagonal().mean()


def smile(x, y, clip=1.0):
    scores = x @ y.T
    apart = np.clip(scores, -clip, clip)[~np.eye(len(x), dtype=bool)]
    return np.log(np.exp(apart).mean()) - scores.diagonal().mean()


def over_all_pairs(x, y):
    scores = x @ y.T
    return np.log(np.exp(scores).mean()) - scores.diagonal().mean()


def less_a_root(x, y):
    scores = x @ y.T
    return (np.log(np.exp(scores).sum(1)) - scores.diagonal()).mean() - len(x) ** 0.5


def of_two(joint, marginal):
    return np.log(np.mean(np.exp(marginal), axis=0)) - joint.mean()
