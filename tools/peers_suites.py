"""Run the tests of other libraries with our losses in the place of theirs, and write their table in docs/peers.md.

    python tools/peers_suites.py CLONES             all; missing clones are made in the folder CLONES
    python tools/peers_suites.py CLONES lightly     one, printed but not written

Each suite runs twice, each time in a separate process: with their losses, then with ours. A test counts if it calls
one of the losses and passes with theirs. A failure with ours needs a reason in `WHY`; without one the exit status
is 1. Their code is imported from the clone, so its requirements must be installed, but not the library.
"""

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import types
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from peers import PAGE, SUITES_HEADING
from repository import ROOT


class Suite(NamedTuple):
    """address, version, commit: the clone · tests: the test files of these losses, in `folder` · source: the folder
    of their code · bare: packages whose __init__ is not run, so that only the needed modules are imported.
    """

    address: str
    version: str
    commit: str
    folder: str
    tests: str
    source: str = "."
    bare: tuple[str, ...] = ()


SUITES = {
    "lightly": Suite(
        "https://github.com/lightly-ai/lightly",
        "1.5.26",
        "e7c81fa123baa39334d1590662813798bab9b826",
        "tests/loss",
        "ntx_ent_loss dcl_loss negative_cosine_similarity sym_neg_cos_sim_loss barlow_twins_loss vicreg_loss",
        bare=("lightly",),  # importing all of it would need their service
    ),
    "pytorch-metric-learning": Suite(
        "https://github.com/KevinMusgrave/pytorch-metric-learning",
        "2.8.1",
        "216a792c22b0154d3d3bf008a7317edc7d677e71",
        "tests/losses",
        "ntxent_loss self_supervised_loss losses_without_labels vicreg_loss",
        source="src",
    ),
    "solo-learn": Suite(
        "https://github.com/vturrisi/solo-learn",
        "1.0.8",
        "6a5afd4d1c7d3f494071afcfe4e12c230e698a21",
        "tests/losses",
        "simclr nnclr mocov2plus mocov3 byol simsiam barlow vicreg",
        bare=("solo", "solo.utils"),  # importing all of it would need a trainer and data
    ),
    "open_clip": Suite(
        "https://github.com/mlfoundations/open_clip",
        "3.3.0 and 110 commits",  # the release has no test of a loss
        "89fb801f1e6087880e951fc8354b8a2077b79c6d",
        "tests",
        "siglip_chunked_loss",
        source="src",
    ),
    "MONAI": Suite(
        "https://github.com/Project-MONAI/MONAI",
        "1.5.0",
        "d388d1c6fec8cb3a0eebee5b5a0b9776ca59ca83",
        "tests/losses",
        "contrastive_loss barlow_twins_loss",
    ),
    "optax": Suite(
        "https://github.com/google-deepmind/optax",
        "0.2.8",
        "107e9ad20ca62bcbee1a8c016daab71c690a678c",
        "optax/losses",
        "_self_supervised_test.py",
    ),
}


# --- our losses, called as theirs ------------------------------------------------------------------------


def vicreg(x: Any, y: Any, invariance: float, variance: float, covariance: float, **options: Any) -> Any:
    """VICReg with their weights; their invariance term is a mean over features too."""
    from infonce_ref.torch.nn import VICRegLoss

    weights = {"invariance": invariance / x.shape[-1], "variance": variance, "covariance": covariance}
    return VICRegLoss(**weights, margin=1.0, **{"epsilon": 1e-4} | options)(x, y)


