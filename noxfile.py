"""What is run here: `.ci/run` runs what a change must pass, `.ci/run -s NAME` one session; `.ci/run -l` lists them.

The workflows of GitHub start a job for each session, those with the tag `nightly` at night.
"""

import filecmp
import json
import os
import re
import shutil
import sqlite3
import sys
from pathlib import Path
from string import Template

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
PYTHONS = nox.project.python_versions(PROJECT)
TORCH = "torch==2.13.0"  # the version that docs/speed.md was measured with
README = Path("README.md").read_text(encoding="utf-8")
nox.options.default_venv_backend = "virtualenv"  # pip's settings may name a build of PyTorch for the CPU
nox.options.error_on_missing_interpreters = os.environ.get("CI") == "true"
# as for a user; without bytecode hundreds of processes would compile the package anew
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# a false word sets it: modules are compiled when they are first imported
os.environ.setdefault("PIP_NO_COMPILE", "no")


def empty(session):
    """A new folder in the session's own."""
    place = Path(session.create_tmp()).resolve() / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return place


PROGRAMS = {"chromium": ("chromium", "chromium-driver"), "coqchk": ("coq", "libcoq-coquelicot")}


def bring(session, *programs):
    """Install Debian's packages for programs, without which their tests are skipped, and fail if CI=true."""
    packages = [name for program in programs if not shutil.which(program) for name in PROGRAMS[program]]
    if not packages or not shutil.which("apt-get"):
        return
    root = [] if os.geteuid() == 0 else ["sudo", "-n", "-E"]  # GitHub's runners are not root, and have sudo
    for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        session.run(
            *(*root, "apt-get", "-qq", *words),
            env={"DEBIAN_FRONTEND": "noninteractive"},
            external=True,
            silent=True,
            success_codes=range(256),
        )


def run_alone(session, command, *paths, **options):
    """Run a line of the README with nothing but Python on the path: no browser, Coq, compiler, git, Node."""
    alone = Path(session.create_tmp()).resolve() / "python"
    alone.mkdir(exist_ok=True)
    (alone / "python3").unlink(missing_ok=True)
    (alone / "python3").symlink_to(sys._base_executable)
    path = os.pathsep.join(map(str, (*paths, alone)))
    session.run(
        *(shutil.which("bash"), "-c", command),
        env={"PATH": path, "PIP_QUIET": "1", "VIRTUAL_ENV": None},
        external=True,
        **options,
    )


# --- what a change must pass ---------------------------------------------------------------------------------


@nox.session(venv_backend="none")
def readme(session):
    """The README's two commands that install a clone: all of `verify`, and the quick tests."""
    commands = re.findall(r"^python3 -m venv .*$", README, re.M)
    if len(commands) != 2:
        session.error(
            f"README.md has {len(commands)} commands that begin with python3 -m venv; 2 are known here"
        )
    for command in commands:
        shutil.rmtree(".venv", ignore_errors=True)
        run_alone(session, command)


@nox.session(venv_backend="none")
def doors(session):
    """The commands of the README's first table, each in an empty environment."""
    found = re.findall(r'(pip install (?:\.|"\.\[[a-z]*\]")) && (infonce-ref [^`\n]*)', README)
    if len(found) != 3:
        session.error(f"README.md has {len(found)} doors; 3 are known here")
    place = empty(session)
    ignored = shutil.ignore_patterns(".git", ".venv*", ".nox", ".*_cache", "build", "dist")
    shutil.copytree(".", place / "copy", ignore=ignored)  # because pip writes into the tree
    session.chdir(place / "copy")
    for install, command in found:
        run_alone(session, f"python3 -m venv --clear {place / 'door'}")
        run_alone(session, install, place / "door" / "bin")
        wrong = command.startswith("infonce-ref check ")  # the loss that it checks has a mistake
        run_alone(session, command, place / "door" / "bin", success_codes=[1 if wrong else 0])


@nox.session
def lint(session):
    session.install("ruff")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def frameworks(session):
    """The types, and the tests that need PyTorch, JAX, a browser or Coq, and the slow ones: one case of a table."""
    bring(session, *PROGRAMS)
    session.install("-e", ".[test,jax]", TORCH)
    session.run("mypy")
    session.run("pytest", "-m", "not nightly and (slow or torch or jax or browser or coq)", *session.posargs)
    if shutil.which("coqchk"):  # what differs from main's record, and all if git has no main
        words = ("git", "show", "origin/main:derivations/coq/accepted.json")
        shown = session.run(*words, external=True, silent=True, success_codes=[0, 128])
        record = empty(session) / "record"
        if shown.startswith("{"):
            record.write_text(shown, encoding="utf-8")
        session.run("python", "tools/coq.py", "--since", str(record))
    session.run("infonce-ref", "ledger", "--prove")  # and what the record says


