"""The page on the exercises shows the command's output."""

import re
from pathlib import Path

from infonce_ref.cli import main

PAGE = (Path(__file__).parent.parent.parent / "docs" / "exercise.md").read_text(encoding="utf-8")


def test_the_page_shows_real_reports(capsys, tmp_path):
    file = tmp_path / "sphere.py"
    file.write_text(re.search(r"```python\n(import numpy.*?)```", PAGE, re.S)[1], encoding="utf-8")
    assert main(["exercise", "sphere", "--check", str(file)]) == 1
    # other systems have other limits
    said, _, _ = capsys.readouterr().out.partition("\nNot limited by this system")
    assert f"```\n{said}```" in PAGE
