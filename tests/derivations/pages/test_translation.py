"""Pages in other languages: what a translation must leave as it is, and what is not translated."""

import pytest

from infonce_ref.derivations.pages import translation

ORIGINAL = "At {given τ = 0.1} the [lesson](sphere.html) has $P_p$ of 4,096 rows [M8]."


@pytest.mark.parametrize("code", translation.LANGUAGES)
def test_every_translation_has_the_formulas_and_numbers_of_its_original(code):
    """A catalogue is refused otherwise. A line that it does not have stays English."""
    language = translation.Language(code)
    assert language("## The temperature\n\nA new line.") == f"## {language('The temperature')}\n\nA new line."
    assert language("The temperature") != "The temperature"


@pytest.mark.parametrize(
    ("translated", "changed"),
    [
        ("Nella [lezione](sphere.html), con {given τ = 0.1}, $P_p$ ha 4096 righe [M8].", []),
        (
            "Nella [lezione](sphere.html), con {given τ = 0.2}, $P_p$ ha 4096 righe [M8].",
            ["{given τ = 0.1}", "{given τ = 0.2}"],
        ),
        (
            "Nella [lezione](ntxent.html), con {given τ = 0.1}, $P_n$ ha 4096 righe [M8].",
            ["$P_n$", "$P_p$", "](ntxent.html)", "](sphere.html)"],
        ),
        ("Nella [lezione](sphere.html), con {given τ = 0.1}, $P_p$ ha 409 righe.", ["409", "4096", "[M8]"]),
    ],
)
def test_what_a_translation_must_leave_as_it_is(translated, changed):
    assert translation.find_changed(ORIGINAL, translated) == changed


def test_a_page_says_its_language_and_leads_to_the_others(built):
    page = built["zh/softmax"].read_text(encoding="utf-8")
    assert 'lang="zh-CN"' in page
    assert "Softmax 与交叉熵" in page
    assert "<a href='../it/softmax.html'>Italiano</a>" in page
    assert "<a href='zh/softmax.html'>中文</a>" in built["softmax"].read_text(encoding="utf-8")