@nox.session
def wheel(session):
    """The wheel as a user has it, in a folder with packages of the user that bear the names of two of ours."""
    place = empty(session)
    session.install("build")
    session.run("python", "-m", "build", "--outdir", str(place), ".", silent=True)
    (built,) = place.glob("*.whl")
    for name in ("derivations", "figures"):
        (place / "user" / name).mkdir(parents=True)
        (place / "user" / name / "__init__.py").write_text('raise RuntimeError("the package of the user")\n')
    session.chdir(place / "user")
    session.install(str(built))  # alone it has the losses, and a command says what it lacks
    session.run(
        "python", "-c", "import infonce_ref as i; print(*i.losses.ALL); i.streaming, i.information, i.sphere"
    )
    session.run("infonce-ref", "ledger", success_codes=range(1, 256))
    session.install(f"{built}[verify]")
    for words in (["verify", "--loss", "triplet"], ["ledger", "D1.13"]):
        session.run("python", "-m", "infonce_ref", *words)


# --- each night, or when asked ---------------------------------------------------------------------------------


@nox.session(python=PYTHONS, default=False)
def tests(session):
    """The tests with one Python; `-- -m "not nightly"` adds those that take longer."""
    session.install("-e", ".[test]")
    session.run("pytest", *session.posargs)


@nox.session(default=False, tags=["nightly"])
def everything(session):
    """Every test, and every case of each table; JAX compiles with its optimizations."""
    bring(session, *PROGRAMS)
    session.install("-e", ".[test,jax]", TORCH)
    session.run("pytest", "-m", "", env={"SEED": "all", "JAX_DISABLE_MOST_OPTIMIZATIONS": "0"})


@nox.session(python=PYTHONS[-1], default=False, tags=["nightly"])
def newest(session):
    """The slow tests too with the newest Python; `everything` has the one of the machine."""
    session.install("-e", ".[test]")
    session.run("pytest", "-m", "not (nightly or torch or jax or browser or coq)")


OF_EXTRA = {  # what each extra is for, tried with its oldest libraries
    "verify": ["python -m infonce_ref verify"],
    "lessons": ["python -m infonce_ref lessons sphere --force --out build/lessons"],
    "lab": ["python -m infonce_ref train simclr --steps 20 --force --out build/train"],
    "completion": ["pytest -n 0 tests/test_cli.py -k shell_gets"],
    "teach": ["python -m infonce_ref exercise --force --notebooks build/notebooks"],
    "torch": ["pytest -n 0 -m 'not (slow or nightly)' tests/bridges/test_torch.py"],
    "jax": ["pytest -n 0 -m 'not (slow or nightly)' tests/bridges/test_jax.py"],
    "cluster": ["pytest -n 0 -m 'not nightly' tests/test_cluster.py tests/test_cluster_workers.py"],
    "test": ["pytest"],
}


@nox.session(python=PYTHONS[0], venv_backend="uv", default=False, tags=["nightly"])
@nox.parametrize("extra", list(OF_EXTRA))
def lowest(session, extra):
    """The oldest libraries that pyproject.toml allows for an extra; the newest of what all tests need besides."""
    session.install("--resolution", "lowest-direct", f".[{extra}]")
    session.install("pytest", "pytest-xdist", "dask[array,distributed]", ".[verify]")
    for command in OF_EXTRA[extra]:
        session.run("bash", "-c", command, external=True)


@nox.session(default=False, tags=["nightly"])
def coq(session):
    """Coq accepts every theorem, not only those that changed, and its record is right."""
    bring(session, "coqchk")
    session.install("-e", ".[verify]")
    session.run("infonce-ref", "ledger", "--kernel")


@nox.session(default=False, tags=["nightly"])
def fuzz(session):
    """Try 10,000 random equations, of which no false one may be proved; verify losses at other random cases."""
    session.install("-e", ".[test]")
    seed = str(int.from_bytes(os.urandom(2)) * 10_000)
    session.run(
        *["pytest", "-n", "0", "-s", "tests/derivations/prover/test_fuzz.py"],
        env={"FUZZ": "10000", "FUZZ_SEED": seed},
    )
    session.run("infonce-ref", "verify", "--seed", seed)


@nox.session(default=False, tags=["nightly"])
def interpreter(session):
    """The kernels for a GPU, on the CPU by Triton's interpreter."""
    session.install("-e", ".[test]", TORCH, "triton")
    session.run("pytest", "-m", "torch", "tests/test_kernels.py", env={"TRITON_INTERPRET": "1"})


@nox.session(default=False, tags=["nightly"])
def cupy(session):
    """CuPy's wheel imports without a card: it has every function and keyword that the losses use."""
    session.install("-e", ".[test]", "cupy-cuda12x")
    session.run("pytest", "-n", "0", "tests/test_cupy.py")


@nox.session(default=False, tags=["nightly"])
def recipe(session):
    """The package of conda is built and tested, from conda-forge's packages unless another channel is named."""
    session.install("py-rattler-build")
    session.run("python", "recipe/build.py", *session.posargs)


