"""What the person at a terminal sees: a seat's view in words and plain tables.

Pure: each function returns something that ``rich`` prints. Nothing is told by colour
alone: a suit has its symbol and word, a card that may not be played a sign (R72).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from terziglio.cards import Card, Rank, Suit
from terziglio.count import Result
from terziglio.events import CardPlayed, TrickTaken
from terziglio.seats import SEATS, Seat
from terziglio.tricks import Trick
from terziglio.view import SeatView
from terziglio_api.voice import DOT, YOU, Voice

__all__ = [
    "deal_line",
    "hand_end",
    "help_page",
    "in_order",
    "last_trick",
    "news",
    "rules_page",
    "score_page",
    "turn_page",
    "welcome",
]

_STYLES: Final = {Suit.BATONS: "green", Suit.CUPS: "red", Suit.COINS: "magenta"}
_REFUSED: Final = "×"
_FRESH: Final = "+"

_Line = tuple[str, RenderableType]
"""A label and what it labels."""


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards as they are listed and numbered: by suit, strongest first."""
    return tuple(sorted(cards, key=lambda card: (card.suit, -card)))


def welcome(voice: Voice, view: SeatView) -> RenderableType:
    """Return the line that opens the match."""
    others = voice.two(seat for seat in Seat if seat is not YOU)
    return voice.say("welcome", target=view.match.target, opponents=others)


def deal_line(voice: Voice, view: SeatView) -> RenderableType:
    """Return the line that opens a deal."""
    dealer = voice.seat(view.match.dealer)
    title = voice.say("deal", deal=view.match.deal, dealer=dealer)
    return Group("", Rule(title, characters="═", style=""))


def news(voice: Voice, view: SeatView) -> RenderableType:
    """Return what has just happened, in words."""
    event = view.last
    if event is None:
        return ""
    if not isinstance(event, CardPlayed) or event.trick is None:
        return voice.news(event)
    return Group(voice.news(event), Text(voice.taken(event.trick), "bold"))


def turn_page(voice: Voice, view: SeatView) -> RenderableType:
    """Return all that you need for your answer: table, hand, choices."""
    title: str = voice.data["phases"][view.phase]
    if view.trick is not None:
        title = voice.say("trick", number=len(view.tricks) + 1)
    rule = Rule(title[:1].upper() + title[1:], align="left", style="dim")
    lines = _lines((*_standing(voice, view), *_on_table(voice, view)))
    return Group("", rule, lines, *_hand(voice, view), *_choices(voice, view), "")


def hand_end(voice: Voice, view: SeatView) -> RenderableType:
    """Return the count of a hand, if it was played, and what it ends."""
    if view.count is None:
        return ""
    page = _count(voice, view, view.count)
    if view.match.winner is not None:
        return Group(*page, "", Text(voice.about("won", view.match.winner), "bold"))
    if max(view.match.scores) >= view.match.target:
        return Group(*page, "", voice.say("tie"))
    return Group(*page, "")


def last_trick(voice: Voice, view: SeatView) -> RenderableType:
    """Return the last finished trick (O25)."""
    if not view.tricks:
        return voice.say("no_trick")
    trick = view.tricks[-1]
    taken = voice.taken(TrickTaken(trick.winner, trick.thirds))
    told = Group(_plays(voice, trick), Text(taken, "bold"))
    return _lines([(voice.say("label.last"), told)])


def score_page(voice: Voice, view: SeatView) -> RenderableType:
    """Return how match and hand stand, and all that the hand has shown."""
    return _lines((*_standing(voice, view), *_shown(voice, view)))


def help_page(voice: Voice, view: SeatView) -> RenderableType:
    """Return what can be typed, and the codes of the cards; at a bid what bids mean."""
    bids = voice.phrases["help.bid"].values() if view.legal.bids else ()
    suits = DOT.join(f"{suit.code} {voice.suit(suit)}" for suit in Suit)
    named = (rank for rank in reversed(Rank) if rank.code.isalpha())
    ranks = DOT.join(f"{rank.code} {voice.rank(rank)}" for rank in named)
    keys: dict[str, str] = voice.phrases["keys"]
    rest = [(key, told) for key, told in keys.items() if key != "enter"]
    lines = _lines([(voice.say("enter"), keys["enter"]), *rest])
    return Group(*bids, *voice.phrases["help"].values(), suits, ranks, lines)


def rules_page(voice: Voice, view: SeatView) -> RenderableType:
    """Return the rules in short."""
    rules: dict[str, str] = voice.phrases["rules"]
    target = view.match.target
    return _lines(("-", rule.format(target=target)) for rule in rules.values())


