"""axis_name: over the devices of pmap and shard_map the mean of the gradients is the gradient of one device."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed (extra [jax])")

import infonce_ref.jax as bridge  # noqa: E402
from infonce_ref import losses  # noqa: E402
from infonce_ref.bridges import find_views  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
COMPARED = [name for name, loss in losses.ALL.items() if loss.compares]
MASK = {"left_out": 0.5}
MASKED = [name for name in COMPARED if MASK in losses.ALL[name].variants]
SHARES = 2  # pairs on each device


def compare(name, count, over, **variant):
    """The errors of value and gradients against one device, relative to their largest entry.

    over(f): turns f, a function of one device's arrays, into one of all devices' arrays, stacked along the axis
    "ranks".
    """
    loss = losses.ALL[name]
    given = loss.example(rows=SHARES * count, features=5, **variant)
    given = {n: np.asarray(x, np.float32) if np.asarray(x).dtype == float else x for n, x in given.items()}
    moving = {n: given.pop(n) for n in loss.differentiable}
    fixed = {n: given.pop(n) for n, x in [*given.items()] if np.ndim(x)}

    def share(n, x):
        """Split an array by pairs; a number, and a mask of the whole batch, are the same on each device."""
        if not x.ndim or x.dtype == bool:
            return np.stack([x] * count)
        if n == find_views(loss) or len(x) > SHARES * count:  # two views, and their labels
            return np.stack([np.concat(p) for p in zip(*(np.split(v, count) for v in np.split(x, 2)))])
        return np.stack(np.split(x, count))

    def value(moving, fixed, **axis):
        return getattr(bridge, name)(**moving, **fixed, **given, **axis)

    def of_device(moving, fixed):
        found, slopes = jax.value_and_grad(value)(moving, fixed, axis_name="ranks")
        return jax.lax.pmean(found, "ranks"), jax.tree.map(lambda x: x / count, slopes)

    found, slopes = over(of_device)(*({n: share(n, x) for n, x in part.items()} for part in (moving, fixed)))
    expected, right = jax.value_and_grad(value)(moving, fixed)
    pairs = [(found, expected)]
    for n, x in right.items():
        pairs.append((slopes[n], share(n, np.asarray(x))) if x.ndim else (slopes[n].sum(), x))
    return [float(np.abs(x - y).max() / (np.abs(y).max() + 1e-30)) for x, y in pairs]


@pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "variant"),
    [
        *(pytest.param(name, {}, id=name) for name in COMPARED),
        *(pytest.param(name, MASK, id=f"{name} masked", marks=pytest.mark.slow) for name in MASKED),
    ],
)
def test_the_mean_over_an_axis_is_the_gradient_of_one_device(name, variant, count):
    """vmap has the collective operations of pmap. 1e-5 is rounding in float32."""
    assert max(compare(name, count, lambda f: jax.vmap(f, axis_name="ranks"), **variant)) < 1e-5


def test_what_cannot_be_gathered_is_refused():
    w = np.eye(3, dtype=np.float32)
    with pytest.raises(TypeError, match="alignment has no option axis_name: it compares no rows"):
        bridge.alignment(w, w, exponent=2.0, axis_name="ranks")
    with pytest.raises(ValueError, match="w must have an even number of rows on each device; got 3"):
        jax.vmap(lambda w: bridge.ntxent(w, temperature=1.0, axis_name="ranks"), axis_name="ranks")(w[None])


def on_devices():
    """The errors over two devices that XLA makes of this machine's processor, by pmap and by shard_map."""
    shard_map = getattr(jax, "shard_map", None)
    if shard_map is None:  # before JAX 0.6; its check has no rule for our derivatives
        from jax.experimental.shard_map import shard_map as old

        shard_map = partial(old, check_rep=False)
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("ranks",))
    rows, same = jax.sharding.PartitionSpec("ranks"), jax.sharding.PartitionSpec()

    def sharded(of_device):
        def one(*stacked):  # a device's part has a leading axis of 1
            mean, slopes = of_device(*jax.tree.map(lambda x: x[0], stacked))
            return mean, jax.tree.map(lambda x: x[None], slopes)

        return jax.jit(shard_map(one, mesh=mesh, in_specs=rows, out_specs=(same, rows)))

    ways = {"pmap": lambda f: jax.pmap(f, axis_name="ranks"), "shard_map": sharded}
    return {
        f"{way} {name}": compare(name, 2, over) for way, over in ways.items() for name in ("ntxent", "clip")
    }


@pytest.mark.slow
def test_two_devices_have_the_gradient_of_one():
    surroundings = {
        **os.environ,
        "XLA_FLAGS": "--xla_force_host_platform_device_count=2",
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
    }
    code = "import json; from bridges.test_jax_axis import on_devices; print(json.dumps(on_devices()))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=surroundings, check=False
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert len(found) == 4
    assert all(max(errors) < 1e-5 for errors in found.values()), found
