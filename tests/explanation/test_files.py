"""`infonce-ref explain` as a user types it, with every kind of file."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from infonce_ref.derivations import ledger
from infonce_ref.explanation import LADDER

RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 3, 20)
THINGS = np.eye(3)[LABELS] @ RNG.standard_normal((3, 6)) + RNG.standard_normal((20, 6))
A, B = (THINGS + 0.3 * RNG.standard_normal((20, 6)) for _ in range(2))


@pytest.fixture
def ask(tmp_path, command, monkeypatch):
    """Run `explain` in a folder with files; return exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    return partial(command, "explain")


def table(out):
    """Return the rows of the table, without mark and white space."""
    above, _, _ = out.partition("\nat τ")
    return [line.lstrip(" >").split() for line in above.splitlines() if re.match(r"[ >] *[\d.]+ ", line)]


def test_every_file_layout_gives_the_same_result(ask):
    np.savez("two.npz", A, B)
    np.savez("one.npz", np.concatenate([A, B]))
    np.save("one.npy", np.concatenate([A, B]))
    np.save("a.npy", A)
    np.save("b.npy", B)
    np.save("fortran.npy", np.asfortranarray(np.concatenate([A, B])))
    np.save("beside.npy", np.stack([A, B], axis=1).reshape(40, 6))
    said = []
    for words in (
        ["two.npz"],
        ["one.npz"],
        ["one.npy"],
        ["a.npy", "b.npy"],
        ["fortran.npy"],
        ["beside.npy", "--layout", "interleaved"],
    ):
        status, out, err = ask(*words)
        assert (status, err) == (0, "")
        said.append(table(out))
    assert len(said[0]) == 2 * len(LADDER)  # in 80 columns there are two tables
    assert all(each == said[0] for each in said)


def test_labels_come_from_the_file_or_beside_it(ask):
    np.savez("all.npz", a=A, b=B, labels=LABELS)
    np.savez("two.npz", a=A, b=B)
    np.save("words.npy", np.array(["cat", "dog", "emu"])[LABELS])
    np.save("rows.npy", np.tile(LABELS, 2))
    # the byte order's mark, as some editors write it, is not part of the first label
    Path("labels.txt").write_text("".join(f"Größe {x}\n" for x in LABELS), encoding="utf-8-sig")
    files = ("words.npy", "rows.npy", "labels.txt")
    said, *others = ask("all.npz"), *(ask("two.npz", "--labels", name) for name in files)
    assert "3 labels" in said[1]
    assert "same label" in said[1]
    assert others == [said] * 3


def test_json_has_every_number_and_null_for_nan(ask):
    np.savez("two.npz", A, B)
    assert ask("two.npz", "--json", "e.json", "--temperature", "0.3")[0] == 0
    found = json.loads(Path("e.json").read_text(encoding="utf-8"))
    assert [row["temperature"] for row in found["table"]] == sorted([0.3, *LADDER], reverse=True)
    assert found["table"][0]["same_label_share"] is None
    assert {"facts", "rest", "hardest", "worst", "duplicates", "advice", "errors"} <= found.keys()


def test_drawn_batches_print_their_error(ask):
    np.savez("two.npz", A, B)
    status, out, _ = ask("two.npz", "--batch", 8, "--draws", 4, "--verbose")
    assert status == 0
    assert "4 draws" in out.splitlines()[0]
    assert "±" in next(line for line in out.splitlines() if line.startswith("  loss"))
    assert out == ask("two.npz", "--batch", 8, "--draws", 4, "--verbose", "--seed", 0)[1]


def archive(name, where, instead=b""):
    """Write the two views compressed, with some bytes replaced."""
    np.savez_compressed(name, A, B)
    content = bytearray(Path(name).read_bytes())
    content[where] = instead
    Path(name).write_bytes(content)


def edit(name, old, new):
    """Write the rows, with a part of the header replaced."""
    np.save(name, np.concatenate([A, B]))
    Path(name).write_bytes(Path(name).read_bytes().replace(old, new))


def write_table(name, cut=",", heading="a,b,c,d,e,f\n", before="", after=""):
    lines = [before + cut.join(map(repr, row.tolist())) + after + "\n" for row in np.concatenate([A, B])]
    Path(name).write_text(heading + "".join(lines), encoding="utf-8-sig")


