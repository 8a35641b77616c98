"""Nothing on the wire tells what a seat may not know.

A script of everything that may be done and tried is played through the real application
on two deals that one seat cannot tell apart: every byte of every answer, every frame
and close code it gets must be the same. The log, the metrics and the fan-out must not
even tell apart two deals in which every card is another one.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

import pytest

from strategies import SCALE, rng
from terziglio.errors import IllegalAction
from terziglio_api.commands import Mode, Refusal
from terziglio_api.sockets import CLOSE
from wire import leaks
from wire.house import House, house
from wire.scenes import SCENES, Scene, alike, other_suits, redealt_scene, scene_of
from wire.script import Script, script_of
from wire.stage import Told, told

PAIRS = 72
"""Pairs of deals of one scene in one test: in two chunks of 14 scenes, over 2,000."""
CHUNKS = 2 * SCALE
HOUSE_PAIRS = 15
PLANTED = 250
"""Pairs in which a planted leak must be seen; most are in the first ten."""


class LeakError(AssertionError):
    """Somebody was told what he may not know."""


def differ(one: Told, two: Told) -> None:
    """Raise if two runs did not tell the same.

    Raises:
        LeakError: they did not.
    """
    for (asked, text), (also, other) in zip(one, two, strict=False):
        if (asked, text) != (also, other):
            at = next(
                (
                    n
                    for n, (a, b) in enumerate(zip(text, other, strict=False))
                    if a != b
                ),
                min(len(text), len(other)),
            )
            near = slice(max(0, at - 60), at + 60)
            raise LeakError(f"{asked} / {also}:\n{text[near]!r}\n{other[near]!r}")
    if len(one) != len(two):
        rest = (one + two)[min(len(one), len(two))]
        raise LeakError(f"{len(one)} and {len(two)} things were told: {rest[0]}")


async def both(at: House, one: Scene, two: Scene, script: Script) -> list[Told]:
    """Play a script on two deals; return what was told in each, seat then house."""
    seat, let_out = await told(at, one, script)
    try:
        seat_too, let_out_too = await told(at, two, script)
    except (Refusal, IllegalAction) as refusal:
        raise LeakError(
            f"what went on one deal is refused on the other: {refusal}"
        ) from refusal
    return [seat, let_out, seat_too, let_out_too]


async def pair(at: House, name: str, random: Random) -> bool:
    """Compare all that a seat is told of two deals; return whether they differ."""
    scene = scene_of(name, random)
    other = redealt_scene(scene, random)
    script = script_of(scene, random)
    seat, let_out, seat_too, let_out_too = await both(at, scene, other, script)
    differ(seat + let_out, seat_too + let_out_too)
    return not scene.hands or scene.hands != other.hands


async def house_pair(at: House, name: str, random: Random) -> bool:
    """Compare what the house lets out of two deals that share no card's place."""
    scene = scene_of(name, random)
    if random.random() < 0.5:
        other = other_suits(scene, random)
    else:
        scene, other = alike(scene, random)
    script = script_of(scene, random, cards=other.rename is not scene.rename)
    _, let_out, _, let_out_too = await both(at, scene, other, script)
    differ(let_out, let_out_too)
    return scene.decks != other.decks


@pytest.mark.parametrize("chunk", range(CHUNKS), ids="chunk{}".format)
@pytest.mark.parametrize("name", SCENES)
async def test_no_byte_tells_what_a_seat_may_not_know(
    name: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(monkeypatch) as at:
        random = rng("wire", name, chunk)
        moved = [await pair(at, name, random) for _ in range(PAIRS)]
    # After the count of a hand all its cards are public; then the next one is dealt.
    assert sum(moved) > PAIRS * (0.3 if name in {"count", "finished"} else 0.8)


@pytest.mark.parametrize("chunk", range(SCALE), ids="chunk{}".format)
@pytest.mark.parametrize("name", SCENES)
async def test_log_metrics_and_fan_out_tell_no_card(
    name: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(monkeypatch) as at:
        random = rng("house", name, chunk)
        moved = [await house_pair(at, name, random) for _ in range(HOUSE_PAIRS)]
    assert all(moved)


REACHED = """
waiting auction call exchange play count thrown_in finished chiamo solo solissimo
welcome event ack error presence signal pong bye stream
seat_taken dealt bid called discarded card_played next_hand_asked rematch_asked
seat_reissued table_closed snapshot
200 201 202 204 401 403 404 405 409 410 422
malformed bad_token bad_invite no_such_hand not_found stale_decision illegal_action
not_your_turn wrong_phase hand_in_progress match_not_over hand_over table_closed
host_only computer_table_only voice_off
most_chances best_bid hindsight
"""
"""What scripts must provoke: phases, contracts, messages, events, statuses, codes."""


async def test_scripts_reach_every_phase_answer_and_close_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is never provoked is never compared."""
    random, heard = rng("reach"), Counter[str]()
    modes, called = set[Mode](), set[str]()
    async with house(monkeypatch) as at:
        for name in SCENES * 14 + ("finished", "count") * 20:
            scene = scene_of(name, random)
            modes.add(scene.mode)
            seat, _ = await told(at, scene, script_of(scene, random))
            for _, text in seat:
                heard.update(_kinds(text, called))
    closes = [CLOSE[why] for why in ("bad_token", "origin", "replaced", "version")]
    wanted = {*REACHED.split(), *map(str, closes)}
    assert {kind for kind in wanted if not heard[kind]} == set()
    assert modes == set(Mode)
    assert {"monte", "0", "1", "2"} <= called


def _kinds(text: str, called: set[str]) -> set[str]:
    """What an answer or a frame shows of the table, and how it is refused."""
    kinds = {text[:3]} if text[:1].isdigit() else set[str]()
    _, _, body = text.rpartition("\n\n")
    if not body.startswith("{"):
        return kinds | ({"stream"} if "\ndata: " in text else set())
    said = json.loads(body)
    for key in ("type", "code"):
        kinds.add(str(said.get(key)))
    kinds.add(str(said.get("event", {}).get("kind")))
    kinds.add(str(said.get("reason")))
    kinds.add(str(said.get("knowledge")))
    kinds.add(str((said.get("why") or {}).get("code")))
    view = said.get("view", said)
    if view and "phase" in view:
        kinds.add(view["phase"])
        contract = view.get("contract") or {}
        kinds.add(str(contract.get("bid")))
        called.add(str(contract.get("passed_by")))
    return kinds


@pytest.mark.parametrize(
    ("check", "name", "plant"),
    [
        pytest.param(check, name, plant, id=f"{plant.__name__}-{name}")
        for check, plants in ((pair, leaks.PAIR), (house_pair, leaks.HOUSE))
        for name, plant in plants
    ],
)
async def test_a_planted_leak_is_seen(
    check: Callable[[House, str, Random], Awaitable[bool]],
    name: str,
    plant: leaks.Plant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    async with house(monkeypatch) as at:
        with pytest.raises(LeakError):
            for number in range(PLANTED):
                await check(at, name, rng("planted", number))
