"""Frozen dataclasses that are made fast.

A frozen dataclass sets each of its fields through ``object.__setattr__``: a call a
field, and a view of a table has seventeen. Here the fields are set on an open twin with
the same slots, which only then becomes the frozen value: as frozen as before.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

__all__ = ["quick"]

_T = TypeVar("_T")


def quick(kind: type[_T]) -> type[_T]:
    """Let a frozen dataclass with slots be made fast; nothing else about it changes.

    Its fields are plain, with plain defaults at most. A dataclass that is derived from
    it is made as any other.
    """
    told: tuple[Field[Any], ...] = fields(kind)  # type: ignore[arg-type]
    slots: tuple[str, ...] = vars(kind)["__slots__"]
    # With both the interpreter sets fields without a call, with one it does not.
    opened = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    twin = type(kind.__name__, kind.__bases__, {"__slots__": slots, **opened})
    names = tuple(field.name for field in told)
    preset = {f"_{f.name}": f.default for f in told if f.default is not MISSING}
    source = [
        f"def __new__(cls, {', '.join(_asked(name, preset) for name in names)}):",
        "    self = _new(_twin)",
        *(f"    self.{name} = {name}" for name in names),
        "    self.__class__ = cls",
        "    return self",
    ]
    made: dict[str, Any] = {"_new": object.__new__, "_twin": twin, **preset}
    exec("\n".join(source), made)  # noqa: S102 - as dataclasses do, of names alone
    made["__new__"].__annotations__ = {**kind.__init__.__annotations__}
    parts = {
        "__new__": made["__new__"],
        "__init__": object.__init__,
        "__init_subclass__": _derived(kind.__init__),
        "__getnewargs__": _kept(names),
    }
    for name, part in parts.items():
        setattr(kind, name, part)
    return kind


def _asked(name: str, preset: dict[str, Any]) -> str:
    return f"{name}=_{name}" if f"_{name}" in preset else name


def _kept(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """Return what tells a value's fields in order: copies and pickles are made so."""

    def kept(value: object) -> tuple[object, ...]:
        return tuple(getattr(value, name) for name in names)

    return kept


def _derived(plain: Callable[..., None]) -> object:
    """Return what lets a derived class be made as any other class."""

    def new(cls: type[_T], *given: object, **named: object) -> _T:
        value = object.__new__(cls)
        if cls.__init__ is object.__init__:
            plain(value, *given, **named)
        return value

    def derived(cls: type[object]) -> None:
        cls.__new__ = new  # type: ignore[method-assign]

    return classmethod(derived)
