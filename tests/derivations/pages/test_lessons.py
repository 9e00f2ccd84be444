"""Rules for lessons: every equation comes from a claim, every claim has a verdict, and its evidence holds."""

import doctest
import inspect
import re
from collections import Counter
from html import unescape
from io import StringIO

import pytest
from fontTools.ttLib import TTFont

from infonce_ref import textbook
from infonce_ref.derivations.ledger import CLAIMS, CheckedClaim
from infonce_ref.derivations.pages import book, glossary, html, site
from infonce_ref.derivations.pages.claim_card import check_card, make_card
from infonce_ref.derivations.pages.lesson import (
    Directive,
    Exercise,
    Lesson,
    Prose,
    Question,
    count_words,
    lessons,
    parse,
)
from infonce_ref.derivations.pages.unicode_math import write_line
from infonce_ref.exercises import ALL, equations, notebooks
from infonce_ref.figures import NAMES

CLAIM = CLAIMS["D1.11"]
VARIANT = "\ufe00"  # requests the variant form of the preceding letter


def page_of(text: str) -> str:
    """The source of a lesson with this text."""
    lesson = Lesson("try", 1, "Try", "A try.", parse(text, "lesson try"))
    needed = [block.arguments[0] for block in lesson.blocks if isinstance(block, Directive)]
    cards = book.index_standing(check_card(id) for id in needed if id in CLAIMS)
    return site.write_lesson(html.Page(lesson, cards, lambda name: None, ["try"]))


# --- where a claim's card is shown ----------------------------------------------------------------


def test_a_card_does_not_interrupt_the_story():
    """If a sentence ends with a claim, its statement is shown; elsewhere it is folded, until the reference
    part.
    """
    page = page_of(
        "So it is:\n\n{claim D1.11}\n\nAnd so on.\n\n{claim D1.13}\n\n## Line by line\n\n{claim D1.12}"
    )
    cards = re.findall(
        r"<section class='claim [a-z-]+ ?([^']*)' id='([^']+)'>(.*?)</section>", page, re.DOTALL
    )
    folded = [(place, id, "<details class='statement'>" in card) for place, id, card in cards]
    assert folded == [("told", "D1.11", False), ("aside", "D1.13", True), ("", "D1.12", False)]


# --- the glossary --------------------------------------------------------------------------------------


def test_the_first_use_of_a_word_has_its_meaning():
    page = page_of("An anchor, `anchor` and negatives; other anchors. No number is negative.")
    assert re.findall("<abbr title='([^']*)'>([^<]*)<", page) == [
        ("the row whose loss is computed; it picks its partner among the candidates", "anchor"),
        ("a candidate that does not belong to the anchor, to be pushed away", "negatives"),
    ]


def test_lessons_use_every_word_of_the_glossary():
    used: set[str] = set()
    for lesson in lessons().values():
        glossary.explain_words(" ".join(b.text for b in lesson.blocks if isinstance(b, Prose)), used)
    assert used == {word for word, _, _ in glossary.entries()}


# --- what is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("$$ x = 1 $$", "displays an equation that has no claim"),
        ("{claim D9.9}", "D9.9 has no verdict|has no place"),
        ("{equation D9.9}", "D9.9 has no verdict"),
        ("By [D4.99] it holds.", "D4.99 has no verdict"),
        ("{equation D1.11 7}", "D1.11 shows .*; got 7"),
        ("{code losses/ntxent.py}", "the textbook has no function losses/ntxent.py"),
        ("{unheard of}", "has no place here"),
        ("{claim D1.11 | Why?}", "has no place here"),
        ("{exercise}\nWhy?\n{solution}\nSo.", "without {end}"),
        ("{question}\nWhy?\n{question}\nWhy?", "{question} has no place here"),
        ("{control wheel}", "unknown wheel; known are anchor"),
        (r"The set $\nonsense$.", "cannot be set"),
    ],
)
def test_a_wrong_lesson_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        page_of(text)


