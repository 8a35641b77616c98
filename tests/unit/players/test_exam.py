"""The pass/fail list: planted faults each fail the check that is theirs alone."""

import random as chance
from itertools import count
from time import perf_counter

import pytest

from terziglio import Action, Bid, Bot, Play, SeatView
from terziglio.entrants import Author
from terziglio.exam import Check, Exam, Wire
from terziglio.players import house
from terziglio.players.random import random

WIRE = Wire(lambda view: view, lambda action: action)
DEALS = range(15)


def failed(author: Author, wire: Wire = WIRE, move_ms: float = 1000) -> set[str]:
    return {c.name for c in checks(author, wire, move_ms) if not c.passed}


def checks(
    author: Author, wire: Wire | None = WIRE, move_ms: float = 1000
) -> tuple[Check, ...]:
    return Exam(author, "b.py", "s", wire, move_ms).sit(DEALS)


@pytest.mark.parametrize("player", [house, random])
def test_our_players_pass_and_are_asked_in_every_phase(player: Author) -> None:
    listed = checks(player)
    assert all(check.passed for check in listed)
    counts = {t.split()[1]: int(t.split()[0]) for t in listed[0].told.split(", ")}
    assert counts.keys() == {"auction", "call", "exchange", "play"}
    assert all(counts.values())


def test_a_generator_of_its_own_is_allowed() -> None:
    class Draws(Bot):
        def act(self, view: SeatView) -> Action:
            if view.legal.cards:
                return Play(self.rng.choice(view.legal.cards))
            return random(view)

    assert not failed(Draws)


def illegal(view: SeatView) -> Action:
    return Play(view.hand[0]) if view.legal.cards else random(view)


def crashes(view: SeatView) -> Action:
    if view.legal.discard is not None:
        raise LookupError
    return house(view)


def thoughtless(view: SeatView) -> Action:
    return Play(chance.choice(view.legal.cards)) if view.legal.cards else house(view)


def slow(view: SeatView) -> Action:
    start = perf_counter()
    while perf_counter() < start + 0.0006:
        pass
    return house(view)


def test_each_fault_fails_its_check() -> None:
    assert failed(illegal) == {"answers are legal"}
    assert failed(crashes) == {"no crash"}
    assert failed(slow, move_ms=0.5) == {"speed"}
    assert "same views, same answers" in failed(thoughtless)


def test_what_never_came_is_not_counted_as_an_answer() -> None:
    def silent(view: SeatView) -> Action:
        raise LookupError

    told = {check.name: check.told for check in checks(silent)}
    assert told["answers are legal"] == "0 auction, 0 call, 0 exchange, 0 play"
    assert told["plays the same over JSON"] == "0 answers"
    some = {check.name: check.told for check in checks(crashes)}
    assert " 0 exchange, " in f" {some['answers are legal']}"


def test_a_player_that_remembers_what_is_hidden_is_found() -> None:
    class Peeks(Bot):
        """Counts the instances made before it: the fourth is the one dealt anew."""

        made = count()

        def __init__(self) -> None:
            self.number = next(self.made)

        def act(self, view: SeatView) -> Action:
            if self.number % 4 == 3 and view.legal.bids:
                return Bid(max(bid or 0 for bid in view.legal.bids) or None)  # type: ignore[arg-type]
            return house(view)

    assert failed(Peeks) == {"blind to hidden cards"}


def test_a_player_that_wants_more_than_json_gives_is_found() -> None:
    marked: set[int] = set()

    def view(given: SeatView) -> SeatView:
        marked.add(id(given))
        return given

    def knows(given: SeatView) -> Action:
        return random(given) if id(given) in marked else house(given)

    assert "plays the same over JSON" in failed(knows, Wire(view, lambda a: a))


def test_a_failure_over_json_is_compared_as_a_failure() -> None:
    assert "plays the same over JSON" not in failed(illegal)


def test_a_failure_says_how_to_see_it_again() -> None:
    legal = checks(illegal)[0]
    assert "breaks R38" in legal.failures[0]
    assert "\n  again: terziglio check b.py --notation 'rules:" in legal.failures[0]
    speed = checks(slow, move_ms=0.5)[-1]
    assert speed.failures[0].endswith(
        "\n  again: terziglio check b.py --seed s --deal 0"
    )


def test_a_bot_that_cannot_be_made_is_told() -> None:
    class Broken(Bot):
        def __init__(self) -> None:
            raise OSError("no model")

        act = house  # type: ignore[assignment]

    whole = checks(Broken)[1]
    assert whole.failures[0].startswith("to make one raised OSError: no model")
    assert len(whole.failures) == len(DEALS)


def test_without_a_wire_only_answers_are_looked_at() -> None:
    legal, whole = checks(thoughtless, None)
    assert legal.passed
    assert whole.passed
    assert {c.passed for c in checks(illegal, None)} == {True, False}
