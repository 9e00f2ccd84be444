"""Check an implementation of infonce: python infonce.py infonce.json

Put your own function in the place of `infonce`. It computes in float64, also where float32 would do.
"""

import json
import sys
from math import exp, log1p


def infonce(z, tau, weights, keep):
    """Σ_i weight_i ℓ_i and its gradients by z and τ; row i + B is the positive of row i. keep: 0 at i·n + j if
    row j is no candidate of row i; the row itself and its positive always are."""
    n, value, slope, dz = len(z), 0.0, 0.0, [[0.0] * len(row) for row in z]
    for i in range(n):
        p = (i + n // 2) % n
        # logits minus the positive's, without a difference of large numbers
        gap = [sum(a * (b - c) for a, b, c in zip(z[i], z[j], z[p])) / tau for j in range(n)]
        other = [j != p and bool(j == i or keep[i * n + j]) for j in range(n)]
        most = max(x for x, is_other in zip(gap, other) if is_other)
        e = [exp(x - most) if is_other else 0.0 for x, is_other in zip(gap, other)]
        others = sum(e)
        excess = most + log1p(others - 1)  # log Σ_{j≠p} e^gap, where the largest term is e^most
        rest = 1 / (1 + exp(-excess)) if excess > -700 else exp(excess)  # 1 − P_ip
        value += weights[i] * (max(excess, 0) + log1p(exp(-abs(excess))))
        for j in range(n):
            g = weights[i] * rest * e[j] / others  # P_ij, j ≠ p; the positive gets minus their sum
            slope -= g * gap[j] / tau
            for k in range(len(z[i])):
                dz[i][k] += g * (z[j][k] - z[p][k]) / tau
                dz[j][k] += g * z[i][k] / tau
                dz[p][k] -= g * z[i][k] / tau
    return value, {"z": [x for row in dz for x in row], "temperature": [slope]}


def numbers(x):
    """An input as a flat list."""
    return x["integers"] if "integers" in x else [float.fromhex(h) for h in x["hex"]]


def disagreements(case, value, gradients):
    """The names of those that exceed their tolerance, "value" or inputs; gradients: flat lists by name."""
    pairs = [("value", [value], case["value"])]
    pairs += [(name, gradients[name], case["gradients"][name]) for name in case["gradients"]]
    return [
        name
        for name, got, right in pairs
        if len(got) != len(right["exact"])
        or not all(abs(g - float(e)) <= w for g, e, w in zip(got, right["exact"], right["within"]))
    ]


def main(path):
    """Return the exit status."""
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    if not cases:
        sys.exit("no point found: nothing was compared")
    wrong = 0
    for case in cases:
        (n, d), z = case["inputs"]["z"]["shape"], numbers(case["inputs"]["z"])
        rows = [z[i * d : i * d + d] for i in range(n)]
        reduction = case["options"].get("reduction", "mean")
        weights = [1.0 if reduction == "sum" else 1 / n] * n
        if reduction == "none":
            weights = numbers(case["inputs"]["upstream"])
        (tau,) = numbers(case["inputs"]["temperature"])
        keep = numbers(case["inputs"]["keep"]) if "keep" in case["inputs"] else [1] * n * n
        found = disagreements(case, *infonce(rows, tau, weights, keep))
        wrong += bool(found)
        for name in found:
            print(f"{name} differs: {case['label']}, {case['dtype']}")
    print(f"{len(cases) - wrong} of {len(cases)} points agree")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
