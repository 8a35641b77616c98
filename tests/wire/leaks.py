"""Leaks planted on purpose: what a careless change of the service might let out.

Each is a change of the running service, made by patching it; the check that it is for
must see every one. Those of a pair tell a seat, or the log, something that the seat may
not know; those of a house tell the house even a card that lies open.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from terziglio import Action, Card, Hand, Seat
from terziglio.cards import cards_in
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import check
from terziglio.legal import legal
from terziglio.match import Match
from terziglio.phases import Playing
from terziglio.view import SeatView, seat_views
from terziglio_api import decisions, service, showing
from terziglio_api.commands import Act, Chance, Command, Done, Holder, Refusal
from terziglio_api.decisions import decide
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.journal import Event, RematchAsked
from terziglio_api.seen import Story, TableView
from terziglio_api.service import TableService
from terziglio_api.studies import Studies, Study
from terziglio_api.table import Table
from terziglio_api.thinking import HINT

__all__ = ["HOUSE", "PAIR", "Plant"]

Plant = Callable[[pytest.MonkeyPatch], None]
Events = tuple[Event, ...]
_log = logging.getLogger("terziglio_api.leak")


def _in_the_monte(hand: Hand | None, action: object) -> bool:
    card: Card | None = getattr(action, "card", None)
    return hand is not None and card is not None and bool(hand.dealt.monte >> card & 1)


def option_count_for_all(patch: pytest.MonkeyPatch) -> None:
    """Every seat is told how many cards the seat on turn may play."""

    def leaky(match: Match, seats: Sequence[Seat]) -> list[SeatView]:
        views, hand = seat_views(match, seats), match.hand
        if not isinstance(hand, Playing):
            return views
        count = len(legal(hand, hand.turn).cards)
        return [replace(view, decision=count) for view in views]

    patch.setattr(showing, "seat_views", leaky)


def options_for_all(patch: pytest.MonkeyPatch) -> None:
    """Every seat is told the options of the seat on turn."""

    def leaky(match: Match, seats: Sequence[Seat]) -> list[SeatView]:
        views, hand = seat_views(match, seats), match.hand
        if hand is None or hand.turn is None:
            return views
        return [replace(view, legal=legal(hand, hand.turn)) for view in views]

    patch.setattr(showing, "seat_views", leaky)


def ids_of_cards(patch: pytest.MonkeyPatch) -> None:
    """Each card on the table has an id: its place in the deal."""

    def leaky(table: Table, view: TableView) -> TableView:
        hand = table.match.hand
        if not isinstance(hand, Playing):
            return view
        ids = [hand.dealt.deck.index(card) for card in hand.trick.cards]
        host, *others = view.seats
        return replace(view, seats=(replace(host, name=f"A {ids}"), *others))

    _change_views(patch, leaky)


def unsorted_hand(patch: pytest.MonkeyPatch) -> None:
    """A seat's cards come in the order in which the deck dealt them."""

    def leaky(table: Table, view: TableView) -> TableView:
        deck = table.opening.deck
        if deck is None:
            return view
        hand = tuple(sorted(view.game.hand, key=deck.index))
        return replace(view, game=replace(view.game, hand=hand))

    _change_views(patch, leaky)


def _change_views(
    patch: pytest.MonkeyPatch, change: Callable[[Table, TableView], TableView]
) -> None:
    views = showing._views

    def leaky(table: Table, *told: Any) -> list[TableView]:
        return [change(table, view) for view in views(table, *told)]

    patch.setattr(showing, "_views", leaky)


def initial_state_in_a_snapshot(patch: pytest.MonkeyPatch) -> None:
    """Who comes back is told the table with the monte as it was dealt."""

    async def leaky(
        at: TableService, table: str, who: Holder, after: int | None
    ) -> Story:
        story = await told(at, table, who, after)
        state = await at._shelf.load(table)  # a leak goes round the doors
        monte, hand = story.view.game.monte, state.match.hand
        if hand is None or monte is None:
            return story
        monte = replace(monte, cards=cards_in(hand.dealt.monte))
        game = replace(story.view.game, monte=monte)
        return replace(story, view=replace(story.view, game=game))

    told = TableService.story
    patch.setattr(TableService, "story", leaky)


def hidden_cards_in_the_log(patch: pytest.MonkeyPatch) -> None:
    """The log tells the whole hand."""

    def talkative(table: Table, command: Command, chance: Chance) -> Events:
        _log.info("%s at %s", type(command).__name__, table.match.hand)
        return decide(table, command, chance)

    patch.setattr(service, "decide", talkative)


def another_error_for_the_monte(patch: pytest.MonkeyPatch) -> None:
    """Who tries a card of the monte is told something else than for other cards."""

    def telling(hand: Hand, seat: Seat, action: Action) -> IllegalAction | None:
        if seat != hand.turn and _in_the_monte(hand, action):
            return IllegalAction(Illegal.CARD_NOT_HELD, {"card": "3S"})
        return check(hand, seat, action)

    patch.setattr(decisions, "check", telling)


