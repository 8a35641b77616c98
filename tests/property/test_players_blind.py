"""No player sees what its seat may not: hidden cards dealt anew, the same answer.

The cards that a seat cannot know change places, what is public happens as before. The
seat's view has to be equal, and so has the answer to it. A player gets nothing but the
view, so the second cannot fail unless it throws dice, keeps something between answers
or looks elsewhere.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from redeal import MOMENTS, moments, where
from redeal import redealt as dealt_afresh
from strategies import SCALE, rng
from terziglio import Action, Call, Card, Match, Seat, seat_view
from terziglio.players import PLAYERS, Player
from terziglio.redeal import redealt
from terziglio.view import SeatView

pytestmark = pytest.mark.timeout(600)  # whoever asks first waits for the compiler
DUE = [name for name in MOMENTS if name not in {"count", "thrown-in"}]
"""Moments at which a seat has something to decide."""
QUICK = ("random", "house", "rules")
SLOW = ("search", "expert")
CHUNKS = 20 * SCALE
PERMUTATIONS = 1000
"""In each chunk: 20,000 in all, and 500,000 in the long run."""
ASKED_AGAIN = 10
"""How often in each chunk a slow player is asked again: 200 times each in all."""


def permuted(chunk: object, number: int) -> Iterator[tuple[Match, Match, Seat]]:
    """Yield matches whose hidden cards are dealt anew for the seat on turn."""
    random = rng("blind", chunk)
    done = 0
    while done < number:
        match = moments(DUE[done // 10 % len(DUE)], random)
        assert match.hand is not None
        seat = match.hand.turn
        assert seat is not None
        # All dealt afresh, and from there a walk of few changes each.
        hand = dealt_afresh(match.hand, seat, random)
        for _ in range(10):
            yield match, replace(match, hand=hand), seat
            done += 1
            hand = redealt(hand, seat, random, tries=5)


def answer(player: Player, view: SeatView) -> str:
    """What is done, in words that show every card in its order."""
    return repr(player(view))


@pytest.mark.parametrize("chunk", range(CHUNKS), ids="chunk{}".format)
def test_R69_what_is_hidden_changes_neither_view_nor_answer(chunk: int) -> None:
    answers: dict[str, str] = {}
    seen: SeatView | None = None
    for before, after, seat in permuted(chunk, PERMUTATIONS):
        view = seat_view(before, seat)
        if seen != view:
            seen = view
            answers = {name: answer(PLAYERS[name], view) for name in QUICK}
        again = seat_view(after, seat)
        assert again == view
        assert {name: answer(PLAYERS[name], again) for name in QUICK} == answers


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.parametrize("chunk", range(CHUNKS), ids="chunk{}".format)
def test_R69_nor_what_a_searching_player_answers(name: str, chunk: int) -> None:
    player = PLAYERS[name]
    pairs = permuted((name, chunk), 10 * ASKED_AGAIN)
    for number, (before, after, seat) in enumerate(pairs):
        view, again = seat_view(before, seat), seat_view(after, seat)
        assert again == view
        if number % 10 == 9:
            answered = answer(player, view)
            assert answer(player, again) == answered


def test_hidden_cards_do_move() -> None:
    """Else all of the above says nothing."""
    moved = [
        where(before.hand) != where(after.hand)
        for before, after, _ in permuted("moved", 500)
        if before.hand is not None and after.hand is not None
    ]
    assert len(moved) == 500
    assert sum(moved) > 400


def test_a_player_that_peeks_is_caught() -> None:
    table: list[Match] = []

    def peeking(view: SeatView) -> Action:
        hand = table[-1].hand
        assert hand is not None
        return Call(min(where(hand)[view.seat.next], default=Card.S4))

    caught = 0
    for before, after, seat in permuted("peeking", 200):
        table.append(before)
        answered = answer(peeking, seat_view(before, seat))
        table.append(after)
        caught += answer(peeking, seat_view(after, seat)) != answered
    assert caught > 50