def lightly() -> dict[str, Any]:
    from lightly.loss.dcl_loss import negative_mises_fisher_weights
    from torch.nn.functional import normalize

    from infonce_ref.torch import nn

    def ntxent(
        temperature: float = 0.5, memory_bank_size: Any = 0, gather_distributed: bool = False
    ) -> Callable:
        size = memory_bank_size if isinstance(memory_bank_size, int) else memory_bank_size[0]
        if not size:
            return nn.NTXentLoss(temperature=temperature, gather=gather_distributed)
        criterion = nn.QueryKeyLoss(temperature=temperature)
        queues: list[nn.Queue] = []

        def with_memory(x: Any, y: Any) -> Any:
            x, y = normalize(x), normalize(y)
            queues[:] = queues or [nn.Queue(size=size, features=y.shape[1], gather=gather_distributed)]
            loss = criterion(x, y, queues[0]())
            if x.requires_grad:
                queues[0].push(y)
            return loss

        return with_memory

    def dcl(temperature: float = 0.1, weight_fn: Any = None, gather_distributed: bool = False) -> Callable:
        weighed: dict[str, Any] = {"sigma": 0.5, "weights": "constant"} if weight_fn else {}
        assert weight_fn in (None, negative_mises_fisher_weights)
        return nn.DCLLoss(temperature=temperature, gather=gather_distributed, **weighed)

    return {
        "lightly.loss:NTXentLoss": ntxent,
        "lightly.loss.dcl_loss:DCLLoss": dcl,
        "lightly.loss.dcl_loss:DCLWLoss": lambda **options: dcl(
            weight_fn=negative_mises_fisher_weights, **options
        ),
        "lightly.loss:NegativeCosineSimilarity": lambda: (
            lambda x, y: nn.SimSiamLoss(stop_gradient=False)(x, y, x, y)
        ),
        "lightly.loss:SymNegCosineSimilarityLoss": lambda: (
            lambda one, two: nn.SimSiamLoss()(one[1], one[0], two[1], two[0])
        ),
        "lightly.loss:BarlowTwinsLoss": lambda lambda_param=5e-3, gather_distributed=False: (
            nn.BarlowTwinsLoss(weight=lambda_param, gather=gather_distributed)
        ),
        "lightly.loss:VICRegLoss": lambda lambda_param=25, mu_param=25, nu_param=1, gather_distributed=False: (
            lambda x, y: vicreg(x, y, lambda_param, mu_param / 2, nu_param, gather=gather_distributed)
        ),
    }


def pytorch_metric_learning() -> dict[str, Any]:
    """Use their distance, miner and reducer with our loss of scores; without these, our loss of rows."""
    import torch
    from pytorch_metric_learning import losses
    from pytorch_metric_learning.utils.loss_and_miner_utils import convert_to_pairs

    from infonce_ref.torch import nn

    theirs = losses.NTXentLoss

    def compute_loss(self: Any, rows: Any, labels: Any, mined: Any, others: Any, other_labels: Any) -> Any:
        in_pairs = isinstance(self, theirs)
        given = (self.distance, self.reducer)
        usual = (self.get_default_distance(), self.get_default_reducer())
        if mined is None and others is rows and [*map(type, given)] == [*map(type, usual)]:
            options: dict[str, Any] = {"form": "pairs"} if in_pairs else {}
            loss = nn.SupConLoss(temperature=self.temperature, no_positives="zero", **options)(rows, labels)
            return {"loss": {"losses": loss, "indices": None, "reduction_type": "already_reduced"}}
        anchor, positive, a, negative = convert_to_pairs(mined, labels, other_labels)
        if not len(anchor) or not len(a):
            return self.zero_losses()
        scores = self.distance(rows, others) / self.temperature * (1 if self.distance.is_inverted else -1)
        keep = torch.zeros(scores.shape, dtype=torch.bool)
        keep[a, negative] = True
        if not in_pairs:
            keep[anchor, positive] = True
        each = nn.CPCLoss(reduction="none")(scores[anchor], positive, keep=keep[anchor])
        if in_pairs:
            return {"loss": {"losses": each, "indices": (anchor, positive), "reduction_type": "pos_pair"}}
        share = each / anchor.bincount(minlength=len(rows))[anchor]
        of_anchors = share.new_zeros(len(rows)).index_add(0, anchor, share)
        return {
            "loss": {"losses": of_anchors, "indices": torch.arange(len(rows)), "reduction_type": "element"}
        }

    def vicreg_of(
        invariance_lambda: float = 25, variance_mu: float = 25, covariance_v: float = 1, eps: float = 1e-4
    ) -> Callable:
        return lambda x, ref_emb: vicreg(
            x, ref_emb, invariance_lambda, variance_mu / 2, covariance_v, epsilon=eps
        )

    of_scores = {"compute_loss": compute_loss}
    return {
        f"{losses.__name__}:{name}": type(name, (getattr(losses, name),), of_scores)
        for name in ("NTXentLoss", "SupConLoss")
    } | {f"{losses.__name__}:VICRegLoss": vicreg_of}


