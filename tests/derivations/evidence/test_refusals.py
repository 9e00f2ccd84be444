"""What the ledger refuses of a claim: of its evidence, of its sentences, of its verdict."""

import inspect
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import mpmath
import pytest
from mpmath import iv
from sympy import Symbol

from infonce_ref.derivations.evidence import points
from infonce_ref.derivations.evidence.claims import Claim, Sentence
from infonce_ref.derivations.evidence.kinds import (
    CONTRARY,
    Approximate,
    Chain,
    Counterexample,
    Empirical,
    Example,
    Finding,
    Instance,
    Misprint,
    NotShown,
    Relation,
)
from infonce_ref.derivations.evidence.plain import given
from infonce_ref.derivations.evidence.verdicts import Verdict
from infonce_ref.derivations.ledger import CLAIMS, CheckedClaim, check_claim, find_proof
from infonce_ref.derivations.pages.claim_card import make_card
from infonce_ref.derivations.prover.inequality import Sign, SumOfLogs
from infonce_ref.derivations.prover.proof import Proof, derive
from infonce_ref.derivations.prover.zero_test import Facts
from infonce_ref.derivations.symbols import loss

HERE = given("i j k l < N; a b > 0; c d real; x[] y[] > 0; p: N → N; p(i) ≠ i; Yᵏ is 0 or 1")
A, B = map(HERE.letter, "ab")
EQUAL = HERE.piece("a (b + 1) = a b + a")
NAMED = HERE.define("c := a^2")
PROVED = Claim("M1", "", Sentence("«p»"), Verdict.PROVED, lambda: {"p": EQUAL}, module=__name__)
WRONG = Counterexample.at("0 and 1", lambda: Finding(0, "≠", 1))
SLIP = Misprint.at("0 and 1", lambda: Finding(0, "≠", 1))
WORDS = Empirical("nothing is meant")
OTHER = Symbol("a", real=True)
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def settle(make, says="«p»", verdict=Verdict.PROVED) -> CheckedClaim:
    """Check a claim with a proof and this piece."""
    return check_claim(Claim("M1", "", Sentence(says), verdict, lambda: {"p": EQUAL, "q": make()}))


def assert_refused(make, said, says="«p»"):
    entry = settle(make, says)
    assert not entry.stands
    assert said in entry.failure


# --- numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("finding", "holds"),
    [
        (Finding([1, (2, 3)], "=", (1, [2, Fraction(3)])), True),
        (Finding([1, 2], "≠", [1, 3]), True),
        (Finding([1, 2], "≠", [1, 2]), False),
        *((Finding(1, sign, 2), sign in "<≤") for sign in "<>≤≥="),
        *((Finding(1, sign, 1), sign in "≤≥=") for sign in "<>≤≥="),
        (Finding(SumOfLogs.of(4), "=", SumOfLogs.of(2, 2)), True),
        (Finding(SumOfLogs.of(2), "=", SumOfLogs.of(3)), False),
        (Finding(SumOfLogs.of(2), "<", SumOfLogs.of(3)), True),
        (Finding(iv.mpf([0, 1]), "<", iv.mpf([2, 3])), True),
        (Finding(iv.mpf([2, 3]), ">", 1), True),
        (Finding(iv.mpf([0, 1]), "≠", iv.mpf([2, 3])), True),
        (Finding(4, "≠", iv.mpf([2, 3])), True),
        # intervals that overlap show nothing
        *((Finding(iv.mpf([0, 2]), sign, iv.mpf([1, 3])), False) for sign in "<>≤≥≠"),
        (Finding(iv.mpf([1, 2]), "≠", iv.mpf([0, 1])), False),
        (Finding(1, "=", iv.mpf([1, 1])), False),
        (Finding(1.0, "≈", 1.5, tolerance=0.5), True),
        (Finding(mpmath.mpf(1), "≈", 1.5, tolerance=1), True),
        (Finding(1.0, "≈", 1.75, tolerance=0.5), False),
        (Finding(1.0, "≈", 1.75, tolerance=mpmath.inf), False),
        (Finding(1, "≈", 2), False),
        (Finding(float("nan"), "≈", 1.0, tolerance=1.0), False),
    ],
)
def test_an_example_stands_if_its_finding_holds(finding, holds):
    entry = settle(lambda: Example.at("it", lambda: [Finding(1, "=", 1), finding]))
    assert entry.stands is holds
    assert holds or "it: it is false that" in entry.failure


