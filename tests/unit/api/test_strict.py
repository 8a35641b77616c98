import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terziglio_api.wire.strict import Malformed, loads

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_ordinary_json_is_read_as_everybody_reads_it(value: object) -> None:
    assert loads(json.dumps(value)) == value
    assert loads(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Expecting value"),
        ("{", "Expecting property name"),
        ("nul", "Expecting value"),
        ("1 2", "Extra data"),
        ("NaN", "NaN"),
        ("[Infinity]", "Infinity"),
        ('{"a":-Infinity}', "-Infinity"),
        ('{"a":1,"a":2}', "twice"),
        ('[{"b":{"a":1,"a":1}}]', "twice"),
        ("1" * 19, "too long"),
        ("1" * 5000, "too long"),
        ("1e999", "too long"),
        ("0." + "1" * 50, "too long"),
        ('"\\ud800"', "UTF-8"),
        ('{"\\udfff":1}', "UTF-8"),
        ("[" * 17 + "]" * 17, "too deep"),
        ("[" * 100_000, "too deep"),
        ('{"a":' * 40 + "1" + "}" * 40, "too deep"),
        ("\ufeff1", "UTF-8 BOM"),
    ],
)
def test_what_is_not_json_here(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        loads(text)


def test_bytes_that_are_no_utf8() -> None:
    with pytest.raises(Malformed, match="UTF-8"):
        loads(b'"\xff\xfe"')


def test_the_deepest_that_is_read() -> None:
    assert loads("[" * 16 + "]" * 16)
    assert math.isclose(float(str(loads("0.25"))), 0.25)
