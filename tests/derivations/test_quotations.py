"""A quotation is compared with its document by its formulas, whatever their blanks, fonts and brackets."""

import hashlib
import re
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
        (r"a \leftarrow b", r"a\leftarrowb"),
        (r"\mathbf{x}_{i} \boldsymbol x \mathrm x \mathbb x \text{x}", "x_ixxxx"),
        (r"\mathop{x} \operatorname{log} \quad x", "xlogx"),
        (r"\textbf{x}", r"\textbfx"),
        (r"a \tag{3.1} b", "ab"),
        (r"a\,b\;c\:d\!e", "abcde"),
        (r"$a$ & b ~~c~~ **d** \\ e", "abcde"),
        ("a ~ b * c", "a~b*c"),
        (".,;: a.b,c;d:e .,;:", "a.b,c;d:e"),
        (r"\|x\|", "||x||"),
        (r"\overline{x} + \bar{x}", r"\barx+\barx"),
        (r"x \triangleq y", "x:=y"),
        ("(struck out: a) b (struck out: c) d", "abcd"),
        (r"\begin{cases} a & b \\ c & d. \end{cases} e", "[a:bc:d]e"),
        (r"\begin{cases}a\end{cases}\begin{cases}b\end{cases}", "[a][b]"),
    ],
)
def test_what_does_not_change_the_meaning_is_removed(formula, spelled):
    assert quotations.spell(formula) == spelled


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("where $a = b$, and $c … d = e$", ["a", "b", "c", "d", "e"]),
        ("words = of no formula $a$", ["a"]),
        ("$= a =$", ["a"]),
        (r"$a \= b$", [r"a\=b"]),
        ("$a; b: c$", ["a;b:c"]),
        ("so it is; it grows … and (struck out: it) falls: x", ["soitis", "itgrows", "anditfalls", "x"]),
        ("x = y", ["x", "y"]),
        ("", []),
    ],
)
def test_the_formulas_of_a_quotation_are_their_sides_or_else_its_words(text, parts):
    assert list(quotations.formulas(printed(text))) == parts


def test_a_digest_is_that_of_the_formulas_on_lines():
    assert quotations.digest(printed("$a = b$ or $c$")) == hashed("a\nb\nc")


# --- documents ------------------------------------------------------------------------------------------


def test_the_texts_of_a_document_are_joined_and_spelled(tmp_path):
    texts = {"D2-en.txt": "c", "D1-it.txt": "b\n", "D1-en.txt": "a ≤ $x$", "E1.txt": "no", "D3.md": "no"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert quotations.read_documents(tmp_path) == {"D1": "a≤xb", "D2": "c"}


def test_commands_that_lost_their_backslash_are_mended(tmp_path):
    (tmp_path / "D3.txt").write_text("oldsymbol x^\top \\boldsymbol y", encoding="utf-8")
    assert quotations.read_documents(tmp_path) == {"D3": r"x^\topy"}


def test_a_folder_without_documents_is_refused(tmp_path):
    refusal = f"{tmp_path} has no texts D1-en.txt, D2.txt, …"
    with pytest.raises(ValueError, match=f"^{re.escape(refusal)}$"):
        quotations.read_documents(tmp_path)


def test_the_lines_of_the_translated_documents_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(quotations, "TRANSLATED", {"D3.7": (1,), "D2.1": (1,), "D2.4": (2,)})
    for name, text in {"D1": "no", "D2": "一\n二\n", "D3": "tres"}.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    assert quotations.read_lines(tmp_path) == {"D2": ["一", "二"], "D3": ["tres"]}


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


def test_a_translation_has_the_digest_of_the_original_lines_too(claims):
    found = quotations.find_passages({}, {"D2": [" one", "two", "three ", "four"]})
    assert found == {"D2.1": f"{hashed('other')} {hashed('three' + chr(10) + 'one')} D2:3,1"}


def test_a_translation_whose_lines_are_not_given_is_sought_as_others_are(claims):
    assert quotations.find_passages({"D2": "other"}, {"D3": []}) == {"D2.1": hashed("other")}


# --- quoted.toml ----------------------------------------------------------------------------------------


@pytest.fixture
def quoted(tmp_path, monkeypatch):
    path = tmp_path / "quoted.toml"
    monkeypatch.setattr(quotations, "FILE", path)
    quotations.read.cache_clear()
    yield path
    quotations.read.cache_clear()


def test_what_is_written_is_read_again(quoted):
    known = {"D2.9": "0123", "D2.1": "4567 89ab D2:3,1"}
    assert quotations.write(known) == '"D2.9" = "0123"\n"D2.1" = "4567 89ab D2:3,1"\n'
    quoted.write_text(quotations.write(known), encoding="utf-8")
    assert quotations.read() == known


def test_without_a_file_no_digest_is_known(quoted):
    assert quotations.read() == {}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({}, ""),
        ({"D2.3": hashed("a")}, ""),
        ({"D2.3": f"{hashed('a')} {hashed('b')} D2:1"}, ""),
        ({"D2.4": hashed("b")}, ""),
        ({"D2.3": hashed("b")}, "its quotation is not what stands in the document"),
        ({"D2.3": f"{hashed('b')} {hashed('a')} D2:1"}, "its quotation is not what stands in the document"),
    ],
)
def test_a_quotation_with_another_digest_than_the_known_one_is_named(known, said, quoted):
    quoted.write_text(quotations.write(known), encoding="utf-8")
    assert quotations.find_change(printed("$a$")) == said


def test_the_lines_of_each_translation_are_those_whose_digest_is_known():
    known = {id: said.split()[2] for id, said in quotations.read().items() if " " in said}
    assert known == {
        id: f"{id.partition('.')[0]}:{','.join(map(str, lines))}"
        for id, lines in quotations.TRANSLATED.items()
    }
