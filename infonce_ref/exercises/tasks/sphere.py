"""Exercise sphere."""

from ...mistakes import sphere
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=sphere.ENTRY,
    lesson="sphere",
    title="unit rows, and a gradient back through them",
    equations=("D3.3 unit length", "D2.11 jacobian"),
    hints=(
        "Each row by its own length: axis=1, keepdims=True.",
        "A step along a row changes nothing on the sphere: so subtract the part of dz along z.",
        "That part is (z · dz) z, row by row.",
        "The same step turns a row of twice the length half as far: divide by the length.",
    ),
)
