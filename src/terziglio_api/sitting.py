"""A player at a real table, over the socket: it stays until the match is over.

A line that breaks is opened anew, as docs/protocol.md says of each close code. The
name of an action is the decision it answers, and what was once decided is sent again
as it was: so no decision is answered twice, not even by two programs with one token.
"""

import asyncio
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom
from typing import Any, Final

import httpx
import websockets
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from terziglio.entrants import Author, seated
from terziglio.players import Player, house
from terziglio.trial import Failed, answer, spoken
from terziglio.view import SeatView
from terziglio_api.wire.actions import dump
from terziglio_api.wire.game import game_of
from terziglio_api.wire.messages import PROTOCOL
from terziglio_api.wire.view import View

__all__ = ["STOP", "Gone", "Place", "Sitting", "claim"]

Json = dict[str, Any]

STOP: Final = {
    1000: "the server has closed the table's socket",
    1009: "the server takes no message as long as ours",
    4401: "the table or the token is not right",
    4403: "the server does not take clients from here",
    4409: "another program has taken the seat",
    4426: "the server speaks another version of the protocol",
}
"""Close codes after which it is no use to come back, and what they say."""
_MOVED_ON: Final = {
    *("stale_decision", "not_your_turn", "wrong_phase", "hand_over"),
    *("hand_in_progress", "match_over", "match_not_over"),
}
"""Refusals of what has come true already, or is of the past."""
_TOO_SOON: Final = {"rate_limited", "storage_unavailable", "draining", "overloaded"}
"""Refusals of what may be asked again."""
_RESTART: Final = 1012
_FLOOD: Final = 4429
_FLOOD_S: Final = 60.0
_NAME: Final = 32
_LEAST_S: Final = 0.5
_MOST_S: Final = 30.0
_random: Final = SystemRandom()


class Gone(Exception):
    """The seat is lost, or was never there; ``str`` says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat at a table."""

    url: str
    """The server's, like ``http://127.0.0.1:8000``."""
    table: str
    token: str

    @property
    def socket(self) -> str:
        """Where the table's socket is."""
        base = self.url.rstrip("/").replace("http", "ws", 1)
        return f"{base}/v1/tables/{self.table}/ws"


