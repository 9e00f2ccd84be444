"""Make false changes in a copy of the tree: in words, numbers and marks that readers see, and in signed files.

`python tests/false_edits.py [WORD]` tries all, or those whose kind or file has the word, and reports which are
refused. `tests/false_changes.py` changes claims within one process. The guard of a change is a test of the
repository, run in the copy: it must pass on the tree as it is, and fail on the changed one.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PAGES = "tests/derivations/pages"
KERNEL = "tests/derivations/kernel/test_kernel.py"
REVIEW = "tests/derivations/test_review.py"
WORDS = f"{REVIEW}::test_every_claim_stands_and_its_words_were_read[some]"
RECORD = f"{KERNEL}::test_the_record_matches_the_files"
TEXTS = f"{REVIEW}::test_captions_cards_symbols_and_documents_were_read"
DECIMALS = f"{PAGES}/test_numbers.py::test_every_decimal_is_in_a_checked_formula_or_listed"
PHRASES = f"{PAGES}/test_numbers.py"
PROSE = f"{PAGES}/test_prose.py::test_statements_in_lessons_hold"
SHEET = f"{PAGES}/test_cheat_sheet.py"
LESSONS = f"{PAGES}/test_lessons.py"
PAPERS = f"{PAGES}/test_papers.py::test_every_citation_is_a_listed_paper"
DIGITS = "tests/test_digits.py::test_a_gradient_that_nearly_vanishes_is_outside_and_declared"
SOFTMAX = "derivations/kernel/softmax.v"
ACCEPTED = "derivations/kernel/accepted.json"
THEOREMS = "derivations/kernel/theorems.py"
SIGNED = "derivations/reviewed.toml"
QUOTED = "derivations/quoted.toml"
READINGS = "tests/derivations/test_readings.py"
VERDICTS = f"{PAGES}/test_verdicts.py"
EXPORT, TERMINAL, HTML = (f"derivations/pages/{name}.py" for name in ("export", "terminal", "html"))
LEDGER, REVIEWS, QUOTATIONS = (f"derivations/{name}.py" for name in ("ledger", "review", "quotations"))


class Edit(NamedTuple):
    """One false change: the first `old` in a file becomes `new`; `guard` is the test that must refuse it.

    forged: also write the digest of a changed file of theorems into accepted.json, as if Coq had accepted it.
    """

    kind: str
    file: str
    old: str
    new: str
    guard: str
    forged: bool = False


def _lesson(number: str, old: str, new: str, guard: str) -> Edit:
    name = number.partition("_")[2]
    kind = {DECIMALS: "a number typed in a lesson", PROSE: "a formula of a lesson"}[guard]
    return Edit(kind, f"derivations/pages/lessons/{number}.md", old, new, f"{guard}[{name}]")


def _caption(name: str, old: str, new: str) -> Edit:
    return Edit("a caption", f"figures/{name}.py", old, new, TEXTS)


def _card(name: str, old: str, new: str, guard: str = TEXTS) -> Edit:
    return Edit("a card of the cheat sheet", f"derivations/pages/cards/{name}.py", old, new, guard)


def _loss(name: str, old: str, new: str, guard: str) -> Edit:
    return Edit("a field of LOSS", f"infonce_ref/losses/{name}.py", old, new, guard)


def _formula(name: str, old: str, new: str) -> Edit:
    return Edit("a formula beside the code", f"infonce_ref/{name}.py", old, new, TEXTS)


def _mistake(name: str, old: str, new: str, guard: str = TEXTS) -> Edit:
    return Edit("a mistake's words", f"infonce_ref/mistakes/{name}.py", old, new, guard)


def _shown(file: str, old: str, new: str, guard: str) -> Edit:
    return Edit("a verdict shown", file, old, new, f"{VERDICTS}::{guard}")


EDITS = (
    # --- theorems and their record
    Edit("a theorem removed", SOFTMAX, "(*! D1.6: positive *)\n", "", RECORD),
    Edit(
        "a theorem removed",
        SOFTMAX,
        "(*! D1.6: positive *)\n",
        "",
        f"{KERNEL}::test_every_piece_that_can_be_stated_has_a_theorem_or_a_reason[D1.6]",
        forged=True,
    ),
    Edit(
        "a theorem removed",
        "derivations/kernel/query_key.v",
        "(*! query_key: by query *)\n",
        "",
        f"{KERNEL}::test_each_reason_belongs_to_a_claim_and_no_gradient_lacks_its_theorem",
        forged=True,
    ),
    Edit(
        "a weaker theorem",
        SOFTMAX,
        "  0 < P i (p i).\n",
        "  0 <= P i (p i).\n",
        f"{KERNEL}::test_every_statement_is_the_one_that_the_evidence_exports[softmax]",
        forged=True,
    ),
    Edit(
        "a weaker theorem",
        SOFTMAX,
        "  (j < N)%nat ->\n",
        "  (j < N)%nat ->\n  (j = k)%nat ->\n",
        f"{KERNEL}::test_every_statement_is_the_one_that_the_evidence_exports[softmax]",
        forged=True,
    ),
    Edit("a proof's file", SOFTMAX, "Proof. by_sums. Qed.", "Admitted.", RECORD),
    Edit("a proof's file", "derivations/kernel/sums.v", "Qed.", "Admitted.", RECORD),
    Edit("a forged record", ACCEPTED, '"softmax": "', '"softmax": "0', RECORD),
    Edit("a forged record", ACCEPTED, '"sums": "', '"summs": "', RECORD),
    Edit(
        "a forged record",
        ACCEPTED,
        '"Classical_Prop.classic",',
        '"Classical_Prop.classic",\n  "easy",',
        RECORD,
    ),
    Edit("a forged record", ACCEPTED, '"date": "20', '"date": "21', RECORD),
    Edit(
        "an excuse",
        THEOREMS,
        '    "S4: excess": "it needs',
        '    "D1.7: derivative": "it is long",\n    "S4: excess": "it needs',
        f"{KERNEL}::test_every_piece_that_can_be_stated_has_a_theorem_or_a_reason[D1.7]",
    ),
    Edit(
        "an excuse",
        THEOREMS,
        '    "M14: gap": _LENGTH,\n',
        "",
        f"{KERNEL}::test_every_piece_that_can_be_stated_has_a_theorem_or_a_reason[M14]",
    ),
    # --- what was signed, and the documents' quotations
    Edit(
        "a review",
        SIGNED,
        '"D1.11" = "',
        '"D1.11" = "0',
        WORDS,
    ),
    Edit("a review", SIGNED, '"D1.1" = ', '"D1.99" = ', f"{REVIEW}::test_only_claims_are_signed"),
    Edit("a review", SIGNED, " 20", " 21", f"{REVIEW}::test_a_review_has_a_digest_a_past_date_and_a_reader"),
    Edit(
        "a review",
        SIGNED,
        "a second reader, a language model",
        " ",
        f"{REVIEW}::test_a_review_has_a_digest_a_past_date_and_a_reader",
    ),
    Edit(
        "a review",
        "derivations/losses/infonce.py",
        "[(i + N // 2) % N for i in range(N)]",
        "[(i - N // 2) % N for i in range(N)]",
        WORDS,
    ),
    Edit(
        "a review",
        "derivations/read_code.toml",
        '"D1.5" = "',
        '"D1.5" = "0',
        WORDS,
    ),
    Edit("a review", "tools/reviewed.toml", '"card dcl" = "', '"card dcl" = "0', TEXTS),
    Edit(
        "a quotation's digest",
        QUOTED,
        '"D1.11" = "',
        '"D1.11" = "0',
        WORDS,
    ),
    Edit(
        "a quotation's digest",
        QUOTED,
        '"D1.11" = ',
        '"D1.99" = ',
        f"{REVIEW}::test_docs_say_how_many_quotations_are_compared_and_how_many_programs_were_read",
    ),
    Edit(
        "a quotation's digest",
        "docs/trust.md",
        "116 of 132 quotations",
        "132 of 132 quotations",
        f"{REVIEW}::test_docs_say_how_many_quotations_are_compared_and_how_many_programs_were_read",
    ),
    Edit(
        "a quotation's reading",
        "derivations/readings.py",
        '"D1.4": (Reading("loss", _D1, at=(MEAN,)),)',
        '"D1.4": (Reading("loss", _D1, at=(SUM,)),)',
        f"{READINGS}::test_another_relation_than_the_printed_one_is_refused[D1.4]",
    ),
    Edit(
        "a quotation's reading",
        "derivations/readings.py",
        '"D1.8": (Reading("derivative", _D1, at=(MEAN,)),),',
        "",
        f"{READINGS}::test_each_quotation_with_a_formula_is_compared_or_has_a_reason",
    ),
    Edit(
        "a quotation's reading",
        "derivations/readings.py",
        '"gradient", _D2, (3, 4)',
        '"gradient", _D2, (4,)',
        f"{READINGS}::test_docs_count_the_formulas_that_are_compared",
    ),
    Edit(
        "a quotation's reading",
        "derivations/printed.py",
        "ALIKE = mpmath.mpf(10) ** -20",
        "ALIKE = mpmath.mpf(10) ** 20",
        f"{READINGS}::test_another_relation_than_the_printed_one_is_refused[D1.4]",
    ),
    Edit(
        "a quotation's reading",
        "derivations/ledger.py",
        "if misread := readings.find_change(claim, evidence):",
        "if misread := readings.find_change(claim, {}) if claim.heard else '':",
        f"{READINGS}::test_a_quotation_other_than_the_typed_relation_fails",
    ),
    Edit(
        "a quotation's digest",
        "derivations/quotations.py",
        '"D2.4": (13,)',
        '"D2.4": (14,)',
        f"{REVIEW}::test_a_translation_is_compared_with_itself_and_with_the_lines_that_it_translates",
    ),
    Edit(
        "a quotation's reading",
        "docs/trust.md",
        "71 of 109 quotations",
        "109 of 109 quotations",
        f"{READINGS}::test_docs_count_the_formulas_that_are_compared",
    ),
    # --- marks on pages, in the terminal, and the exit status
    Edit(
        "a mark",
        "derivations/pages/book.py",
        '["false at a point"]',
        '["proved"]',
        f"{REVIEW}::test_a_mark_follows_the_formula_that_it_describes",
    ),
    Edit(
        "a mark",
        "derivations/pages/book.py",
        "theorems.is_stated(piece) and theorems.is_accepted(piece)",
        "theorems.is_stated(piece)",
        f"{REVIEW}::test_a_mark_follows_the_formula_that_it_describes",
    ),
    Edit(
        "a mark",
        "derivations/pages/cheat_sheet.py",
        'if theorems.is_accepted(proof) else ""',
        'if proof else ""',
        f"{SHEET}::test_a_gradient_has_a_tick_if_coq_accepted_it",
    ),
    Edit(
        "a mark",
        "derivations/pages/terminal.py",
        '"✓" if claim.coq else ""',
        '"✓" if claim.stands else ""',
        f"{REVIEW}::test_a_claim_has_a_tick_in_the_table_only_if_coq_accepted_all_of_it",
    ),
    Edit(
        "a mark",
        "derivations/pages/html.py",
        "{'' if read else UNREVIEWED}",
        "",
        f"{LESSONS}::test_a_claim_says_that_its_words_are_unreviewed",
    ),
    Edit(
        "a mark",
        "derivations/pages/assets/page.html",
        "$recorded; Coq did",
        "now; Coq did",
        f"{LESSONS}::test_a_page_says_when_coq_ran",
    ),
    Edit(
        "a mark",
        THEOREMS,
        'f"recorded with Coq',
        'f"checked with Coq',
        f"{LESSONS}::test_a_page_says_when_coq_ran",
    ),
    Edit(
        "a mark",
        "derivations/pages/cheat_sheet.py",
        'f" {theorems.describe_record()};',
        'f" now;',
        f"{SHEET}::test_a_gradient_has_a_tick_if_coq_accepted_it",
    ),
    Edit(
        "an exit status",
        "infonce_ref/cli/ledger.py",
        "all(claim.stands and claim.reviewed for",
        "all(claim.stands for",
        f"{REVIEW}::test_unreviewed_words_are_shown_and_decide_the_exit_status",
    ),
    Edit(
        "an exit status",
        "infonce_ref/cli/ledger.py",
        "return report([*wrong, *theorems.compare_record(",
        "return report([*theorems.compare_record(",
        f"{KERNEL}::test_the_exit_status_of_ledger_kernel",
    ),
    Edit(
        "a mark",
        THEOREMS,
        "return proposition(piece) in _accepted()",
        "return bool(proposition(piece))",
        f"{KERNEL}::test_a_mark_disappears_when_its_file_changes",
    ),
    Edit(
        "a mark",
        THEOREMS,
        "return bool(stated) and all(map(is_accepted, stated))",
        "return bool(stated) and any(map(is_accepted, stated))",
        f"{KERNEL}::test_the_mark_of_a_refuted_claim_requires_its_finding",
    ),
    Edit(
        "a mark",
        THEOREMS,
        "return same if same.issuperset(LIBRARY) else set()",
        "return same",
        f"{KERNEL}::test_every_mark_disappears_when_a_file_changes_that_all_import",
    ),
    # --- verdicts, wherever they are shown
    _shown(EXPORT, '"coq": card.coq', '"coq": True', "test_a_record_has_the_claims_verdict_and_marks"),
    _shown(
        EXPORT,
        '"stands": card.stands',
        '"stands": True',
        "test_a_claim_that_does_not_hold_says_so_everywhere",
    ),
    _shown(
        EXPORT,
        '"verdict": card.verdict',
        '"verdict": "proved"',
        "test_a_record_has_the_claims_verdict_and_marks",
    ),
    _shown(
        EXPORT,
        "str(card.verdict) if card.stands else",
        "str(card.verdict) if True else",
        "test_a_claim_that_does_not_hold_says_so_everywhere",
    ),
    _shown(
        EXPORT,
        'f"**{card.id}** · {verdict} ·',
        'f"**{card.id}** · proved ·',
        "test_a_page_of_markdown_has_the_claims_verdict",
    ),
    _shown(
        TERMINAL,
        "if not claim.stands:\n        return Text(",
        "if not claim.verdict:\n        return Text(",
        "test_a_claim_that_does_not_hold_says_so_everywhere",
    ),
    _shown(
        TERMINAL,
        "return Text(claim.verdict,",
        'return Text("proved",',
        "test_a_row_of_the_table_has_the_claims_verdict",
    ),
    _shown(
        TERMINAL,
        "    if claim.coq:\n",
        "    if claim.stands:\n",
        "test_the_terminal_names_coq_only_if_it_accepted_the_claim",
    ),
    _shown(
        TERMINAL,
        "for name, why in claim.without:",
        "for name, why in ():",
        "test_the_terminal_names_coq_only_if_it_accepted_the_claim",
    ),
    _shown(
        "derivations/pages/card.py",
        "        book.is_accepted_by_coq(entry),\n",
        "        bool(entry.claim),\n",
        "test_a_claim_that_does_not_hold_says_so_everywhere",
    ),
    _shown(
        "derivations/pages/card.py",
        'review.describe(entry) if entry.stands else ""',
        '"words read today"',
        "test_a_claim_that_does_not_hold_says_so_everywhere",
    ),
    _shown(
        "derivations/pages/symbols_and_claims.py",
        "{claim.verdict}</span>",
        "proved</span>",
        "test_html_has_the_claims_verdict",
    ),
    _shown(
        HTML, 'f"reference {slug(claim.verdict)}"', '"reference proved"', "test_html_has_the_claims_verdict"
    ),
    _shown(HTML, "escape(claim.verdict)", '"proved"', "test_html_has_the_claims_verdict"),
    _shown(
        HTML, "{verdicts.count(verdict)}</li>", "{len(verdicts)}</li>", "test_the_start_counts_each_verdict"
    ),
    # --- the checks that words, code and quotations were read
    Edit(
        "a check of reviews",
        REVIEWS,
        "return known if known and known.digest == digest(entry) else None",
        "return known",
        f"{REVIEW}::test_words_turned_into_their_contrary_are_unreviewed",
    ),
    Edit(
        "a check of reviews",
        REVIEWS,
        "if not of_code or of_code.digest != digest_code(entry.claim):",
        "if not of_code:",
        f"{REVIEW}::test_code_that_computes_a_finding_must_be_read_too",
    ),
    Edit(
        "a check of reviews",
        REVIEWS,
        'said = [("verdict", claim.verdict), ',
        "said = [",
        WORDS,
    ),
    Edit(
        "a check of reviews",
        "tools/review.py",
        "known[name].digest != review.digest_lines(found[name])",
        "not found[name]",
        f"{REVIEW}::test_another_text_is_unread",
    ),
    Edit(
        "a check of reviews",
        LEDGER,
        "if changed := quotations.find_change(claim):",
        'if changed := claim.printed and "":',
        f"{REVIEW}::test_a_quotation_that_differs_from_the_document_fails",
    ),
    Edit(
        "a check of reviews",
        LEDGER,
        "if misread := readings.find_change(claim, evidence):",
        'if misread := claim.printed and "":',
        f"{READINGS}::test_a_quotation_other_than_the_typed_relation_fails",
    ),
    # --- sentences of mistakes
    _mistake("dcl", "clamped at 0, but it may be negative", "clamped at 0, and it is never negative"),
    _mistake("barlow_twins", "the transpose of C, where C belongs", "C, where its transpose belongs"),
    _mistake("triplet", "positives are pushed away", "negatives are pushed away"),
    _mistake("bound", "the bound is log N minus the loss", "the bound is the loss minus log N"),
    _mistake("byol", "it must be the reverse", "it must be so"),
    _mistake("vicreg", "divided by B, not by B − 1", "divided by B − 1, not by B"),
    _mistake("dcl", '"F1 negative",', '"F2 row",'),
    _mistake(
        "dcl",
        "lightly-ai/lightly/pull/1826",
        "lightly-ai/lightly/pull/1827",
        "tests/verify/test_public_bugs.py::test_the_page_is_up_to_date",
    ),
    # --- papers
    Edit("a paper", "derivations/papers.py", "        1984,\n", "        1985,\n", TEXTS),
    Edit("a paper", "derivations/papers.py", "arXiv:2003.04297", "arXiv:2003.04298", TEXTS),
    Edit("a paper", "derivations/papers.py", '"Donsker, Varadhan"', '"Donsker, Varadan"', TEXTS),
    # --- captions, cards, symbols, documents
    _caption("hardness_weights", "the fewer the negatives that count", "the more the negatives that count"),
    _caption("collapse", "near 1 where they fill the sphere", "near 0 where they fill the sphere"),
    _caption("drift_of_keys", "1,024 keys in the queue", "1,042 keys in the queue"),
    _caption("finite_differences", "more than about ten digits", "more than about five digits"),
    _caption("barlow_twins_floor", "cost more than others", "cost less than others"),
    _caption("gathered_gradient", "beyond 90°", "beyond 45°"),
    _caption("pull_on_the_positive", "never falls below ½", "never falls below ⅓"),
    _caption("hardness_weights", 'CLAIMS = ("D2.4", "M15")', 'CLAIMS = ("D2.4", "M16")'),
    _card("dcl", "however near it is", "however far it is"),
    _card("siglip", "no score meets another", "each score meets another"),
    _card("vicreg", "the gradient is 0 [R15]", "the gradient is not 0 [R15]"),
    _card("ntxent", "year=2020", "year=2019"),
    _card("ntxent", "the information [M25]", "the information [M26]"),
    _card(
        "ntxent",
        "least=log(1 + (N - 2) * exp(-2 / tau))",
        "least=log(1 + (N - 1) * exp(-2 / tau))",
        f"{SHEET}::test_the_ends_of_the_range_are_reached[ntxent]",
    ),
    _card(
        "clip",
        "most=log(1 + (B - 1) * exp(2 / tau))",
        "most=log(1 + (B - 1) * exp(1 / tau))",
        f"{SHEET}::test_the_ends_of_the_range_are_reached[clip]",
    ),
    _card(
        "clip",
        "floor=log(1 + (B - 1) * exp(-B / (B - 1) / tau))",
        "floor=log(1 + (B - 1) * exp(-B / (B + 1) / tau))",
        f"{SHEET}::test_floors_are_the_library_s[clip]",
    ),
    _card(
        "byol", "most=Integer(4)", "most=Integer(2)", f"{SHEET}::test_the_ends_of_the_range_are_reached[byol]"
    ),
    _card(
        "ntxent",
        '        "lightly.loss.NTXentLoss",\n',
        '        "lightly.loss.DCLWLoss",\n',
        f"{SHEET}::test_library_names_are_those_in_docs_peers",
    ),
    Edit("a symbol", "derivations/symbols.py", "raw rows, none of them zero", "raw rows", TEXTS),
    Edit(
        "a symbol",
        "derivations/symbols.py",
        '"cosine similarity of two rows"',
        '"distance of two rows"',
        TEXTS,
    ),
    Edit(
        "a symbol",
        "derivations/symbols.py",
        '"the least that this can be", ""',
        '"", "the least that this can be"',
        f"{REVIEW}::test_every_symbol_has_a_meaning_and_a_valid_shape",
    ),
    Edit("a document", "derivations/documents.py", "a blog post, in Chinese", "a paper, in Chinese", TEXTS),
    Edit("a document", "derivations/documents.py", "Handwritten notes", "Printed notes", TEXTS),
    # --- lessons
    _lesson("03_sphere", "the bar is 0.436. You", "the bar is 0.346. You", DECIMALS),
    _lesson("04_ntxent", "comes down to 7.1 within", "comes down to 6.1 within", DECIMALS),
    _lesson(
        "11_supervised", "which the softmax gives 0.4, 0.3", "which the softmax gives 0.4, 0.35", DECIMALS
    ),
    _lesson("13_negatives", "1 + 0.1111", "1 + 0.1112", DECIMALS),
    _lesson("03_sphere", "98.4 in a hundred", "98.5 in a hundred", DECIMALS),
    _lesson("15_estimators", "shows five nats of 2.8,", "shows five nats of 3.8,", DECIMALS),
    _lesson("08_byol", "it is 0.952, and without it 0.039", "it is 0.952, and without it 0.139", DECIMALS),
    _lesson("06_information", "would give 5.545", "would give 5.554", DECIMALS),
    Edit(
        "a number typed in a lesson",
        "tests/derivations/pages/test_numbers.py",
        'without it 0.039": lambda',
        'without it 0.139": lambda',
        f"{PHRASES}::test_the_numbers_of_a_phrase_are_recomputed",
    ),
    _lesson("03_sphere", "{= 0.07·log 510 ≈ 0.436}", "{= 0.07·log 510 ≈ 0.437}", PROSE),
    _lesson("03_sphere", "{22,026: e^(0.5/0.05)}", "{22,027: e^(0.5/0.05)}", PROSE),
    _lesson("03_sphere", "{≠ 296: e^(0.5/0.05)}", "{≠ 22026: e^(0.5/0.05)}", PROSE),
    _lesson("03_sphere", "M/(M + e^((s_p - s_n)/τ)) for", "M/(M + e^((s_p + s_n)/τ)) for", PROSE),
    _lesson("03_sphere", "{= √(1 - 0.5^2) ≈ 0.866}", "{= √(1 - 0.5^2) > 0.9}", PROSE),
    _lesson("07_moco", "{0.774: 0.999^256}", "{0.744: 0.999^256}", PROSE),
    Edit("a citation", "derivations/pages/lessons/03_sphere.md", "(Hill, 1973", "(Hill, 1974", PAPERS),
    Edit(
        "a citation",
        "derivations/pages/lessons/03_sphere.md",
        "Wang and Liu (2021)",
        "Wang and Liu (2020)",
        PAPERS,
    ),
    Edit(
        "a citation",
        "figures/collapse.py",
        "CLAIMS = (",
        'CLAIMS = ("R99", ',
        "tests/derivations/test_ledger.py::test_every_id_that_code_or_figures_cite_is_a_claim",
    ),
    # --- losses, floors, mistakes, measured pages
    _loss(
        "ntxent",
        'differentiable=("w", "temperature")',
        'differentiable=("w",)',
        "tests/test_readme.py::test_the_matrix_has_a_row_for_each_loss_and_input_and_every_cell_holds",
    ),
    _loss(
        "ntxent",
        'ill_conditioned={"w": PULLS, "temperature": SLOPES}',
        'ill_conditioned={"w": PULLS}',
        "tests/test_digits.py::test_a_slope_that_nearly_vanishes_is_outside_and_declared[ntxent]",
    ),
    _loss(
        "query_key",
        '        "temperature": SLOPES._replace(judged=True),\n',
        "",
        "tests/verify/test_grades.py::test_declared_cancellations_are_the_measured_ones[query_key]",
    ),
    _loss("ntxent", 'ill_conditioned={"w": PULLS, ', "ill_conditioned={", f"{DIGITS}[ntxent]"),
    _loss("dcl", '"ℓ_i crosses 0"', '"ℓ_i is far from 0"', TEXTS),
    _loss("dcl", 'claims=("F1", "F2",', 'claims=("F1", "F3",', TEXTS),
    _loss("siglip", 'title="SigLIP"', 'title="CLIP"', TEXTS),
    _loss("supcon", '"w": PULLS._replace', '"v": PULLS._replace', f"{DIGITS}[supcon]"),
    _formula("losses/dcl", "≤ 2/τ, as |s| ≤ 1", "≤ 1/τ, as |s| ≤ 1"),
    _formula("losses/siglip", "(σ(L_ij + b) − 1[i = j]) / B", "(σ(L_ij + b) + 1[i = j]) / B"),
    _formula("losses/triplet", "# ∂ℓ/∂a = 2(n − p)", "# ∂ℓ/∂a = 2(p − n)"),
    _formula("information/nwj", "at most I, for any score", "at least I, for any score"),
    _formula("streaming/supcon", "P_n = q r_n", "P_n = (1 − q) r_n"),
    Edit(
        "advice of explain",
        "infonce_ref/explanation/advice.py",
        "adds to the loss but not to the gradient along the sphere",
        "adds to the gradient along the sphere but not to the loss",
        TEXTS,
    ),
    Edit("advice of explain", "infonce_ref/explanation/advice.py", '("M15", "P5")', '("M8", "P5")', TEXTS),
    Edit(
        "a floor",
        "infonce_ref/floors/simplex.py",
        "math.log1p((2 * pairs - 2)",
        "math.log1p((2 * pairs - 1)",
        f"{SHEET}::test_floors_are_the_library_s[ntxent]",
    ),
    Edit(
        "a floor",
        "infonce_ref/floors/simplex.py",
        "return -pairs / (pairs - 1)",
        "return -1.0",
        f"{SHEET}::test_floors_are_the_library_s[clip]",
    ),
    Edit(
        "a measured page",
        "docs/matrix.md",
        "2e-16≤1e-14",
        "2e-13≤1e-14",
        "tests/test_readme.py::test_the_matrix_has_a_row_for_each_loss_and_input_and_every_cell_holds",
    ),
    Edit(
        "a measured page",
        "docs/public-bugs.md",
        "inexact",
        "exact",
        "tests/verify/test_public_bugs.py::test_the_page_is_up_to_date",
    ),
)


@contextmanager
def make_tree() -> Iterator[Path]:
    """Copy the tree without the files that git ignores."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
        shutil.copytree(ROOT, tree, ignore=ignored)
        yield tree


