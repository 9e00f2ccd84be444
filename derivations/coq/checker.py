"""Have Coq check the proofs against statements that the proof files cannot influence.

In a file of proofs, notations and definitions might change the meaning of a statement. So it is also compiled with
the vocabulary alone, and Coq's kernel must accept the proof as one of this copy. Coq's checker then reads all
compiled files, and Coq lists the axioms.
"""

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .theorems import LIBRARY, Theorem, build, source

INSTALL = (
    "Coq is not installed here; `apt-get install coq libcoq-coquelicot` on Debian or Ubuntu, or"
    " `opam install coq coquelicot`, brings it, 8.16 or later"
)
# The axioms of Coq's real numbers: classical logic and functional extensionality.
AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
SECONDS = 1800  # for one file; the slowest takes 30 s on an idle machine, and ten times that on a busy one

# Allowed sentences of a proof file besides tactics, which begin with a small letter.
_ALLOWED = (
    r"From Coq Require Import( \w+)+",
    r"From infonce_ref Require Import (vocabulary|sums( enclosures)?)",
    r"Local Open Scope R_scope",
    r"(Theorem|Lemma) .*",
    r"Proof",
    r"Qed",
    r"Ltac .*",
)
_LIBRARY_ALLOWED = (
    r"(Definition|Fixpoint) .*",
    r"From Coq Require Export( \w+)+",
    r"From Coquelicot Require (Import|Export) Coquelicot",
    r"From infonce_ref Require Export vocabulary",
)


class Refused(ValueError):
    """Coq does not accept a proof, or a file has a forbidden sentence."""


class Accepted(NamedTuple):
    """The version of Coq that accepted the proofs, and the axioms that they use."""

    coq: str
    axioms: list[str]


def sentences(text: str) -> Iterator[str]:
    """The sentences of a .v file without comments. Raises Refused for a string of more than one word,
    which might contain the end of a comment."""
    text = re.sub(r'"([A-Za-z]+)"', r"\1", text)
    if '"' in text:
        raise Refused("it contains a string of more than one word; a proof needs none")
    plain, depth, place = "", 0, 0
    while place < len(text):
        pair = text[place : place + 2]
        if pair == "(*":
            depth, place = depth + 1, place + 2
        elif pair == "*)" and depth:
            depth, place = depth - 1, place + 2
        else:
            plain += text[place] if not depth else " "
            place += 1
    for sentence in re.split(r"\.(?=\s|$)", plain):
        bare = re.sub(r"^([\s{}*+-]|(\d+|\[\w+\])\s*:\s*(?={))+", "", sentence).strip()
        if bare:
            yield " ".join(bare.split())


def refuse_other_sentences(file: str, text: str) -> None:
    """Raise Refused for a sentence that is no theorem, no tactic and no import of a known library."""
    allowed = (*_ALLOWED, *(_LIBRARY_ALLOWED if file in LIBRARY else ()))
    try:
        for sentence in sentences(text):
            tactic = sentence[0].islower() or sentence[0] in "([0123456789"
            if not tactic and not any(re.fullmatch(one, sentence) for one in allowed):
                raise Refused(f"{sentence[:60]!r} is no theorem, no tactic and no import that is allowed")
    except Refused as error:
        raise Refused(f"{file}.v: {error}") from None


def version() -> str:
    """Return the version of the installed Coq. Raises ValueError if there is none, or no proofs."""
    if which("coqc") is None or which("coqchk") is None:
        raise ValueError(INSTALL)
    if not source("sums"):
        raise ValueError("a wheel has no proofs for Coq: install the repository by `pip install -e .`")
    asked = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True)
    return asked.stdout.split()[0]


def judge(
    theorems: Sequence[Theorem],
    progress: Callable[[str], None] = lambda _: None,
    read: Callable[[str], str] = source,
) -> Accepted:
    """Compile these theorems and check them. Raises Refused if one is not accepted.

    progress: called with each finished file. read: returns the text of a .v file by its name.
    """
    texts = write_files(theorems, read)
    for file, text in texts.items():
        refuse_other_sentences(file, text)
    coq = version()
    stated = (f"Definition {theorem.name} : Prop :=\n{theorem.said}.\n" for theorem in theorems)
    texts |= {"statements": "\n".join([HEAD, *stated]), "judgement": _judgement(theorems)}
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for file, text in texts.items():
            (place / f"{file}.v").write_text(text, encoding="utf-8")
        for file in LIBRARY:
            _compile(place, file)
            progress(file)
        with ThreadPoolExecutor(cpu_count()) as pool:
            rest = [file for file in texts if file not in (*LIBRARY, "judgement")]
            for file, _ in zip(rest, pool.map(lambda file: _compile(place, file), rest)):
                progress(file)
        found = axioms(_compile(place, "judgement"))
        _check(place, list(texts))
        progress("judgement")
    return Accepted(coq, found)