class Sitting:
    """Plays at a seat.

    Args:
        place: where.
        author: the player.
        say: is told each thing worth a line.
        rematch: whether to ask for another match after each.
    """

    def __init__(
        self,
        place: Place,
        author: Author,
        say: Callable[[str], None],
        *,
        rematch: bool = False,
    ) -> None:
        self.failures = 0
        """Answers that were no good; the house player gave them."""
        self._place = place
        self._author = author
        self._say = say
        self._rematch = rematch
        self._player: tuple[int, Player] | None = None
        self._sent: dict[str, Json] = {}
        self._seq: int | None = None
        self._live = False
        self._last: Json | None = None
        self._retry_s: float | None = None
        self._told = ""
        self._tries = 0

    async def run(self) -> Json:
        """Play until the match is over; return its last view.

        Raises:
            Gone: the server does not want the seat back.
            OSError: the server was not there at all.
        """
        while True:
            last, known = None, self._seq is not None
            try:
                async with websockets.connect(
                    self._place.socket,
                    subprotocols=[Subprotocol(PROTOCOL)],
                    compression=None,
                ) as line:
                    last = await self._stay(line)
            except ConnectionClosed as closed:
                code = 1006 if closed.rcvd is None else closed.rcvd.code
                await self._wait(code)
            except (OSError, InvalidHandshake, TimeoutError) as error:
                if not known:
                    raise OSError(str(error) or type(error).__name__) from error
                await self._wait(1006)
            if last is not None:
                return last

    async def _wait(self, code: int) -> None:
        """Wait before the line is opened anew."""
        if code in STOP:
            raise Gone(STOP[code])
        most = min(_MOST_S, 2.0**self._tries)
        seconds = _random.uniform(_LEAST_S, max(_LEAST_S, most))
        if code == _FLOOD:
            seconds = _FLOOD_S
        elif code == _RESTART and self._retry_s is not None:
            seconds = self._retry_s
        self._retry_s, self._tries = None, self._tries + 1
        self._say(f"the line broke ({code}); back in {seconds:.1f} s")
        await asyncio.sleep(seconds)

    async def _stay(self, line: ClientConnection) -> Json:
        """Play over one line until the match is over or the line breaks."""
        self._live, self._last = False, None
        hello = {"type": "hello", "token": self._place.token, "after": self._seq}
        await line.send(json.dumps(hello))
        while True:
            message: Json = json.loads(await line.recv())
            match message["type"]:
                case "event":
                    over = await self._event(line, message)
                    if over:
                        return over
                case "error":
                    await self._refused(line, message)
                case "bye":
                    retry_ms = message.get("retry_ms")
                    self._retry_s = None if retry_ms is None else retry_ms / 1000
                case _:
                    pass

    async def _event(self, line: ClientConnection, message: Json) -> Json | None:
        """Act on what happened; return the view if it ended the match."""
        kind = message["event"]["kind"]
        if kind == "snapshot":
            # What came before it is past; now the view is the table as it stands.
            self._live = True
        else:
            self._tries = 0
        self._seq = message["seq"]
        return await self._act(line, message["view"]) if self._live else None

    async def _act(self, line: ClientConnection, view: Json) -> Json | None:
        """Do what a view asks of the seat."""
        phase, deal = view["phase"], view["match"]["deal"]
        if view["closed"] or phase == "finished":
            self._tell(view)
            if view["closed"] or not self._rematch:
                return view
        if view["options"] is not None:
            await self._once(line, await self._decided(view))
        elif phase == "count":
            self._tell(view)
            await self._once(line, {"type": "next_hand", "deal": deal})
        elif phase == "thrown_in":
            self._tell(view)  # the next deal comes by itself
        elif phase == "finished":
            await self._once(line, {"type": "rematch", "id": f"rematch-{deal}"})
        return None

    async def _once(self, line: ClientConnection, message: Json) -> None:
        """Send a message, if it is not the one this line had last."""
        if message != self._last:
            self._last = message
            await line.send(json.dumps(message))

    async def _decided(self, view: Json) -> Json:
        """Return the answer to the decision that is due: always the same one."""
        decision: str = view["turn"]["decision"]
        if decision not in self._sent:
            game = game_of(View.model_validate(view))
            self._sent = {
                decision: {
                    "type": "action",
                    "id": decision,
                    "decision": decision,
                    "action": await self._answered(decision, game),
                }
            }
        return self._sent[decision]

    async def _answered(self, decision: str, game: SeatView) -> Json:
        """Return the player's answer, or house's if it is no good."""
        try:
            player = self._seated(game)
            # Beside the event loop, so that the line is kept alive meanwhile.
            action = await asyncio.to_thread(answer, player, game)
        except Failed as failed:
            self.failures += 1
            action = house(game)
            self._say(f"{decision}: {failed}\n  house plays instead: {spoken(action)}")
        except Exception as error:
            self.failures += 1
            action = house(game)
            self._say(f"{decision}: to make a player raised {error!r}; house plays")
        return dump(action).model_dump(mode="json")

    def _seated(self, game: SeatView) -> Player:
        """Return the player of this deal, a new one for each."""
        deal = game.match.deal
        if self._player is None or self._player[0] != deal:
            made = seated(self._author, self._place.table, deal, game.seat)
            self._player = (deal, made)
        return self._player[1]

    async def _refused(self, line: ClientConnection, message: Json) -> None:
        """Hear a refusal: the table has moved on, or there is something to tell."""
        code = message["code"]
        if code in _MOVED_ON:
            return
        if code not in _TOO_SOON:
            raise Gone(f"{code}: {message['detail']}")
        await asyncio.sleep(float(message["params"].get("retry_s", _LEAST_S)))
        self._last = None
        await line.send(json.dumps({"type": "resync"}))

    def _tell(self, view: Json) -> None:
        """Say once how a deal has ended."""
        thrown = "all passed, " if view["phase"] == "thrown_in" else ""
        match = view["match"]
        told = f"deal {match['deal']}: {thrown}scores {match['scores']}"
        if told != self._told:
            self._told = told
            self._say(told)


def claim(url: str, table: str, invite: str, name: str) -> str:
    """Take a seat as a bot, and return its token.

    Raises:
        Gone: the server does not give the seat.
        OSError: the server is not there.
    """
    key = secrets.token_hex(16)
    sent = {"invite": invite, "name": name[:_NAME], "kind": "bot"}
    try:
        with httpx.Client(base_url=url, headers={"Idempotency-Key": key}) as http:
            told = http.post(f"/v1/tables/{table}/claims", json=sent)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise OSError(str(error)) from error
    answer: Json = told.json()
    if not told.is_success:
        raise Gone(f"{answer.get('code')}: {answer.get('detail')}")
    return str(answer["token"])
