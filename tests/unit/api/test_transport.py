import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side

from terziglio_api.transport import frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 4000, 65535, 65536, 70000])
def test_a_frame_is_read_as_it_was_written(size: int) -> None:
    line = Protocol(Side.CLIENT, max_size=None)
    line.receive_data(frame("x" * size) + frame("🂡 è"))
    first, second = line.events_received()
    assert first == Frame(Opcode.TEXT, b"x" * size)
    assert second == Frame(Opcode.TEXT, "🂡 è".encode())
