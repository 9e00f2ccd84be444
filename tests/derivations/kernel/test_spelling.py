"""Names of the symbol table are spelled as identifiers that Coq accepts and a person can read."""

import re
from pathlib import Path

import pytest

from infonce_ref.derivations.kernel import spelling
from infonce_ref.derivations.kernel.spelling import NotExported, identifier

VOCABULARY = Path(spelling.__file__).with_name("vocabulary.v")


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
