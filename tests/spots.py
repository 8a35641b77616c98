"""Positions of play by hand: what one seat sees, from a few words."""

from typing import TypedDict, Unpack

from support import cards
from terziglio.actions import Phase
from terziglio.cards import Card, set_of
from terziglio.contracts import Contract
from terziglio.legal import LegalPlays
from terziglio.players.spot import Spot, read
from terziglio.seats import Seat
from terziglio.tricks import Trick
from terziglio.view import ContractView, MatchView, MonteView, SeatView

TABLE = MatchView(7, (0, 0, 0), deal=1, hand=0, dealer=Seat.S0, winner=None)


class Seen(TypedDict, total=False):
    """What else the seat has seen."""

    tricks: tuple[str, ...]
    """Finished tricks, each ``"1: 4S 5S 6S"`` with its leader."""
    monte: str
    """The four the soloist laid if he is the seat, else the monte turned up."""
    exchange: str
    """The card called, the seat that passed it, the card given back: ``3S 1 4C``."""


def play_view(
    held: str, trick: str = "", *, seat: int = 0, soloist: int = 0, **seen: Unpack[Seen]
) -> SeatView:
    """The view of a seat that is to play to this trick."""
    own, table = tuple(sorted(cards(held))), cards(trick)
    suit = table[0].suit if table else None
    follow = [card for card in own if card.suit is suit] or own
    called = giver = back = None
    if "exchange" in seen:
        called, giver, back = seen["exchange"].split()
    four = cards(seen["monte"]) if "monte" in seen else None
    contract = ContractView(
        Seat(soloist),
        Contract.SOLO if called is None else Contract.CHIAMO,
        None if called is None else Card(called),
        None if giver is None else Seat(int(giver)),
        None if back is None else Card(back),
    )
    own_monte = seat == soloist
    return SeatView(
        seat=Seat(seat),
        phase=Phase.PLAY,
        match=TABLE,
        contract=contract,
        monte=MonteView(4, None if own_monte else four, four if own_monte else None),
        hand=own,
        trick=Trick(Seat((seat - len(table)) % 3), table),
        tricks=tuple(
            Trick(Seat(int(text[0])), cards(text[2:]))
            for text in seen.get("tricks", ())
        ),
        legal=LegalPlays(set_of(follow), 0, None),
    )


def spot_of(
    held: str, trick: str = "", *, seat: int = 0, soloist: int = 0, **seen: Unpack[Seen]
) -> Spot:
    """What the rules of play look at in such a view."""
    return read(play_view(held, trick, seat=seat, soloist=soloist, **seen))