NUMBERS = "a finding compares numbers; got"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        *(
            (lambda finding=finding: Example.at("it", lambda: finding), f"{NUMBERS} {kind}: ")
            for finding, kind in (
                (Finding(1.0, "=", 1), "float"),
                (Finding([1, [True]], "=", [1, [1]]), "bool"),
                (Finding(1, "=", mpmath.mpf(1)), "mpf"),
                (Finding("1", "≈", 1), "str"),
            )
        ),
        *(
            (lambda value=value: Example.at("it", lambda x: Finding(1, "=", 1), x=value), NUMBERS)
            for value in (1.0, "1", None, [1, [True]], {1: 1})
        ),
        (lambda: Example.at("it", lambda: ["holds"]), "it: it is false that 'holds'"),
        (lambda: Example.at("it", list), "it: nothing was compared"),
        *(
            (make, "render it from its evidence")
            for make in (
                lambda: Example.at("x = 1", lambda: Finding(1, "=", 1)),
                lambda: Example.at("it", lambda: Finding(1, "≠", 2, ("never ≤ 2", ""))),
                lambda: Example.at("it", lambda **given: Finding(1, "≠", 2), **{"x = 1": 1}),
                lambda: Empirical("x = 1"),
            )
        ),
    ],
)
def test_an_instance_has_exact_numbers_and_words_without_a_relation(make, said):
    assert_refused(make, said)


ROWS, BATCHES = "rows must have one length, and there must be at least one", "batches have one shape"


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        (points.root, [Fraction(2), Fraction(9, 15), Fraction(8, 16)], "not the square of a fraction"),
        (points.Rows, [[], [[1, 2], [3]]], ROWS),
        (points.UnitRows, [[], [[1, 0], [1]]], ROWS),
        (points.UnitRows, [[[1, 0], [1, 1]], [[1, 0], [HALF, HALF]], [[0, 0]]], "not unit rows"),
        (points.Positive, [[[1, 2], [1, 0]], [[1, -1]]], "not rows of positive numbers"),
        (points.Batches, [[], [[[1, 2]], [[1]]], [[[1], [2]], [[3]]]], BATCHES),
        (lambda x: points.Base(*x), [(1,), (1, 1), (1, 2)], "a temperature is positive"),
        (lambda x: points.Rate(*x), [(-1, 2), (3, 2), (2,), (-1,)], "a rate lies between 0 and 1"),
        (points.Law, [{(0,): HALF}, {(0,): 2, (1,): -1}, {}, {(0,): 1, (1,): THIRD}], "no law"),
        (points.Pairing, [[0, 1], [1, 2, 0], [1, 0, 3], [-1, 0], [0], [2, 2, 0]], "no pairing of rows"),
    ],
)
def test_a_point_of_another_kind_is_refused(kind, values, said):
    for value in values:
        assert_refused(partial(kind, value), said)


# --- a relation at a point -----------------------------------------------------------------------------


def seen(text, at, *names):
    return HERE.also(*names).holds("it", text, at)


def test_a_relation_is_evaluated_in_intervals():
    (found,) = seen("e^a < 2 + log(b)", {"a": HALF, "b": 1})().findings
    assert mpmath.e**0.5 in found.left
    assert type(seen("a < b", {"a": HALF, "b": 1})().findings[0].left) is iv.mpf
    assert type(seen("Σ_i x[i] < b", {"x": [HALF], "N": 1, "b": 1})().findings[0].left) is iv.mpf


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (seen("a ≠ a + 1", {"a": 0}), "a was declared > 0; got 0"),
        (seen("Σ_ij y[i,j] ≠ 0", {"N": 2, "y": [[1, 2], [2, -1]]}), "y was declared > 0; got -1"),
        (seen("N ≠ N + 1", {"N": HALF}), "N was declared a whole number; got 1/2"),
        *(
            (seen("Σ_ij y[i,j] > 0", {"N": 2, "y": rows}), "runs over 2, but there are")
            for rows in ([[1, 2], [3]], [[1, 2, 3], [1, 2, 3]], [[1, 2]])
        ),
        (
            seen("c ≠ a", {"a": 2, "c": 1}, NAMED),
            "c has a definition, so it cannot be given a value; leave it",
        ),
        (
            lambda: HERE.evaluate(Example, "it", Relation(A, "≠", OTHER), {A: 2, OTHER: 2}),
            "two different things are written a",
        ),
    ],
)
def test_a_point_that_does_not_fit_the_relation_is_refused(make, said):
    assert settle(seen("Σ_ij y[i,j] > 0", {"N": 2, "y": [[1, 2], [3, 4]]})).stands
    assert_refused(make, said)


