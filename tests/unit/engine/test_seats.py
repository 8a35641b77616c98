"""Three seats in a ring."""

import pytest

from terziglio.seats import SEATS, Seat


def test_R8_three_seats() -> None:
    assert [int(seat) for seat in Seat] == [0, 1, 2]
    assert SEATS == 3


def test_R9_play_goes_to_the_right_from_0_to_1_to_2_to_0() -> None:
    assert [seat.next for seat in Seat] == [Seat.S1, Seat.S2, Seat.S0]


@pytest.mark.parametrize("steps", range(6))
def test_R9_seat_after_some_turns(steps: int) -> None:
    assert [int(seat.after(steps)) for seat in Seat] == [
        (seat + steps) % 3 for seat in (0, 1, 2)
    ]


def test_seat_is_told_by_its_number() -> None:
    assert [str(seat) for seat in Seat] == ["0", "1", "2"]
    assert Seat(2) is Seat.S2
    with pytest.raises(ValueError, match="not a valid Seat"):
        Seat(3)
