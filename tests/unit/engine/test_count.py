"""The count of a hand: the worked table, every sign of the payments, every figure."""

import pytest

from referee import reckon
from support import counted, played
from terziglio.contracts import Contract
from terziglio.count import LAST_TRICK, NEED, TRICKS, Bonus, Result, Step
from terziglio.seats import Seat

CASES = """
W1  chiamo     7  15 14  3 S 21-14 won  plain      2 -1
W2  chiamo     5  14 18  0 D 14-21 lost plain     -2  1
W3  chiamo     6  11 21  0 S 14-21 lost plain     -2  1
W4  solo       7  15 15  2 S 20-15 won  plain      4 -2
W5  solo       7  17 14  1 D 17-18 lost plain     -4  2
W6  solo       4   6 17  9 S 18-17 won  plain      4 -2
W7  solissimo  6  12 17  3 S 18-17 won  plain      8 -4
W8  solissimo  8  17 11  4 D 17-18 lost plain     -8  4
W9  chiamo     6   3 17 12 S 18-17 won  plain      2 -1
W10 chiamo    12  30  0  2 S 35-0  won  cappotto   4 -2
W11 solo      12  28  0  4 S 35-0  won  cappotto   8 -4
W12 solissimo 12  26  0  6 S 35-0  won  cappotto  16 -8
W13 chiamo     0   0 29  3 D 0-35  lost cappotto  -4  2
W14 solo       0   0 32  0 D 0-35  lost cappotto  -8  4
W15 solissimo  0   0 27  5 D 0-35  lost cappotto -16  8
W16 chiamo    10  28  2  2 S 33-2  won  stramazzo  6 -3
W17 solo      10  29  1  2 S 34-1  won  stramazzo 12 -6
W18 solissimo 11  27  2  3 S 33-2  won  stramazzo 24 -12
W19 chiamo     1   2 26  4 D 2-33  lost stramazzo -6  3
W20 solo       2   0 30  2 D 0-35  lost stramazzo -12 6
W21 solissimo  3   2 29  1 D 2-33  lost stramazzo -24 12
W22 chiamo    11  30  0  2 S 35-0  won  stramazzo  6 -3
W23 solo      10  27  3  2 S 32-3  won  plain      4 -2
W24 solo       2   3 27  2 D 3-32  lost plain     -4  2
W25 chiamo    11  31  1  0 D 31-4  won  stramazzo  6 -3
W26 solo      10  27  2  3 D 27-8  won  stramazzo 12 -6
W27 solo       1   2 18 12 S 17-18 lost stramazzo -12 6
W28 solissimo 11  18  2 12 D 18-17 won  stramazzo 24 -12
"""
ROWS = [line.split() for line in CASES.strip().splitlines()]
IDS = [row[0] for row in ROWS]


def result_of(
    contract: str,
    tricks: int,
    in_tricks: tuple[int, int],
    last: str,
    soloist: Seat = Seat.S0,
) -> Result:
    """A count with these figures; 32 thirds less the tricks' make the monte."""
    return Result(
        soloist=soloist,
        contract=Contract(contract),
        tricks=(tricks, 12 - tricks),
        in_tricks=in_tricks,
        monte=32 - sum(in_tricks),
        monte_to=soloist if last == "S" else soloist.next,
    )


@pytest.mark.parametrize("row", ROWS, ids=IDS)
@pytest.mark.parametrize("soloist", Seat)
def test_R44_R58_worked_case(row: list[str], soloist: Seat) -> None:
    contract, tricks, s_thirds, d_thirds, monte, last = row[1:7]
    result = result_of(
        contract, int(tricks), (int(s_thirds), int(d_thirds)), last, soloist
    )
    assert result.monte == int(monte)
    expect(result, row)


@pytest.mark.parametrize("row", ROWS, ids=IDS)
@pytest.mark.parametrize("soloist", Seat)
def test_R42_R44_worked_case_from_its_tricks(row: list[str], soloist: Seat) -> None:
    """The same table, but with twelve tricks of real cards and a monte on the table."""
    contract, tricks, s_thirds, d_thirds, monte, last = row[1:7]
    split = (int(tricks), 12 - int(tricks))
    thirds = (int(s_thirds), int(d_thirds))
    hand = counted(Contract(contract), soloist, split, thirds, last)
    result = hand.result
    assert (result.tricks, result.in_tricks) == (split, thirds)
    assert result.monte == int(monte)
    assert (result.monte_to == soloist) == (last == "S")
    expect(result, row)


def expect(result: Result, row: list[str]) -> None:
    totals, outcome, bonus, to_soloist, to_defender = row[7:]
    assert f"{result.soloist_thirds}-{result.defender_thirds}" == totals
    assert result.won == (outcome == "won")
    assert (result.bonus or "plain") == bonus
    assert result.payment == abs(int(to_defender))
    wanted = [int(to_defender)] * 3
    wanted[result.soloist] = int(to_soloist)
    assert list(result.delta) == wanted


