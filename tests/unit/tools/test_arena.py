import re
import time
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from typing import cast

import pytest

from support import cards, on_table
from terziglio import Bot, Card, Contract, Play, SeatView, seat_view
from terziglio.actions import Action, Bid, Call, Discard, Phase
from terziglio.arena import Comparison, compare, roles
from terziglio.bank import deal_of
from terziglio.blocks import Block, HandPlayed, Score, Setup, Table, seatings
from terziglio.chairs import BadAnswer, Crashed, Failing, TimedOut, where
from terziglio.count import Bonus
from terziglio.crew import PlayerEndedProcess
from terziglio.entrants import Entrant
from terziglio.hand import apply, deal
from terziglio.phases import Counted, Hand
from terziglio.players import Player, house, random
from terziglio.players.random import choose
from terziglio.seats import Seat


class Luck(Bot):
    """Draws from its own generator."""

    def act(self, view: SeatView) -> Action:
        return choose(view, self.rng)


def passes(view: SeatView) -> Action:
    """Never bids; else the first legal action."""
    return view.legal.first()


def soloist(view: SeatView) -> Action:
    """Always solo if it may."""
    bids = view.legal.bids
    return Bid(Contract.SOLO) if Contract.SOLO in bids else house(view)


def failing_at_play(answer: Callable[[SeatView], Action]) -> Player:
    def player(view: SeatView) -> Action:
        return answer(view) if view.legal.cards else house(view)

    return player


@pytest.mark.parametrize(
    "player", [house, random, Luck, passes], ids=lambda p: p.__name__
)
def test_a_field_of_its_own_copies_reads_exactly_zero(player: Player) -> None:
    found = compare(player, player, deals=30, jobs=1)
    assert {block.points(0) for block in found.blocks} == {0.0}
    assert found.standings[0].points.value == 0.0
    assert found.standings[0].points.half == 0.0
    assert [s.name for s in found.standings] == [
        player.__name__,
        f"{player.__name__} (2)",
    ]


def test_three_copies_read_exactly_zero() -> None:
    found = compare(Luck, Luck, Luck, deals=10, jobs=1)
    assert {block.points(n) for block in found.blocks for n in range(3)} == {0.0}


def test_random_is_clearly_worse_than_house() -> None:
    found = compare("random", "house", deals=60, seed="1", jobs=1)
    tested, field = found.standings
    assert tested.points.high < -2
    assert field.points.value == pytest.approx(-tested.points.value / 2)
    assert (tested.hands, field.hands, found.hands) == (180, 360, 180)
    assert found.thrown_in < 20
    assert tested.p50_ms <= tested.p99_ms
    assert sum(tested.failures.values()) == 0
    assert not found.stopped


def test_seatings() -> None:
    assert seatings(2) == ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    assert sorted(seatings(3)) == sorted(set(seatings(3)))
    assert len(seatings(3)) == 6


def test_a_block_worked_out_by_hand() -> None:
    """Solo at stake 2 by whoever is first to speak: thirds as the engine counts."""
    hands = (
        HandPlayed(
            (0, 1, 1), Score(Seat(0), Contract.SOLO, True, None, (20, 15)), (4, -2, -2)
        ),
        HandPlayed(
            (1, 0, 1),
            Score(Seat(0), Contract.CHIAMO, False, Bonus.CAPPOTTO, (0, 35)),
            (-4, 2, 2),
        ),
        HandPlayed((1, 1, 0), None, (0, 0, 0)),
    )
    block = Block(0, Seat(0), hands, ({}, {}), (), ({}, {}))
    # The tested player: +4 as soloist, +2 as defender, 0 thrown in.
    assert block.points(0) == (4 + 2 + 0) / 3
    # The field's six seats: -2 -2, -4 +2, 0 0.
    assert block.points(1) == (-2 - 2 - 4 + 2) / 6


def test_a_block_is_played_as_the_engine_plays_it() -> None:
    """Each hand again, move by move, with the players at their seats."""
    setup = Setup((Entrant("solo", soloist), Entrant("house", house)), "1", "test")
    block = Table(setup).play(5)
    given = deal_of("test", "1", 5)
    for hand in block.hands:
        now: Hand = deal(given.dealer, given.deck)
        players = [(soloist, house)[who] for who in hand.seats]
        while now.turn is not None:
            now = apply(
                now, now.turn, players[now.turn](seat_view(on_table(now, 21), now.turn))
            )
        assert isinstance(now, Counted)
        assert hand.delta == now.result.delta
        assert hand.score is not None
        assert hand.score.thirds == (
            now.result.soloist_thirds,
            now.result.defender_thirds,
        )
        assert hand.score.soloist == now.result.soloist
    tested = [hand.delta[hand.seats.index(0)] for hand in block.hands]
    assert block.points(0) == sum(tested) / 3