def write_files(theorems: Sequence[Theorem], read: Callable[[str], str] = source) -> dict[str, str]:
    """Return the text of the library, and of each file with these theorems and their proofs."""
    files = dict.fromkeys(theorem.file for theorem in theorems)
    built = {file: build(read(file), [one for one in theorems if one.file == file]) for file in files}
    return {file: read(file) for file in LIBRARY} | built


def _judgement(theorems: Sequence[Theorem]) -> str:
    """Return the text that states the theorems again. It imports nothing, so that no proof file can change
    the meaning of a name.
    """
    required = " ".join(("statements", *dict.fromkeys(theorem.file for theorem in theorems)))
    held = (
        f"Definition {one.name} : infonce_ref.statements.{one.name} := infonce_ref.{one.file}.{one.name}."
        for one in theorems
    )
    *others, last = (theorem.name for theorem in theorems)
    everything = f"{''.join(f'(conj {name} ' for name in others)}{last}{')' * len(others)}"
    asked = f"Definition everything := {everything}.\nPrint Assumptions everything.\n"
    return "\n".join([f"From infonce_ref Require {required}.", *held, asked])


HEAD = """From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary.
Local Open Scope R_scope.
"""


def _compile(place: Path, file: str) -> str:
    """Compile one file and return its output."""
    run = _run(place, "coqc", "-q", "-w", "none", "-R", ".", "infonce_ref", f"{file}.v")
    if run.returncode:
        said = " ".join((run.stdout + run.stderr).split())
        raise Refused(f"Coq does not accept {file}.v{_name_place(place / f'{file}.v', said)}: {said[:600]}")
    return run.stdout


def _name_place(path: Path, said: str) -> str:
    """Name the theorem of the line that Coq names."""
    line = re.search(r" line (\d+),", said)
    above = path.read_text(encoding="utf-8").splitlines()[: int(line[1])] if line else []
    names = re.findall(r"^(?:Theorem|Lemma) (\w+)", "\n".join(above), re.M)
    return f", at {names[-1]}" if names else ""


def axioms(printed: str) -> list[str]:
    """Return the axioms that Print Assumptions lists. Raises Refused for an axiom that is not allowed, or if a rule
    of Coq was switched off.
    """
    first, *lines = printed.strip().splitlines() or [""]
    if first == "Closed under the global context":
        return []
    named = [line.split(" : ")[0].strip() for line in lines if not line.startswith(" ")]
    if first != "Axioms:" or (others := [name for name in named if name not in AXIOMS]):
        rest = "; ".join(others) if first == "Axioms:" else first
        raise Refused(f"the proofs rest on {rest}, which is not an allowed axiom")
    return sorted(named)


def _check(place: Path, files: Sequence[str]) -> None:
    """Have Coq's checker verify the compiled files from scratch, a few in each of several processes: to start one
    takes a second, and the longest check takes half of the time of all.
    """
    processes = cpu_count() or 1
    largest_first = sorted(files, key=lambda file: -(place / f"{file}.vo").stat().st_size)
    parts = [largest_first[k :: 4 * processes] for k in range(min(4 * processes, len(files)))]
    with ThreadPoolExecutor(processes) as pool:
        tuple(pool.map(lambda part: _check_some(place, part), parts))


def _check_some(place: Path, files: Sequence[str]) -> None:
    ours = [word for file in files for word in ("-norec", f"infonce_ref.{file}")]
    run = _run(place, "coqchk", "-silent", "-o", "-R", ".", "infonce_ref", *ours)
    summary = run.stdout + run.stderr
    if run.returncode:
        raise Refused(f"Coq's checker does not accept the proofs: {' '.join(summary.split())[-600:]}")
    refuse_assumed(summary)


def refuse_assumed(summary: str) -> None:
    """Raise Refused if the checker's summary lists an axiom of ours, or a rule that was switched off."""
    found = re.findall(r"^\* ([^:\n]+):(.*(?:\n +\S.*)*)", summary, re.M)
    lists = {heading.strip(): body.split() for heading, body in found}
    if "Axioms" not in lists or len(lists) < 5:
        raise Refused(f"the summary of Coq's checker cannot be read: {summary[-300:]}")
    for heading, listed in lists.items():
        ours = [name for name in listed if name.startswith("infonce_ref.")]
        switched_off = heading not in ("Theory", "Axioms") and listed != ["<none>"]
        if ours or switched_off:
            raise Refused(f"{heading}: {', '.join(ours or listed)}")


def _run(place: Path, *command: str) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Refused(f"{' '.join(command)} took more than {SECONDS} s") from None
