"""A stranger's soft_targets: distillation's cross-entropy."""

import numpy as np


def softmax(u):
    e = np.exp(u - u.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def loss(scores, targets):
    top = scores.max(-1, keepdims=True)
    log_p = scores - top - np.log(np.exp(scores - top).sum(-1, keepdims=True))
    return -(targets * log_p).sum() / len(scores)
    #! soft_targets.mean_over_candidates | return -(targets * log_p).mean()
    #! soft_targets.log_of_the_sum | return -np.log((targets * np.exp(log_p)).sum(-1)).mean()
    #! soft_targets.divergence | return (targets * (np.log(np.where(targets > 0, targets, 1)) - log_p)).sum() / len(scores)
    #! soft_targets.hardened | return -log_p[np.arange(len(scores)), targets.argmax(-1)].mean()


def gradient(scores, targets):
    return (softmax(scores) - targets) / scores.shape[0]
    #! soft_targets.gradient_mean_over_candidates | return (softmax(scores) - targets) / scores.size
    #! soft_targets.weighed_by_targets | return targets * (softmax(scores) - 1) / scores.shape[0]
