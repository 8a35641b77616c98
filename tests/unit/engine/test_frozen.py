"""Twin of ``terziglio.frozen``."""

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import ClassVar

import pytest

from terziglio.frozen import quick


@dataclass(frozen=True, slots=True)
class Base:
    kind: ClassVar = "base"
    first: int

    @property
    def twice(self) -> int:
        return 2 * self.first


@quick
@dataclass(frozen=True, slots=True)
class Made(Base):
    kind: ClassVar = "made"
    second: str
    third: tuple[int, ...] = ()
    fourth: int | None = None


@dataclass(frozen=True, slots=True)
class Slow(Base):
    second: str
    third: tuple[int, ...] = ()
    fourth: int | None = None


def test_a_value_is_what_a_frozen_dataclass_makes_of_the_same() -> None:
    made = Made(1, "b", fourth=4)
    slow = Slow(1, "b", fourth=4)
    assert type(made) is Made
    assert [getattr(made, f.name) for f in fields(made)] == [1, "b", (), 4]
    assert repr(made) == repr(slow).replace("Slow", "Made")
    assert hash(made) == hash(slow)
    assert inspect.signature(Made) == inspect.signature(Slow)
    assert (made.kind, made.twice) == ("made", 2)
    assert made == Made(first=1, second="b", third=(), fourth=4) != Made(1, "b")
    assert replace(made, second="c") == Made(1, "c", (), 4)
    match made:
        case Made(first, second, fourth=fourth):
            assert (first, second, fourth) == (1, "b", 4)


def test_it_is_as_frozen_as_any() -> None:
    made = Made(1, "b")
    with pytest.raises(FrozenInstanceError):
        made.first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del made.second
    with pytest.raises((AttributeError, TypeError)):
        made.other = 3  # type: ignore[attr-defined]
    assert made == Made(1, "b")


@pytest.mark.parametrize("given", [(), (1,), (1, "b", (), None, 5)])
def test_what_is_missing_or_too_much_is_refused(given: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        Made(*given)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Made(1, "b", fifth=5)  # type: ignore[call-arg]


def test_copies_and_pickles_are_equal() -> None:
    made = Made(1, "b", (3,))
    assert copy.copy(made) == made
    assert copy.deepcopy(made) == made
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(made, protocol)) == made  # noqa: S301 - ours


def test_what_is_derived_from_it_is_made_as_any_other() -> None:
    @dataclass(frozen=True, slots=True)
    class More(Made):
        fifth: object = field(default=None, compare=False)

    class Named(Made):
        pass

    more = More(1, "b", fifth=5)
    assert (more.first, more.second, more.third, more.fifth) == (1, "b", (), 5)
    with pytest.raises(FrozenInstanceError):
        more.fifth = 6  # type: ignore[misc]
    named = Named(1, second="b")
    assert (type(named), named.second, named.third) == (Named, "b", ())
