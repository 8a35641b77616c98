"""Play one hand with the engine alone: three house players, told in words.

python examples/play_one_hand.py
"""

from random import Random

from terziglio import Card, Seat, new_match, seat_view
from terziglio.players import house
from terziglio.view import last_event
from terziglio.words import Words


def main() -> None:
    """Deal, let the house player answer every view, and tell what happens."""
    words = Words("en")
    deck = list(Card)
    Random(7).shuffle(deck)
    match = new_match(target=7, dealer=Seat(2)).deal(deck)
    while match.turn is not None:
        seat = match.turn
        match = match.apply(seat, house(seat_view(match, seat)))
        event = last_event(match, seat)
        if event is not None:
            print(words.event(event))
    print("scores", match.scores)


if __name__ == "__main__":
    main()