def test_thrown_in_deals_are_zero_for_all() -> None:
    found = compare(passes, passes, deals=5, jobs=1)
    assert found.thrown_in == found.hands == 15
    assert all(
        hand.delta == (0, 0, 0) for block in found.blocks for hand in block.hands
    )
    assert found.standings[0].soloist_share == 0.0


def test_play_only_bids_alike_in_every_seating() -> None:
    found = compare(Luck, passes, deals=20, play_only="house", jobs=1)
    for block in found.blocks:
        alike = {(h.score.soloist, h.score.contract) for h in block.hands if h.score}
        assert len(alike) == 1
    assert found.setup.frozen is not None
    assert found.thrown_in == 0
    thrown = compare("house", "random", deals=3, play_only=passes, jobs=1)
    assert thrown.thrown_in == 9


def test_roles() -> None:
    found = roles("house", "random", deals=40, jobs=1)
    (hh, hr), (rh, rr) = found.matrix
    assert hh.hands == hr.hands == rh.hands == rr.hands <= 40
    assert hr.won > rh.won
    assert (rh.soloist, rh.defenders) == ("random", "house")
    assert hr.share.low > rh.share.high
    assert not found.stopped
    empty = roles("house", "random", deals=2, play_only=passes, jobs=1)
    assert [role.hands for row in empty.matrix for role in row] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("answer", "failing", "told"),
    [
        (
            lambda view: Play(next(c for c in Card if c not in view.hand)),
            Failing.ILLEGAL,
            "card_not_held",
        ),
        (lambda view: Bid(None), Failing.ILLEGAL, "wrong_phase.*bid pass"),
        (lambda view: Call(view.hand[0]), Failing.ILLEGAL, "wrong_phase.*call "),
        (lambda view: Discard(view.hand[:1]), Failing.ILLEGAL, "wrong_phase.*lay ..$"),
        (
            lambda view: Discard(view.hand[:1], view.hand[0]),
            Failing.ILLEGAL,
            "give ..$",
        ),
        (lambda view: Play(cast("Card", "3S")), Failing.ILLEGAL, "is none of Bid"),
        (
            lambda view: Discard((cast("Card", "3S"),)),
            Failing.ILLEGAL,
            "is none of Bid",
        ),
        (lambda view: None, Failing.ILLEGAL, "None is none of"),
        (lambda view: 1 // 0, Failing.CRASH, r"ZeroDivisionError: .*test_arena.py:\d+"),
        (lambda view: int("x"), Failing.CRASH, "ValueError"),
    ],
)
def test_house_answers_for_what_fails(
    answer: Callable[[SeatView], Action], failing: Failing, told: str
) -> None:
    found = compare(failing_at_play(answer), "house", deals=4, jobs=1)
    assert found.standings[0].failures[failing] > 12
    assert (
        sum(found.standings[0].failures.values())
        == found.standings[0].failures[failing]
    )
    assert found.standings[1].failures == dict.fromkeys(Failing, 0)
    (first,) = found.first_failures
    assert re.search(told, first.told)
    assert (first.player, first.deal, first.failing) == ("player", 0, failing)
    assert cards(first.would_do)
    # House in its place plays as house does.
    assert {block.points(0) for block in found.blocks} == {0.0}


@pytest.mark.parametrize(
    ("error", "failing"),
    [
        (TimedOut("late"), Failing.TIME_OUT),
        (BadAnswer("odd"), Failing.ILLEGAL),
        (Crashed("gone"), Failing.CRASH),
        (SystemExit(3), Failing.CRASH),
    ],
)
def test_what_programs_raise(error: BaseException, failing: Failing) -> None:
    def fails(view: SeatView) -> Action:
        raise error

    found = compare(fails, "house", deals=2, jobs=1)
    assert found.standings[0].failures[failing] > 12
    assert {block.points(0) for block in found.blocks} == {0.0}