def _lines(lines: Iterable[_Line]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for label, value in lines:
        grid.add_row(label, value)
    return grid


def _heading(voice: Voice, name: str) -> Text:
    return Text(voice.say(f"label.{name}"), "bold")


def _standing(voice: Voice, view: SeatView) -> Iterator[_Line]:
    """Contract or auction, the call, the scores, the thirds so far."""
    contract = view.contract
    dealer = voice.say("dealer", dealer=voice.seat(view.match.dealer))
    if contract is None:
        yield voice.say("label.auction"), voice.auction(view.auction) + DOT + dealer
    else:
        yield voice.say("label.contract"), voice.contract(contract) + DOT + dealer
        if contract.called is not None:
            yield voice.say("label.call"), voice.called(contract.called, contract)
    scores = (f"{voice.seat(seat)} {view.match.scores[seat]}" for seat in Seat)
    yield voice.say("label.scores", target=view.match.target), DOT.join(scores)
    if contract is not None and view.thirds is not None:
        thirds = voice.by_side(contract.soloist, view.thirds)
        yield voice.say("label.thirds"), thirds + DOT + voice.say("needed")


def _on_table(voice: Voice, view: SeatView) -> Iterator[_Line]:
    """The trick that you play to; a finished one is no longer on the table."""
    if view.trick is not None:
        opened = 0 < len(view.trick.cards) < SEATS
        told = _plays(voice, view.trick) if opened else voice.say("lead")
        yield voice.say("label.table"), told


def _shown(voice: Voice, view: SeatView) -> Iterator[_Line]:
    """What else the hand has shown to this seat."""
    if view.contract is None or view.monte is None:
        return
    yield voice.say("label.auction"), voice.auction(view.auction)
    if view.monte.shown is not None:
        yield voice.say("label.monte"), voice.cards(view.monte.shown)
    if view.monte.cards is not None and view.count is None:
        yield voice.say("label.laid"), voice.cards(view.monte.cards)
    soloist = view.contract.soloist
    won = sum(trick.winner == soloist for trick in view.tricks)
    tricks = voice.by_side(soloist, (won, len(view.tricks) - won))
    yield voice.say("label.tricks"), tricks


def _plays(voice: Voice, trick: Trick) -> Text:
    """The cards of a trick in the order played, each with its seat."""
    return Text(DOT).join(
        Text.assemble(
            f"{voice.seat(trick.leader.after(index))}: ",
            (voice.card(card), _STYLES.get(card.suit, "")),
        )
        for index, card in enumerate(trick.cards)
    )


def _hand(voice: Voice, view: SeatView) -> Iterator[RenderableType]:
    """Your cards, numbered when one of them is asked for, and what the signs say."""
    legal = view.legal
    fresh = _fresh(view) if legal.discard is not None else ()
    marks = dict.fromkeys(legal.why, _REFUSED) | dict.fromkeys(fresh, _FRESH)
    asked = bool(legal.cards) or legal.discard is not None
    yield ""
    yield _heading(voice, "hand")
    yield _card_list(voice, view.hand, marks, numbered=asked)
    for reason in dict.fromkeys(map(voice.refusal, legal.why.values())):
        yield f"  {_REFUSED} {reason}"
    if fresh:
        yield f"  {_FRESH} {voice.say('fresh')}"


def _choices(voice: Voice, view: SeatView) -> Iterator[RenderableType]:
    """The bids or calls to choose from, numbered."""
    legal = view.legal
    if legal.calls:
        cards = _card_list(voice, legal.calls, {}, numbered=True)
        yield from ("", _heading(voice, "calls"), cards)
    if legal.bids:
        offers = enumerate(map(voice.offer, legal.bids), 1)
        listed = Columns(f"  {number}) {offer}" for number, offer in offers)
        yield from ("", _heading(voice, "bids"), listed)


def _fresh(view: SeatView) -> tuple[Card, ...]:
    """The cards that have just come into the soloist's hand (R25, R28)."""
    shown = () if view.monte is None else view.monte.shown or ()
    contract = view.contract
    if contract is None or contract.called is None or contract.passed_by is None:
        return shown
    return (*shown, contract.called)


def _card_list(
    voice: Voice, cards: Iterable[Card], marks: Mapping[Card, str], *, numbered: bool
) -> Table:
    """A line for each suit; in front of a card its sign and number."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    listed = tuple(enumerate(in_order(cards), 1))
    for suit in Suit:
        entries = [
            _entry(voice, card, marks.get(card, " "), number if numbered else None)
            for number, card in listed
            if card.suit is suit
        ]
        row = Columns(entries, padding=(0, 1)) if entries else " -"
        grid.add_row(f"  {voice.suit(suit)}", row, style=_STYLES.get(suit, ""))
    return grid


def _entry(voice: Voice, card: Card, mark: str, number: int | None) -> Text:
    place = "" if number is None else f"{number:>2}) "
    told = f"{mark}{place}{card} {voice.rank(card.rank)}"
    return Text(told, "dim" if mark == _REFUSED else "", no_wrap=True)


def _count(voice: Voice, view: SeatView, result: Result) -> Iterator[RenderableType]:
    """How the 35 thirds came together, what is paid, and the scores."""
    monte = () if view.monte is None else view.monte.cards or ()
    yield ""
    yield Rule(voice.say("count"), align="left", style="dim")
    yield voice.data["events"]["monte_shown"].format(cards=voice.cards(monte))
    yield ""
    steps = _sums("", *voice.sides(result.soloist))
    for step in result.steps:
        label = voice.data["count"][step.what]
        steps.add_row(label, str(step.soloist), str(step.defenders))
    yield steps
    yield ""
    yield from voice.payment(result)
    yield ""
    title = voice.say("label.scores", target=view.match.target)
    scores = _sums(title, voice.say("scores.hand"), voice.say("scores.match"))
    for seat in Seat:
        change = f"{result.delta[seat]:+d}"
        scores.add_row(voice.seat(seat), change, str(view.match.scores[seat]))
    yield scores


def _sums(title: str, *columns: str) -> Table:
    table = Table(title, box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in columns:
        table.add_column(column, justify="right")
    return table
