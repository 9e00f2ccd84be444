"""Correct files in the style of different authors, and wrong lines for them, each with the name that it must get.

In tests/exercises/beginners/ a comment `#! NAME | LINE` follows the line that LINE replaces. NAME is the name that
a careful reader would choose; `value_wrong` and `gradient_wrong` mean that the mistake has no name.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from exercises.asking import grade

FILES = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("beginners/*.py")}
WRONG = re.compile(r" *#! (?P<name>\S+) \| (?P<line>.+)")


class Slip(NamedTuple):
    """A file, one line of it replaced by a wrong one, and the name of the mistake."""

    file: str
    name: str
    text: str


def find_slips(file: str) -> list[Slip]:
    lines, found, replaced = FILES[file].splitlines(), [], 0
    for place, line in enumerate(lines):
        if wrong := WRONG.fullmatch(line):
            indent = lines[replaced][: -len(lines[replaced].lstrip())]
            changed = [*lines[:replaced], indent + wrong["line"], *lines[replaced + 1 :]]
            found.append(Slip(file, wrong["name"], "\n".join(changed)))
        else:
            replaced = place
    return found


SLIPS = [slip for file in sorted(FILES) for slip in find_slips(file)]
UNNAMED = ("value_wrong", "gradient_wrong")


def diagnose(file: str, text: str):
    return grade(re.match(r'"""A stranger\'s (\w+):', text)[1], text)


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(FILES))
def test_an_unchanged_file_is_right(file):
    assert diagnose(file, FILES[file]).holds


@pytest.mark.slow
@pytest.mark.parametrize("slip", SLIPS, ids=[f"{slip.file}: {slip.name}" for slip in SLIPS])
def test_a_wrong_line_gets_its_name(slip):
    report = diagnose(slip.file, slip.text)
    assert not report.holds
    assert report.comments[0].id == slip.name


def test_there_are_sixty_wrong_lines_and_few_have_no_name():
    unnamed = [slip for slip in SLIPS if slip.name.partition(".")[2] in UNNAMED]
    assert len(SLIPS) >= 60
    assert len(unnamed) <= 3