@pytest.mark.parametrize(
    ("soloist", "floors", "won"),
    [
        pytest.param(18, (6, 5), True, id="W29-18-17"),
        pytest.param(17, (5, 6), False, id="W29-17-18"),
        pytest.param(16, (5, 6), False, id="W29-16-19"),
    ],
)
def test_R47_W29_floors_name_the_same_winner(
    soloist: int, floors: tuple[int, int], won: bool
) -> None:
    result = result_of("solo", 6, (soloist - 3, 35 - soloist), "S")
    assert (result.soloist_thirds // 3, result.defender_thirds // 3) == floors
    assert result.won is won


def test_R7_R46_R47_R48_every_split_of_35_has_one_winner() -> None:
    for thirds in range(33):
        for last in "SD":
            result = result_of("solo", 6, (thirds, 32 - thirds), last)
            soloist, defenders = result.soloist_thirds, result.defender_thirds
            assert soloist + defenders == 35
            assert soloist // 3 + defenders // 3 == 11
            assert result.won == (soloist >= 18) == (defenders < 18)
            assert result.won == (soloist // 3 >= 6)


@pytest.mark.parametrize("poor", [0, 1, 2])
@pytest.mark.parametrize("monte", range(13))
def test_R56_W30_side_with_less_than_3_thirds_in_tricks_never_wins(
    poor: int, monte: int
) -> None:
    rest = 32 - monte - poor
    soloist = result_of("solo", 1, (poor, rest), "S")
    assert soloist.soloist_thirds <= 17
    assert not soloist.won
    assert soloist.bonus is Bonus.STRAMAZZO
    defenders = result_of("solo", 11, (rest, poor), "D")
    assert defenders.defender_thirds <= 17
    assert defenders.won
    assert defenders.bonus is Bonus.STRAMAZZO


def test_R56_W30_the_limit_is_17() -> None:
    assert result_of("solo", 1, (2, 18), "S").soloist_thirds == 17


SIGNS = [
    ("chiamo", "plain", "won", 2, -1),
    ("chiamo", "plain", "lost", -2, 1),
    ("chiamo", "cappotto", "won", 4, -2),
    ("chiamo", "cappotto", "lost", -4, 2),
    ("chiamo", "stramazzo", "won", 6, -3),
    ("chiamo", "stramazzo", "lost", -6, 3),
    ("solo", "plain", "won", 4, -2),
    ("solo", "plain", "lost", -4, 2),
    ("solo", "cappotto", "won", 8, -4),
    ("solo", "cappotto", "lost", -8, 4),
    ("solo", "stramazzo", "won", 12, -6),
    ("solo", "stramazzo", "lost", -12, 6),
    ("solissimo", "plain", "won", 8, -4),
    ("solissimo", "plain", "lost", -8, 4),
    ("solissimo", "cappotto", "won", 16, -8),
    ("solissimo", "cappotto", "lost", -16, 8),
    ("solissimo", "stramazzo", "won", 24, -12),
    ("solissimo", "stramazzo", "lost", -24, 12),
]
FIGURES = {
    ("plain", "won"): (7, (17, 13), "S"),
    ("plain", "lost"): (5, (13, 17), "D"),
    ("cappotto", "won"): (12, (30, 0), "S"),
    ("cappotto", "lost"): (0, (0, 30), "D"),
    ("stramazzo", "won"): (11, (28, 2), "S"),
    ("stramazzo", "lost"): (1, (2, 28), "D"),
}


@pytest.mark.parametrize("soloist", Seat)
@pytest.mark.parametrize(("contract", "bonus", "outcome", "mine", "theirs"), SIGNS)
def test_R51_O16_R58_table_of_changes(
    contract: str, bonus: str, outcome: str, mine: int, theirs: int, soloist: Seat
) -> None:
    result = result_of(contract, *FIGURES[bonus, outcome], soloist)
    wanted = [theirs] * 3
    wanted[soloist] = mine
    assert list(result.delta) == wanted
    assert sum(result.delta) == 0
    assert mine == -2 * theirs
    assert result.payment == abs(theirs) > 0


def test_R52_R53_multipliers() -> None:
    assert {bonus.value: bonus.multiplier for bonus in Bonus} == {
        "cappotto": 2,
        "stramazzo": 3,
    }


@pytest.mark.parametrize(
    ("thirds", "bonus"),
    [(0, Bonus.STRAMAZZO), (1, Bonus.STRAMAZZO), (2, Bonus.STRAMAZZO), (3, None)],
)
def test_R53_R54_O12_stramazzo_below_a_whole_point_on_either_side(
    thirds: int, bonus: Bonus | None
) -> None:
    assert result_of("chiamo", 10, (30 - thirds, thirds), "S").bonus is bonus
    assert result_of("chiamo", 2, (thirds, 30 - thirds), "D").bonus is bonus


@pytest.mark.parametrize("last", ["S", "D"])
def test_R53_O13_last_trick_and_monte_do_not_save_the_losers(last: str) -> None:
    """W25 W26: the losers of the trick test are poor whoever takes trick 12."""
    assert result_of("solo", 11, (29, 1), last).bonus is Bonus.STRAMAZZO
    assert result_of("solo", 1, (1, 29), last).bonus is Bonus.STRAMAZZO


def test_R53_winners_tricks_are_not_looked_at() -> None:
    """W9: the soloist wins with 3 thirds in tricks, the defenders lose with 17."""
    assert result_of("chiamo", 6, (3, 17), "S").bonus is None


def test_R55_O15_cappotto_is_never_a_stramazzo_too() -> None:
    assert result_of("chiamo", 12, (30, 0), "S").bonus is Bonus.CAPPOTTO
    assert result_of("chiamo", 12, (30, 0), "S").payment == 2
    assert result_of("chiamo", 0, (0, 30), "D").payment == 2


def test_I9_O14_all_the_thirds_are_not_yet_all_the_tricks() -> None:
    result = result_of("chiamo", 11, (30, 0), "S")
    assert (result.soloist_thirds, result.defender_thirds) == (35, 0)
    assert result.bonus is Bonus.STRAMAZZO


def test_R7_R41_R47_numbers_of_the_count() -> None:
    assert (NEED, LAST_TRICK, TRICKS) == (18, 3, 12)


@pytest.mark.parametrize(
    ("last", "extra"),
    [
        ("S", (("last_trick", 3, 0), ("monte", 2, 0), ("total", 20, 15))),
        ("D", (("last_trick", 0, 3), ("monte", 0, 2), ("total", 15, 20))),
    ],
)
def test_R44_steps_tell_how_35_came_together(
    last: str, extra: tuple[tuple[str, int, int], ...]
) -> None:
    steps = result_of("solo", 7, (15, 15), last).steps
    told = [(step.what, step.soloist, step.defenders) for step in steps]
    assert told == [("tricks", 15, 15), *extra]


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_R46_steps_add_up_to_their_total(row: list[str]) -> None:
    result = result_of(row[1], int(row[2]), (int(row[3]), int(row[4])), row[6])
    *parts, total = result.steps
    assert total == Step("total", result.soloist_thirds, result.defender_thirds)
    assert sum(step.soloist for step in parts) == total.soloist
    assert sum(step.defenders for step in parts) == total.defenders
    assert total.soloist + total.defenders == 35


def test_R44_R58_every_figure_comes_out_as_the_second_referee_says() -> None:
    """All thirds in tricks that a monte of at most 12 allows, each trick count."""
    for monte in range(13):
        for mine in range(33 - monte):
            theirs = 32 - monte - mine
            for tricks in range(13):
                if (tricks == 0 and mine) or (tricks == 12 and theirs):
                    continue
                for last in "SD":
                    if (last, tricks) in {("S", 0), ("D", 12)}:
                        continue
                    agree(result_of("solo", tricks, (mine, theirs), last), last)


def agree(result: Result, last: str) -> None:
    wanted = reckon("solo", result.in_tricks, result.tricks, result.monte, last == "S")
    assert result.won is wanted["won"]
    assert result.soloist_thirds == wanted["soloist_thirds"]
    assert result.defender_thirds == wanted["defender_thirds"]
    assert result.bonus == wanted["bonus"]
    assert result.payment == wanted["payment"]


@pytest.mark.parametrize(
    ("name", "tricks", "thirds", "totals", "delta"),
    [
        ("solo_lost_stramazzo", (1, 11), (2, 18), (17, 18), (-12, 6, 6)),
        ("chiamo_lost", (6, 6), (17, 15), (17, 18), (1, 1, -2)),
        ("solo_won", (6, 6), (17, 15), (20, 15), (4, -2, -2)),
        ("solissimo_won_cappotto", (12, 0), (32, 0), (35, 0), (-8, 16, -8)),
    ],
)
def test_R57_whole_hands_of_the_rules(
    name: str,
    tricks: tuple[int, int],
    thirds: tuple[int, int],
    totals: tuple[int, int],
    delta: tuple[int, int, int],
) -> None:
    result = played(name).result
    assert (result.tricks, result.in_tricks) == (tricks, thirds)
    assert (result.soloist_thirds, result.defender_thirds) == totals
    assert result.delta == delta
    assert all(type(change) is int for change in result.delta)
