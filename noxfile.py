"""What is run here besides .ci/run: `nox -s NAME` runs one of these, `nox -l` lists them."""

import json
import shutil
import sqlite3
from pathlib import Path
from string import Template

import nox

nox.options.sessions = []


@nox.session(default=False)
def recipe(session):
    """The package of conda is built and tested, from conda-forge's packages unless another channel is named."""
    session.install("py-rattler-build")
    session.run("python", "recipe/build.py", *session.posargs)


@nox.session(default=False, venv_backend="none")
def gpu(session):
    """On a machine with an NVIDIA GPU, with CuPy: what needs one, and the page docs/speed-gpu.md."""
    session.run("pytest", "tests/losses", "tests/test_streaming.py", "-k", "cupy")
    session.run("pytest", "tests/test_kernels.py")
    for library in ("cupy", "torch:cuda"):
        session.run("infonce-ref", "verify", "--backend", library)
    session.run("python", "tools/benchmark.py", "--table", "gpu", "gpu-losses", *session.posargs)


# --- mutation: what one thing changed at a time is noticed by -----------------------------------------------
PYTEST = "python -m pytest -n 0 -x -q -p no:cacheprovider --assert=plain"
QUICK = "not (jax or dask or torch or cupy or copies)"  # libraries, and arrays whose slices are copies
DRAWN = """delete from work_items where job_id in (select job_id from work_items
    where job_id not in (select job_id from work_results) order by random() limit -1 offset ?)"""
COUNTED = "select count(*), sum(test_outcome = 'SURVIVED') from work_results where worker_outcome = 'NORMAL'"


@nox.session(default=False)
def mutation(session):
    """Change one thing at a time in the lines of the last day; the tests that cosmic-ray.toml names must fail.

    nox -s mutation -- [N] FILE…      N mutants of each file, drawn at random; without N all
    """
    count, *files = (
        session.posargs if session.posargs[:1] and session.posargs[0].isdigit() else [-1, *session.posargs]
    )
    # a copy, because cosmic-ray writes into the files that it tests
    copy = Path(session.create_tmp()).resolve() / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    session.run("git", "clone", "--quiet", ".", str(copy), external=True)
    session.install("-e", f"{copy}[test]", "cosmic-ray")
    session.chdir(copy)

    def git(*words):
        return session.run("git", *words, external=True, silent=True).split()

    (since,) = git("rev-list", "-1", "--before=24.hours", "HEAD") or git(
        "rev-list", "--max-parents=0", "HEAD"
    )
    changed = files or git("diff", "--name-only", since)
    settings = Path("cosmic-ray.toml").read_text(encoding="utf-8")
    scores = {}
    for group in nox.project.load_toml("cosmic-ray.toml")["mutated"]:
        tests = Template(group["tests"])
        for path in sorted(path for pattern in group["files"] for path in Path().glob(pattern)):
            if path.as_posix() not in changed:
                continue
            command = tests.substitute(pytest=PYTEST, quick=QUICK, name=path.stem)
            own = {"module-path": str(path), "test-command": f"bash -c {json.dumps(command)}"}
            lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in own.items())
            Path("mutated.toml").write_text(
                settings.replace("[cosmic-ray]\n", f"[cosmic-ray]\n{lines}").replace("SINCE", since),
                encoding="utf-8",
            )
            Path("mutants.sqlite").unlink(missing_ok=True)
            session.run("cosmic-ray", "init", "mutated.toml", "mutants.sqlite", silent=True)
            session.run("cr-filter-operators", "mutants.sqlite", "mutated.toml", silent=True)
            if not files:
                session.run("cr-filter-git", "mutants.sqlite", "--config", "mutated.toml", silent=True)
            with sqlite3.connect("mutants.sqlite") as database:
                database.execute(DRAWN, [count])
            session.run(
                "cosmic-ray", "baseline", "mutated.toml", silent=True
            )  # the tests pass without a change
            session.run("cosmic-ray", "exec", "mutated.toml", "mutants.sqlite", silent=True)
            session.run("cr-report", "--surviving-only", "--show-diff", "mutants.sqlite")
            with sqlite3.connect("mutants.sqlite") as database:
                scores[path] = database.execute(COUNTED).fetchone()
            session.log(f"{path}: {scores[path]}")
    tried, survived = (sum(score[k] or 0 for score in scores.values()) for k in (0, 1))
    session.log(f"{survived} of {tried} mutants survived")
    if survived > tried / 10:
        session.error("more than a tenth")