def solo_learn() -> dict[str, Any]:
    import torch
    from torch.nn.functional import normalize

    from infonce_ref import torch as ours

    def moco3(query: Any, key: Any, temperature: float = 0.2) -> Any:
        return 2 * temperature * nnclr(query, key, temperature)

    def nnclr(nn: Any, p: Any, temperature: float = 0.1) -> Any:
        return ours.cpc(normalize(nn) @ normalize(p).T / temperature, positive=torch.arange(len(nn)))

    return {
        "solo.losses:simclr_loss_func": lambda z, indexes, temperature=0.1: ours.supcon(
            z, labels=indexes, temperature=temperature, form="in"
        ),
        "solo.losses:nnclr_loss_func": nnclr,
        "solo.losses:mocov2plus_loss_func": lambda query, key, queue, temperature=0.1: ours.query_key(
            query, key, queue.T, temperature=temperature
        ),
        "solo.losses:mocov3_loss_func": moco3,
        "solo.losses:byol_loss_func": lambda p, z, simplified=True: ours.byol(p, z),
        "solo.losses:simsiam_loss_func": lambda p, z, simplified=True: ours.simsiam(p, z, p, z),
        "solo.losses:barlow_loss_func": lambda z1, z2, lamb=5e-3, scale_loss=0.025: (
            scale_loss * ours.barlow_twins(z1, z2, weight=lamb)
        ),
        "solo.losses:vicreg_loss_func": lambda z1, z2, sim_loss_weight, var_loss_weight, cov_loss_weight: (
            vicreg(z1, z2, sim_loss_weight, var_loss_weight, cov_loss_weight)
        ),
    }


def open_clip() -> dict[str, Any]:
    from infonce_ref.torch import nn

    def siglip(chunk_size: int = 0) -> Any:
        tiles: dict[str, Any] = {"streaming": True, "tile": chunk_size} if chunk_size else {}

        def call(image: Any, text: Any, scale: Any, bias: Any, negative_only: bool = False) -> Any:
            if negative_only:
                raise NotImplementedError("negative_only")
            return nn.SigLIPLoss(temperature=1 / float(scale), bias=float(bias), **tiles)(image, text)

        return types.SimpleNamespace(_loss=call)

    return {"open_clip.loss:SigLipLoss": siglip}


def monai() -> dict[str, Any]:
    from infonce_ref.torch import nn

    return {
        "monai.losses:ContrastiveLoss": lambda temperature=0.5: (
            lambda input, target: nn.NTXentLoss(temperature=temperature)(input, target)
        ),
        "monai.losses:BarlowTwinsLoss": lambda lambd=5e-3: (
            lambda input, target: nn.BarlowTwinsLoss(weight=lambd)(input, target)
        ),
    }


def optax() -> dict[str, Any]:
    from infonce_ref import jax as ours

    return {
        "optax.losses._self_supervised:ntxent": lambda embeddings, labels, temperature=0.07: ours.supcon(
            embeddings, labels=labels, temperature=temperature, form="pairs"
        ),
        "optax.losses._self_supervised:triplet_margin_loss": lambda a, p, n, margin=1.0: ours.triplet(
            a, p, n, margin=margin, reduction="none"
        ),
    }


ADAPTERS = (lightly, pytorch_metric_learning, solo_learn, open_clip, monai, optax)


# --- a suite's own process -------------------------------------------------------------------------------


