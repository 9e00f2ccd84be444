"""A user's own file: the messages for a bad file. tests/test_own_loss.py proves the page's file."""

import pytest

from infonce_ref.derivations import prove_file

HEAD = """
from sympy import exp, log
from infonce_ref.derivations.prover.notation import Definition, delta, sum_over
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.zero_test import Facts
from infonce_ref.derivations.symbols import L, N, P, ell, i, j, k, loss, m, p
SOFTMAX = Definition(P[i, j], exp(L[i, j]) / sum_over(exp(L[i, m]), (m, N)))
ROW = Definition(ell[i], -log(P[i, p[i]]))
LOSS = Definition(loss, sum_over(ell[i], (i, N)) / N)
NAMES, FACTS, BY = (SOFTMAX, ROW), Facts(ranges={i: N, j: N, k: N}, maps={p: (N, N)}), (L[k, j],)
"""


def written(tmp_path, line=""):
    path = tmp_path / "mine.py"
    path.write_text(HEAD + line, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 / 0", "line 11: ZeroDivisionError"),
        ("def", "line 11: SyntaxError"),
        ("BY = ()", "BY must be a tuple of entries"),
        ("BY = (L[k],)", "L has 2 indices elsewhere"),
        ("BY = (L[k, k],)", "must have a letter of its own for each index"),
        ("BY, NAMES = (L[k, j],), ()", "does not contain L"),
        ("FACTS = 3", "FACTS must be the Facts"),
        ("NAMES = (3,)", "NAMES must be a tuple of Definitions"),
        ("LOSS = 3", "LOSS must be an expression"),
        ("LOSS = ROW", "has the free index i"),
        ("A = derive(N + N, (SUMS, 2 * N + delta(i, j) - delta(j, i)), facts=FACTS)", "nothing to prove"),
    ],
)
def test_a_bad_file_gives_one_line(tmp_path, line, said):
    with pytest.raises(ValueError, match=said):
        list(prove_file.gradients(prove_file.read(written(tmp_path, line))))


def test_code_that_computes_something_else_is_refused(tmp_path, monkeypatch):
    right = prove_file.write_numpy

    def wrong(*arguments, **options):
        code = right(*arguments, **options)
        return code._replace(source=code.source.replace("/N", "/(N + 1)"))

    monkeypatch.setattr(prove_file, "write_numpy", wrong)
    with pytest.raises(prove_file.Unproved, match="the NumPy code gives"):
        list(prove_file.gradients(prove_file.read(written(tmp_path))))
