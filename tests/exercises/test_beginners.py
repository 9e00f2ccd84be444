"""Correct files in the style of different authors, and wrong lines for them, each with the name that it must get.

In tests/exercises/beginners/ a comment `#! NAME | LINE` follows the line that LINE replaces. NAME is the name that
a careful reader would choose; `value_wrong` and `gradient_wrong` mean that the mistake has no name.
"""

import re
from pathlib import Path

import pytest

from infonce_ref.exercises import ALL, graded

FILES = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("beginners/*.py")}
WRONG = re.compile(r" *#! (?P<name>\S+) \| (?P<line>.+)")


def find_slips(file: str) -> list[tuple[str, str, str]]:
    """The file's name, the name of a mistake, and the text with it."""
    lines, found, replaced = FILES[file].splitlines(), [], 0
    for place, line in enumerate(lines):
        if wrong := WRONG.fullmatch(line):
            indent = lines[replaced][: -len(lines[replaced].lstrip())]
            changed = [*lines[:replaced], indent + wrong["line"], *lines[replaced + 1 :]]
            found.append((file, wrong["name"], "\n".join(changed)))
        else:
            replaced = place
    return found


SLIPS = [slip for file in sorted(FILES) for slip in find_slips(file)]


def diagnose(text):
    space = {"__name__": "text"}
    exec(compile(text, "text", "exec"), space)
    name = re.match(r'"""A stranger\'s (\w+):', text)[1]
    return graded(name, *(space[function] for function in ALL[name].functions))


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(FILES))
def test_an_unchanged_file_is_right(file):
    assert diagnose(FILES[file]).holds


@pytest.mark.slow
@pytest.mark.parametrize(("file", "name", "text"), SLIPS, ids=[f"{file}: {name}" for file, name, _ in SLIPS])
def test_a_wrong_line_gets_its_name(file, name, text):
    report = diagnose(text)
    assert not report.holds
    assert report.comments[0].id == name


def test_there_are_sixty_wrong_lines_and_few_have_no_name():
    assert len(SLIPS) >= 60
    assert sum(name.endswith(("value_wrong", "gradient_wrong")) for _, name, _ in SLIPS) <= 3
