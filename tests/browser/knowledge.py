"""What a seat may know at each moment, worked out from the record of a hand.

This is written from the rules, with nothing of the engine's: a record tells who was
dealt what and who did what, in order; from that follows what a seat may be told.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

__all__ = ["ACTS", "RANKS", "SUITS", "Deal", "deals", "secrets"]

Json = dict[str, Any]
RANKS: Final = "32AKQJ7654"
SUITS: Final = "SHCD"
PACK: Final = {rank + suit for rank in RANKS for suit in SUITS}
ACTS: Final = {"bid": "bid", "called": "call", "discarded": "discard"} | {
    "card_played": "play"
}
BIDS: Final = ("pass", "chiamo", "solo", "solissimo")
SECRET: Final = re.compile(r"tz[is]_")


@dataclass
class Moment:
    """A hand after some of its actions."""

    hands: list[set[str]]
    soloist: int | None = None
    shown: bool = False
    """Whether the monte was turned up."""
    called: str | None = None
    passed_by: int | None = None
    laid: list[str] | None = None
    back: str | None = None
    plays: list[str] = field(default_factory=list[str])
    over: bool = False


@dataclass
class Deal:
    """A deal: its record, and at which ``seq`` each action was told."""

    number: int
    seqs: list[int] = field(default_factory=list[int])
    record: Json | None = None
    """``None``: thrown in."""

    def at(self, seq: int) -> Moment:
        """Return how it stood when the table was at this change."""
        assert self.record is not None
        done = sum(told <= seq for told in self.seqs)
        return _after(self.record, done)


def _dealt(record: Json) -> list[list[str]]:
    hands: list[list[str]] = record["hands"]
    return hands


def _after(record: Json, done: int) -> Moment:
    moment = Moment([set(hand) for hand in _dealt(record)])
    actions: list[Json] = record["actions"]
    last_bid = max(i for i, a in enumerate(actions) if a["action"]["type"] == "bid")
    bids = [
        (BIDS.index(a["action"]["bid"]), a["seat"]) for a in actions[: last_bid + 1]
    ]
    contract, soloist = max(bids, key=lambda bid: bid[0])
    for place, entry in enumerate(actions[:done]):
        action: Json = entry["action"]
        seat: int = entry["seat"]
        match action["type"]:
            case "bid":
                if place == last_bid:
                    moment.soloist = soloist
                    if BIDS[contract] == "solo":
                        moment.shown = True
                        moment.hands[soloist].update(record["monte"])
            case "call":
                moment.called = action["card"]
                moment.shown = True
                for holder, hand in enumerate(moment.hands):
                    if action["card"] in hand:
                        hand.remove(action["card"])
                        moment.passed_by = holder
                moment.hands[soloist].update([action["card"], *record["monte"]])
            case "discard":
                moment.laid = action["cards"]
                moment.hands[soloist].difference_update(action["cards"])
                moment.back = action.get("give_back")
                if moment.back is not None:
                    assert moment.passed_by is not None
                    moment.hands[soloist].remove(moment.back)
                    moment.hands[moment.passed_by].add(moment.back)
            case _:
                moment.plays.append(action["card"])
                moment.hands[seat].remove(action["card"])
    moment.over = done == len(actions)
    return moment


def deals(events: Mapping[int, Json], records: Mapping[int, Json]) -> dict[int, Deal]:
    """Return the deals of a table, by number.

    Args:
        events: all its events, by ``seq``.
        records: of the counted ones, by number.
    """
    found: dict[int, Deal] = {}
    newest = 0
    for seq, event in sorted(events.items()):
        if event["kind"] == "dealt":
            newest = event["deal"]
            found[newest] = Deal(newest, [], records.get(newest))
        elif event["kind"] in ACTS:
            found[newest].seqs.append(seq)
    for deal in found.values():
        kinds = [ACTS[events[seq]["kind"]] for seq in deal.seqs]
        if deal.record is not None:
            assert kinds == [a["action"]["type"] for a in deal.record["actions"]]
        else:
            assert kinds == ["bid"] * 3
    return found


def cards(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every card in a message, with where it stands."""
    if isinstance(value, dict):
        members = cast("Json", value)
        for name, part in members.items():
            yield from cards(part, f"{path}.{name}")
    elif isinstance(value, list):
        for part in cast("list[Any]", value):
            yield from cards(part, f"{path}[]")
    elif isinstance(value, str) and value in PACK:
        yield path, value


