"""A loss as a function to call: found by its name, built, and given its settings."""

import functools
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from infonce_ref.conformance import target as module
from infonce_ref.conformance.target import AXIS, Refused, build, load, settings, target


def plain(x, y, temperature=0.1, *, reduction="mean"):
    return 0.0


class Built:
    """Built with two settings and called with a third."""

    def __init__(self, temperature, size=3):
        self.temperature, self.size, self.words = temperature, size, "a word"

    def __call__(self, x, y, scale=2.0):
        return 0.0


class Forward:
    """As a module of PyTorch: called by way of forward."""

    def __init__(self, **options):
        self.options = options

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, x, margin=1.0):
        return 0.0


def test_a_text_names_a_function_or_what_is_inside_a_class():
    assert load("infonce_ref.conformance.target:load") is load
    assert load("infonce_ref.conformance.target:Target._replace") == module.Target._replace


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("loss", "'loss' names no loss; write module:attribute or file.py:attribute"),
        (":loss", "':loss' names no loss"),
        ("numpy:", "'numpy:' names no loss"),
        ("numpy:pi", "numpy:pi is float, not a function, class or module that can be called"),
        ("numpy:nothing_such", "nothing_such"),
    ],
)
def test_a_text_that_names_no_loss_is_refused(text, words):
    with pytest.raises(Refused, match=words):
        load(text)


def test_settings_are_read_as_python_writes_them_or_as_words():
    words = ["a=0.5", "b=mean", "c=None", "d=(1, 2)", "e=x=y", "f=", "g='1'"]
    assert settings(words) == {"a": 0.5, "b": "mean", "c": None, "d": (1, 2), "e": "x=y", "f": "", "g": "1"}


@pytest.mark.parametrize("word", ["a", "=1", "a b=1", "1a=2"])
def test_what_is_no_setting_is_refused(word):
    with pytest.raises(Refused, match=f"'{word}': write NAME=VALUE"):
        settings([word])


@pytest.mark.parametrize(
    ("loss", "name"),
    [
        (plain, "plain"),
        (Built, "Built"),
        (Built(0.1), "Built"),
        ("infonce_ref.conformance.target:load", "infonce_ref.conformance.target:load"),
    ],
)
def test_the_name_of_a_loss(loss, name):
    assert target(loss).name == name


def test_a_target_has_what_it_is_given_and_a_copy_of_the_settings():
    given = {"temperature": 0.2}
    found = target(plain, given, "infonce_ref.conformance.target:load", "cuda")
    assert (found.make, found.settings, found.backward, found.device) == (plain, given, load, "cuda")
    assert found.settings is not given
    assert target("infonce_ref.conformance.target:load").make is load
    assert target(plain, None, plain).backward is plain
    assert target(plain)[1:] == ({}, "plain", None, "cpu", False, None, False, 0, 1, False, False)


def test_what_cannot_be_called_is_refused():
    with pytest.raises(
        Refused, match="a loss is a function, a class or an object that can be called; got float"
    ):
        target(0.5)


def test_the_parameters_of_a_function():
    assert list(module.parameters(plain)) == ["x", "y", "temperature", "reduction"]
    assert module.parameters(dict) == {}  # Python cannot tell
    assert module.parameters(3) == {}


@pytest.mark.parametrize(
    ("function", "name", "takes"),
    [
        (plain, "reduction", True),
        (plain, "margin", False),
        (lambda **options: 0, "margin", True),
        (lambda *arrays: 0, "arrays", True),
        (lambda *arrays: 0, "margin", False),
    ],
)
def test_whether_a_function_takes_an_argument(function, name, takes):
    assert module.takes(function, name) is takes


def sized(x, y, batch_size=64, temperature=0.1):
    return 0.0