@nox.session(default=False, tags=["nightly"])
def peers(session):
    """What other libraries compute, and what to write here in the place of their losses."""
    session.install("-e", ".[test,jax]", TORCH, *nox.project.dependency_groups(PROJECT, "peers"))
    session.run("python", "tools/peers.py")
    session.run("pytest", "-m", "", "tests/bridges/test_coming_from.py", "tests/check/test_of_maintainers.py")


@nox.session(default=False, tags=["nightly"])
def measured(session):
    """What is measured at length, in build/measured, which the workflow keeps with the run."""
    session.install("-e", ".[test]", TORCH)
    Path("build/measured").mkdir(parents=True, exist_ok=True)
    for name, words in (
        ("verify.txt", ["infonce-ref", "verify", "--whole"]),
        ("ranks.md", ["python", "tools/ranks.py"]),
        ("scaling.md", ["python", "tools/benchmark.py", "scaling"]),
    ):
        with Path("build/measured", name).open("w", encoding="utf-8") as file:
            session.run(*words, stdout=file)


@nox.session(default=False, venv_backend="none")
def gpu(session):
    """On a machine with an NVIDIA GPU, with CuPy: what needs one, and the page docs/speed.md."""
    session.run("pytest", "-m", "", "tests/losses", "tests/test_streaming.py", "-k", "cupy")
    session.run("pytest", "-m", "torch", "tests/test_kernels.py")
    for library in ("cupy", "torch:cuda"):
        session.run("infonce-ref", "verify", "--backend", library)
    session.run("python", "tools/benchmark.py", "gpu", *session.posargs)


@nox.session(default=False)
def distributions(session):
    """The source archive and the wheel of a release, in dist/: built twice, and equal bit for bit.

    SOURCE_DATE_EPOCH is the time of the last commit unless it is set.
    """
    session.install("build", "twine", "check-wheel-contents", *PROJECT["build-system"]["requires"])
    git = ("git", "log", "-1", "--format=%ct")
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or session.run(*git, external=True, silent=True).strip()
    build = ("python", "-m", "build", "--no-isolation", "--outdir")
    os.umask(0o022)
    place = empty(session)
    for folder in (place / "first", place / "second"):
        # setuptools writes times, owners and permissions of the files into the source archive: it is packed anew
        # without them, and the wheel is built from what it then has
        made = {"env": {"SOURCE_DATE_EPOCH": epoch}, "silent": True}
        session.run(*build, str(folder), "--sdist", ".", **made)
        (archive,) = folder.glob("*.tar.gz")
        session.run("python", "tools/pack.py", str(archive), **made)
        shutil.unpack_archive(archive, place / "source")
        session.run(*build, str(folder), "--wheel", *map(str, (place / "source").iterdir()), **made)
        shutil.rmtree(place / "source")
    files = sorted(path.name for path in (place / "first").iterdir())
    if filecmp.cmpfiles(place / "first", place / "second", files, shallow=False)[0] != files:
        session.error("the second build differs from the first")
    built = [str(place / "first" / name) for name in files]
    session.run("twine", "check", "--strict", *built)
    session.run("check-wheel-contents", *(path for path in built if path.endswith(".whl")))
    shutil.copytree(place / "first", "dist", dirs_exist_ok=True)


PYTEST = "python -m pytest -n 0 -x -q -p no:cacheprovider --assert=plain"
QUICK = "not (jax or dask or torch or cupy)"
DRAWN = """delete from work_items where job_id in (select job_id from work_items
    where job_id not in (select job_id from work_results) order by random() limit -1 offset ?)"""
COUNTED = "select count(*), sum(test_outcome = 'SURVIVED') from work_results where worker_outcome = 'NORMAL'"


@nox.session(default=False, tags=["nightly"])
def mutation(session):
    """Change one thing at a time in the lines of the last day; the tests that cosmic-ray.toml names must fail.

    .ci/run -s mutation -- [N] FILE…      N mutants of each file, drawn at random; without N all
    """
    counted = session.posargs[:1] and session.posargs[0].isdigit()
    count, *files = session.posargs if counted else [-1, *session.posargs]
    copy = empty(session) / "copy"  # because cosmic-ray writes into the files that it tests
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
    tried = survived = 0
    for group in nox.project.load_toml("cosmic-ray.toml")["mutated"]:
        tests = Template(group["tests"])
        for path in sorted(path for pattern in group["files"] for path in Path().glob(pattern)):
            if path.as_posix() not in changed:
                continue
            command = tests.substitute(pytest=PYTEST, quick=QUICK, name=path.stem)
            own = {"module-path": str(path), "test-command": f"bash -c {json.dumps(command)}"}
            lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in own.items())
            written = settings.replace("[cosmic-ray]\n", f"[cosmic-ray]\n{lines}").replace("SINCE", since)
            Path("mutated.toml").write_text(written, encoding="utf-8")
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
                own_tried, own_survived = database.execute(COUNTED).fetchone()
            session.log(f"{path}: {own_survived or 0} of {own_tried} mutants survived")
            tried, survived = tried + own_tried, survived + (own_survived or 0)
    session.log(f"{survived} of {tried} mutants survived")
    if survived > tried / 10:
        session.error("more than a tenth")
