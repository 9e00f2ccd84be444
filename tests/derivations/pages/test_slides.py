"""The slides: what they claim in code is right, each has a speaker's notes, and the keys move through them."""

import re

import numpy as np
import pytest

from infonce_ref.derivations.pages.lesson import CODE, FOLDER, Question, slides
from infonce_ref.losses import ntxent

TEXT = (FOLDER / "slides.md").read_text(encoding="utf-8")


def test_the_nine_lines_are_ntxent():
    code = next(found for found in CODE.findall(TEXT) if "python" in found)
    space = {"np": np}
    exec(code.removeprefix("```python").removesuffix("```"), space)
    z = np.random.default_rng(0).standard_normal((8, 3))
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    loss, slopes = space["ntxent"](z, 0.5)
    value, cache = ntxent.forward(z, temperature=0.5)
    assert loss == pytest.approx(float(value), rel=1e-14)
    # our loss divides rows by their length, so that its slopes are tangent to the sphere
    tangent = slopes - np.sum(slopes * z, axis=1, keepdims=True) * z
    np.testing.assert_allclose(tangent, ntxent.backward(cache).w, rtol=1e-12, atol=1e-15)


def test_ninety_minutes_of_notes_and_eight_questions():
    bodies = re.split(r"^## ", TEXT, flags=re.M)[1:]
    minutes = [re.search(r"^> (\d+) minute", body, re.M) for body in bodies]
    assert all(minutes), [body.split("\n")[0] for body, found in zip(bodies, minutes) if not found]
    assert sum(int(found[1]) for found in minutes) == 90
    assert sum(isinstance(block, Question) for block in slides().blocks) == 8


@pytest.mark.slow
def test_the_keys_move_through_the_slides(built, browser):
    browser.get_log("browser")
    browser.get(built["slides"].as_uri())
    title, later = ".now h1, .now h2", ".now .later"
    shown = f"""return [
        document.querySelector("{title}").textContent, document.querySelectorAll("{later}").length
    ]"""

    def press(key):
        browser.execute_script(
            f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        )
        return browser.execute_script(shown)

    assert browser.execute_script(shown) == ["InfoNCE in ninety minutes", 0]
    assert press("ArrowRight") == ["One question", 0]
    seen = [press("ArrowRight") for _ in range(2)]
    assert seen == [["The answer is a softmax", 0], ["Reading the number", 3]]
    assert press("ArrowRight") == ["Reading the number", 2]
    assert [press("ArrowLeft"), press("ArrowLeft")] == [
        ["Reading the number", 3],
        ["The answer is a softmax", 0],
    ]
    notes = "return getComputedStyle(document.querySelector('.now blockquote')).display"
    assert browser.execute_script(notes) == "none"
    press("n")
    assert browser.execute_script(notes) == "block"
    assert browser.get_log("browser") == []
