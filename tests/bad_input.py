"""Messages that no service should accept, made from a seed."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from client import Json

CARDS = [rank + suit for suit in "SCHD" for rank in "32AKQJ7654"]
HOSTILE: list[Any] = [
    None, True, -1, 2**70, 1e308, "", "x" * 70, "\u202e", "spade", "3s", "10S",
    [], {}, [[]], {"a": {}}, "3S3S", 0.5, "\ud800",
]  # fmt: skip


def broken_json(rng: Random) -> str:
    """Return text that is not JSON as the service reads it."""
    kind = rng.randrange(9)
    if kind == 0:
        return "[" * rng.randrange(17, 1500)
    if kind == 1:
        deep = rng.randrange(17, 200)
        return '{"a":' * deep + "1" + "}" * deep
    if kind == 2:
        return '{"type":"ping","n":' + "9" * rng.randrange(19, 2000) + "}"
    if kind == 3:
        return (
            '{"type":"ping","n":' + rng.choice(["NaN", "Infinity", "-Infinity"]) + "}"
        )
    if kind == 4:
        return '{"type":"ping","type":"ping","n":1}'
    if kind == 5:
        return '{"type":"ping","n":1,"x":"' + rng.choice(["\\ud800", "\\udfff"]) + '"}'
    if kind == 6:
        return "".join(chr(rng.randrange(1, 0x300)) for _ in range(rng.randrange(60)))
    if kind == 7:
        return " " * rng.randrange(4097, 9000)
    whole = json.dumps({"type": "resync"})
    return whole[: rng.randrange(len(whole))]


def misshapen(rng: Random, valid: Json) -> Json:
    """Return a valid message with one thing in it that no schema allows."""
    message: Json = json.loads(json.dumps(valid))
    kind = rng.randrange(4)
    if kind == 0:
        message["surplus" + str(rng.randrange(99))] = rng.choice(HOSTILE)
    elif kind == 1:
        message["type"] = rng.choice(["undo", "", "Action", 7, None, ["action"]])
    elif kind == 2:
        del message[rng.choice([key for key in message if key != "type"] or ["type"])]
    else:
        # Each of these fields refuses every hostile value but the named ones.
        places = [key for key in ("decision", "action", "deal", "n") if key in message]
        key = rng.choice(places or ["type"])
        fine = {"decision": str, "n": int}.get(key, tuple)
        message[key] = rng.choice([v for v in HOSTILE if not isinstance(v, fine)])
    return message


def illegal_actions(rng: Random, view: Json) -> Iterator[Json]:
    """Yield well-formed actions that the rules, or the moment, refuse."""
    held = [card["card"] for card in view["hand"]]
    foreign = [card for card in CARDS if card not in held]
    options = view["options"] or {"type": "none"}
    due = (view["turn"] or {"decision": "1.1"})["decision"]
    four, back = rng.sample(CARDS, 4), rng.choice(CARDS)
    actions: list[Json] = []
    if options["type"] != "bid":
        actions.append({"type": "bid", "bid": rng.choice(["pass", "solissimo"])})
    if options["type"] != "call":
        actions.append({"type": "call", "card": rng.choice(CARDS)})
    else:
        actions.append({"type": "call", "card": rng.choice(held)})
    if options["type"] != "discard":
        actions.append({"type": "discard", "cards": four, "give_back": back})
    else:
        actions += [
            {"type": "discard", "cards": held[:3]},
            {"type": "discard", "cards": held[:4] + held[:1]},
            {"type": "discard", "cards": [held[0]] * 4},
            {"type": "discard", "cards": [*held[:3], rng.choice(foreign)]},
        ]
    if options["type"] != "play":
        actions.append({"type": "play", "card": rng.choice(CARDS)})
    else:
        refused = [c["card"] for c in view["hand"] if c["why"] is not None]
        actions += [{"type": "play", "card": rng.choice(foreign)}]
        actions += [{"type": "play", "card": card} for card in refused]
    for action in actions:
        yield _named(rng, due, action)
    legal = {"type": "bid", "bid": "pass"}
    stale = ["0.0", "999.1", "", "1", due + "0", "x" * 32]
    yield _named(rng, rng.choice(stale), rng.choice([legal, *actions]))


STALE = "777777.1"
"""A decision so far from any that no mutation makes it the one that is due."""


def valid_messages(token: str) -> list[str]:
    """Return one message of each kind, none of which would change a table."""
    actions: list[Json] = [
        {"type": "bid", "bid": "pass"},
        {"type": "call", "card": "3S"},
        {"type": "discard", "cards": ["4S", "5S", "6S", "7S"], "give_back": "4D"},
        {"type": "play", "card": "6H"},
    ]
    messages: list[Json] = [
        {"type": "hello", "token": token, "after": 3},
        {"type": "hello", "token": token},
        {"type": "next_hand", "deal": 777777, "id": "n"},
        {"type": "rematch"},
        {"type": "resync"},
        {"type": "ping", "n": 7},
        {"type": "signal", "to": 2, "data": {"candidate": "x"}},
        *(
            {"type": "action", "id": "a", "decision": STALE, "action": a}
            for a in actions
        ),
    ]
    return [json.dumps(message) for message in messages]


def mutated(rng: Random, text: str) -> str | bytes:
    """Return a message with a few of its characters, or of its values, changed."""
    if rng.random() < 0.3:
        return json.dumps(_revalued(rng, json.loads(text)))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice((1, 1, 2, 5, 20)))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:to] + text[at:to] * rng.choice((1, 1, 50)) + text[to:]
        elif kind == 2:
            text = (
                text[:at]
                + chr(rng.choice((0, 34, 92, 0x7F, 0x202E, 0x1F0A1)))
                + text[at:]
            )
        elif kind == 3:
            text = text[:at] + rng.choice('{}[]",:0123456789.-eE\\tnu') + text[to:]
        else:
            text = text[:at]
    return text.encode() if rng.random() < 0.1 else text[:9000]


def _revalued(rng: Random, value: Any) -> Any:
    """Return a value with one in it replaced, or one more member."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice([*value])
        if rng.random() < 0.2:
            return {**value, rng.choice((key.upper(), key + "s", "__proto__")): key}
        return {**value, key: _revalued(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return [*value[:at], _revalued(rng, value[at]), *value[at + 1 :]]
    return random_json(rng, 3)


def random_json(rng: Random, deep: int) -> Any:
    """Return any value that JSON has."""
    kind = rng.randrange(8 if deep else 6)
    if kind == 6:
        return [random_json(rng, deep - 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        keys = ("type", "id", "action", "card", "token", "after", "deal", "n")
        return {
            rng.choice(keys): random_json(rng, deep - 1)
            for _ in range(rng.randrange(4))
        }
    plain = (rng.choice(CARDS), rng.getrandbits(rng.choice((3, 31, 64))), rng.random())
    return rng.choice((*plain, *HOSTILE))


def random_frame(rng: Random) -> str | bytes:
    """Return bytes, text, or JSON that means nothing."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(120))
    if kind == 1:
        points = (
            rng.choice((rng.randrange(1, 128), rng.randrange(1, 0xD800)))
            for _ in range(rng.randrange(60))
        )
        return "".join(map(chr, points))
    if kind == 2:
        return broken_json(rng)
    return json.dumps(random_json(rng, 4))


def _named(rng: Random, decision: str, action: Json) -> Json:
    name = f"{rng.getrandbits(60):x}"
    return {"type": "action", "id": name, "decision": decision, "action": action}