ASKED = """{question}
How much is it?
+ {0.69: log 2}
- {≠ 1.00: log 2}
- nothing | {= log 2 > 0}
{answer}
So much.
{end}"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("+ {0.69", "- {0.69", "one right option and two wrong ones"),
        ("- nothing | {= log 2 > 0}", "", "one right option and two wrong ones"),
        ("How much is it?", "", "a question has text"),
        ("- nothing", "perhaps\n- nothing", "an option is one line"),
        ("| {= log 2 > 0}", "| {given τ = 1}", "nothing is checked of the option 'nothing'"),
        ("{≠ 1.00: log 2}", "{≠ 2: log 3}", "no wrong value of what the right option gives"),
        ("+ {0.69: log 2}", "+ {≠ 0.7: log 2}", "no wrong value of what the right option gives"),
        ("{≠ 1.00: log 2}", "{≠ 0.69: log 2}", "does not hold"),
        ("{0.69: log 2}", "{0.7: log 2} {= 1 = 2}", "does not hold"),
        ("{answer}", "{solution}", "{question} has no place here"),
        ("{end}", "", "without {end}"),
    ],
)
def test_a_wrong_question_is_refused(old, new, said):
    page_of(ASKED)
    with pytest.raises(ValueError, match=said):
        page_of(ASKED.replace(old, new, 1))


def test_a_claim_that_does_not_hold_is_refused():
    fallen = CheckedClaim(CLAIM, {}, "NotProved: no")
    with pytest.raises(ValueError, match=r"D1.11 does not hold, so no page shows it: NotProved"):
        book.index_standing([make_card(fallen)])


# --- what is shown --------------------------------------------------------------------------------------


def test_a_claim_folds_the_printed_statement_and_shows_the_right_one():
    opened, _, folded = page_of("{claim D1.5}").partition("<summary>in print</summary>")
    assert "Rows are counted from 0" in opened
    assert "none of them" in folded.replace(opened, "")
    assert "none of them" not in opened


def test_every_displayed_equation_belongs_to_a_claim(made):
    """Only claims, and equations rendered from their evidence, are displayed."""
    held = re.compile(
        r"<section class='claim .*?</section>|<(?:div class='equation'|span class='quoted') .*?</math>",
        re.DOTALL,
    )
    for name, page in made.items():
        if name.endswith(".md") and not name.startswith("docs/"):
            assert '<math display="block"' not in held.sub("", page), name


def test_a_lesson_shows_a_function_of_the_textbook():
    """`verify` compares it with the library."""
    shown = re.search(r"<pre>(.*?)</pre>", page_of("{code ntxent}"), re.DOTALL)[1]
    assert unescape(re.sub(r"<[^>]*>", "", shown)).strip() == inspect.getsource(textbook.ntxent).strip()


def test_on_a_page_a_letter_means_one_thing(made):
    for name in lessons():
        page = made[f"{name}.md"]
        rows = re.findall(r"<tr><td>(<math>.*?</math>)</td><td>(.*?)</td>", page)
        twice = [letter for letter, count in Counter(letter for letter, _ in rows).items() if count > 1]
        assert not twice, (name, [row for row in rows if row[0] in twice])


def test_every_figure_is_on_a_page():
    blocks = [
        block for lesson in lessons().values() for block in lesson.blocks if isinstance(block, Directive)
    ]
    shown = {block.arguments[0] for block in blocks if block.name == "figure"}
    assert set(NAMES) == shown | {book.OF_EVERY_LOSS}


PHONE = 361  # px that a lesson leaves for a figure on a phone of 390


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_legible_on_a_phone(name, made):
    """Text stays text, and no letter is below 9 px, including exponents."""
    svg = made[f"static/{name}_column.svg"]
    width = float(re.search(r'viewBox="0 0 ([\d.]+) ', svg)[1])
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: (?:\w+ )*([\d.]+)px", svg)]
    assert svg.count("<text") <= len(sizes)
    assert min(sizes) * PHONE / width >= 9


@pytest.mark.parametrize("lesson", lessons().values(), ids=lessons())
def test_a_lesson_asks_first_and_is_short(lesson):
    """A control with its question, three to five questions before "Line by line", and three exercises."""
    first = lesson.blocks[0]
    assert (first.name, first.caption.count("?")) == ("control", 1)
    assert len(first.caption) <= 100
    asked = [place for place, block in enumerate(lesson.blocks) if isinstance(block, Question)]
    assert 3 <= len(asked) <= 5
    assert all("## Line by line" not in getattr(block, "text", "") for block in lesson.blocks[: asked[-1]])
    assert sum(isinstance(block, Exercise) for block in lesson.blocks) >= 3
    assert count_words(lesson) <= 2500


def test_a_caption_is_above_its_control_and_is_checked():
    page = page_of("{control anchor self=1 | Is it {= log 2 > 0}?}")
    asked = r"data-control='anchor' data-start='[^']*'><p class='ask'>Is it <span class='held'><math>"
    assert re.search(asked, page)
    with pytest.raises(ValueError, match="does not hold"):
        page_of("{control anchor | Is it {= log 2 < 0}?}")


def test_the_right_option_has_no_fixed_position():
    """No position holds more than half of the right options; otherwise a reader could guess."""
    blocks = [block for lesson in lessons().values() for block in lesson.blocks]
    places = Counter(
        [option.right for option in block.options].index(True)
        for block in blocks
        if isinstance(block, Question)
    )
    assert set(places) >= {0, 1, 2}
    assert max(places.values()) <= places.total() / 2


SOLUTIONS = [
    (f"{lesson.name} {number}", block.solution)
    for lesson in lessons().values()
    for number, block in enumerate((b for b in lesson.blocks if isinstance(b, Exercise)), 1)
]


@pytest.mark.parametrize(
    "solution",
    [
        # this solution runs for eight seconds
        pytest.param(text, id=name, marks=pytest.mark.slow if name == "estimators 3" else ())
        for name, text in SOLUTIONS
    ],
)
def test_a_solution_runs(solution):
    """The numbers of a solution are the output of its code."""
    test = doctest.DocTestParser().get_doctest(solution, {}, "solution", None, 0)
    assert test.examples
    said = StringIO()
    assert doctest.DocTestRunner(verbose=False).run(test, out=said.write).failed == 0, said.getvalue()


@pytest.mark.parametrize("id", CLAIMS)
def test_the_words_of_a_claim_can_be_rendered(id, find_card):
    for runs in find_card(id).said.values():
        html.sentence(runs)
        assert not re.search(r"\\[A-Za-z]|[A-Za-z_^}]\{|[$«»]", write_line(runs))


def test_the_font_has_every_letter_of_the_mathematics(made):
    known = TTFont(html.ASSETS / "STIXTwoMath-subset.woff").getBestCmap()
    formulas = " ".join(
        re.findall(r"<math.*?</math>", "".join(x for x in made.values() if isinstance(x, str)), re.DOTALL)
    )
    letters = set(unescape(re.sub(r"<[^>]*>", "", formulas))) - {VARIANT}
    letters |= {italic(letter) for letter in re.findall(r"<mi>(\w)</mi>", formulas)}
    assert {letter for letter in letters if ord(letter) not in known} == set()


def italic(letter: str) -> str:
    """The character that a browser shows for a single letter."""
    for first, last, start in (("a", "z", 0x1D44E), ("A", "Z", 0x1D434), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last and letter != "h":
            return chr(start + ord(letter) - ord(first))
    return letter


@pytest.mark.slow
@pytest.mark.parametrize("lesson", lessons())
def test_as_a_notebook_it_runs_from_top_to_bottom(lesson, find_card, monkeypatch, capsys):
    monkeypatch.setattr(equations, "find_claim", find_card)
    made = notebooks.notebook(lesson)
    space: dict[str, object] = {}
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], space)
    said = capsys.readouterr().out
    assert all(f"{e.name}: " in said for e in ALL.values() if e.lesson == lesson)
    shown = "\n".join(cell["source"] for cell in made["cells"])
    assert all(f"**{id}** ·" in shown for id in book.list_shown(lessons()[lesson]))
