"""What a card comes to if everybody then plays as ``rules`` does.

The solver's two sides see every card and never go wrong. Here each seat looks at its
own view and may: what fools somebody who cannot see the cards counts as well, and so do
cappotto and stramazzo.
"""

from terziglio.actions import Discard, Play
from terziglio.cards import Card, cards_in, set_of, stand_ins
from terziglio.count import Result
from terziglio.match import Match
from terziglio.phases import Counted, Dealt, Passed, Playing, Terms
from terziglio.players.knowledge import MONTE, Knowledge, World
from terziglio.players.spot import read
from terziglio.players.technique import play
from terziglio.view import seat_view

__all__ = ["hand_of", "outcomes"]


def hand_of(knowledge: Knowledge, world: World) -> Playing:
    """Return the hand under way if the cards lie as this deal has them."""
    view, contract = knowledge.view, knowledge.view.contract
    assert contract is not None  # noqa: S101 - in play there is one
    assert view.monte is not None  # noqa: S101 - and a monte
    shown, call = view.monte.shown, None
    monte = world[MONTE] if shown is None else set_of(shown)
    if contract.called is not None:
        call = Passed(contract.called, contract.passed_by)
    terms = Terms(
        Dealt(view.auction[0].seat.after(2), knowledge.dealt(world), monte),
        tuple(spoken.bid for spoken in view.auction),
        contract.bid,
        contract.soloist,
        call,
    )
    laid = None
    if contract.bid.takes_the_monte:
        laid = Discard(cards_in(world[MONTE]), contract.given_back)
    held = world[0], world[1], world[2]
    return Playing(terms, laid, view.tricks, held, knowledge.trick)


def outcomes(hand: Playing) -> dict[Card, Result]:
    """Return how a hand is counted after each card that may be played now.

    Cards that come to the same share one outcome.
    """
    match = Match(7, hand.dealt.dealer, deal_no=1, hand=hand)
    others = set_of(hand.trick.cards)
    for seat in hand.turn.next, hand.turn.next.next:
        others |= hand.held[seat]
    found: dict[Card, Result] = {}
    for card, tried in stand_ins(cards_in(hand.playable(hand.turn)), others).items():
        if card is tried:
            found[card] = _played_out(match.apply(hand.turn, Play(card)))
        else:
            found[card] = found[tried]
    return found


def _played_out(match: Match) -> Result:
    """Return the count of a hand that three of ``rules`` play to its end."""
    while isinstance(match.hand, Playing):
        match = match.apply(match.hand.turn, Play(_choice(match, match.hand)))
    assert isinstance(match.hand, Counted)  # noqa: S101 - it follows the last card
    return match.hand.result


def _choice(match: Match, hand: Playing) -> Card:
    cards = hand.playable(hand.turn)
    if not cards & cards - 1:
        return Card(cards.bit_length() - 1)
    return play(read(seat_view(match, hand.turn)))
