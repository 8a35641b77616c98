"""JSON as this service reads it: strictly.

Python's own reader takes NaN, keeps the last of two equal keys, lets lone surrogates
through and recurses until it breaks. None of that gets past here.
"""

import json
import re
from math import isfinite
from typing import Any, Final, NoReturn

import orjson

__all__ = ["Malformed", "loads"]

_DEEP: Final = 16
_DIGITS: Final = 18
_LONG: Final = re.compile(rf"\d{{{_DIGITS + 1}}}")


class Malformed(ValueError):
    """The text is not JSON as this service reads it; ``str`` says why."""


def loads(raw: bytes | str) -> object:
    """Return what the JSON says.

    Raises:
        Malformed: bad UTF-8 or syntax, NaN, a key twice, a number too long, a lone
            surrogate, or too deep.
    """
    try:
        text = raw.decode() if isinstance(raw, bytes) else raw
        known = _plain(text)
        if known is not None:
            return known
        value: object = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_int=_int,
            parse_float=_float,
        )
        _check(value)
    except UnicodeError:
        raise Malformed("the text is not UTF-8") from None
    except RecursionError:
        raise Malformed("too deep") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"{error.msg} at {error.pos}") from None
    return value


def _plain(text: str) -> object:
    """Return what an ordinary text says, fast; ``None`` for one to be looked at.

    A text that comes out just as it went in has no key twice and no odd number; one
    with few brackets is not deep.
    """
    if text.count("{") + text.count("[") > _DEEP or _LONG.search(text):
        return None
    try:
        value: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if orjson.dumps(value) == text.encode() else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Malformed("a key is there twice")
    return value


def _constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not JSON")


def _int(digits: str) -> int:
    if len(digits.lstrip("-")) > _DIGITS:
        raise Malformed("a number is too long")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if len(digits) > 2 * _DIGITS or not isfinite(value):
        raise Malformed("a number is too long")
    return value


def _check(value: object) -> None:
    """Refuse what is nested too deep, and text that no UTF-8 can carry."""
    level: list[object] = [value]
    for _ in range(_DEEP):
        below: list[object] = []
        for item in level:
            match item:
                case str():
                    item.encode()
                case dict():
                    below += item.keys()
                    below += item.values()
                case list():
                    below += item
                case _:
                    pass
        if not below:
            return
        level = below
    raise Malformed("too deep")
