"""Names of the symbol table are spelled as identifiers that Coq accepts and a person can read."""

import re
from pathlib import Path

import pytest

from infonce_ref.derivations.kernel import spelling
from infonce_ref.derivations.kernel.spelling import NotExported, identifier

VOCABULARY = Path(spelling.__file__).with_name("vocabulary.v")
COQ = ["forall", "fun", "let", "in", "at", "as", "if", "then", "else", "end", "Prop", "Type", "Set"]
LIBRARIES = [
    "R",
    "nat",
    "exp",
    "ln",
    "sqrt",
    "list1",
    "list2",
    "list3",
    "places",
    "nil",
    "is_derive",
    "ex_derive",
    "Derive",
    "INR",
]


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("x", "x"),
        ("N9", "N9"),
        ("x_y", "x_y"),
        ("τ", "tau"),
        ("Γ", "Gamma"),
        ("ϑ", "vartheta"),
        ("λ", "lambda"),  # Unicode writes LAMDA
        ("Λ", "Lambda"),
        ("ς", "stretch"),
        ("ℓ", "ell"),
        ("𝓛", "loss"),
        ("𝒟", "distance"),
        ("ℐ", "information"),
        ("𝟏", "ones"),
        ("=", "equal"),
        ("𝒜", "calA"),
        ("𝒵", "calZ"),
        ("x′", "x'"),
        ("x″", "x''"),
        ("x°", "x_held"),
        ("pᐟq", "p_givenq"),
        ("‖w‖", "norm_w"),
        ("‖p₁‖", "norm_p_1"),
        ("‖x", "norm_x"),
        ("x‖y", "xnorm_y"),
    ],
)
def test_each_sign_has_its_spelling(name, word):
    assert identifier(name) == word


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("x̄", "x_macron"),
        ("x̂", "x_circumflex"),
        ("é", "e_acute"),  # one sign that is a letter and a mark
        ("τ̄", "tau_macron"),
    ],
)
def test_a_mark_over_a_letter_follows_it_by_name(name, word):
    assert identifier(name) == word


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("x₁", "x_1"),
        ("x²", "x_2"),
        ("x₁₂", "x_12"),
        ("xⁿᵖ", "x_np"),
        ("xᵝ", "x_beta"),
        ("x₁y₂", "x_1y_2"),
        ("z₁′₂", "z_1'_2"),
        ("k⁺", "k_plus"),
        ("k⁻", "k_minus"),
        ("k⁺₁", "k_plus_1"),
        ("k₁⁺", "k_1_plus"),
    ],
)
def test_consecutive_raised_or_lowered_letters_follow_one_underscore(name, word):
    assert identifier(name) == word


@pytest.mark.parametrize("word", [*COQ, *LIBRARIES])
def test_a_word_of_coq_or_of_its_libraries_is_no_identifier(word):
    assert identifier(word) == f"{word}_"


def test_a_word_that_contains_a_reserved_one_is_kept():
    assert identifier("sums") == "sums"
    assert identifier("Rx") == "Rx"


def test_no_definition_of_the_vocabulary_is_an_identifier():
    defined = re.findall(r"^(?:Definition|Fixpoint) (\w+)", VOCABULARY.read_text(encoding="utf-8"), re.M)
    assert {"sum", "delta", "set3"} < {*defined}
    used = [word for word in defined if word != "entries"]  # only the vocabulary itself uses it
    assert [identifier(word) for word in used] == [f"{word}_" for word in used]


@pytest.mark.parametrize(
    ("name", "sign", "said"), [("x!", "!", "EXCLAMATION MARK"), ("ж", "ж", "CYRILLIC SMALL LETTER ZHE")]
)
def test_a_sign_without_a_spelling_is_refused(name, sign, said):
    refusal = f"no identifier for '{sign}' ({said}); give it one in infonce_ref.derivations.kernel.spelling"
    with pytest.raises(NotExported, match=f"^{re.escape(refusal)}$"):
        identifier(name)