class TestBuild:
    def test_a_function_is_itself_and_gets_its_settings(self):
        assert build(target(plain, {"temperature": 0.2})) == (plain, {"temperature": 0.2})

    def test_the_batch_size_is_that_of_the_batch_whatever_was_given(self):
        assert build(target(sized), 6) == (sized, {"batch_size": 6})
        assert build(target(sized, {"batch_size": 5, "temperature": 1})) == (
            sized,
            {"batch_size": 4, "temperature": 1},
        )

    def test_a_class_is_built_with_its_own_settings_and_called_with_the_others(self):
        made, given = build(target(Built, {"temperature": 0.2, "scale": 3.0}))
        assert (made.temperature, made.size, given) == (0.2, 3, {"scale": 3.0})

    def test_a_class_is_built_for_the_batch_size(self):
        class Sized:
            def __init__(self, batch_size):
                self.batch_size = batch_size

            def __call__(self, x, bsz):
                return 0.0

        made, given = build(target(Sized, {"batch_size": 9}), 6)
        assert (made.batch_size, given) == (6, {"bsz": 6})

    def test_a_class_of_any_options_gets_those_that_its_call_does_not_take(self):
        made, given = build(target(Forward, {"margin": 2.0, "weight": 3.0}))
        assert (made.options, given) == ({"weight": 3.0}, {"margin": 2.0})

    def test_a_function_that_makes_a_loss_for_each_batch(self):
        def make(size):
            return functools.partial(plain, size)

        made, given = build(target(make, {"temperature": 0.2})._replace(per_batch=True), 6)
        assert made.args == (6,)
        assert given == {"temperature": 0.2}

    def test_what_a_class_lacks_is_said(self):
        words = r"Built cannot be built \(TypeError: .*\); it takes temperature, size: give --with NAME=VALUE"
        with pytest.raises(Refused, match=words):
            build(target(Built))

    def test_any_arguments_are_not_listed_by_their_names(self):
        class Fails:
            def __init__(self, size, *args, **kwargs):
                raise ValueError("never")

        with pytest.raises(Refused, match="it takes size: give"):
            build(target(Fails, {"size": 1}))

    def test_what_is_built_must_be_callable(self):
        with pytest.raises(Refused, match="Silent builds Silent, which cannot be called"):
            build(target(type("Silent", (), {})))


def usual(function, **fields):
    return module.find_usual(module.parameters(function), target(plain)._replace(**fields), 6)


def test_each_name_of_a_batch_size_is_given_one():
    def sizes(batch_size, batchsize=1, batchSize=2, bsz=3, bs=4, size=5):
        return 0.0

    assert usual(sizes) == dict.fromkeys(("batch_size", "batchsize", "batchSize", "bsz", "bs"), 6)


def test_the_device_is_given_if_none_or_a_gpu_would_be_used():
    def required(device):
        return 0.0

    def of_card(device="cuda:0"):
        return 0.0

    def of_cpu(device="cpu"):
        return 0.0

    for function in (required, of_card):
        found = usual(function, device="meta")
        assert {name: str(x) for name, x in found.items()} == {"device": "meta"}
    assert usual(of_cpu, device="meta") == {}


