"""Tables at which a golden hand has been played up to a moment that a test shows.

``await staged(url, golden("chiamo_won"), in_phase(Phase.CALL))`` is a friends' table in
the call of that hand, ``scene.turn`` whose move it is, and ``scene.sit(window)`` gives
that person's seat to a window. The server is in dev mode, for the deal is forced.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from browser.window import Window
from client import Seat as Line
from support import steps
from terziglio import Hand
from terziglio.actions import Phase
from terziglio.hand import deal
from terziglio.legal import legal
from terziglio.notation import write
from terziglio.phases import Playing
from terziglio_api.wire.actions import dump

__all__ = ["NAMES", "Scene", "choosing", "in_phase", "staged", "waiting"]

Json = dict[str, Any]
Moment = Callable[[Hand], bool]
NAMES: Final = ("Anna", "Bruno", "Carla")


def in_phase(phase: Phase) -> Moment:
    """The first decision of a phase."""
    return lambda hand: hand.phase is phase


def choosing(hand: Hand) -> bool:
    """The first card, after some tricks, that ends one and may not be any card."""
    return (
        isinstance(hand, Playing)
        and len(hand.tricks) >= 3
        and len(hand.trick.cards) == 2
        and bool(legal(hand, hand.turn).why)
    )


@dataclass
class Scene:
    """A friends' table, and everybody's token."""

    url: str
    table: str
    tokens: list[str]
    invites: list[Json]
    turn: int = 0
    """Whose move it is; seat 0 if it is nobody's."""
    _lines: list[Line] = field(default_factory=list)

    async def sit(self, window: Window, seat: int | None = None) -> None:
        """Give a window the seat, by default the one whose move it is."""
        seat = self.turn if seat is None else seat
        kept = {
            "table": self.table,
            "seat": seat,
            "token": self.tokens[seat],
            "name": NAMES[seat],
            "mode": "friends",
            "at": 0,
            "invites": self.invites if seat == 0 else [],
            "hands": [],
        }
        text, once = json.dumps(json.dumps([kept])), json.dumps(f"{self.table} {seat}")
        await window.context.add_init_script(
            "if (location.protocol.startsWith('http')"
            f" && sessionStorage.seat !== {once})"
            f" localStorage.setItem('terziglio.seats', {text}),"
            f" sessionStorage.seat = {once}"
        )
        await window.go(f"#/table/{self.table}")

    async def others_come(self, seat: int | None = None) -> None:
        """Let the other seats be present until ``leave``."""
        seat = self.turn if seat is None else seat
        for other, token in enumerate(self.tokens):
            if other != seat:
                line = Line(self.url, self.table, token)
                self._lines.append(await line.connect())

    async def leave(self) -> None:
        """Let them go."""
        for line in self._lines:
            await line.close()
        self._lines.clear()


async def waiting(url: str, **request: Any) -> Scene:
    """A friends' table whose links nobody has opened."""
    body = {"mode": "friends", "name": NAMES[0], **request}
    async with httpx.AsyncClient(base_url=url) as http:
        answer = await http.post("/v1/tables", json=body)
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    return Scene(url, opened["table"], [opened["token"]], opened["invites"])


async def staged(
    url: str, hand: Hand, moment: Moment = lambda _: False, **request: Any
) -> Scene:
    """A table at which a hand has been played up to a moment, by default to its end.

    Args:
        url: the server's.
        hand: what is dealt and done.
        moment: what comes next is left to be done.
        request: what else the table is opened with: ``target``, ``voice``, ``clock``.
    """
    head = write(deal(hand.dealt.dealer, hand.dealt.deck))
    scene = await waiting(url, deal=head, **request)
    path = f"/v1/tables/{scene.table}"
    async with httpx.AsyncClient(base_url=url) as http:
        for invite, name in zip(scene.invites, NAMES[1:], strict=True):
            claim = {"invite": invite["invite"], "name": name}
            answer = await http.post(f"{path}/claims", json=claim)
            assert answer.status_code == 201, answer.text
            scene.tokens.append(answer.json()["token"])
        for number, (now, seat, action) in enumerate(steps(hand)):
            if moment(now):
                scene.turn = int(seat)
                break
            said = {
                "id": f"s{number}",
                "decision": f"1.{number + 1}",
                "action": dump(action).model_dump(mode="json"),
            }
            token = {"Authorization": f"Bearer {scene.tokens[seat]}"}
            answer = await http.post(f"{path}/actions", json=said, headers=token)
            assert answer.status_code == 200, answer.text
    scene.invites = []
    return scene
