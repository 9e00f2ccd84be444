"""A loss beside the catalogue's texts of the loss that it is claimed to be."""

import numpy as np
import pytest

from infonce_ref.conformance import inputs, text_tier
from infonce_ref.conformance.asking import Facts, Way
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Difference, Found, Reduction
from infonce_ref.conformance.question import Question
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target
from infonce_ref.losses import ALL
from infonce_ref.mistakes import ALL as CATALOGUE


def ask(loss, is_=None, way="two", unit=False, backward=None, precision="float64", settings=None, **fields):
    """The texts; fields: of the nearest formula, or the claimed options."""
    asked = Question(
        target(loss, settings or {}, backward),
        is_,
        fields.pop("options", {}),
        entry=fields.pop("entry", None),
    )
    session = Session(asked.target, "numpy")
    nearest = Nearest(Way(way, session, unit), None, fields.get("found"), fields.get("facts"), precision)
    return text_tier.ask(asked, nearest)


def spectral(x, y):
    return ALL["spectral"].forward(x, y)[0]


def spectral_backward(x, y):
    slopes = ALL["spectral"].backward(ALL["spectral"].forward(x, y)[1])
    return slopes.z1, slopes.z2


def clip(x, y, temperature=0.3):
    return ALL["clip"].forward(x, y, temperature=temperature)[0]


def pull_once(x, y):
    """The spectral loss with half of its pull, a mistake of the catalogue."""
    return spectral(x, y) + np.sum(x * y) / len(x)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def difference(mistake, **more):
    return Difference(mistake, "a sentence", **more)


class TestNames:
    @pytest.mark.parametrize(
        ("name", "arrays"),
        [
            ("clip", ["image", "text"]),
            ("ntxent", ["w"]),
            ("supcon", ["w", "labels"]),
            ("query_key", ["query", "positive", "negatives"]),
            ("vicreg", ["z1", "z2"]),
        ],
    )
    def test_the_arrays_of_an_entry(self, name, arrays):
        assert text_tier.array_names(CATALOGUE[name]) == arrays

    def test_the_worlds_of_a_loss_are_those_of_its_text_and_of_its_forms(self):
        assert text_tier.worlds("clip") == {"views", "scores"}
        assert text_tier.worlds("query_key") == {"queue", "own", "one negative"}
        assert text_tier.worlds("barlow_twins") == {"views"}

    def test_the_entries_of_a_loss_are_all_that_can_be_called(self):
        assert [entry.name for entry in text_tier.entries("ntxent")] == ["ntxent", "temperature"]
        assert {entry.name for entry in text_tier.entries("cpc")} == {"cpc", "stable"}
        assert text_tier.entries("") == []

    @pytest.mark.parametrize(
        ("measured", "given", "rounded"),
        [
            (0.3 * (1 + 1e-7), 0.3, True),
            (0.3 * (1 - 1e-7), 0.3, True),
            (0.3 * (1 + 5e-7), 0.3, False),
            (0.3 * (1 + 3.9e-7), 0.3, True),
            (0.3 * (1 + 5e-11), 0.3, False),
            (0.3 * (1 + 2e-10), 0.3, True),
            (0.3, 0.3, False),
            (None, 0.3, False),
            (0.3, "0.3", False),
            (0.3, None, False),
        ],
    )
    def test_whether_a_temperature_is_held_in_float32(self, measured, given, rounded):
        assert text_tier.is_rounded(measured, given) is rounded

    @pytest.mark.parametrize(
        ("name", "options", "defaults"),
        [
            ("ntxent", {}, True),
            ("ntxent", {"reduction": "mean"}, True),
            ("ntxent", {"reduction": "sum"}, False),
            ("ntxent", {"temperature": 0.7}, True),
            ("ntxent", {"another": "word"}, True),
        ],
    )
    def test_whether_the_claimed_options_are_those_of_the_text(self, name, options, defaults):
        asked = Question(target(clip), name, options)
        assert text_tier.has_defaults(asked, CATALOGUE[name]) is defaults

    def test_a_text_without_a_loss_has_no_options(self):
        asked = Question(target(clip), None, {"reduction": "sum"})
        assert text_tier.has_defaults(asked, CATALOGUE["ntxent"]._replace(loss=""))


