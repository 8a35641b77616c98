"""Nothing on the wire tells what a seat may not know.

The same public record is played through the real application on two deals that one
seat cannot tell apart: every frame of its socket, every answer to its requests and to
those of a stranger, every poke and every line of the log must be the same bytes.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import httpx
import pytest

from redeal import moments, redealt
from strategies import SCALE, rng
from terziglio import Action, Bid, Call, Card, Contract, Discard, Hand, Play, Seat
from terziglio.cards import cards_in
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import check, history
from terziglio.legal import legal
from terziglio.match import Match
from terziglio.view import SeatView, seat_views
from terziglio_api import decisions, service, showing
from terziglio_api.app import create_app
from terziglio_api.channel import Channel
from terziglio_api.commands import Act, By, Chance, Command, Mode, Opening
from terziglio_api.decisions import decide
from terziglio_api.journal import Event, RematchAsked
from terziglio_api.rehearsal.stage import Mask
from terziglio_api.settings import Settings
from terziglio_api.sockets import Gone
from terziglio_api.table import Table
from terziglio_api.wire.actions import dump

Events = tuple[Event, ...]
PAIRS = 30
"""Pairs of deals a moment in an ordinary run; ``make proof`` takes many more."""
EARLY = ("auction", "call", "exchange", "chiamo", "solo", "solissimo")


class Line:
    """A socket that keeps what it is sent."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self.gone = asyncio.Event()
        self.heard = asyncio.Condition()

    async def receive(self) -> str:
        await self.gone.wait()
        raise Gone

    async def send(self, text: str) -> None:
        async with self.heard:
            self.frames.append(text)
            self.heard.notify_all()

    def write(self, *_texts: str) -> bool:
        return False

    async def close(self, code: int) -> None:
        await self.send(json.dumps({"closed": code}))

    def abort(self) -> None:
        raise AssertionError("it reads")

    async def up_to(self, seq: int) -> None:
        """Wait until it has been told of a change, and of the snapshot after it."""
        async with asyncio.timeout(20), self.heard:
            await self.heard.wait_for(
                lambda: (
                    json.loads(self.frames[-1] if self.frames else "{}").get("seq")
                    == seq
                )
            )
            self.gone.set()


def probes(random: Random) -> list[Action]:
    """Return actions that mostly are refused, the same for both deals."""
    cards = random.sample(list(Card), 6)
    return [
        Bid(random.choice((None, *Contract))),
        Call(cards[0]),
        Discard(tuple(cards[:4]), cards[4]),
        Play(cards[5]),
    ]


async def told(hand: Hand, seat: Seat, seed: str) -> list[str]:
    """Play a hand's record through the application; return all that a seat gets."""
    app = create_app(Settings(database=None, dev=True, seat_rate=0, address_rate=0))
    tables: service.TableService = app.state.hall.service
    deck = hand.dealt.deck
    opening = Opening(
        Mode.OPEN, "A", By.PERSON, 7, 0, (None, None), hand.dealt.dealer, "s", deck
    )
    seating = await tables.open(opening)
    table, tokens = seating.table, [seating.token]
    heard: list[str] = []
    with app.state.fanout.listen(lambda name, seq: heard.append(f"poke {name} {seq}")):
        line = Line()
        for _, invite in seating.invites:
            guest = await tables.claim(table, invite, "B", By.PERSON, None)
            tokens.append(guest.token)
        hall = app.state.hall
        one = Channel(line, hall, table)
        talk = asyncio.create_task(one.run(tokens[seat]))
        transport = httpx.ASGITransport(app)
        base = f"http://example/v1/tables/{table}"
        own = {"Authorization": f"Bearer {tokens[seat]}"}
        async with httpx.AsyncClient(transport=transport, base_url=base) as http:
            random, record = Random(seed), list(history(hand))
            for number, (actor, action) in enumerate(record):
                decision = f"1.{number + 1}"
                if actor != seat and random.random() < 0.2:
                    for probe in probes(random):
                        body = {"id": f"p{random.getrandbits(60)}"}
                        body["decision"] = decision
                        said = dump(probe).model_dump(mode="json")
                        sent: dict[str, Any] = {**body, "action": said}
                        answer = await http.post(
                            f"{base}/actions", json=sent, headers=own
                        )
                        heard.append(f"{answer.status_code} {answer.text}")
                await tables.do(table, Act(actor, action, decision))
                if random.random() < 0.2:
                    heard.append((await http.get("/view", headers=own)).text)
                    heard.append((await http.get(base)).text)
            for path in ("/hands/1", "/hands/2", "/hands/1?steps=true&seat=0"):
                if hand.turn is not None or path == "/hands/2":
                    answer = await http.get(path, headers=own)
                    heard.append(f"{answer.status_code} {answer.text}")
        again = Line()
        two = Channel(again, hall, table)
        resumed = asyncio.create_task(two.run(tokens[seat]))
        for task, end in ((talk, line), (resumed, again)):
            await end.up_to((await tables.summary(table)).seq)
            await task
    mask = Mask()
    return [mask(text) for text in (*heard, *line.frames, *again.frames)]


