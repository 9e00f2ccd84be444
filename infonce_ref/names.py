"""The names of losses, here and elsewhere, and messages about a name that is not known."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

COSINES: Mapping[str, Any] = {"normalised": True}
# What others call a loss: its name here, and the options that make it theirs. Their InfoNCE has two views, the
# negatives of the batch and one direction; D1's `infonce` is another loss.
CALLED: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "InfoNCE": ("cpc", COSINES),
    "SimCSE": ("cpc", COSINES),
    "MNRL": ("cpc", COSINES),
    "MultipleNegativesRankingLoss": ("cpc", COSINES),
    "MultipleNegativesSymmetricRankingLoss": ("clip", COSINES),
    "N-pair": ("cpc", {"normalised": False}),
    "SimCLR": ("ntxent", {}),
    "MoCo": ("query_key", {}),
}


def flatten(word: str) -> str:
    """A word without case, hyphens and underscores."""
    return "".join(filter(str.isalnum, word)).lower()


def simplify(word: str) -> str:
    """NTXentLoss, NT-Xent and nt_xent are one name."""
    return flatten(word).removesuffix("loss")


def find_loss(word: str, known: Iterable[str]) -> tuple[str, Mapping[str, Any]]:
    """The loss that has this name here or elsewhere, and the options that make it theirs.

    Raises ValueError, with the names that are alike, for any other word.
    """
    known = list(known)
    if word in known:  # before what others call so: `infonce`
        return word, {}
    meant: dict[str, tuple[str, Mapping[str, Any]]] = {simplify(name): (name, {}) for name in known}
    meant |= {simplify(name): loss for name, loss in CALLED.items()}
    if simplify(word) not in meant:
        raise ValueError(describe_unknown(word, [*known, *CALLED]))
    return meant[simplify(word)]


def find_name(word: str, known: Iterable[str]) -> str:
    """The name here of a loss among those known. Raises ValueError for any other word."""
    known = list(known)
    name, _ = find_loss(word, known)
    if name == "cpc" and simplify(word) != name:  # of rows: one direction of CLIP [M41]
        name = "clip"
    if name not in known:
        raise ValueError(describe_unknown(word, known))
    return name


def suggest(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: "; did you mean ntxent?", or nothing."""
    plain = {flatten(name): name for name in reversed(list(known))}  # a name here before the same elsewhere
    near = [plain[one] for one in get_close_matches(flatten(word), plain, n=3, cutoff=0.65)]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def describe_unknown(word: str, known: Iterable[str]) -> str:
    """Say that a word is unknown, what is known, and what was probably meant."""
    known = list(known)
    return f"unknown {word!r}; known are {', '.join(known)}{suggest(word, known)}"