# --- chains --------------------------------------------------------------------------------------------

BELOW = HERE.piece("log(a) - log(a + b) ≤ -b/(a + b) by log(a : a + b)")
SIGN = HERE.piece("b/(a + b) ≥ 0")
UP = HERE.piece("-b/(a + b) = a/(a + b) - 1")
LINK = HERE.piece("-log(1 + a) ≤ 1/(1 + a) - 1 by log(1/(1 + a))")


def named(text, *names):
    return HERE.also(*names).piece(text)


# c is log a − log(a + b) above the lemma
ABOVE = named("c = log(a) - log(a + b)", "c := log(a) - log(a + b)")
SIGNS = [given(f"Σ_i < {size}; x[] > 0").piece("Σ_i x[i] ≥ 0") for size in "NM"]
SQUARES = [HERE.piece(f"log({x})^2 ≥ 0") for x in ("-c", "c")]


@pytest.mark.parametrize(
    "links",
    [
        (BELOW, SIGN),
        (BELOW, UP),
        (ABOVE, BELOW, named("-b/(a + b) = d a", "c := d", "d := -b/((a + b) a)")),
        (LINK, SIGNS[0]),
        *((LINK, square) for square in SQUARES),
    ],
)
def test_a_chain_whose_links_fit_together_stands(links):
    assert settle(lambda: Chain(links), "«q»", Verdict.PROVED_FROM_LEMMA).stands


BEGINS, BROKEN = "a chain of ≤ begins with a proof or a bound", "the chain is broken"


@pytest.mark.parametrize(
    ("links", "said"),
    [
        *((links, BEGINS) for links in ((), (SIGN, BELOW), (UP,), (UP, SIGN))),
        *((links, BROKEN) for links in ((UP, BELOW), (BELOW, BELOW), (BELOW, SIGN, UP))),
        ((BELOW, EQUAL), BROKEN),
        ((BELOW, True), "the links of a chain are"),
        # each link is valid by itself, but both together are not
        ((ABOVE, BELOW, named("-b/(a + b) = c", "c := -b/(a + b)")), "c is defined twice"),
        ((LINK, *SIGNS), "i runs to"),
        ((LINK, *SQUARES), "no point satisfies the assumptions"),
    ],
)
def test_a_broken_chain_is_refused(links, said):
    assert_refused(lambda: Chain(links), said)


# --- verdicts and sentences ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ({"e": Example.at("it", lambda: Finding(0, "≠", 1))}, "no evidence that supports a verdict; add one"),
        ({"n": NAMED}, "a proof or a sign that shows it well posed"),
        ({"s": derive(A**2, facts=Facts())}, "a proof with a single line proves nothing: a^2"),
    ],
)
def test_what_supports_no_verdict(pieces, said):
    (name,) = pieces
    claim = Claim("M1", "", Sentence(f"«{name}»"), Verdict.PROVED, lambda: pieces)
    assert said in check_claim(claim).failure


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (
            "q.chain",
            "«q.chain»: of a misprint nothing of that kind is shown; write «q», or of a proof .chain,",
        ),
        ("p.line 2", "«p.line 2»: of a proof nothing of that kind is shown; write «p», or of a proof .chain"),
        ("p.where b", "where b: the piece uses no definition of it; those it uses are of"),
    ],
)
def test_a_part_that_a_piece_lacks_is_refused(shown, said):
    assert_refused(lambda: SLIP, said, f"«p», «{shown}»")


def test_a_claim_whose_evidence_supports_it_stands_with_its_evidence():
    entry = check_claim(PROVED)
    assert entry == CheckedClaim(PROVED, {"p": EQUAL}, "")
    assert entry.stands is True


def fail(error):
    raise error


def fail_below():
    return {"p": fail(ValueError("so not"))}


@pytest.mark.parametrize("evidence", [fail_below, cache(fail_below)])
def test_an_error_of_the_evidence_names_its_last_line(evidence):
    """Of a helper in the same file too."""
    claim = replace(PROVED, evidence=evidence)
    line = find_proof(claim)._replace(number=inspect.getsourcelines(fail)[1] + 1)
    assert check_claim(claim).failure == f"so not ({line})"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"checked": Sentence("«p» «q»")}, "«q» names no piece of evidence; there are p"),
        ({"brief": Sentence("«q»")}, "«q» names no piece of evidence; there are p"),
        ({"verdict": Verdict.CHECKED}, "the evidence supports the verdict proved, but the claim is checked"),
        (
            {"correction": Sentence("«p»")},
            "a claim that is proved has no other right statement; say it in `checked`",
        ),
    ],
)
def test_a_sentence_that_its_proof_does_not_support_is_refused(changes, said):
    assert check_claim(replace(PROVED, **changes)).failure == said