async def compare(moment: str, seed: str, caplog: pytest.LogCaptureFixture) -> bool:
    """Compare all that a seat is told of two deals; return whether they differ."""
    random = rng("wire", moment, seed)
    hand = moments(moment, random).hand
    assert hand is not None
    seat = random.choice(list(Seat))
    other = redealt(hand, seat, random)
    everything = []
    for deal in (hand, other):
        caplog.clear()
        with caplog.at_level(logging.INFO):
            texts = await told(deal, seat, seed)
        lines = [record.getMessage() for record in caplog.records]
        everything.append([*texts, *map(Mask(), lines)])
    for one, two in zip(*everything, strict=True):
        assert one == two, f"seat {seat} can tell apart"
    return other.dealt != hand.dealt


@pytest.mark.parametrize("chunk", range(SCALE), ids="chunk{}".format)
@pytest.mark.parametrize("moment", EARLY)
async def test_no_byte_tells_what_a_seat_may_not_know(
    moment: str, chunk: int, caplog: pytest.LogCaptureFixture
) -> None:
    moved = [await compare(moment, f"{chunk}/{n}", caplog) for n in range(PAIRS)]
    assert sum(moved) >= PAIRS / 2


# Leaks planted on purpose: each must be seen.


Plant = Callable[[pytest.MonkeyPatch], None]


def options_for_all(patch: pytest.MonkeyPatch) -> None:
    def leaky(match: Match, seats: Sequence[Seat]) -> list[SeatView]:
        views, hand = seat_views(match, seats), match.hand
        if hand is None or hand.turn is None:
            return views
        return [replace(view, legal=legal(hand, hand.turn)) for view in views]

    patch.setattr(showing, "seat_views", leaky)


def monte_for_all(patch: pytest.MonkeyPatch) -> None:
    def leaky(match: Match, seats: Sequence[Seat]) -> list[SeatView]:
        views = seat_views(match, seats)
        if match.hand is None:
            return views
        middle = cards_in(match.hand.dealt.monte)
        return [
            replace(view, monte=view.monte and replace(view.monte, cards=middle))
            for view in views
        ]

    patch.setattr(showing, "seat_views", leaky)


def deal_in_the_log(patch: pytest.MonkeyPatch) -> None:
    def talkative(table: Table, command: Command, chance: Chance) -> Events:
        logging.getLogger("leak").info("%s decides %s", table.match.hand, command)
        return decide(table, command, chance)

    patch.setattr(service, "decide", talkative)


def another_error_for_the_monte(patch: pytest.MonkeyPatch) -> None:
    def telling(hand: Hand, seat: Seat, action: Action) -> IllegalAction | None:
        card = getattr(action, "card", None)
        if card is not None and seat != hand.turn and hand.dealt.monte >> card & 1:
            return IllegalAction(Illegal.CARD_NOT_HELD, {"card": card.code})
        return check(hand, seat, action)

    patch.setattr(decisions, "check", telling)


def a_seq_for_a_refused_try(patch: pytest.MonkeyPatch) -> None:
    def counting(table: Table, command: Command, chance: Chance) -> Events:
        try:
            return decide(table, command, chance)
        except IllegalAction:
            hand = table.match.hand
            card = getattr(getattr(command, "action", None), "card", None)
            if hand is None or card is None or not hand.dealt.monte >> card & 1:
                raise
            return (RematchAsked(chance.at, Seat.S0),)

    patch.setattr(service, "decide", counting)


@pytest.mark.parametrize(
    ("moment", "plant"),
    [
        ("chiamo", options_for_all),
        ("auction", monte_for_all),
        ("solissimo", monte_for_all),
        ("solo", deal_in_the_log),
        ("solissimo", another_error_for_the_monte),
        ("solissimo", a_seq_for_a_refused_try),
    ],
)
async def test_a_planted_leak_is_seen(
    moment: str,
    plant: Plant,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    plant(monkeypatch)
    with pytest.raises((AssertionError, ValueError, TimeoutError)):
        for number in range(40):
            await compare(moment, f"plant {number}", caplog)