def test_without_torch_the_device_is_a_word(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert usual(lambda device: 0.0) == {"device": "cpu"}


def places(rank, world_size, local_rank=7, num_gpus=8):
    return 0.0


def test_a_rank_that_is_missing_is_given():
    assert usual(places) == {"rank": 0, "world_size": 1}


def test_among_several_ranks_defaults_are_replaced():
    right = {"rank": 1, "local_rank": 1, "world_size": 3, "num_gpus": 3}
    assert usual(places, rank=1, ranks=3) == right


def test_a_mapped_axis_is_named_if_it_has_no_name():
    def axes(axis_name, pmap_axis=None, data_axis_name="data"):
        return 0.0

    assert usual(axes, mapped=True) == {"axis_name": AXIS, "pmap_axis": AXIS}
    assert usual(axes) == {}


def test_the_signature_of_the_call_is_that_of_forward():
    assert list(module.call_signature(Forward())) == ["x", "margin"]
    assert list(module.call_signature(plain)) == ["x", "y", "temperature", "reduction"]


class OfOptions:
    def __call__(self, x, **options):
        return 0.0


@pytest.mark.parametrize(
    ("loss", "name", "accepts"),
    [
        (plain, "temperature", True),
        (plain, "margin", False),
        (Built, "size", True),
        (Built, "scale", True),
        (Built, "words", False),
        (Built(0.1), "scale", True),
        (Built(0.1), "size", False),
        (Forward, "margin", True),
        (Forward, "anything", True),
        (Forward(), "margin", True),
        (Forward(), "anything", False),
        (OfOptions(), "anything", True),
    ],
)
def test_whether_a_setting_can_be_passed(loss, name, accepts):
    assert module.accepts(target(loss), name) is accepts


@pytest.mark.parametrize(
    ("loss", "names"),
    [
        (plain, {"x", "y", "temperature", "reduction"}),
        (Built, {"self", "temperature", "size", "x", "y", "scale"}),
        (Built(0.1), {"x", "y", "scale"}),
        (Forward, {"self", "options", "args", "kwargs", "x", "margin"}),
        (Forward(), {"args", "kwargs", "x", "margin"}),
    ],
)
def test_the_names_of_the_parameters_of_constructor_and_call(loss, names):
    assert module.named_parameters(target(loss)) == names


@pytest.mark.parametrize(
    ("loss", "names"),
    [
        (plain, ["temperature", "reduction"]),
        (Built, ["temperature", "size", "scale"]),
        (Built(0.1), ["scale"]),
        (Forward, ["options", "margin"]),
        (Forward(), ["margin"]),
    ],
)
def test_the_settings_that_can_be_given(loss, names):
    assert module.list_settings(target(loss)) == names


def test_a_setting_of_constructor_and_call_is_listed_once():
    class Twice:
        def __init__(self, margin=1.0):
            pass

        def __call__(self, x, scale=1.0, margin=1.0):
            return 0.0

    assert module.list_settings(target(Twice)) == ["margin", "scale"]


def collect(loss, given):
    asked = target(loss, given)
    found = module.collect_settings(asked, build(asked)[0])
    return {name: x for name, x in found.items() if isinstance(x, int | float | str) and name != "self"}


def test_the_settings_of_a_function_are_defaults_and_what_was_given():
    assert collect(plain, {"temperature": 0.2}) == {"temperature": 0.2, "reduction": "mean"}


def test_the_settings_of_a_class_are_what_it_stores_too():
    assert collect(Built, {"temperature": 0.2}) == {"temperature": 0.2, "size": 3, "scale": 2.0}


def test_what_is_stored_replaces_a_default_and_what_was_given_replaces_all():
    class Changed:
        def __init__(self, margin=1.0, weight=2.0):
            self.margin, self.weight = 5.0, 6.0

        def __call__(self, x):
            return 0.0

    assert collect(Changed, {"weight": 3.0}) == {"margin": 5.0, "weight": 3.0}


def test_the_arguments_without_default_that_were_not_given():
    def loss(x, /, y, z=1, *more, temperature, margin=2, **options):
        return 0.0

    assert module.find_missing(loss, {}) == ["x", "y", "temperature"]
    assert module.find_missing(loss, {"y": 1, "margin": 2}) == ["x", "temperature"]


def test_the_optional_arrays_of_a_loss():
    def loss(x, labels=None, mask=None, neg_mask=None, queue=None, weight=None, negatives=3, ids=None):
        return 0.0

    assert module.find_optional(loss, {"mask": 1}) == ["labels", "neg_mask", "queue", "ids"]


@pytest.mark.parametrize(
    ("asked", "is_sized"),
    [
        (target(plain), False),
        (target(sized), True),
        (target(plain)._replace(per_batch=True), True),
        (target(Built), False),
    ],
)
def test_whether_a_loss_takes_the_batch_size(asked, is_sized):
    assert module.is_sized(asked) is is_sized


def test_the_libraries_that_a_module_imports():
    assert {"numpy", "pytest", "infonce_ref"} <= module.roots(plain)
    for function in (functools.wraps(load)(lambda *args: load(*args)), load, module.Target):
        found = module.roots(function)
        assert {"ast", "inspect", "infonce_ref"} <= found
        assert "pytest" not in found


def test_an_object_has_the_libraries_of_its_class_and_of_what_that_inherits():
    own = type("Own", (np.lib.mixins.NDArrayOperatorsMixin,), {"__module__": "ast"})
    assert "numpy" in module.roots(own)
    assert "numpy" in module.roots(own())
    assert "pytest" in module.roots(Built(0.1))


def with_libraries(*names):
    """A function whose module has imported these, all loaded."""
    spaces = {name: SimpleNamespace(__module__=f"{name}.part") for name in names}
    made = {}
    exec("def loss(x): return 0.0", spaces, made)
    return made["loss"]


@pytest.mark.parametrize(
    ("imported", "loaded", "tried"),
    [
        (("numpy", "torch"), ("torch", "jax"), ["torch", "numpy"]),
        (("numpy", "torch"), (), ["numpy"]),
        (("jaxlib",), ("torch", "jax"), ["jax"]),
        ((), ("torch", "jax"), ["numpy", "jax", "torch"]),
        (("torch",), ("jax",), ["numpy", "jax"]),
    ],
)
def test_the_libraries_whose_arrays_a_loss_may_take(monkeypatch, imported, loaded, tried):
    for name in ("torch", "jax"):
        if name in loaded:
            monkeypatch.setitem(sys.modules, name, SimpleNamespace())
        else:
            monkeypatch.delitem(sys.modules, name, raising=False)
    assert module.libraries(with_libraries(*imported)) == tried
