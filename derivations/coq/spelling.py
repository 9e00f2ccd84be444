"""Spell the names of the symbol table as Coq identifiers."""

import unicodedata

# Reserved names: the words of Coq and of vocabulary.v that a statement uses.
_RESERVED = """
    R nat exp ln sqrt sum list1 list2 list3 places nil delta differ set1 set2 set3 is_derive ex_derive Derive INR
    fun forall let in at as if then else end Prop Type Set
"""
RESERVED = set(_RESERVED.split())
_MARKS = {
    "′": "'",
    "″": "''",
    "°": "_held",
    "‖": "norm_",
    "⁺": "_plus",
    "⁻": "_minus",
    "ᐟ": "_given",
    "_": "_",
}
_LETTERS = {
    "𝓛": "loss",
    "𝒟": "distance",
    "ℓ": "ell",
    "λ": "lambda",
    "Λ": "Lambda",
    "𝟏": "ones",
    "ℐ": "information",
    "ς": "stretch",
    "=": "equal",
}


class NotExported(ValueError):
    """This exporter cannot write a piece of evidence in Coq."""


def identifier(name: str) -> str:
    """Spell a name of the symbol table as a Coq identifier: τ is tau, k⁺ is k_plus, ‖w‖ is norm_w."""
    if name.startswith("‖"):
        name = f"‖{name.strip('‖')}"
    written = ""
    raised = False  # consecutive raised or lowered letters share one _
    for sign in unicodedata.normalize("NFD", name):
        letter, was, raised = _letter(sign), raised, _is_script(sign)
        written += f"_{letter}" if raised and not was else letter
    return f"{written}_" if written in RESERVED else written


def _is_script(sign: str) -> bool:
    kind, _, _ = unicodedata.decomposition(sign).partition(" ")
    return kind in ("<super>", "<sub>") and sign not in _MARKS


def _letter(sign: str) -> str:
    if sign.isascii() and sign.isalnum():
        return sign
    if known := _MARKS.get(sign) or _LETTERS.get(sign):
        return known
    plain = unicodedata.normalize("NFKD", sign)
    match unicodedata.name(sign).split():
        case _ if _is_script(sign):
            return "".join(map(_letter, plain))
        case ["GREEK", "SMALL", "LETTER", letter]:
            return letter.lower()
        case ["GREEK", "CAPITAL", "LETTER", letter]:
            return letter.capitalize()
        case ["GREEK", letter, "SYMBOL"]:
            return f"var{letter.lower()}"
        case ["MATHEMATICAL", "SCRIPT", *_]:
            return f"cal{plain}"
        case ["COMBINING", mark, *_]:
            return f"_{mark.lower()}"
    raise NotExported(f"no identifier for {sign!r} ({unicodedata.name(sign)}); give it one in {__name__}")
