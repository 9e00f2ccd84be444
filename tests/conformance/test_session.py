"""A loss called on NumPy arrays, whatever its library: value, gradients, settings, state."""

import random
import sys
import warnings
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pytest

from infonce_ref.conformance import session as module
from infonce_ref.conformance.session import Session, call_backward, call_by_signature
from infonce_ref.conformance.target import Refused, target

X, Y = np.random.default_rng(0).standard_normal((2, 4, 3))
LABELS = np.array([0, 1, 0, 1])


def product(x, y):
    return np.sum(x * y)


def of_numpy(loss, settings=None, backward=None, dtype="float64", **fields):
    return Session(target(loss, settings or {}, backward)._replace(**fields), "numpy", dtype)


class TestNumPy:
    def test_the_value_without_a_backward_has_no_gradient(self):
        for gradient in (False, True):
            assert of_numpy(product)([X, Y], gradient) == (product(X, Y), None, "float64", {})

    def test_floats_are_passed_in_the_dtype_of_the_session_and_integers_as_they_are(self):
        seen = []

        def loss(*arrays):
            seen.extend(x.dtype for x in arrays)
            return product(*arrays[:2])

        answer = of_numpy(loss, dtype="float32")([X, Y, LABELS, LABELS > 0])
        assert seen == [np.float32, np.float32, LABELS.dtype, bool]
        assert answer.dtype == "float32"

    def test_arrays_may_lie_column_by_column(self):
        asked = of_numpy(lambda x, labels: float(x.flags.f_contiguous and np.array_equal(x, X)))
        assert asked([X, LABELS]).value == 0
        asked.transposed = True
        assert asked([X, LABELS]).value == 1

    def test_a_gradient_is_asked_for_to_be_returned(self):
        asked = of_numpy(product, backward=lambda x, y: (y, x))
        assert asked([X, Y]).gradients is None
        dx, dy = asked([X, Y], True).gradients
        assert np.array_equal(dx, Y)
        assert np.array_equal(dy, X)

    def test_fields_that_are_numbers_are_returned_by_name(self):
        def backward(x, y):
            return {"x": y, "temperature": np.float64(2.0), "y": x}

        answer = of_numpy(product, backward=backward)([X, Y], True)
        assert answer.numbers == {"temperature": 2.0}
        assert np.array_equal(answer.gradients[1], X)

    @pytest.mark.parametrize("which", [0, 1])
    def test_a_loss_that_writes_into_its_arrays_is_refused(self, which):
        def writes(*arrays):
            arrays[which][0] = 7.0
            return 0.0

        x = X.copy()
        with pytest.raises(Refused, match="writes writes into the arrays that it was given"):
            of_numpy(writes)([x, LABELS])
        assert np.array_equal(x, X)

    def test_the_arrays_are_arranged_for_the_loss(self):
        assert of_numpy(lambda both: product(*both))([X, Y], arrange=lambda a: (list(a),)).value == product(
            X, Y
        )

    def test_a_loss_is_built_for_each_batch_size_once_and_that_is_noted(self):
        built = []

        class Sized:
            def __init__(self, batch_size):
                built.append(batch_size)
                self.batch_size = batch_size

            def __call__(self, x):
                return float(self.batch_size)

        asked = of_numpy(Sized)
        assert asked([X]).value == 4.0
        assert asked.ask_ranks([[X]])[0].value == 4.0
        assert not asked.notes
        assert [asked([X], size=6).value for _ in range(2)] == [6.0, 6.0]
        assert list(asked.notes) == ["it is given each batch size"]
        assert built == [4, 6]

    def test_a_loss_without_a_batch_size_is_built_once(self):
        class Built:
            built = 0

            def __init__(self):
                Built.built += 1

            def __call__(self, x):
                return 0.0

        of_numpy(Built)([X], size=6)
        assert Built.built == 1

    def test_each_rank_is_given_its_own_arrays(self):
        answers = of_numpy(product).ask_ranks([[X, Y], [X, X]])
        assert [one.value for one in answers] == [product(X, Y), product(X, X)]

    def test_warnings_and_floating_point_errors_are_silent(self):
        def loss(x):
            warnings.warn("deprecated", DeprecationWarning, stacklevel=1)
            return np.sum(x / np.zeros(3))

        assert np.isnan(of_numpy(loss)([X]).value)

    def test_a_loss_that_exits_is_refused(self):
        def loss(x):
            sys.exit(3)

        with pytest.raises(Refused, match=r"could not be checked: it raises SystemExit\(3\)"):
            of_numpy(loss)([X])

    def test_the_result_and_what_was_called_are_kept(self):
        asked = of_numpy(lambda x: (x.sum(), x))
        asked([X])
        assert asked.called is asked.function
        assert np.array_equal(asked.last[1], X)