EVIDENCE = {"p": EQUAL, "w": WRONG, "s": SLIP, "e": WORDS}
NEEDS_SOURCE = "folklore is printed by no document, and `said_by` cites a paper, an issue or code"
IN_SAYS = "a counterexample is not the right statement; show it in `checked`"


@pytest.mark.parametrize(
    ("verdict", "says", "right", "printed", "heard", "said"),
    [
        ("refuted", "«w»", "", "so", "", "a claim that is refuted needs a right statement; show its proof"),
        ("refuted", "«p»", "«w»", "so", "", "what the sentence shows whole supports the verdict proved, but"),
        ("corrected", "«s»", "«p» «s»", "so", "", IN_SAYS),
        ("refuted", "«w»", "«p» «w»", "so", "", IN_SAYS),
        ("refuted", "«w»", "«p»", "", "", "no document prints this: call it folklore, and cite in `said_by`"),
        ("folklore", "«w»", "«p»", "so", "issue 4 of a program", NEEDS_SOURCE),
        ("folklore", "«w»", "«p»", "", "everybody", NEEDS_SOURCE),
        ("refuted", "«w»", "«p»", "so", "issue 4 of a program", "the evidence supports the verdict folklore"),
        (
            "folklore",
            "«w»",
            "«p»",
            "",
            "",
            "the evidence supports the verdict refuted, but the claim is folk",
        ),
        ("no theorem", "«e» «p»", "", "so", "", "a claim that is no theorem cannot show a proof; show it in"),
    ],
)
def test_a_verdict_without_what_it_needs_is_refused(verdict, says, right, printed, heard, said):
    pieces = {name: piece for name, piece in EVIDENCE.items() if f"«{name}»" in says + right}
    second = Sentence(right) if right else None
    claim = Claim("M1", printed, Sentence(says), Verdict(verdict), lambda: pieces, second, heard)
    assert check_claim(claim).failure.startswith(said)


def test_a_definition_that_no_proof_uses_is_refused():
    pieces = {"d": HERE.define("c := b"), "p": named("c = a", "c := a"), "s": HERE.piece("a > 0")}
    claim = Claim("M1", "", Sentence("«d», as «p» and «s»"), Verdict.DEFINITION, lambda: pieces)
    assert check_claim(claim).failure == "c is defined, and no proof of the claim uses it; show one that does"


@pytest.mark.parametrize(("shown", "missing"), [("", "[23]"), ("«one.where P»", "3"), ("«two.where P»", "2")])
def test_a_name_with_two_meanings_is_shown_with_both(shown, missing):
    pieces = {"one": named("P[i,j] = 2", "P[i,j] := 2"), "two": named("P[k,l] = 3", "P[k,l] := 3")}
    claim = Claim("M1", "", Sentence(f"«one» and «two», {shown}"), Verdict.PROVED, lambda: pieces)
    said = rf"P means two things in this claim, one of them {missing}; show each in a sentence, as «name.where P»"
    assert re.fullmatch(said, check_claim(claim).failure)
    both = replace(claim, checked=Sentence("«one» and «two», «one.where P», «two.where P»"))
    assert check_claim(both).stands


# --- the checked piece is the shown one ---------------------------------------------------------------


def tamper(piece: Any, **fields: Any) -> Any:
    """Change fields of a piece after its constructor ran."""
    other = object.__new__(type(piece))
    for name, value in {**piece.__dict__, **fields}.items():
        object.__setattr__(other, name, value)
    return other


@pytest.mark.parametrize(
    "piece",
    [
        tamper(EQUAL, lines=(EQUAL.lines[0], replace(EQUAL.lines[1], expression=A * B))),
        tamper(HERE.piece("a > 0"), expression=-A),
        tamper(BELOW, last=A - 2),
        tamper(Chain((BELOW,)), links=(tamper(BELOW, last=A - 2),)),
        object.__new__(Proof),
        object.__new__(Sign),
    ],
)
def test_a_piece_is_constructed_again_before_it_counts(piece):
    for verdict in (Verdict.PROVED, Verdict.PROVED_FROM_LEMMA):
        assert not settle(lambda: piece, "«p» «q»", verdict).stands