def save_tensors(name, pack):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    torch.save(pack(torch.tensor(A, requires_grad=True), torch.tensor(B)), name)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("torch.one.pt", lambda name: save_tensors(name, lambda a, b: a.new_tensor(np.concatenate([A, B])))),
        ("torch.dict.pt", lambda name: save_tensors(name, lambda a, b: {"a": a, "run": "x", "b": b})),
        ("plain.csv", lambda name: write_table(name, heading="")),
        ("headed.csv", write_table),
        ("index.csv", lambda name: write_table(name, heading=",a,b,c,d,e,f\n", before="7,")),
        (
            "words.csv",
            lambda name: write_table(name, heading="name,a,b,c,d,e,f,y\n", before="x,", after=",cat"),
        ),
        ("the user's.tsv", lambda name: write_table(name, "\t", "a\tb\tc\td\te\tf\n")),
        ("r.txt", lambda name: write_table(name, " ", "a b c d e f\n", before="row1 ")),
        ("list.json", lambda name: Path(name).write_text(json.dumps([*A.tolist(), *B.tolist()]))),
        ("named.json", lambda name: Path(name).write_text(json.dumps({"a": A.tolist(), "b": B.tolist()}))),
    ],
)
def test_the_line_that_converts_another_format_runs_as_it_is_printed(ask, name, write):
    np.save("right.npy", np.concatenate([A, B]))
    write(name)
    status, _, err = ask(name)
    assert status == 2
    exec(err.partition("convert it once: ")[2], {})
    assert table(ask(Path(name).with_suffix(".npz"))[1]) == table(ask("right.npy")[1])


@pytest.mark.usefixtures("ask")  # its folder
@pytest.mark.parametrize(
    ("name", "write", "line"),
    [
        ("absent.npy", lambda: None, "No such file"),
        ("x.csv", lambda: Path("x.csv").write_text("a,b\nc,d\n"), "no number in the second line; give"),
        ("less.npy", lambda: edit("less.npy", b"(40, 6), ", b"(-40, 6),"), "cannot be read as .npy or .npz"),
        ("big.npy", lambda: np.save("big.npy", np.full((4, 3), np.inf, "float16")), "infinity.* output in float32"),
        ("many.npz", lambda: np.savez("many.npz", *[A] * 99), "arr_7 .* and 91 more: save only those"),
        ("empty.npy", lambda: Path("empty.npy").touch(), "cannot be read as .npy or .npz"),
        ("three.npz", lambda: np.savez("three.npz", A, B, A), r"arr_0 \(20, 6\) float64, arr_1"),
        ("deep.npy", lambda: np.save("deep.npy", np.ones((3, 4, 5))), r"deep must have shape .* got \(3, 4, 5\)"),
        ("nan.npy", lambda: np.save("nan.npy", np.where(np.arange(20)[:, None] == 13, np.nan, A)), "13 holds NaN"),
        ("zero.npy", lambda: np.save("zero.npy", A * (np.arange(20)[:, None] > 1)), "rows 0, 1 hold only zeros"),
        (".", lambda: None, "Is a directory"),
        ("o.npz", lambda: np.savez("o.npz", np.array([{}, {}])), "pickled objects are never loaded"),
        ("damaged.npz", lambda: archive("damaged.npz", slice(300, 400), bytes(100)), "cannot be read"),
    ],
)  # fmt: skip
def test_unreadable_files_are_refused_in_one_line(refused, name, write, line):
    write()
    assert re.search(line, refused("explain", name))


@pytest.mark.usefixtures("ask")  # its folder
@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--temperature", "0"], "temperature must be positive"),
        (["--draws", "0", "--batch", "4"], "draws must be a positive integer"),
        (["--labels", "two.npz"], "at most one of labels (B,) or (2B,); found arr_0"),
        (["two.npz", "two.npz"], "got 3 files"),
    ],
)
def test_bad_options_are_refused_in_one_line(refused, words, line):
    np.savez("two.npz", A, B)
    assert line in refused("explain", "two.npz", *words)


@pytest.mark.slow
def test_the_page_is_self_contained_and_shows_every_claim_it_names(ask, monkeypatch):
    # build each piece of evidence only once; the tests of the ledger build it twice
    monkeypatch.setattr(ledger, "check_claim", lambda claim: ledger.CheckedClaim(claim, claim.evidence(), ""))
    np.savez("two.npz", a=A, b=B, labels=LABELS)
    assert ask("two.npz", "--out", "page.html")[0] == 0
    page = Path("page.html").read_text(encoding="utf-8")
    # a link that a reader may follow does not make the page depend on other files
    assert not re.findall(r"(?:src|<(?!a )[^>]* href)=['\"](?!#|data:)", page)
    targets, ids = set(re.findall(r"href='#([^']+)'", page)), re.findall(r" id='([^']+)'", page)
    assert {"M15", "R1", "P2"} <= targets <= set(ids)
    assert len(ids) == len(set(ids))
    assert page.count("<figcaption") == 3
    assert page.count(".</p><div class='scroll'><math") > 10  # the equations of these claims
