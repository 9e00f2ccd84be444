"""A cached proof is used only if neither the cache nor the files that it was made from have changed."""

import proof_cache
import pytest
from sympy import Symbol

from infonce_ref.derivations.prover import memory
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.sums import Facts

A, B = (Symbol(name, real=True) for name in "ab")


def prove():
    return derive(A * (B + 1), (SUMS, A * B + A), facts=Facts())


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "KNOWN", {})
    prove()
    proof_cache.write(tmp_path / "proofs", memory.KNOWN)
    return tmp_path / "proofs"


@pytest.mark.parametrize("place", [0, 70, -1])
def test_a_file_that_was_changed_is_not_read(file, place):
    changed = bytearray(file.read_bytes())
    changed[place] ^= 1
    file.write_bytes(changed)
    assert proof_cache.read(file) == {}


def test_a_changed_line_in_any_file_that_proofs_import_changes_the_digest(tmp_path):
    (tmp_path / "pages").mkdir()
    digests = set()
    for name, text in (("a.py", "x = 1"), ("a.py", "x = 2"), ("b.py", "")):
        (tmp_path / name).write_text(text)
        digests.add(proof_cache.digest(tmp_path))
    assert len(digests) == 3
    (tmp_path / "pages" / "html.py").write_text("")
    assert proof_cache.digest(tmp_path) in digests
