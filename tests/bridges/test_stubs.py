"""The stubs of PyTorch's and JAX's functions agree with the registry; type checkers find a user's errors."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import stubs

ROOT = Path(__file__).parent.parent.parent
TORCH = """
from typing import assert_type

import torch

import infonce_ref.torch
from infonce_ref.torch import information, nn, ntxent, streaming
from infonce_ref.torch.nn import NTXentLoss, SigLIPLoss, SupConLoss

z = torch.ones(4, 3)
t = torch.tensor(0.1)
criterion = NTXentLoss(temperature=0.1, learn_temperature=True, max_scale=100.0, streaming=True, tile=64)
assert_type(criterion(z, z), torch.Tensor)
assert_type(criterion.logit_scale, torch.nn.Parameter)
assert_type(SigLIPLoss(temperature=0.1, bias=-10.0, learn_bias=True).bias, torch.nn.Parameter)
SupConLoss(temperature=0.1, form="in")(z, t).backward()
infonce_ref.torch.siglip(z, z, temperature=t, bias=t).backward()
streaming.ntxent(z, temperature=0.1, layout="interleaved", tile=64, progress=print).backward()
information.smile(z, clip=5.0).backward()
assert_type(nn.Queue(size=4, features=3)(), torch.Tensor)
nn.Queue(size=4, features=3).push(z)
torch.nn.Sequential(nn.NTXentLoss(temperature=0.1))

infonce_ref.torch.ntxnet  # wrong
streaming.nonsense  # wrong
nn.NTXentLos  # wrong
NTXentLoss(temperature=0.1, temprature=0.1)  # wrong
ntxent(z, temperature=0.1, reduction="median")  # wrong
ntxent(z)  # wrong: no temperature
criterion(z)  # wrong: one view
NTXentLoss(0.1)  # wrong: options go by keyword
nn.Queue(size=4, feature=3)  # wrong
"""
JAX = """
from typing import assert_type

import jax
import numpy

import infonce_ref.jax
from infonce_ref.jax import clip, information, ntxent

z = jax.numpy.ones((4, 3))
t = jax.numpy.asarray(0.1)
assert_type(ntxent(z, temperature=0.1), jax.Array)
ntxent(numpy.ones((4, 3)), temperature=t, layout="interleaved", axis_name="ranks").sum()
clip(z, z, temperature=0.1, reduction="none", axis_name=("hosts", "devices"))
jax.grad(infonce_ref.jax.siglip, argnums=(0, 1))(z, z, temperature=t, bias=-10.0)
infonce_ref.jax.supcon(z, labels=t, temperature=0.1, form="pairs")
information.smile(z, clip=5.0)

infonce_ref.jax.ntxnet  # wrong
information.nonsense  # wrong
infonce_ref.jax.streaming  # wrong: JAX's arrays cannot be written in place
ntxent(z, 0.1)  # wrong: options go by keyword
ntxent("z", temperature=0.1)  # wrong
clip(z, temperature=0.1)  # wrong: no text
infonce_ref.jax.alignment(z, z, axis_name="ranks")  # wrong: it compares no rows
"""
NUMPY = """
from typing import assert_type

import numpy as np

import infonce_ref
from infonce_ref import streaming
from infonce_ref.losses import ntxent

w = np.eye(4)
value, cache = ntxent.forward(w, temperature=0.1, reduction="sum")
assert_type(cache, ntxent.Cache)
assert_type(ntxent.backward(cache), ntxent.Gradients)
assert_type(infonce_ref.losses.ALL["ntxent"], infonce_ref.losses.Loss)
assert_type(infonce_ref.__version__, str)

ntxent.forward(w)  # wrong: no temperature
ntxent.forward(w, temperature="cold")  # wrong
ntxent.forward(w, temperature=0.1, reduction="median")  # wrong: no such reduction
ntxent.forward(w, temperature=0.1, layout="shuffled")  # wrong: no such layout
streaming.ntxent.forward(w, temperature=0.1, reduction="median")  # wrong
ntxent.backward(w)  # wrong: not a cache
cache.temprature  # wrong: a slip
infonce_ref.lossses  # wrong: likewise
"""
STUBS = {"torch": stubs.stubs_of_torch, "jax": stubs.stubs_of_jax}


@pytest.mark.parametrize("name", STUBS)
def test_a_stub_is_what_the_registry_says(name):
    """Whatever its formatting, and never Any, which would accept everything. To update: python tools/stubs.py"""
    pytest.importorskip(name, reason=f"{name} is not installed (extra [{name}])")
    for path, made in STUBS[name]().items():
        written = (ROOT / path).read_text(encoding="utf-8")
        assert ast.unparse(ast.parse(written)) == ast.unparse(ast.parse(made)), path
        assert "Any" not in made


def of_mypy(folder):
    cache = f"--cache-dir={ROOT / '.mypy_cache'}"
    words = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--follow-imports=silent", cache]
    run = subprocess.run([*words, "snippet.py"], cwd=folder, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return {int(line.split(":")[1]) for line in run.stdout.splitlines() if ": error: " in line}


@pytest.mark.nightly
@pytest.mark.parametrize("snippet", [NUMPY, TORCH, JAX], ids=["numpy", "torch", "jax"])
def test_a_type_checker_finds_what_is_wrong_and_nothing_else(snippet, tmp_path):
    (tmp_path / "snippet.py").write_text(snippet)
    (tmp_path / "infonce_ref").symlink_to(ROOT / "infonce_ref")
    lines = enumerate(snippet.splitlines(), 1)
    assert of_mypy(tmp_path) == {number for number, line in lines if "# wrong" in line}