def test_each_phase_says_what_would_do() -> None:
    def fails_in(phase: Phase) -> Player:
        def player(view: SeatView) -> Action:
            return view.legal.first() if view.phase is not phase else cast("Bid", None)

        def bidder(view: SeatView) -> Action:
            bids = view.legal.bids
            return Bid(bids[1]) if len(bids) == 4 else player(view)

        return bidder

    would: dict[Phase, str] = {}
    for phase in (Phase.CALL, Phase.EXCHANGE):
        found = compare(fails_in(phase), passes, deals=3, jobs=1)
        would[phase] = found.first_failures[0].would_do
    assert len(cards(would[Phase.CALL])) == 28
    assert would[Phase.EXCHANGE].startswith("any 4 and one more to give back of ")
    assert len(cards(would[Phase.EXCHANGE].partition(" of ")[2])) == 17
    bids = compare(lambda view: cast("Bid", None), "house", deals=1, jobs=1)
    assert bids.first_failures[0].would_do.endswith("solissimo")


def test_an_exception_of_the_arenas_own_code_names_no_line_of_the_author() -> None:
    assert where(ValueError()) == "ValueError"
    player = failing_at_play(lambda view: Bot().act(view))
    found = compare(player, "house", deals=1, jobs=1)
    assert "test_arena.py" in found.first_failures[0].told


def test_one_process_for_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {5}, raising=False)
    one = compare("house", "house", deals=2)
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert compare("house", "house", deals=2) == one


def test_a_player_that_ends_its_process_is_told(tmp_path: Path) -> None:
    path = tmp_path / "exits.py"
    path.write_text("import os\ndef exits(view): os._exit(3)\n", "utf-8")
    with pytest.raises(PlayerEndedProcess, match="--isolate finds out"):
        compare(str(path), "house", deals=4, jobs=2)


def test_a_stop_ends_the_workers() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    before = set(active_children())
    found = compare("house", "random", deals=500, jobs=2, progress=stop)
    assert found.stopped
    assert len(found.blocks) <= 1
    assert set(active_children()) == before


def test_late_answers_are_counted_and_stand() -> None:
    def slow(view: SeatView) -> Action:
        end = time.perf_counter() + 0.002
        while time.perf_counter() < end:
            pass
        return view.legal.first()

    found = compare(slow, passes, deals=1, move_ms=1, jobs=1)
    assert found.standings[0].failures[Failing.TIME_OUT] >= 3
    assert found.standings[0].p50_ms >= 2
    assert found.thrown_in == 3


def test_a_bot_that_cannot_sit_down_fails_at_each_decision() -> None:
    class Broken(Bot):
        def __init__(self) -> None:
            raise RuntimeError("no model")

        def act(self, view: SeatView) -> Action:
            return view.legal.first()

    found = compare(Broken, "house", deals=1, jobs=1)
    assert found.standings[0].failures[Failing.CRASH] > 3
    assert "no model" in found.first_failures[0].told


def test_an_author_that_keeps_time_is_not_timed_twice() -> None:
    class Kept:
        keeps_time = True

        def seated(self, seed: str, deal: int, seat: Seat) -> Player:
            return house

    found = compare(Entrant("kept", Kept()), "house", deals=1, move_ms=1, jobs=1)
    assert found.standings[0].name == "kept"
    assert found.standings[0].failures[Failing.TIME_OUT] == 0


def test_the_same_seed_gives_the_same_results() -> None:
    one, same, other = (
        compare(Luck, "house", deals=5, seed=seed, jobs=1) for seed in ("1", "1", "2")
    )
    assert one.blocks == same.blocks
    assert one.standings == same.standings
    assert one.blocks != other.blocks
    part = compare(Luck, "house", deals=2, first=3, jobs=1)
    assert part.blocks == one.blocks[3:]


def test_an_interrupt_leaves_what_is_done() -> None:
    def stop(done: int, total: int) -> None:
        assert total == 10
        if done == 3:
            raise KeyboardInterrupt

    found = compare("house", "random", deals=10, jobs=1, progress=stop)
    assert found.stopped
    assert [block.deal for block in found.blocks] == [0, 1, 2]
    assert found.blocks == compare("house", "random", deals=3, jobs=1).blocks
    assert roles("house", "random", deals=10, jobs=1, progress=stop).stopped

    def at_once(view: SeatView) -> Action:
        raise KeyboardInterrupt

    nothing = compare(at_once, "house", deals=3, jobs=1)
    assert nothing.blocks == ()
    assert nothing.standings[0].p99_ms == 0.0
    assert nothing.standings[0].soloist_share == 0.0


def test_wrong_use() -> None:
    with pytest.raises(ValueError, match="two or three players, not 1"):
        compare("house", deals=1)
    with pytest.raises(ValueError, match="at least one deal"):
        compare("house", "house", deals=0)


def test_two_processes_give_the_same() -> None:
    one = compare("random", "house", deals=6, jobs=1)
    two = compare("random", "house", deals=6, jobs=2)
    assert two == one
    assert isinstance(two, Comparison)
