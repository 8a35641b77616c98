import asyncio
from unittest.mock import Mock

import pytest
import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side

from terziglio_api.sockets import Gone
from terziglio_api.transport import Line, frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 4000, 65535, 65536, 70000])
def test_a_frame_is_read_as_it_was_written(size: int) -> None:
    line = Protocol(Side.CLIENT, max_size=None)
    line.receive_data(frame("x" * size) + frame("🂡 è"))
    first, second = line.events_received()
    assert first == Frame(Opcode.TEXT, b"x" * size)
    assert second == Frame(Opcode.TEXT, "🂡 è".encode())


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


async def _line() -> tuple[Line, list[str]]:
    """Return a line, and what it does to its transport."""
    config, steps = uvicorn.Config(FastAPI()), list[str]()
    config.load()
    line = Line(config, ServerState(), {}, asyncio.get_running_loop())
    line.transport = Mock(
        pause_reading=lambda: steps.append("pause"),
        resume_reading=lambda: steps.append("resume"),
    )
    return line, steps