class Counting:
    """Its value is the number of its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return float(self.calls)


class TestState:
    def test_a_state_is_kept_until_it_is_restored_before_each_call(self):
        asked = of_numpy(Counting)
        assert [asked([X]).value for _ in range(2)] == [1.0, 2.0]
        asked.restore(True)
        assert [asked([X]).value for _ in range(2)] == [1.0, 1.0]
        asked.restore(False)
        assert [asked([X]).value for _ in range(2)] == [1.0, 2.0]

    def test_building_may_draw_and_is_seeded(self):
        class Random:
            def __init__(self):
                self.drawn = random.random() + np.random.rand()  # noqa: NPY002 - as a user's loss

            def __call__(self, x):
                return self.drawn

        random.seed(1)
        first = of_numpy(Random)([X]).value
        assert of_numpy(Random)([X]).value == first

    def test_the_random_numbers_go_on_after_a_seeded_block(self):
        random.seed(5)
        np.random.seed(5)  # noqa: NPY002
        right = random.random(), np.random.rand()  # noqa: NPY002
        random.seed(5)
        np.random.seed(5)  # noqa: NPY002
        with module.seed_library("numpy"):
            within = random.random(), np.random.rand()  # noqa: NPY002
        assert (random.random(), np.random.rand()) == right  # noqa: NPY002
        with module.seed_library("numpy"):
            assert (random.random(), np.random.rand()) == within  # noqa: NPY002

    def test_random_numbers_are_restored_after_an_error(self):
        def fail():
            with module.seed_library("numpy"):
                raise ValueError("mine")

        random.seed(5)
        before = random.getstate()
        with pytest.raises(ValueError, match="mine"):
            fail()
        assert random.getstate() == before


class TestLearn:
    """Which of several numbers are losses."""

    def test_one_number_is_asked_once(self):
        asked = of_numpy(Counting)
        assert asked.learn([X], tuple).value == 1.0
        assert asked.target.take is None

    def test_the_numbers_that_depend_on_the_inputs_are_the_losses(self):
        asked = of_numpy(lambda x, y: (0.5, np.sum(x), np.sum(x * y)))
        assert asked.learn([X, Y], tuple).value == pytest.approx(X.sum() + product(X, Y), rel=1e-12, abs=0)
        assert asked.target.take == (1, 2)
        assert list(asked.notes) == ["it returns 2 losses: their sum is judged"]

    def test_the_arrays_are_arranged_each_time(self):
        asked = of_numpy(lambda both: (0.5, np.sum(both[0]), np.sum(both[1])))
        answer = asked.learn([X, Y], lambda arrays: (list(arrays),))
        assert answer.value == pytest.approx(X.sum() + Y.sum(), rel=1e-12, abs=0)

    def test_the_inputs_are_moved_within_a_tenth_and_labels_are_not(self):
        seen = []

        def loss(x, labels):
            seen.append((x.copy(), labels.copy()))
            return np.sum(x), np.sum(x)

        of_numpy(loss).learn([X, LABELS], tuple)
        (_, _), (moved, labels), *_ = seen
        assert np.array_equal(labels, LABELS)
        assert np.all((moved / X > 1) & (moved / X < 1.1))

    def test_with_a_place_or_a_backward_nothing_is_learned(self):
        def loss(x, y):
            return np.float64(0.5), product(x, y)

        assert of_numpy(loss, take=0).learn([X, Y], tuple).value == 0.5
        asked = of_numpy(loss, backward=lambda x, y: (y, x))
        asked.learn([X, Y], tuple)
        assert asked.target.take is None


def keyword(x, *, y, weight=1.0):
    return "keyword", x, y, weight


def optional(x, y, weight=1.0, labels=None, mask=None):
    return "optional", x, y, weight, labels, mask


class TestCallBySignature:
    @pytest.mark.parametrize(
        ("function", "arguments", "given", "called"),
        [
            (optional, (1, 2), {}, ("optional", 1, 2, 1.0, None, None)),
            (optional, (1, 2), {"weight": 3}, ("optional", 1, 2, 3, None, None)),
            (optional, (1, 2, 3), {}, ("optional", 1, 2, 1.0, 3, None)),
            (optional, (1, 2, 3, 4), {}, ("optional", 1, 2, 1.0, 3, 4)),
            (optional, (1, 2, 3), {"labels": 5}, ("optional", 1, 2, 1.0, 5, 3)),
            (keyword, (1, 2), {}, ("keyword", 1, 2, 1.0)),
            (keyword, (1, 2), {"weight": 3}, ("keyword", 1, 2, 3)),
            (lambda *arrays: arrays, (1, 2, 3), {}, (1, 2, 3)),
            (lambda labels=None: labels, (1,), {}, 1),
        ],
    )
    def test_arguments_are_passed_in_order_or_by_name(self, function, arguments, given, called):
        assert call_by_signature(function, arguments, given) == called


class WithMethods:
    """A loss whose class has backward passes of several signatures."""

    def __init__(self):
        self.factor = 3.0

    def __call__(self, x, y):
        return product(x, y)

    def of_nothing(self):
        return self.factor * X

    def of_slope(self, g):
        return g * self.factor * X, g * Y

    def of_arrays(self, x, y):
        return self.factor * y, x


class Heir(WithMethods):
    pass


def back(backward, result=0.0, called=None, given=None):
    return call_backward(target(product, {}, backward), called, result, [X, Y], given or {}, 4.0)


class TestCallBackward:
    def test_a_backward_of_the_arrays(self):
        dx, dy = back(lambda x, y, weight: (weight * y, x), given={"weight": 2.0})
        assert np.array_equal(dx, 2 * Y)
        assert np.array_equal(dy, X)

    @pytest.mark.parametrize("backward", [lambda cache: cache, lambda cache, more=1: cache])
    def test_a_backward_of_the_cache(self, backward):
        assert back(backward, (0.5, "cache")) == "cache"

    def test_without_a_cache_one_argument_is_an_array(self):
        with pytest.raises(TypeError):
            back(lambda cache: cache, 0.5)

    def test_three_arguments_are_not_the_cache(self):
        assert back(lambda x, y, more=2: more, (0.5, "cache")) == 2

    @pytest.mark.parametrize("kind", [WithMethods, Heir])
    def test_a_method_is_called_on_what_was_called(self, kind):
        called = kind()
        called.factor = 5.0
        assert np.array_equal(back(WithMethods.of_nothing, called=called), 5 * X)
        dx, dy = back(WithMethods.of_arrays, called=called)
        assert np.array_equal(dx, 5 * Y)
        assert np.array_equal(dy, X)

    def test_a_method_of_the_slope_is_divided_by_it(self):
        dx, dy = back(WithMethods.of_slope, called=WithMethods())
        assert dx == pytest.approx(3 * X, rel=1e-15, abs=0)
        assert dy == pytest.approx(Y, rel=1e-15, abs=0)

    def test_a_method_of_two_arrays_does_not_get_the_cache(self):
        dx, _ = back(WithMethods.of_arrays, (0.5, "cache"), WithMethods())
        assert np.array_equal(dx, 3 * Y)


Fields = namedtuple("Fields", "x temperature")


def test_one_gradient_several_or_fields_are_divided():
    assert module.divide(6, 4.0) == 1.5
    assert np.array_equal(module.divide([2.0, 4.0], 2.0), (1.0, 2.0))
    dx, (dy,) = module.divide((X, [Y]), 4.0)
    assert np.array_equal(dx, X / 4)
    assert np.array_equal(dy, Y / 4)
    fields = module.divide(Fields(X, 8.0), 4.0)
    assert list(fields) == ["x", "temperature"]
    assert np.array_equal(fields["x"], X / 4)
    assert fields["temperature"] == 2.0


def test_the_fields_of_a_gradient_are_arrays_and_numbers():
    for fields in (Fields(X, np.float64(2.0)), {"x": X, "temperature": np.array(2.0)}):
        slopes, numbers = module.split_fields(fields)
        assert len(slopes) == 1
        assert slopes[0] is X
        assert numbers == {"temperature": 2.0}
        assert type(numbers["temperature"]) is float
    assert module.split_fields((X, 2.0)) == ((X, 2.0), {})


def test_a_gradient_for_each_array_of_floats():
    dx, none, dy = module.read_gradients([X, Y.tolist()], [X, LABELS, Y], "mine")
    assert np.array_equal(dx, X)
    assert none is None
    assert np.array_equal(dy, Y)
    assert dy.dtype == np.float64


def test_an_array_without_a_gradient_is_held_constant():
    dx, dy = module.read_gradients(X, [X, Y[:2]], "mine")
    assert np.array_equal(dx, X)
    assert np.array_equal(dy, np.zeros((2, 3)))


def test_a_gradient_of_another_shape_is_refused():
    with pytest.raises(
        Refused, match=r"of mine returns a gradient of shape \(3,\) for an array of shape \(4, 3\)"
    ):
        module.read_gradients(X[0], [X], "mine")


def test_the_gradient_by_an_unused_tensor_is_0():
    assert np.array_equal(module.fill(None, X), np.zeros((4, 3)))


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


def of_torch(loss, dtype="float64", settings=None, **fields):
    return Session(target(loss, settings or {})._replace(**fields), "torch", dtype)


class TestTorch:
    def test_value_and_gradient(self, torch):
        answer = of_torch(lambda x, y: (x * y).sum())([X, Y], True)
        assert answer.value == pytest.approx(product(X, Y), rel=1e-14, abs=0)
        assert np.array_equal(answer.gradients, [Y, X])
        assert (answer.dtype, answer.numbers) == ("float64", {})
        assert of_torch(lambda x, y: (x * y).sum())([X, Y]).gradients is None

    def test_the_dtypes_of_the_tensors(self, torch):
        seen = []

        def loss(*tensors):
            seen.extend((x.dtype, x.requires_grad) for x in tensors)
            return tensors[0].sum()

        of_torch(loss, "float32")([X, LABELS, LABELS > 0], True)
        assert seen == [(torch.float32, True), (torch.long, False), (torch.bool, False)]
        seen.clear()
        of_torch(loss)([X])
        assert seen == [(torch.float64, False)]

    def test_without_a_gradient_no_graph_is_kept(self, torch):
        seen = []

        def loss(x):
            seen.append(torch.is_grad_enabled())
            return x.sum()

        of_torch(loss)([X])
        of_torch(loss)([X], True)
        assert seen == [False, True]

    def test_integers_have_no_gradient_and_unused_arrays_have_0(self, torch):
        dx, none, dy = of_torch(lambda x, labels, y: (x**2).sum())([X, LABELS, Y], True).gradients
        assert dx == pytest.approx(2 * X, rel=1e-15, abs=0)
        assert none is None
        assert np.array_equal(dy, 0 * Y)

    @pytest.mark.parametrize("value", [2.5, "detached"])
    def test_a_value_without_a_graph_has_a_gradient_of_0(self, torch, value):
        answer = of_torch(lambda x: x.detach().sum() if value == "detached" else value)([X], True)
        assert answer.value == pytest.approx(X.sum() if value == "detached" else 2.5)
        assert np.array_equal(answer.gradients[0], 0 * X)

    def test_a_frozen_array_has_no_gradient(self, torch):
        asked = of_torch(lambda x, y: (x * y).sum())
        asked.frozen = frozenset([0])
        none, dy = asked([X, Y], True).gradients
        assert none is None
        assert np.array_equal(dy, X)

    def test_a_backward_that_ignores_later_operations_is_wrong_by_the_upstream(self, torch):
        class Deaf(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.sum()

            @staticmethod
            def backward(ctx, g):
                return torch.ones(4, 3, dtype=torch.float64)

        asked = of_torch(lambda x: Deaf.apply(x))
        assert np.array_equal(asked([X], True).gradients[0], np.ones((4, 3)) / 4)
        asked.upstream = 1.0
        assert np.array_equal(asked([X], True).gradients[0], np.ones((4, 3)))

    def test_tensors_may_lie_column_by_column(self, torch):
        seen = []

        def loss(*tensors):
            seen.extend((x.stride(), x.tolist()) for x in tensors)
            return tensors[0].sum()

        asked = of_torch(loss)
        asked.transposed = True
        asked([X, LABELS])
        assert seen == [((1, len(X)), X.tolist()), ((1,), LABELS.tolist())]

    def test_a_loss_is_called_with_other_arrays_before_its_backward(self, torch):
        seen = []

        def loss(x):
            seen.append((x.tolist(), x.requires_grad))
            return (x**2).sum()

        asked = of_torch(loss)
        asked.between = [Y]
        assert np.array_equal(asked([X], True).gradients[0], 2 * X)
        assert seen == [(X.tolist(), True), (Y.tolist(), True)]

    def test_a_loss_that_writes_into_its_tensors_is_refused(self, torch):
        with pytest.raises(Refused, match="writes into the arrays"):
            of_torch(lambda x: x.zero_().sum())([X])

    def test_a_loss_may_call_its_tensors_by_name_and_is_computed_with_its_graph(self, torch):
        asked = of_torch(lambda x, *, labels: (x * labels[:, None]).sum())
        tensor = torch.tensor(X, requires_grad=True)
        value = asked.compute([tensor, torch.tensor(LABELS)])
        assert value.shape == ()
        assert value.requires_grad

    def test_one_number_in_a_tensor_is_computed_as_a_number(self, torch):
        assert of_torch(lambda x: x.sum().reshape(1, 1)).compute([torch.tensor(X)]).shape == ()

    def test_a_loss_that_makes_tensors_gets_them_in_the_dtype_of_the_inputs_if_widened(self, torch):
        made = []

        def loss(x):
            made.append(torch.ones(1).dtype)
            return x.sum()

        of_torch(loss, widened=True)([X])
        of_torch(loss)([X])
        assert made == [torch.float64, torch.float32]
        assert torch.get_default_dtype() == torch.float32

    def test_building_is_seeded_and_random_numbers_go_on(self, torch):
        torch.manual_seed(5)
        right = torch.rand(1)
        torch.manual_seed(5)
        with module.seed_library("torch"):
            within = torch.rand(1)
        assert torch.equal(torch.rand(1), right)
        with module.seed_library("torch"):
            assert torch.equal(torch.rand(1), within)


def of_jax(loss, **fields):
    return Session(target(loss, {})._replace(**fields), "jax")


@pytest.fixture
def jnp():
    return pytest.importorskip("jax.numpy")


class TestJAX:
    def test_value_and_gradient(self, jnp):
        asked = of_jax(lambda x, labels, y: jnp.sum(x * y))
        answer = asked([X, LABELS, Y], True)
        assert answer.value == pytest.approx(product(X, Y), rel=1e-14, abs=0)
        assert answer.dtype == "float64"
        dx, none, dy = answer.gradients
        assert dx == pytest.approx(Y, rel=1e-15, abs=0)
        assert none is None
        assert dy == pytest.approx(X, rel=1e-15, abs=0)
        assert asked([X, LABELS, Y]).gradients is None

    def test_the_dtypes_of_the_arrays(self, jnp):
        seen = []

        def loss(*arrays):
            seen.extend(str(x.dtype) for x in arrays)
            return jnp.sum(arrays[0])

        of_jax(loss)([X, LABELS, LABELS > 0])
        assert seen == ["float64", "int32", "bool"]

    def test_a_gradient_is_in_double_precision_whatever_the_loss(self, jnp):
        answer = Session(target(lambda x: jnp.sum(x**2)), "jax", "float32")([X], True)
        assert answer.dtype == "float32"
        assert answer.gradients[0].dtype == np.float64
        assert answer.gradients[0] == pytest.approx(2 * X, rel=1e-6, abs=0)  # of float32

    @pytest.mark.parametrize("gradient", [False, True])
    def test_the_loss_is_read_from_the_result(self, jnp, gradient):
        asked = of_jax(lambda x: {"loss": jnp.sum(x, axis=1), "accuracy": 0.5})
        assert asked([X], gradient).value == pytest.approx(X.sum() / 4, rel=1e-12, abs=0)
        assert list(asked.notes) == ["it returns a number for each row: their mean is judged"]

    def test_the_axis_that_a_loss_uses_is_learned(self, jnp):
        lax = pytest.importorskip("jax.lax")
        asked = of_jax(lambda x: lax.pmean(jnp.sum(x), "own"), mapped=True)
        answers = asked.ask_ranks([[X], [Y]])
        assert [one.value for one in answers] == pytest.approx(
            [(X.sum() + Y.sum()) / 2] * 2, rel=1e-13, abs=0
        )
        assert asked.axis == "own"
        (note,) = asked.notes
        assert note.startswith("run under jax.vmap's axis own")

    def test_a_second_axis_is_refused(self, jnp):
        lax = pytest.importorskip("jax.lax")
        asked = of_jax(lambda x: lax.pmean(lax.pmean(jnp.sum(x), "one"), "two"), mapped=True)
        with pytest.raises(Refused, match="uses two mapped axes, one and two"):
            asked.ask_ranks([[X], [Y]])

    def test_an_unmapped_loss_has_no_axis(self, jnp):
        lax = pytest.importorskip("jax.lax")
        with pytest.raises(NameError, match="own"):
            of_jax(lambda x: lax.pmean(jnp.sum(x), "own"))([X])

    def test_another_name_that_is_missing_is_its_own_error(self, jnp):
        with pytest.raises(NameError, match="nothing_such"):
            of_jax(lambda x: nothing_such, mapped=True)([X])  # noqa: F821


def test_a_record_with_a_loss_is_read():
    assert of_numpy(lambda x: SimpleNamespace(loss=1.5))([X]).value == 1.5