class TestImprove:
    """Which names are kept, where texts have names too."""

    VAGUE, PLAIN, OTHER = difference("no formula fits"), difference("twice"), difference("of a text")

    def test_some_names_are_vague(self):
        assert text_tier.is_vague([self.PLAIN, self.VAGUE])
        assert not text_tier.is_vague([self.PLAIN])
        assert not text_tier.is_vague([])

    def test_a_vague_name_is_replaced(self):
        assert text_tier.improve((self.VAGUE,), (self.OTHER,)) == [self.OTHER]
        assert text_tier.improve([self.VAGUE], [self.OTHER, self.PLAIN]) == [self.OTHER, self.PLAIN]

    def test_several_names_are_replaced_by_fewer(self):
        two = [self.PLAIN, self.PLAIN]
        assert text_tier.improve(two, [self.OTHER]) == [self.OTHER]
        assert text_tier.improve(two, [self.OTHER, self.OTHER]) == two

    def test_without_a_text_the_names_stay(self):
        assert text_tier.improve((self.VAGUE,), ()) == [self.VAGUE]
        assert text_tier.improve([self.PLAIN], [self.OTHER]) == [self.PLAIN]

    def test_what_the_catalogue_adds_to_a_name(self):
        found = difference("of a text", known="of_a_text", claim="F1 loss", links=("a report",))
        assert text_tier.take_from_catalogue(found) == {
            "known": "of_a_text",
            "claim": "F1 loss",
            "links": ("a report",),
        }


FACTS = Facts(*[False] * 6)


def nearest_of(**facts):
    return Nearest(Way("two", None), None, None, FACTS._replace(**facts), "float64")


@pytest.mark.parametrize(
    ("name", "coordinates", "may_be"),
    [
        ("clip", False, True),
        ("clip", True, False),
        ("barlow_twins", True, True),
        ("barlow_twins", False, True),
    ],
)
def test_a_rotation_must_change_both_or_neither(name, coordinates, may_be):
    assert text_tier.may_be(CATALOGUE[name], nearest_of(coordinates=coordinates)) is may_be
    assert text_tier.may_be(CATALOGUE[name], nearest_of()._replace(facts=None))