def test_changes_to_a_piece_are_undone_before_it_counts():
    liar = tamper(EQUAL, hypotheses=(), definitions=())
    honest = HERE.piece("(a + b)/b = a/b + 1")
    entry = settle(lambda: tamper(honest, hypotheses=liar.hypotheses), "«q», if «q.assuming»")
    assert entry.evidence["q"].assumptions == honest.assumptions != ()


# --- words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        *(
            "so x = 1",
            "«p» ≤ 1",
            "it is < 2",
            r"it is $\le 2$",
            r"as $x \to 0$",
            "x ≥ 0",
            "a ∝ b",
            r"$i \in A$",
        ),
        *("x ≪ y", "x ⩽ y", "x ＝ y", r"$x \leqslant y$", r"$a \subset b$", "a &lt; b", "x ≔ 1"),
    ],
)
def test_a_sentence_cannot_state_a_relation_by_itself(words):
    with pytest.raises(ValueError, match="render it from its evidence"):
        Sentence(words)


# --- every claim of the ledger --------------------------------------------------------------------------

EVERY = pytest.mark.parametrize("id", CLAIMS)
UNRELATED = {
    Verdict.NO_THEOREM: WORDS,
    Verdict.CORRECTED: SLIP,
    Verdict.REFUTED: WRONG,
    Verdict.CHECKED: Approximate.at("0 and 1", lambda: Finding(0, "≠", 1)),
    Verdict.DEFINITION: NAMED,
    Verdict.PROVED_FROM_LEMMA: BELOW,
    Verdict.PROVED: EQUAL,
}


def with_evidence(id: str, evidence: object, **changes: object) -> CheckedClaim:
    return check_claim(replace(CLAIMS[id], evidence=lambda: evidence, **changes))


@EVERY
def test_nothing_else_is_the_evidence_of_a_claim(id, settled):
    """Not another object, in the place of all pieces or of one, the evidence of another claim, another meaning of a
    name, nor an instance whose findings are omitted or reversed.
    """
    pieces = settled(id).evidence
    name, piece = next(iter(pieces.items()))
    values = (True, None, "proved", 1, [piece], lambda: piece)
    for pretended in (*values, {}, [], piece, iter([piece]), *({name: value} for value in values)):
        assert not with_evidence(id, pretended).stands
    other = settled("D1.4" if id == "D1.13" else "D1.13")
    if pieces != other.evidence:  # D1.14 is D1.13 in words
        entry = with_evidence(id, other.evidence)
        assert not entry.stands or make_card(entry).said != make_card(settled(id)).said
    # 𝓛 is defined as 1 in another proof: the sentence shows that definition, or the proof is not used
    meanings = {x for piece in pieces.values() for x in getattr(piece, "definitions", ()) if x.head == loss}
    redefined = named("𝓛 = 1", "𝓛 := 1")
    assert with_evidence(id, {**pieces, "beside": redefined}).stands == (not meanings)
    for piece in (piece for piece in pieces.values() if isinstance(piece, Instance)):
        with pytest.raises((TypeError, ValueError), match="findings"):  # TypeError since Python 3.13
            replace(piece, findings=piece.findings)
        with pytest.raises(NotShown, match="nothing was compared"):
            replace(piece, find=lambda **_: ())
        for finding in (finding for finding in piece.findings if finding.sign in CONTRARY):
            turned = finding._replace(sign=CONTRARY[finding.sign])
            with pytest.raises(NotShown, match="it is false"):
                replace(piece, find=lambda turned=turned, **_: turned)


@pytest.mark.slow
@EVERY
def test_a_claim_has_one_verdict_and_needs_every_piece_that_its_sentence_shows(id, settled):
    """An unrelated piece beside the others does not change the verdict either, because no sentence shows it."""
    claim, pieces = CLAIMS[id], settled(id).evidence
    for other, piece in UNRELATED.items():
        entries = (with_evidence(id, x, verdict=other) for x in (pieces, {**pieces, "beside": piece}))
        assert other is claim.verdict or not any(entry.stands for entry in entries)
    shown = {
        quote.name for sentence in (claim.checked, claim.correction) if sentence for quote in sentence.quotes
    }
    for name in shown:
        assert not with_evidence(id, {key: x for key, x in pieces.items() if key != name}).stands
