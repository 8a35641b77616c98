"""Courses of a table up to some moment, and their likes with other cards."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from redeal import MOMENTS, hand_at, like, redealt, some_deck
from strategies import shuffled
from terziglio import Action, Bid, Call, Card, Discard, Hand, Play, Seat, apply, deal
from terziglio.hand import history
from terziglio.phases import Counted
from terziglio_api.commands import By, Mode

__all__ = ["SCENES", "Scene", "alike", "other_suits", "redealt_scene", "scene_of"]

Deck = tuple[Card, ...]
SCENES = ("waiting", *MOMENTS, "finished", "ended")
"""Every phase of a table, all contracts, the called card in a hand and in the monte."""
GUESTS = ((By.PERSON, By.PERSON), (By.BOT, By.PERSON), (By.BOT, By.BOT))


@dataclass(frozen=True)
class Scene:
    """What happens at a table, in whole hands, and who looks on.

    The last hand stands at the moment the scene is about; ``decks`` deal the hands.
    """

    name: str
    mode: Mode
    seat: Seat
    """Whose wire is compared."""
    kinds: tuple[By, By]
    hands: tuple[Hand, ...]
    decks: tuple[Deck, ...]
    """One for each hand; while the seats fill, one that waits."""
    clock_s: int | None = None
    """Seconds for a decision: far more than any script takes."""
    voice: bool = False
    rename: Callable[[Card], Card] = lambda card: card
    """What is tried with a card is tried with this one."""

    @property
    def records(self) -> tuple[tuple[tuple[Seat, Action], ...], ...]:
        """What was done in each hand."""
        return tuple(tuple(history(hand)) for hand in self.hands)


def scene_of(name: str, random: Random) -> Scene:
    """Return a random scene of this name."""
    mode = random.choice((Mode.OPEN, Mode.OPEN, Mode.FRIENDS, Mode.COMPUTER))
    seat = Seat(random.randrange(3))
    kinds = random.choice(GUESTS)
    hands: tuple[Hand, ...]
    if name == "waiting":
        mode = random.choice((Mode.OPEN, Mode.FRIENDS))
        seat = Seat(random.randrange(3))
        hands = ()
    elif name == "finished":
        # A match that is won, and now and then the first deal of the next one.
        hands = (_winning(random), hand_at("auction", random))[
            : random.choice((1, 2, 2))
        ]
    elif name == "count":
        first = hand_at("count", random)
        hands = (first, *_next(first, "auction", random))[: random.choice((1, 2, 2))]
    else:
        moment = random.choice([*MOMENTS]) if name == "ended" else name
        before = random.choice((None, None, None, "count", "thrown-in"))
        if before is None:
            hands = (hand_at(moment, random),)
        else:
            first = hand_at(before, random)
            hands = (first, *_next(first, moment, random))
    if mode is Mode.COMPUTER:
        seat, kinds = Seat.S0, (By.COMPUTER, By.COMPUTER)
    elif mode is Mode.FRIENDS:
        kinds = (By.PERSON, By.PERSON)
    clock_s = random.choice((None, 600))
    voice = mode is not Mode.COMPUTER and random.random() < 0.5
    decks = _decks(hands, random)
    return Scene(name, mode, seat, kinds, hands, decks, clock_s, voice)


def redealt_scene(scene: Scene, random: Random) -> Scene:
    """Deal anew what the seat may not know; all that is public stays as it is."""
    hands = tuple(redealt(hand, scene.seat, random) for hand in scene.hands)
    return replace(scene, hands=hands, decks=_decks(hands, random))


def other_suits(scene: Scene, random: Random) -> Scene:
    """The same course with every card another one: no suit stays."""
    turn = random.randrange(1, 4)

    def renamed(card: Card) -> Card:
        return Card(f"{card.rank}{'SCHD'[(card.suit + turn) % 4]}")

    hands = tuple(_renamed(hand, renamed) for hand in scene.hands)
    decks = tuple(tuple(map(renamed, deck)) for deck in scene.decks)
    return replace(scene, hands=hands, decks=decks, rename=renamed)


def alike(scene: Scene, random: Random) -> tuple[Scene, Scene]:
    """Two scenes of one course, as far as it goes, that share no deal."""
    likes = [like(hand, random) for hand in scene.hands[:1]]
    hands = tuple(again for again, _ in likes)
    cut = tuple(
        _cut(hand, done) for hand, (_, done) in zip(scene.hands, likes, strict=False)
    )
    one = replace(scene, hands=cut, decks=_decks(cut, random))
    return one, replace(scene, hands=hands, decks=_decks(hands, random))


def _winning(random: Random) -> Hand:
    """A hand after which the match to 7 is won."""
    while True:
        hand = hand_at("count", random)
        assert isinstance(hand, Counted)
        top = max(hand.result.delta)
        if top >= 7 and hand.result.delta.count(top) == 1:
            return hand


def _next(first: Hand, moment: str, random: Random) -> tuple[Hand, ...]:
    """The next dealer's hand, if there is one after this."""
    if isinstance(first, Counted) and max(first.result.delta) >= 7:
        return ()
    return (hand_at(moment, random, first.dealt.dealer.next),)


def _decks(hands: tuple[Hand, ...], random: Random) -> tuple[Deck, ...]:
    if not hands:
        return (tuple(shuffled(random)),)
    return tuple(
        tuple(
            some_deck(hand.dealt.dealer, (*hand.dealt.hands, hand.dealt.monte), random)
        )
        for hand in hands
    )


def _cut(hand: Hand, actions: int) -> Hand:
    """The hand as it stood after so many actions."""
    now: Hand = deal(hand.dealt.dealer, hand.dealt.deck)
    for _, (seat, action) in zip(range(actions), history(hand), strict=False):
        now = apply(now, seat, action)
    return now


def _renamed(hand: Hand, card: Callable[[Card], Card]) -> Hand:
    now: Hand = deal(hand.dealt.dealer, list(map(card, hand.dealt.deck)))
    for seat, action in history(hand):
        now = apply(now, seat, renamed(action, card))
    return now


def renamed(action: Action, card: Callable[[Card], Card]) -> Action:
    """The same action with other cards."""
    match action:
        case Bid():
            return action
        case Call(called):
            return Call(card(called))
        case Play(played):
            return Play(card(played))
        case Discard(laid, back):
            return Discard(tuple(map(card, laid)), None if back is None else card(back))