def secrets(
    frames: Sequence[str],
    messages: Sequence[Json],
    seat: int,
    table: Mapping[int, Deal],
) -> Iterator[str]:
    """Yield what a seat was told and may not have known; of an honest service, nothing.

    Args:
        frames: the texts that its pages received.
        messages: what they say.
        seat: whose they are.
        table: the table's deals.
    """
    thrown: dict[int, set[str]] = {}
    for text, message in zip(frames, messages, strict=True):
        if SECRET.search(text):
            yield f"a secret: {text}"
        view = message.get("view")
        if view is None:
            if any(cards(message)):
                yield f"a card without a view: {text}"
            continue
        deal = table.get(view["match"]["deal"])
        what = message.get("event", {}).get("kind", message["type"])
        for told in _of_all(view, seat):
            yield f"{view['seq']} {what}: {told}"
        if deal is None or deal.record is None:
            own = {held["card"] for held in view["hand"]}
            known = thrown.setdefault(view["match"]["deal"], own)
            seen = {card for _, card in cards(message)}
            if not own <= known or not seen <= known:
                yield f"{view['seq']} {what}: not one's own: {seen - known}"
            continue
        moment = deal.at(view["seq"])
        for told in _of_deal(message, seat, moment, deal.record):
            yield f"{view['seq']} {what}: {told}"


def _of_all(view: Json, seat: int) -> Iterator[str]:
    """Yield what is no seat's to know whatever the cards are."""
    if view["you"]["seat"] != seat:
        yield "another seat's view"
    turn = view["turn"]
    if turn is None or turn["seat"] != seat:
        if view["options"] is not None:
            yield "options off turn"
        if any(held["why"] for held in view["hand"]):
            yield "reasons off turn"


def _of_deal(message: Json, seat: int, at: Moment, record: Json) -> Iterator[str]:
    """Yield the cards of a message that are not where this seat may see them."""
    view = message["view"]
    places: dict[str, list[str]] = {}
    for path, card in cards(message):
        places.setdefault(path, []).append(card)
    hand, monte, soloist = at.hands[seat], record["monte"], at.soloist == seat
    if set(places.get(".view.hand[].card", [])) != hand:
        yield f"not the hand: {places.get('.view.hand[].card')}"
    on_table = [p["card"] for trick in view["tricks"] for p in trick["plays"]]
    trick: list[Json] = view["trick"]["plays"] if view["trick"] else []
    if len(trick) < 3:
        on_table += [play["card"] for play in trick]
    if on_table != at.plays:
        yield f"not the plays: {on_table}"
    if [len(held) for held in at.hands] != [each["cards"] for each in view["seats"]]:
        yield "not the number of cards"
    # Which of the four were laid, a defender learns at the count.
    laid = at.laid if at.laid is not None else monte
    four = set(laid) if at.over or (soloist and at.laid is not None) else set[str]()
    shown = set(monte) if at.shown else set[str]()
    calls: bool = view["options"] is not None and view["options"]["type"] == "call"
    played, newest = set(at.plays), set(at.plays[-1:])
    allowed: dict[str, set[str]] = {
        ".view.hand[].card": hand,
        ".view.options.cards[]": PACK - hand if calls else hand,
        ".view.options.from[]": hand,
        ".view.monte.shown[]": shown,
        ".view.monte.cards[]": four,
        ".view.contract.called": {str(at.called)},
        ".view.contract.given_back": {str(at.back)},
        ".view.trick.plays[].card": played,
        ".view.tricks[].plays[].card": played,
    }
    for path, event in ((".event", message.get("event")), (".view.last[]", None)):
        kind = (event or {"kind": ""})["kind"]
        last = path == ".view.last[]"
        allowed |= {
            f"{path}.card": newest
            if kind == "card_played"
            else {str(at.called)} | (newest if last else set()),
            f"{path}.monte_shown[]": shown,
            f"{path}.given_back": {str(at.back)},
            f"{path}.cards[]": set(laid) if soloist and at.laid is not None else set(),
        }
    for path, found in places.items():
        if not set(found) <= allowed.get(path, set()):
            yield f"at {path}: {set(found) - allowed.get(path, set())}"
    if calls and set(places[".view.options.cards[]"]) != PACK - hand:
        yield "a call that tells where a card is not"