def forge_record(tree: Path) -> None:
    """Write the digests of a tree's files of theorems into its accepted.json, as `theorems.digest` computes
    them.
    """
    from infonce_ref.derivations.kernel import theorems

    path = tree / ACCEPTED
    known = json.loads(path.read_text(encoding="utf-8"))
    for file in known["files"]:
        text = (tree / f"derivations/kernel/{file}.v").read_text(encoding="utf-8")
        known["files"][file] = theorems.digest(text)
    path.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def passes(tree: Path, *guards: str) -> bool:
    """Return whether tests pass in a tree. Raises RuntimeError if they could not be started."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-x", "-p", "no:cacheprovider", "-m", "", *guards]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2):  # 2: a test file or a file of the tree could not be imported
        raise RuntimeError(f"{guards}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0


def check_guards(tree: Path, edits: Iterable[Edit]) -> None:
    """Raise ValueError unless the guards of all edits pass on the tree as it is."""
    guards = [*dict.fromkeys(edit.guard for edit in edits)]
    if not passes(tree, *guards):
        raise ValueError(f"one of these fails on the tree as it is: {' '.join(guards)}")


def is_refused(tree: Path, edit: Edit) -> bool:
    """Return whether the guard of an edit fails on the changed tree. Raises ValueError if the edit changes
    nothing.
    """
    path, record = tree / edit.file, tree / ACCEPTED
    source, known = (x.read_text(encoding="utf-8") for x in (path, record))
    if edit.old not in source:
        raise ValueError(f"{edit.file} has no {edit.old!r}")
    try:
        path.write_text(source.replace(edit.old, edit.new, 1), encoding="utf-8")
        if edit.forged:
            forge_record(tree)
        return not passes(tree, edit.guard)
    finally:
        record.write_text(known, encoding="utf-8")
        path.write_text(source, encoding="utf-8")


if __name__ == "__main__":
    counts: dict[str, Counter] = {}
    chosen = [x for x in EDITS if all(word in f"{x.kind} {x.file}" for word in sys.argv[1:])]
    with make_tree() as copy:
        check_guards(copy, chosen)
        for edit in chosen:
            print("…", edit.kind, edit.file, file=sys.stderr, flush=True)
            who = edit.guard.partition("::")[0] if is_refused(copy, edit) else "NOBODY"
            counts.setdefault(edit.kind, Counter())[who] += 1
            if who == "NOBODY":
                print(f"SURVIVED {edit.kind}: {edit.file}: {edit.old!r} → {edit.new!r}", flush=True)
    for kind, refused in counts.items():
        print(f"{kind}: {dict(refused)}")
    print(f"{sum(map(Counter.total, counts.values()))} false changes")
