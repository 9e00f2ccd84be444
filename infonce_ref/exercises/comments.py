"""The comments on a file: at most three things, the most important first; as text and as JSON."""

import json
from collections.abc import Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import Any, NamedTuple

MOST = 3


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
    remarks that are not mistakes · lesson · printed: the beginning of what the file printed · limits: the operating
    system's limits, and whether each was in force; none if the functions ran in the caller's process · ran: what
    was run to find the mistakes.
    """

    exercise: str
    parts: Mapping[str, bool | None]
    comments: Sequence[Comment]
    notes: Sequence[str]
    lesson: str
    printed: str = ""
    limits: Mapping[str, bool] = MappingProxyType({})
    ran: str = ""

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
        if self.ran and False in self.parts.values():
            lines += ["", *wrap(self.ran, 100)]
        for number, comment in enumerate(self.comments, 1):
            lines += ["", f"{number}. {comment.id}: {comment.sentence}."]
            lines += [f"     {line}" for line in comment.shown]
            if comment.says:
                lines.append(f"   read {comment.claim}: {comment.says}")
            lines += [f"   others made it too: {link}" for link in comment.links[:1]]
        if self.comments:
            lines += ["", f"the lesson: infonce-ref lessons {self.lesson}"]
        lines += [f"{'' if self.comments else chr(10)}{note}" for note in self.notes]
        if self.printed and self.comments:
            lines += ["", "the file printed:", *(f"  | {line}" for line in self.printed.splitlines()[:8])]
        if missing := [name for name, holds in self.limits.items() if not holds]:
            advice = "run files that you do not trust in a container"
            lines.append(f"\nNot limited by this system: {', '.join(missing)}; {advice}.")
        return "\n".join(lines)

    def json(self) -> str:
        """Return the whole report as JSON."""
        fields: dict[str, Any] = self._asdict() | {"score": self.score, "holds": self.holds}
        fields["comments"] = [comment._asdict() for comment in self.comments]
        fields |= {"parts": dict(self.parts), "limits": dict(self.limits)}
        return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"
