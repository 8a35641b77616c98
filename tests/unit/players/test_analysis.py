"""Hands in hindsight: cards judged as plain minimax does, and what is told of them."""

from dataclasses import replace

import pytest

from endings import answers
from support import golden, played, prefix
from terziglio import Card, Seat, analysis
from terziglio.analysis import Analysis, Judged, analyse, judged
from terziglio.cards import thirds_in
from terziglio.phases import Playing
from terziglio.solver import LIMIT, Position, Unsolved, best_cards

pytestmark = pytest.mark.timeout(600)  # whoever asks first waits for the compiler


@pytest.mark.parametrize("name", ["solo_won", "chiamo_lost", "solissimo_lost_cappotto"])
def test_the_last_cards_are_judged_as_plain_minimax_judges_them(name: str) -> None:
    hand = played(name)
    actions = (hand.exchange is not None) + (hand.terms.call is not None)
    for done, told in enumerate(judged(hand, since=9), start=24):
        now = prefix(hand, len(hand.bids) + actions + done)
        assert isinstance(now, Playing)
        values = answers(
            Position(
                now.held,
                now.terms.soloist,
                now.trick.leader,
                now.trick.cards,
                thirds_in(now.monte),
            )
        )
        best = (max if now.turn == now.terms.soloist else min)(values.values())
        assert (told.trick, told.seat) == (len(now.tricks) + 1, now.turn)
        assert told.lost == abs(best - values[told.card])
        assert told.best == tuple(c for c in sorted(values) if values[c] == best)
        assert told.value == now.in_tricks[0] + values[told.card]
        assert (
            done + 1
            == 3 * (told.trick - 1)
            + hand.tricks[told.trick - 1].cards.index(told.card)
            + 1
        )


def test_a_hand_that_takes_more_than_the_solvers_limit_is_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand = played("solissimo_won_cappotto")
    found = analyse(hand)

    def impatient(now: Position, limit: int = LIMIT) -> dict[Card, int]:
        if limit <= LIMIT:
            raise Unsolved
        return best_cards(now, limit)

    monkeypatch.setattr(analysis, "best_cards", impatient)
    assert analyse(hand) == found
    assert tuple(judged(hand)) == found.cards


def test_a_whole_hand() -> None:
    # Seat 1 holds all ten swords, 3H and 2H, and leads: nothing can be lost (FX-E).
    hand = played("solissimo_won_cappotto")
    found = analyse(hand)
    assert found.knowledge == "hindsight"
    assert found.soloist == hand.terms.soloist
    assert found.final == hand.result.soloist_thirds
    assert [card.card for card in found.cards] == [
        card for trick in hand.tricks for card in trick.cards
    ]
    assert found.adds_up
    # The line is the hand that both would have played, and comes out at the start.
    assert len(found.line) == 12
    mine = [trick for trick in found.line if trick.winner == found.soloist]
    last = 3 + thirds_in(hand.monte) if found.line[-1] in mine else 0
    assert sum(trick.thirds for trick in mine) + last == found.start
    again = replace(hand, tricks=found.line)
    best = analyse(again)
    assert best.line == found.line
    assert best.start == best.final == found.start
    assert best.lost == (0, 0)
    assert best.turning is None
    assert all(card.card == card.best[0] for card in best.cards)


def told(start: int, *values: int, final: int | None = None) -> Analysis:
    """An analysis of some cards with these values, seats 0, 1, 2 in turn."""
    cards, before = [], start
    for turn, value in enumerate(values):
        seat = Seat(turn % 3)
        lost = abs(value - before)
        cards.append(Judged(1 + turn // 3, seat, Card(turn), lost, (), value))
        before = value
    end = before if final is None else final
    return Analysis(Seat.S0, start, end, tuple(cards), ())


def test_the_card_that_turned_the_hand() -> None:
    # The soloist, seat 0, could win with 20 and loses 3; a defender gives 1 back.
    found = told(20, 17, 18, 18, 15)
    assert found.makeable
    assert not found.won
    assert [card.card for card in found.turns] == [Card(0), Card(1), Card(3)]
    assert found.turning == found.cards[0]
    assert found.lost == (6, 1)
    assert found.adds_up
    assert not told(20, 17, 18, final=19).adds_up
    assert told(17, 16, 17).turning is None
    assert not told(17, 17, 18).makeable
    assert told(17, 17, 18).won


def test_a_hand_is_judged_from_any_trick() -> None:
    hand = played("chiamo_won")
    assert golden("chiamo_won") == hand
    late = tuple(judged(hand, since=8))
    assert len(late) == 15
    assert late[-6:] == tuple(judged(hand, since=11))
