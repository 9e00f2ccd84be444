"""The pull on a positive, loss by loss: which of them let go of what is already near?

The size of the gradient that the positive's row receives, against its similarity s to the anchor, all negatives
orthogonal to the anchor. With q = 1 − P_p and t = √(1 − s²), the length of what of the anchor is tangential at the
positive, the losses of the softmax pull with q t: the pull fades before s = 1, the earlier the colder. NCE with
noise of density 1 has the very same q, and SigLIP with the bias −log M. Where the positive is an anchor too, or
the negatives of others, their parts add. D1's q never falls below ½. DHN-NCE has no q, for its positive is not in
its denominator: it pulls the same at every τ. SupCon's anchor shares its pull among its positives, here two, and
pushes one that has more than its share; the debiased estimate lets go at its clamp, all at
once. The hinge pulls with all its force or not at all; BYOL and SimSiam have t alone.
M = 8 negatives; unit rows, gradient through the norm, loss summed, times τ where there is one; lines are
the closed forms, markers the library. Each panel has a scale of its own.
"""

# A loss's panel is the file that bears its name, with
#
#     FORMULA                the closed form for the title
#     closed(s, setting)     the same for an array of similarities
#     pull(s, setting)       the library's, for one
#     SETTINGS               what the lines differ in: a symbol, and its values
#     CLAIMS                 the ids of the ledger that it shows

from importlib import import_module
from pkgutil import iter_modules

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import ALL

from .. import style

_FOUND = {module.name for module in iter_modules(__path__)}
PANELS = {name: import_module(f".{name}", __name__) for name in ALL if name in _FOUND}
CLAIMS = tuple(dict.fromkeys(id for panel in PANELS.values() for id in panel.CLAIMS))
COLUMNS = 4


def draw() -> Figure:
    rows = -(-len(PANELS) // COLUMNS)
    figure, axes = style.panels(COLUMNS, rows, width=11, height=2.5 * rows + 0.4)
    for unused in axes[len(PANELS) :]:
        unused.remove()
    fine, coarse = np.cos(np.linspace(0, np.pi, 401)), np.linspace(-1, 1, 21)
    for axis, (name, panel) in zip(axes, PANELS.items(), strict=False):
        _, settings = panel.SETTINGS
        for i, setting in enumerate(settings):
            axis.plot(fine, panel.closed(fine, setting), **style.line(i))
            axis.plot(coarse, [panel.pull(s, setting) for s in coarse], **style.marker(i))
        axis.set(title=f"{name}: {panel.FORMULA}", xlim=(-1.05, 1.05), xticks=(-1, -0.5, 0, 0.5, 1))
        axis.set_ylim(bottom=0)
    for axis in axes[max(len(PANELS) - COLUMNS, 0) : len(PANELS)]:
        axis.set_xlabel("similarity s of the positive")
    figure.supylabel("size of the gradient on the positive, times τ", fontsize=10)
    figure.legend(
        handles=[style.proxy(words, **style.line(i)) for i, words in enumerate(lines())],
        loc="outside upper center",
        ncols=style.beside(len(lines())),
    )
    return figure


def lines() -> list[str]:
    """What the first, the second … line of each panel stands for."""
    kinds = dict.fromkeys(panel.SETTINGS for panel in PANELS.values() if panel.SETTINGS[0])
    return [
        " or ".join(f"{symbol} = {values[i]:g}" for symbol, values in kinds if i < len(values))
        for i in range(max(len(values) for _, values in kinds))
    ]