def a_seq_for_a_refused_try(patch: pytest.MonkeyPatch) -> None:
    """A refused try of a card of the monte moves the table's ``seq``."""

    def counting(table: Table, command: Command, chance: Chance) -> Events:
        try:
            return decide(table, command, chance)
        except IllegalAction:
            if not _in_the_monte(table.match.hand, getattr(command, "action", None)):
                raise
            return (RematchAsked(chance.at, Seat.S0),)

    patch.setattr(service, "decide", counting)


def a_card_in_the_log(patch: pytest.MonkeyPatch) -> None:
    """The log names the card that is played, which lies open."""

    def talkative(table: Table, command: Command, chance: Chance) -> Events:
        if isinstance(command, Act):
            _log.info("%s: %s", command.seat, command.action)
        return decide(table, command, chance)

    patch.setattr(service, "decide", talkative)


def a_rank_in_the_log(patch: pytest.MonkeyPatch) -> None:
    """The log tells what a played card is worth, and no more."""

    def talkative(table: Table, command: Command, chance: Chance) -> Events:
        card = getattr(getattr(command, "action", None), "card", None)
        if card is not None:
            _log.info("a card of %s thirds", card.thirds)
        return decide(table, command, chance)

    patch.setattr(service, "decide", talkative)


def a_card_in_the_fan_out(patch: pytest.MonkeyPatch) -> None:
    """Followers of all tables are told which card was played last."""
    last = ["-"]

    def noting(table: Table, command: Command, chance: Chance) -> Events:
        last[0] = str(getattr(getattr(command, "action", None), "card", "-"))
        return decide(table, command, chance)

    def leaky(fanout: LocalFanout, table: str, seq: int) -> None:
        poke(fanout, table, seq)
        poke(fanout, f"{table} {last[0]}", seq)

    poke = LocalFanout.poke
    patch.setattr(service, "decide", noting)
    patch.setattr(LocalFanout, "poke", leaky)


def a_card_in_the_metrics(patch: pytest.MonkeyPatch) -> None:
    """Refusals are counted by the card that was tried."""

    async def counting(
        at: TableService, table: str, command: Command, holder: Holder | None = None
    ) -> Done:
        try:
            return await do(at, table, command, holder)
        except (IllegalAction, Refusal):
            card = getattr(getattr(command, "action", None), "card", "-")
            at._metrics.refusals.labels(str(card)).inc()
            raise

    do = TableService.do
    patch.setattr(TableService, "do", counting)


def a_hint_that_has_peeped(patch: pytest.MonkeyPatch) -> None:
    """A hint is for a view whose options depend on what the next seat holds."""
    at: list[TableService] = []

    async def viewing(
        service: TableService, table: str, seat: Seat, holder: Holder | None = None
    ) -> TableView:
        at.append(service)
        return await view(service, table, seat, holder)

    def leaky(
        studies: Studies, key: tuple[str, Seat, str], task: str, given: bytes
    ) -> Study:
        state = at[-1]._shelf.ready(key[0])
        asked = json.loads(given)
        if task == HINT and state is not None and state.match.hand is not None:
            held = state.match.hand.dealt.hands[key[1].after(1)]
            options = asked["options"]
            for kind in {"bids", "cards"} & options.keys():
                if held >> Card.S3 & 1:
                    options[kind] = options[kind][:1]
        return study(studies, key, task, json.dumps(asked).encode())

    view, study = TableService.view, Studies.study
    patch.setattr(TableService, "view", viewing)
    patch.setattr(Studies, "study", leaky)


PAIR: tuple[tuple[str, Plant], ...] = (
    ("solo", option_count_for_all),
    ("chiamo", option_count_for_all),
    ("chiamo", options_for_all),
    ("solissimo", ids_of_cards),
    ("chiamo", ids_of_cards),
    ("auction", unsorted_hand),
    ("thrown-in", unsorted_hand),
    ("auction", initial_state_in_a_snapshot),
    ("solissimo", initial_state_in_a_snapshot),
    ("ended", initial_state_in_a_snapshot),
    ("solo", hidden_cards_in_the_log),
    ("auction", another_error_for_the_monte),
    ("solissimo", another_error_for_the_monte),
    ("auction", a_seq_for_a_refused_try),
    ("solissimo", a_seq_for_a_refused_try),
    ("auction", a_hint_that_has_peeped),
    ("solo", a_hint_that_has_peeped),
)
"""What a seat would be told that it may not know, and a scene that shows it."""
HOUSE: tuple[tuple[str, Plant], ...] = (
    ("chiamo", a_card_in_the_log),
    ("solo", a_rank_in_the_log),
    ("solissimo", a_card_in_the_fan_out),
    ("chiamo", a_card_in_the_metrics),
    ("count", hidden_cards_in_the_log),
)
"""What the house would tell of cards, open or not, and a scene that shows it."""