class TestAsk:
    def test_a_right_loss_is_right_at_every_point(self):
        (text,) = ask(spectral, "spectral")
        assert text.points.entry is CATALOGUE["spectral"]
        assert text.is_right
        assert text.unit is False
        assert text.points.tolerance == 1e-8

    def test_the_points_have_all_sizes(self):
        """Four spreads of 4 and of 6 pairs, one point of 32, and an example."""
        (text,) = ask(spectral, "spectral")
        assert [len(a["x"]) for a in text.arrays] == [4] * 4 + [6] * 4 + [32, 4]
        assert [a["z1"] is b["x"] for a, b in zip(text.points.arguments, text.arrays)] == [True] * 10
        assert [float(value) for (value,) in text.values] == [spectral(**a) for a in text.arrays]

    def test_classes_have_a_row_that_is_alone(self):
        def supcon(w, labels):
            return ALL["supcon"].forward(w, labels=labels, temperature=0.3)[0]

        (text,) = ask(supcon, "supcon", "classes", options={"temperature": 0.3})
        assert len(text.arrays) == 11
        labels = text.arrays[-1]["labels"]
        assert np.array_equal(labels[:-1], text.arrays[0]["labels"][:-1])
        assert np.sum(labels == labels[-1]) == 1
        assert text.is_right

    def test_a_wrong_loss_is_not_right(self):
        (text,) = ask(pull_once, "spectral")
        assert not text.is_right

    def test_the_temperature_is_that_of_the_loss_or_of_the_claim_or_as_measured(self):
        def untold(x, y):
            return clip(x, y)

        (text,) = ask(clip, "clip")
        assert {a["temperature"] for a in text.points.arguments} == {0.3}
        assert text.fitted == {}
        (text,) = ask(clip, "clip", options={"temperature": 0.7})
        assert {a["temperature"] for a in text.points.arguments} == {0.7}
        (text,) = ask(untold, "clip")
        assert {a["temperature"] for a in text.points.arguments} == {0.3}
        assert text.fitted == {"temperature": 0.3}
        formula = Formula(("positive", "other view"))
        found = Found(formula, 0.6, None, Reduction("mean", 1.0), 0.0, 1e-15, 1e-10, 4, 4)
        (text,) = ask(untold, "clip", found=found)
        assert {a["temperature"] for a in text.points.arguments} == {0.6}
        assert text.fitted == {}

    @pytest.mark.parametrize(("off", "used"), [(1e-7, 0.3 * (1 + 1e-7)), (1e-5, 0.3)])
    def test_a_temperature_in_float32_is_as_measured(self, off, used):
        formula = Formula(("positive", "other view"))
        found = Found(formula, 0.3 * (1 + off), None, Reduction("mean", 1.0), 0.0, 1e-15, 1e-10, 4, 4)
        (text,) = ask(clip, "clip", found=found)
        assert {a["temperature"] for a in text.points.arguments} == {used}

    def test_a_number_that_is_unknown_leaves_no_text(self):
        assert ask(spectral, "siglip") == []

    def test_other_inputs_leave_no_text(self):
        assert ask(spectral, "supcon") == []

    def test_options_that_the_text_lacks_leave_no_text(self):
        assert ask(clip, "clip", options={"temperature": 0.3, "reduction": "mean"}) != []
        assert ask(clip, "clip", options={"temperature": 0.3, "reduction": "sum"}) == []

    def test_a_batch_that_is_refused_leaves_no_text(self):
        def small(x, y):
            if len(x) == 32:
                raise ValueError("too large")
            return spectral(x, y)

        assert ask(small, "spectral") == []

    def test_without_a_claim_and_a_formula_all_losses_of_such_inputs_are_compared(self, monkeypatch):
        few = {name: ALL[name] for name in ("supcon", "clip", "spectral", "barlow_twins")}
        monkeypatch.setattr(text_tier, "LOSSES", few)
        numbers = {"temperature": 0.3, "weight": 0.005}
        found = {text.points.entry.name: text.is_right for text in ask(spectral, options=numbers)}
        assert found == {"clip": False, "spectral": True, "barlow_twins": False}
        rotated = ask(spectral, options=numbers, facts=FACTS._replace(coordinates=True, length_of_x=True))
        assert [text.points.entry.name for text in rotated] == ["barlow_twins"]

    def test_without_a_claim_a_formula_is_enough(self):
        formula = Formula(("positive", "other view"))
        found = Found(formula, 0.3, None, Reduction("mean", 1.0), 0.0, 1e-15, 1e-10, 4, 4)
        assert ask(clip, found=found) == []

    def test_an_entry_that_is_named_is_compared_alone(self):
        (text,) = ask(spectral, "clip", entry=CATALOGUE["spectral"])
        assert text.points.entry.name == "spectral"

    def test_the_tolerance_is_ten_times_that_of_the_dtype_and_never_too_coarse(self):
        assert ask(spectral, "spectral", precision="float32")[0].points.tolerance == 10 * 3e-5
        assert ask(spectral, "spectral", precision="float16")[0].points.tolerance == 3e-3

    @pytest.mark.parametrize(
        ("facts", "units"),
        [
            ({}, [True, False]),
            ({"length_of_x": True}, [False]),
            ({"length_of_y": True}, [False]),
        ],
    )
    def test_a_loss_that_does_not_depend_on_lengths_is_compared_at_unit_rows_first(self, facts, units):
        texts = ask(
            lambda x, y: clip(unit(x), unit(y)),
            "clip",
            facts=FACTS._replace(**facts),
            options={"temperature": 0.3},
        )
        assert [text.unit for text in texts] == units
        for text in texts:
            lengths = [np.linalg.norm(x, axis=1) for a in text.arrays for x in (a["x"], a["y"])]
            assert np.allclose(np.concatenate(lengths), 1, rtol=1e-14) is text.unit
            assert text.is_right is text.unit

    def test_a_loss_that_normalises_is_not_compared_at_unit_rows(self):
        assert (
            text_tier.prepare(
                Question(target(clip), "ntxent"),
                ask(clip, "clip")[0].way,
                CATALOGUE["ntxent"],
                0.3,
                1e-10,
                True,
            )
            is None
        )

    def test_a_loss_of_unit_rows_is_asked_with_the_rows_as_they_are(self):
        (text,) = ask(spectral, "spectral", unit=True)
        assert text.way.unit is False
        assert text.is_right
        assert ask(spectral, unit=True) == []

    def test_at_rows_as_they_are_a_temperature_of_unit_rows_is_not_used(self):
        formula = Formula(("positive", "other view"))
        found = Found(formula, 0.6, None, Reduction("mean", 1.0), 0.0, 1e-15, 1e-10, 4, 4)
        (text,) = ask(lambda x, y: clip(x, y), "clip", unit=True, found=found)
        assert text.fitted == {"temperature": 0.3}

    def test_at_rows_as_they_are_a_loss_of_unit_rows_is_not_compared_at_unit_rows(self):
        (text,) = ask(clip, "clip", unit=True, facts=FACTS)
        assert text.unit is False


