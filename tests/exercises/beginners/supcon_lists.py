"""A stranger's supcon: a list of positives for each anchor."""

import numpy as np


def unit(w):
    return w / np.linalg.norm(w, ord=2, axis=-1, keepdims=True)


def log_p(z, i, temperature):
    s = z @ z[i] / temperature
    s[i] = -np.inf
    #! supcon.self_in_denominator | pass
    m = s.max()
    return s - m - np.log(np.exp(s - m).sum())


def positives(labels, i):
    return [k for k in range(len(labels)) if labels[k] == labels[i] and k != i]


def loss(w, labels, temperature):
    z = unit(w)
    terms = []
    for i in range(len(z)):
        p = positives(labels, i)
        if not p:
            continue
        terms.append(-np.mean([log_p(z, i, temperature)[k] for k in p]))
        #! supcon.sum_over_the_positives | terms.append(-np.sum([log_p(z, i, temperature)[k] for k in p]))
        #! supcon.mean_inside_the_logarithm | terms.append(-np.log(np.mean([np.exp(log_p(z, i, temperature)[k]) for k in p])))
        #! supcon.one_positive_alone | terms.append(-log_p(z, i, temperature)[p[0]])
    return np.mean(terms)
    #! supcon.mean_over_all_rows | return np.sum(terms) / len(z)


def gradient(w, labels, temperature):
    z = unit(w)
    anchors = [i for i in range(len(z)) if positives(labels, i)]
    dz = np.zeros_like(z)
    for i in anchors:
        p = positives(labels, i)
        g = np.exp(log_p(z, i, temperature))
        g[p] -= 1 / len(p)
        #! supcon.pull_not_shared | g[p] -= 1
        #! supcon.pull_reversed | g[p] += 1 / len(p)
        dz[i] += g @ z / temperature / len(anchors)
        dz += np.outer(g, z[i]) / temperature / len(anchors)
        #! supcon.transpose_missing | pass
    tangent = dz - np.sum(dz * z, axis=1, keepdims=True) * z
    return tangent / np.linalg.norm(w, axis=-1, keepdims=True)
    #! supcon.norm_missing | return tangent
