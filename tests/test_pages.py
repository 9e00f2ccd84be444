"""The pages' examples print what the pages show, and every loss is right if its arrays are on two devices."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
TWO = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}

EVERY_LOSS = """
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from infonce_ref import losses

jax.config.update("jax_enable_x64", True)
mesh = Mesh(np.array(jax.devices()), ("rows",))
assert mesh.size == 2


def sharded(x):
    return jax.device_put(x, NamedSharding(mesh, PartitionSpec("rows" if len(x) % 2 == 0 else None)))


def both_passes(arrays, options):
    value, cache = loss.forward(**arrays, **options)
    return value, *loss.backward(cache)


for loss in losses.ALL.values():
    example = loss.example(rows=4)
    arrays = {name: x for name, x in example.items() if isinstance(x, np.ndarray)}
    options = {name: x for name, x in example.items() if name not in arrays}
    expected = both_passes(arrays, options)
    on_two = {name: sharded(x) for name, x in arrays.items()}
    for theirs in (both_passes(on_two, options), jax.jit(lambda arrays: both_passes(arrays, options))(on_two)):
        assert len(theirs[1].devices()) == 2
        for x, y in zip(theirs, expected, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-14, err_msg=loss.name)
"""


def run_on_two_devices(*words):
    """Run in a new process, because JAX counts its devices only once."""
    done = subprocess.run([sys.executable, *words], env={**os.environ, **TWO}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "page", ["README.md", "docs/using.md", pytest.param("docs/frameworks.md", marks=pytest.mark.torch)]
)
def test_a_pages_examples_print_what_the_page_shows(page):
    run_on_two_devices("-m", "doctest", str(ROOT / page))


@pytest.mark.nightly
def test_every_loss_is_right_on_two_devices():
    run_on_two_devices("-c", EVERY_LOSS)
