"""A user's own file: its proofs, the derived gradient of its loss, and the messages for a bad file."""

import pytest

from infonce_ref.derivations import prove_file
from infonce_ref.derivations.evidence.kinds import display

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


def written(tmp_path, *lines):
    path = tmp_path / "mine.py"
    path.write_text(HEAD + "\n".join(lines), encoding="utf-8")
    return path


def test_the_gradient_of_its_loss_is_derived(tmp_path):
    (found,) = prove_file.gradients(prove_file.read(written(tmp_path)))
    assert str(found.by) == "L[k, j]"
    assert "(P[k, j] - 1[j = p(k)])/N" in display(found.proof).text()
    assert "def gradient(*, L, N, p):" in found.code


def test_proofs_of_a_user_s_file_are_found(tmp_path):
    path = written(tmp_path, "TWICE = derive(N + N, (SUMS, 2 * N + delta(i, j) - delta(j, i)), facts=FACTS)")
    with pytest.raises(ValueError, match="nothing to prove"):
        prove_file.read(path)
    path = written(tmp_path, "ONE = derive(sum_over(delta(i, j), (j, N)), (SUMS, 1 + 0 * N), facts=FACTS)")
    assert list(prove_file.proofs(prove_file.read(path))) == ["ONE"]


def test_a_line_that_does_not_follow_is_refused_with_its_number(tmp_path):
    path = written(tmp_path, "derive(sum_over(P[i, m], (m, N)), (SUMS, L[i, i]), names=NAMES, facts=FACTS)")
    with pytest.raises(prove_file.Unproved, match=r"mine\.py, line 11: not proved by finite sums"):
        prove_file.read(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 / 0", "line 11: ZeroDivisionError"),
        ("def", "line 11: SyntaxError"),
        ("BY = ()", "BY must be a tuple of entries"),
        ("FACTS = 3", "FACTS must be the Facts"),
        ("NAMES = (3,)", "NAMES must be a tuple of Definitions"),
        ("LOSS = 3", "LOSS must be an expression"),
    ],
)
def test_a_bad_file_gives_one_line(tmp_path, line, said):
    with pytest.raises(ValueError, match=said):
        list(prove_file.gradients(prove_file.read(written(tmp_path, line))))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        prove_file.read(tmp_path / "none.py")


def test_code_that_computes_something_else_is_refused(tmp_path, monkeypatch):
    right = prove_file.write_numpy

    def wrong(*arguments, **options):
        code = right(*arguments, **options)
        return code._replace(source=code.source.replace("/N", "/(N + 1)"))

    monkeypatch.setattr(prove_file, "write_numpy", wrong)
    with pytest.raises(prove_file.Unproved, match="the NumPy code gives"):
        list(prove_file.gradients(prove_file.read(written(tmp_path))))
