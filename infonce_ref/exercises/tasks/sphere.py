"""Exercise sphere."""

from ...mistakes import sphere
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=sphere.ENTRY,
    name="sphere",
    lesson="sphere",
    title="unit rows, and a gradient back through them",
    equations=("D3.3 unit length", "D2.11 jacobian"),
    hints=(
        "Each row by its own length: axis=1, keepdims=True.",
        "A step along a row changes nothing on the sphere: the part of dz along z must go.",
        "That part is (z · dz) z, row by row.",
        "A row that is twice as long turns half as far: divide by the length.",
    ),
)