class Recorder:
    """Pytest's plugin: records the outcome of each test, why it failed, and whether it called one of the
    losses.
    """

    def __init__(self) -> None:
        self.found: dict[str, list] = {}
        self.test = ""

    def pytest_runtest_setup(self, item: Any) -> None:
        import numpy as np
        import torch

        np.random.seed(0)  # noqa: NPY002, some tests draw what they compare, by it
        torch.manual_seed(0)
        self.test = item.nodeid
        self.found[self.test] = ["skipped", "", False]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            lines = crash.message.splitlines() if crash else []
            self.found[report.nodeid][:2] = report.outcome, " ".join(lines)[:200]

    def replace(self, target: str, ours: Callable) -> None:
        """Replace theirs by ours wherever the package refers to them."""
        module, _, name = target.partition(":")
        theirs = getattr(importlib.import_module(module), name)

        def call(*args: Any, **options: Any) -> Any:
            if self.test:
                self.found[self.test][2] = True
            return ours(*args, **options)

        for loaded in [
            m for key, m in sys.modules.items() if key.partition(".")[0] == module.partition(".")[0]
        ]:
            for key in [key for key, value in vars(loaded).items() if value is theirs]:
                setattr(loaded, key, call)


def work(name: str, clone: Path, kind: str) -> None:
    """Run a suite with the losses of `kind`, "theirs" or "ours"; print the results as the last line."""
    import pytest

    suite, recorder, losses = SUITES[name], Recorder(), []
    os.chdir(clone)
    sys.path[:0] = [str(clone), str(clone / suite.source)]
    for package in suite.bare:
        sys.modules[package] = types.ModuleType(package)
        sys.modules[package].__path__ = [str(clone / package.replace(".", "/"))]
    if kind == "ours":
        (adapters,) = (f for f in ADAPTERS if f.__name__ == name.lower().replace("-", "_"))
        for target, ours in adapters().items():
            recorder.replace(target, ours)
            losses.append(target.partition(":")[2])
    quiet = ["-q", "-pno:cacheprovider", "-pno:randomly", "-Wignore", "--noconftest", "-oaddopts="]
    files = [f if f.endswith(".py") else f"test_{f}.py" for f in suite.tests.split()]
    pytest.main([*quiet, *(f"{suite.folder}/{file}" for file in files)], plugins=[recorder])
    print(json.dumps([losses, recorder.found]))


# --- all of them, and their table ------------------------------------------------------------------------

# Patterns for a failed test's name and message, each with the reason: a convention, or an option that we
# lack.
WHY = {
    "NotImplementedError: negative_only": "an option that we lack: the negatives alone, for another rank's rows",
    r"got \(2, 10, 32\)": "an option that we lack: rows in more than one axis, as in VICRegL",
    "_neg_cosine_simililarity": "it calls a private method of theirs",
    "temperature must be positive": "a negative temperature is refused",
    r"no zero row|NtxentTest::test_batched: .*nan.*9\.2889": "a row of zeros has no direction: refused, in jit NaN",
    "no constant column": "a constant column has no correlation: refused",
    r"test_with_no_valid_pairs: .*0\.6932": "rows of one label: SupCon has a value, log 2, and theirs is 0",
    "error_batch_size_1|error_different_shapes": "refused too, but as ValueError, not AssertionError",
    "test__gather_distributed": "torch.distributed is asked for at the call, not at the construction",
    "test__loss_matches_reference_loss": "they add 1e-5 to each variance",
    "BarlowTwinsLoss::test_result_3": "their deviations are over n − 1, their correlations over n",
    "NTXentLoss::test_forward_pass_1d": "rounding: exchanged views differ by 1.4e-6 in float32, as with theirs too",
}
ABOUT = f"""\
{SUITES_HEADING}

`python tools/peers_suites.py CLONES` writes this part, and `.ci/run -s peers` runs it. The named losses
are replaced by ours, called in the same way; a test counts if it calls one and passes with theirs.
pytorch-metric-learning keeps its distance, miner and reducer; it runs in float32 and float64. The tests of
solo-learn only require that gradient descent lowers the loss.

| library | losses | tests | passed | failed |
|---|---|---|---|---|
"""
Found = dict[str, list]


class Result(NamedTuple):
    """The losses that ours replaced, the number of passed tests, and of the failed ones the number for each
    reason.
    """

    losses: Sequence[str]
    passed: int
    failed: Counter[str]


def explain(test: str, message: str) -> str:
    return next((why for sign, why in WHY.items() if re.search(sign, f"{test}: {message}")), "unexplained")


