"""The player that is handed all cards: right in every position, and kept apart."""

import pytest

from endings import answers
from strategies import rng, shuffled
from support import at, golden, prefix
from terziglio import Match, Phase, Play, Seat, new_match, seat_view
from terziglio.cards import thirds_in
from terziglio.hand import history
from terziglio.phases import Counted, Playing
from terziglio.players import PLAYERS, house
from terziglio.players.clairvoyant import clairvoyant
from terziglio.solver import Position, thirds

pytestmark = pytest.mark.timeout(600)  # whoever asks first waits for the compiler


def test_it_plays_what_plain_minimax_finds_best() -> None:
    for name in ("solo_won", "chiamo_lost", "solissimo_lost"):
        hand = golden(name)
        done = len(list(history(hand)))
        for left in range(1, 13):
            now = prefix(hand, done - left)
            assert isinstance(now, Playing)
            match = Match(7, hand.dealt.dealer, hand=now)
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
            right = next(c for c in sorted(values) if values[c] == best)
            assert clairvoyant(match, now.turn) == Play(right)


def test_three_of_them_get_exactly_what_the_cards_are_worth() -> None:
    for seed in range(3):
        match = new_match(7, Seat(seed)).deal(shuffled(rng("clairvoyant", seed)))
        worth = None
        while match.turn is not None:
            now = match.hand
            if isinstance(now, Playing) and worth is None:
                worth = thirds(
                    Position(
                        now.held,
                        now.terms.soloist,
                        now.trick.leader,
                        monte=thirds_in(now.monte),
                    )
                )
            match = match.apply(match.turn, clairvoyant(match, match.turn))
        assert isinstance(match.hand, Counted)
        assert match.hand.result.soloist_thirds == worth


def test_outside_play_it_does_what_house_does() -> None:
    for phase in (Phase.AUCTION, Phase.CALL, Phase.EXCHANGE):
        hand = at(golden("chiamo_lost"), phase)
        match = Match(7, hand.dealt.dealer, hand=hand)
        assert hand.turn is not None
        assert clairvoyant(match, hand.turn) == house(seat_view(match, hand.turn))


def test_nobody_can_seat_it() -> None:
    assert not any("clairvoyant" in player.__module__ for player in PLAYERS.values())
    assert not any("clairvoyant" in name for name in PLAYERS)
