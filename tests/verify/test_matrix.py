"""What the report says besides its numbers."""

from io import StringIO

import pytest
from rich.console import Console

from infonce_ref.losses import ALL
from infonce_ref.verify import matrix
from infonce_ref.verify.case import Check, Measurement

INEXACT = Measurement(1e-16, (), 1.0, 1.0, plain=1e-3)
CHECK = Check(
    "query_key", "temperature", "precision", "seed 0", "sides", INEXACT, 1e-14, "rounding: its reason"
)


@pytest.mark.parametrize(
    ("loss", "why"),
    [
        ("query_key", ALL["query_key"].ill_conditioned["temperature"].where),
        ("mine", "undeclared"),
    ],
)
def test_an_error_of_an_ill_conditioned_gradient_has_its_declaration(loss, why):
    head, line = matrix.describe_errors([CHECK._replace(loss=loss)])
    assert "0 of 1 values and gradients are within" in head
    assert line.startswith(f"  {loss} temperature 1e-03>1e-14: {why}")


def print_report(check, whole):
    console = Console(file=StringIO(), width=200)
    matrix.show(console, [check], check.holds, {}, [], whole)
    return console.file.getvalue()


def test_the_whole_report_says_why_each_tolerance_and_error():
    said = print_report(CHECK, whole=True)
    assert CHECK.reason in said
    assert "0 of 1 values and gradients are within" in said


@pytest.mark.parametrize("error", [1e-16, 1.0])
def test_only_a_failure_needs_to_know_what_a_case_is(error):
    said = print_report(CHECK._replace(worst=INEXACT._replace(error=error)), whole=False)
    assert ("A case is LOSS.example(seed, noise, …)" in said) == (error == 1.0)
