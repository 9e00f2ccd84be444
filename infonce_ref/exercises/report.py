"""The report on a file: at most three comments, the most important first; as text and as JSON."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Comment(NamedTuple):
    """id: the mistake's name · sentence · shown: a batch that shows the mistake · claim: the claim to read ·
    says: its text · links: where the same mistake was reported of a public library.
    """

    id: str
    sentence: str
    shown: Sequence[str] = ()
    claim: str = ""
    says: str = ""
    links: Sequence[str] = ()


class Report(NamedTuple):
    """exercise · parts: what was checked, and whether it is right, or None if that is not known · comments · notes:
    remarks that are not mistakes · lesson · printed: the beginning of what the file printed.
    """

    exercise: str
    parts: Mapping[str, bool | None]
    comments: Sequence[Comment]
    notes: Sequence[str]
    lesson: str
    printed: str = ""

    @property
    def holds(self) -> bool:
        return all(self.parts.values())

    @property
    def score(self) -> float:
        """The share of parts that are right."""
        return sum(map(bool, self.parts.values())) / len(self.parts)

    def __str__(self) -> str:
        words = {True: "right", False: "not right", None: "not graded"}
        marks = ", ".join(f"{part} {words[holds]}" for part, holds in self.parts.items())
        lines = [f"{self.exercise}: {marks}"]
        for number, comment in enumerate(self.comments, 1):
            lines += [
                "",
                f"{number}. {comment.id}: {comment.sentence}{'' if comment.sentence.endswith('?') else '.'}",
            ]
            lines += [f"     {line}" for line in comment.shown]
            lines += [f"   read {comment.claim}: {comment.says}"] * bool(comment.says)
            lines += [f"   others made it too: {link}" for link in comment.links[:1]]
        lines += ["", f"the lesson: infonce-ref lessons {self.lesson}"] if self.comments else [""]
        lines += self.notes
        if self.printed and self.comments:
            lines += ["", "the file printed:", *(f"  | {line}" for line in self.printed.splitlines()[:8])]
        return "\n".join(lines).rstrip()

    def json(self) -> str:
        """Return the whole report as JSON."""
        comments = [comment._asdict() for comment in self.comments]
        fields = self._asdict() | {"comments": comments, "score": self.score, "holds": self.holds}
        return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"
