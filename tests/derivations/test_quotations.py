"""A quotation is compared with its document by its formulas, whatever their blanks, fonts and brackets."""

import hashlib
from dataclasses import replace

import pytest

from infonce_ref.derivations import quotations
from infonce_ref.derivations.evidence.claims import Claim, Sentence
from infonce_ref.derivations.evidence.verdicts import Verdict

CLAIM = Claim("D2.3", "", Sentence("words"), Verdict.PROVED, dict)


def printed(text, id="D2.3"):
    return replace(CLAIM, id=id, printed=text)


def hashed(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


@pytest.mark.parametrize(
    ("formula", "spelled"),
    [
        (" a +\n b ", "a+b"),
        (r"\left( a \right)", "(a)"),
        (r"\big( \Big( \bigl( \Biggr) \bigg)", "((())"),
        (r"\mathbf{x}_{i} \boldsymbol x \mathrm x \mathbb x \text{x}", "x_ixxxx"),
        (r"\mathop{x} \operatorname{log} \quad x", "xlogx"),
        (r"a\,b\;c\:d\!e", "abcde"),
        (r"$a$ & b ~~c~~ **d** \\ e", "abcde"),
        (".,;: a.b,c;d:e .,;:", "a.b,c;d:e"),
        (r"\|x\|", "||x||"),
        (r"\overline{x} + \bar{x}", r"\barx+\barx"),
        (r"x \triangleq y", "x:=y"),
        ("(struck out: a) b (struck out: c) d", "abcd"),
        (r"\begin{cases} a & b \\ c & d. \end{cases} e", "[a:bc:d]e"),
    ],
)
def test_what_does_not_change_the_meaning_is_removed(formula, spelled):
    assert quotations.spell(formula) == spelled


# --- documents ------------------------------------------------------------------------------------------


def test_a_folder_without_documents_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"has no texts D1-en.txt, D2.txt, …$"):
        quotations.read_documents(tmp_path)


@pytest.fixture
def claims(monkeypatch):
    known = {
        "D2.10": "$a = b$",
        "D2.9": "$a$",
        "D2.1": "other",
        "D1.1": "$a$ and $z$",
        "M1": "",
        "D3.1": "$a$",
    }
    claims = {id: printed(text, id) for id, text in known.items()}
    monkeypatch.setattr(quotations, "CLAIMS", claims)
    monkeypatch.setattr(quotations, "TRANSLATED", {"D2.1": (3, 1)})
    return claims


def test_a_quotation_is_found_if_every_formula_stands_in_its_document(claims):
    documents = {"D1": "xay", "D2": "xaybx", "M": "a"}
    found = quotations.find_passages(documents)
    assert found == {"D2.9": hashed("a"), "D2.10": hashed("a\nb")}
    assert list(found) == ["D2.9", "D2.10"]


# --- quoted.toml ----------------------------------------------------------------------------------------


@pytest.fixture
def quoted(tmp_path, monkeypatch):
    path = tmp_path / "quoted.toml"
    monkeypatch.setattr(quotations, "FILE", path)
    quotations.read.cache_clear()
    yield path
    quotations.read.cache_clear()


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({}, ""),
        ({"D2.3": f"{hashed('a')} {hashed('b')} D2:1"}, ""),
        ({"D2.4": hashed("b")}, ""),
        ({"D2.3": hashed("b")}, "its quotation is not what stands in the document"),
        ({"D2.3": f"{hashed('b')} {hashed('a')} D2:1"}, "its quotation is not what stands in the document"),
    ],
)
def test_a_quotation_with_another_digest_than_the_known_one_is_named(known, said, quoted):
    quoted.write_text(quotations.write(known), encoding="utf-8")
    assert quotations.find_change(printed("$a$")) == said
