"""The part of docs/peers.md about what the libraries' tests say of our losses."""

import re
from collections import Counter

import peers_suites

PAGE = peers_suites.PAGE.read_text(encoding="utf-8").partition(peers_suites.SUITES_HEADING)[2]
ROWS = [line.strip("| \n").split(" | ") for line in re.findall(r"^\| \S.*", PAGE, re.M)]


def test_the_page_accounts_for_each_failure():
    libraries = [row for row in ROWS if len(row) == 5 and row[0] not in ("library", "all")]
    assert [row[0].partition(" ")[0] for row in libraries] == list(peers_suites.SUITES)
    reasons = [row for row in ROWS if len(row) == 3 and row[0] != "library"]
    for library, _, tests, passed, failed in libraries:
        assert library.partition(" ")[2] == peers_suites.SUITES[library.partition(" ")[0]].version
        assert int(tests) == int(passed) + int(failed)
        assert int(failed) == sum(int(row[1]) for row in reasons if row[0] == library.partition(" ")[0])
    assert {row[2] for row in reasons} == set(peers_suites.WHY.values())


def test_a_test_counts_if_it_calls_ours_and_passes_with_theirs():
    names = ["both", "theirs_alone", "none", "not_called", "not_theirs"]
    theirs = {name: ["failed" if name in ("none", "not_theirs") else "passed", "", False] for name in names}
    ours = {
        "both": ["passed", "", True],
        "theirs_alone": ["failed", "assert 1 == 2", True],
        "none": ["failed", "", True],
        "not_called": ["passed", "", False],
        "not_theirs": ["passed", "", True],
    }
    found = peers_suites.count(["NTXentLoss"], theirs, ours)
    assert found == (["NTXentLoss"], 1, Counter({"unexplained": 1}))
    part = peers_suites.write({"optax": found})
    assert f"| optax {peers_suites.SUITES['optax'].version} | NTXentLoss | 2 | 1 | 1 |\n" in part
    assert "| optax | 1 | unexplained |\n" in part


def test_a_failure_that_no_sign_matches_is_unexplained():
    assert (
        peers_suites.explain("test_x", "ValueError: temperature must be positive; got -1")
        == "a negative temperature is refused"
    )
    assert peers_suites.explain("test_forward", "AssertionError: 0.7 != 0.8") == "unexplained"