def count(losses: Sequence[str], theirs: Found, ours: Found) -> Result:
    counted = {test: x for test, x in ours.items() if x[2] and theirs[test][0] == "passed"}
    if not counted:
        raise SystemExit(f"no test of {', '.join(losses)} was run: have their losses or files other names?")
    failed = {test: message for test, (outcome, message, _) in counted.items() if outcome != "passed"}
    return Result(losses, len(counted) - len(failed), Counter(explain(*x) for x in failed.items()))


def write(results: Mapping[str, Result]) -> str:
    """The part of the page."""
    every = Result(
        (), sum(x.passed for x in results.values()), sum((x.failed for x in results.values()), Counter())
    )
    named = {f"{name} {SUITES[name].version}": result for name, result in results.items()}
    rows = [
        f"| {name} | {', '.join(x.losses)} | {x.passed + x.failed.total()} | {x.passed} | {x.failed.total()} |\n"
        for name, x in (*named.items(), ("all", every))
    ]
    reasons = [f"| {n} | {k} | {why} |\n" for n, x in results.items() for why, k in x.failed.most_common()]
    return ABOUT + "".join(rows) + "\n| library | failed | why |\n|---|---|---|\n" + "".join(reasons)


def fetch(suite: Suite, clone: Path) -> None:
    """Make the clone if it is missing. Raises RuntimeError for one at another commit."""
    git = ("git", "-C", str(clone))
    if not clone.exists():
        for words in (
            ("init", "-q", str(clone)),
            ("fetch", "-q", "--depth", "1", suite.address, suite.commit),
        ):
            subprocess.run((*(git if words[0] == "fetch" else git[:1]), *words), check=True)
        subprocess.run((*git, "checkout", "-q", suite.commit), check=True)
    at = subprocess.run(
        (*git, "rev-parse", "HEAD"), check=True, capture_output=True, text=True
    ).stdout.strip()
    if at != suite.commit:
        raise RuntimeError(f"{clone} is at {at}, not at {suite.commit}, {suite.version}")


def run(name: str, clones: Path, kind: str) -> tuple[list[str], Found]:
    """Return the losses that ours replace, and the results of a suite with the losses of `kind`, run in a
    separate process.
    """
    # pytorch-metric-learning: no GPU, and no float16, with which some tests fail with its own losses too
    settings = {"TEST_DEVICE": "cpu", "TEST_DTYPES": "float32,float64", "PYTHONPATH": str(ROOT)}
    settings["OMP_NUM_THREADS"] = "1"  # their tests are small
    ran = subprocess.run(
        [sys.executable, __file__, str(clones), name, "--work", kind],
        env=os.environ | settings,
        capture_output=True,
        text=True,
    )
    try:
        losses, found = json.loads(ran.stdout.splitlines()[-1])
        return losses, found
    except (IndexError, json.JSONDecodeError):
        raise RuntimeError(f"{name} with {kind}: {ran.stdout[-2000:]}{ran.stderr[-2000:]}") from None


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Their tests, with our losses.")
    parser.add_argument("clones", type=Path)
    parser.add_argument("names", nargs="*", metavar="LIBRARY", help=f"of {', '.join(SUITES)}; default: all")
    parser.add_argument("--work", choices=("theirs", "ours"), help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.work:
        work(asked.names[0], asked.clones / asked.names[0], asked.work)
        return 0
    results = {}
    for name in asked.names or SUITES:
        fetch(SUITES[name], asked.clones / name)
        (_, theirs), (losses, ours) = (run(name, asked.clones.resolve(), kind) for kind in ("theirs", "ours"))
        results[name] = count(losses, theirs, ours)
        print(name, *results[name], file=sys.stderr)
        for test, (outcome, message, called) in ours.items():
            if called and outcome != "passed" and explain(test, message) == "unexplained":
                print(f"unexplained: {test}: {message}", file=sys.stderr)
    part = write(results)
    if asked.names:
        print(part)
    else:
        before, _, _ = PAGE.read_text(encoding="utf-8").partition(SUITES_HEADING)
        PAGE.write_text(f"{before.rstrip()}\n\n{part}", encoding="utf-8")
    return int("unexplained" in part)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
