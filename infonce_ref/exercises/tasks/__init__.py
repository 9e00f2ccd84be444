"""The exercises, one file each, in the order of the lessons."""

from ..exercise import Exercise

# Every exercise: to add one, import it here.
# isort: off
from . import softmax as softmax
from . import stable as stable
from . import infonce as infonce
from . import sphere as sphere
from . import ntxent as ntxent
from . import temperature as temperature
from . import find_the_mistake as find_the_mistake
from . import nce as nce
from . import instance as instance
from . import instance_nce as instance_nce
from . import bound as bound
from . import query_key as query_key
from . import byol as byol
from . import simsiam as simsiam
from . import clip as clip
from . import dhn_nce as dhn_nce
from . import dcl as dcl
from . import soft_targets as soft_targets
from . import supcon as supcon
from . import siglip as siglip
from . import triplet as triplet
from . import barlow_twins as barlow_twins
from . import vicreg as vicreg
# isort: on

ALL: dict[str, Exercise] = {
    name: module.EXERCISE._replace(name=name)
    for name, module in globals().copy().items()
    if hasattr(module, "EXERCISE")
}