class TestGradients:
    def test_a_right_gradient_follows_the_claim(self):
        texts = ask(spectral, "spectral", backward=spectral_backward)
        assert text_tier.follows_claim(texts)
        assert text_tier.name_gradient(texts, []) == []

    def test_the_gradients_are_those_of_the_loss_at_each_point(self):
        (text,) = ask(spectral, "spectral", backward=spectral_backward)
        again, slopes = text.gradients()
        assert again.points.kept == (0, 1)
        assert len(slopes) == 10
        for arrays, (dx, dy) in zip(text.arrays, slopes):
            assert np.array_equal(dx, spectral_backward(**arrays)[0])
            assert np.array_equal(dy, spectral_backward(**arrays)[1])

    def test_a_loss_without_a_gradient_follows_nothing(self):
        texts = ask(spectral, "spectral")
        assert texts[0].gradients() is None
        assert not text_tier.follows_claim(texts)
        assert not text_tier.follows_claim([])
        assert text_tier.name_gradient(texts, [difference("gradient wrong")]) == [
            difference("gradient wrong")
        ]

    def test_unit_rows_hide_the_gradient(self):
        (text,) = ask(spectral, "spectral", backward=spectral_backward)
        assert text._replace(unit=True).gradients() is None

    def test_a_gradient_by_a_number_is_compared_too(self):
        def backward(x, y):
            slopes = ALL["siglip"].backward(cache(x, y))
            return {"image": slopes.image, "text": slopes.text, "bias": slopes.bias}

        def cache(x, y):
            return ALL["siglip"].forward(x, y, temperature=0.3, bias=-1.0)[1]

        def siglip(x, y):
            return ALL["siglip"].forward(x, y, temperature=0.3, bias=-1.0)[0]

        texts = ask(siglip, "siglip", backward=backward, options={"temperature": 0.3, "bias": -1.0})
        again, slopes = texts[0].gradients()
        assert again.points.kept == (0, 1, 3)  # image, text and bias
        assert {len(each) for each in slopes} == {3}
        assert text_tier.follows_claim(texts)

    def twice(self, x, y):
        return tuple(2 * slope for slope in spectral_backward(x, y))

    def test_a_wrong_gradient_is_named(self):
        texts = ask(spectral, "spectral", backward=self.twice)
        assert not text_tier.follows_claim(texts)
        assert [one.mistake for one in text_tier.name_gradient(texts, [])] == ["gradient twice"]

    def test_the_measured_factor_stays_in_the_sentence(self):
        texts = ask(spectral, "spectral", backward=self.twice)
        measured = Difference("gradient times a constant", "the gradient is 2 times the exact one")
        (found,) = text_tier.name_gradient(texts, [measured])
        assert found.mistake == "gradient twice"
        assert found.sentence == "the gradient is 2 times the exact one: twice what is right"

    def constant(self, x, y):
        return spectral_backward(x, y)[0], 0 * y

    def test_a_measured_name_that_is_plain_stays_with_the_catalogues_claim(self):
        texts = ask(spectral, "spectral", backward=self.constant)
        (own,) = text_tier.name_gradient(texts, [])
        assert own.known
        (found,) = text_tier.name_gradient(texts, [difference("one view held constant")])
        assert (found.mistake, found.sentence) == ("one view held constant", "a sentence")
        assert (found.known, found.claim) == (own.known, own.claim)


class TestNameValue:
    def test_a_vague_name_is_replaced_by_that_of_the_text(self):
        texts = ask(pull_once, "spectral")
        (found,) = text_tier.name_value(texts, [difference("no formula fits")])
        assert (found.mistake, found.known) == ("pull once", "pull_once")

    def test_a_plain_name_stays_and_is_looked_up(self):
        texts = ask(pull_once, "spectral")
        (found,) = text_tier.name_value(texts, [difference("pulls less")])
        assert (found.mistake, found.sentence, found.known) == ("pulls less", "a sentence", "pull_once")
        assert found.claim == "F7 row"

    def test_a_known_name_is_not_looked_up(self):
        known = difference("pulls less", known="mine")
        assert text_tier.name_value(ask(pull_once, "spectral"), [known]) == [known]

    def test_a_mistake_that_no_text_has_stays(self):
        texts = ask(lambda x, y: spectral(x, y) + 0.1 * np.sum(x), "spectral")
        for name in ("no formula fits", "pulls less"):
            assert text_tier.name_value(texts, [difference(name)]) == [difference(name)]

    def test_of_mistakes_with_the_same_values_the_one_with_this_mark_is_found(self):
        (text,) = ask(pull_once, "spectral")
        (same,) = (m for m in text.points.entry.mistakes if m.name == "pull_once")
        marked = same._replace(name="marked", marks=("pulls less",))
        entry = text.points.entry._replace(mistakes=(same, marked))
        texts = [text._replace(points=text.points._replace(entry=entry))]
        assert text_tier.look_up(texts, difference("pulls less")).known == "marked"
        assert text_tier.look_up(texts, difference("another")).known == "pull_once"


def test_worlds_are_those_of_inputs():
    assert text_tier.worlds("supcon") <= {way.world for way in inputs.WAYS.values()}
