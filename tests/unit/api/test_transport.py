import asyncio
from unittest.mock import Mock

import pytest
import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side, State

from terziglio_api.sockets import Gone
from terziglio_api.transport import Line


@pytest.mark.parametrize("size", [0, 1, 125, 126, 4000, 65535, 65536, 70000])
async def test_a_frame_is_read_as_it_was_written(size: int) -> None:
    line, steps = await _line()
    assert line.write("x" * size, "🂡 è")
    client = Protocol(Side.CLIENT, max_size=None)
    client.receive_data(b"".join(steps.written))
    first, second = client.events_received()
    assert first == Frame(Opcode.TEXT, b"x" * size)
    assert second == Frame(Opcode.TEXT, "🂡 è".encode())


_MESSAGES: list[tuple[Frame, str | bytes | None]] = [
    (Frame(Opcode.TEXT, b"one"), "one"),
    (Frame(Opcode.TEXT, b""), ""),
    (Frame(Opcode.PING, b"there?"), None),
    (Frame(Opcode.TEXT, "\U0001f0a1 è".encode() * 40), "🂡 è" * 40),
    (Frame(Opcode.TEXT, b"thr", fin=False), None),
    (Frame(Opcode.PING, b""), None),
    (Frame(Opcode.CONT, b"ee", fin=False), None),
    (Frame(Opcode.CONT, b""), "three"),
    (Frame(Opcode.BINARY, b"four"), b"four"),
    (Frame(Opcode.TEXT, b"", fin=False), None),
    (Frame(Opcode.CONT, b"five"), "five"),
    (Frame(Opcode.TEXT, b"\xff"), b"\xff"),
    (Frame(Opcode.TEXT, b"x" * 70_000), "x" * 70_000),
]


@pytest.mark.parametrize("step", [1, 2, 3, 7, 11, 126, 1000, 10**6])
async def test_it_reads_the_same_however_what_comes_is_cut(step: int) -> None:
    line, steps = await _line(max_size=70_000)
    stream = b"".join(f.serialize(mask=True, extensions=[]) for f, _ in _MESSAGES)
    for at in range(0, len(stream), step):
        line.data_received(stream[at : at + step])
    told = [text for _, text in _MESSAGES if text is not None]
    assert [await line.read() for _ in told] == told
    client = Protocol(Side.CLIENT)
    client.receive_data(b"".join(steps.written))
    pongs = client.events_received()
    assert pongs == [Frame(Opcode.PONG, b"there?"), Frame(Opcode.PONG, b"")]


_TOO_LARGE = b"\x81\xfe\x03\xe9"  # only its head: 1,001 bytes
_LATE = Frame(Opcode.TEXT, b"late").serialize(mask=True, extensions=[])
_WRONG = {
    "unmasked": (b"\x81\x00", 1002),
    "reserved": (b"\xc1\x80mask", 1002),
    "no such opcode": (b"\x83\x80mask", 1002),
    "text within a text": (b"\x01\x80mask\x81\x80mask", 1002),
    "long ping": (b"\x89\xfe\x00\x7e" + b"\x00" * 130, 1002),
    "too large": (_TOO_LARGE, 1009),
    "very large": (b"\x81\xff" + b"\x7f" * 8, 1009),
    "too large in parts": (
        Frame(Opcode.TEXT, b"x" * 900, fin=False).serialize(mask=True, extensions=[])
        + Frame(Opcode.CONT, b"x" * 101).serialize(mask=True, extensions=[]),
        1009,
    ),
    "the end": (b"\x88\x82mask" + bytes([0x03 ^ 0x6D, 0xE8 ^ 0x61]), 1000),
}


@pytest.mark.parametrize("wrong", _WRONG)
@pytest.mark.parametrize("step", [1, 10**6])
async def test_after_what_is_wrong_nothing_more_is_read(wrong: str, step: int) -> None:
    line, steps = await _line(max_size=1000)
    sent, code = _WRONG[wrong]
    stream = sent + _LATE
    for at in range(0, len(stream), step):
        if not steps.closed:
            line.data_received(stream[at : at + step])
    with pytest.raises(Gone):
        await line.read()
    assert line.queue.empty()
    assert steps.closed
    client = Protocol(Side.CLIENT)
    client.receive_data(b"".join(steps.written))
    (end,) = client.events_received()
    assert isinstance(end, Frame)
    assert (end.opcode, int.from_bytes(end.data[:2])) == (Opcode.CLOSE, code)


async def test_reading_stops_only_while_many_messages_wait() -> None:
    line, steps = await _line()
    for number in range(1, 10):
        line.handle_text(Frame(Opcode.TEXT, b"%d" % number))
        assert steps == (["pause"] if number == 9 else [])
    line.handle_text(Frame(Opcode.TEXT, b"10"))
    assert [await line.read() for _ in range(10)] == [str(n) for n in range(1, 11)]
    assert steps == ["pause", "resume"]


async def test_what_is_no_text_is_read_as_bytes_and_the_end_as_gone() -> None:
    line, _ = await _line()
    line.handle_text(Frame(Opcode.TEXT, b""))
    line.handle_text(Frame(Opcode.TEXT, b"\xff"))
    line.handle_bytes(Frame(Opcode.BINARY, b""))
    assert [await line.read() for _ in range(3)] == ["", b"\xff", b""]
    line.queue.put_nowait({"type": "websocket.disconnect", "code": 1001})
    with pytest.raises(Gone):
        await line.read()


class _Steps(list[str]):
    """What a line does to its transport."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def close(self) -> None:
        self.closed = True


async def _line(max_size: int = 1000) -> tuple[Line, _Steps]:
    """Return an open line, and what it does to its transport."""
    config, steps = uvicorn.Config(FastAPI(), ws_max_size=max_size), _Steps()
    config.load()
    line = Line(config, ServerState(), {}, asyncio.get_running_loop())
    line.transport = Mock(
        pause_reading=lambda: steps.append("pause"),
        resume_reading=lambda: steps.append("resume"),
        is_closing=lambda: steps.closed,
        write=steps.written.append,
        writelines=steps.written.extend,
        close=steps.close,
    )
    line.conn.state, line.handshake_initiated = State.OPEN, True
    line.conn.parser = Protocol.parse(line.conn)  # without the handshake's request
    next(line.conn.parser)
    return line, steps
