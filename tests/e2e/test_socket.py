"""What only a real socket shows: handshakes and close codes."""

from typing import Any

import httpx
import pytest
import websockets
from websockets.typing import Subprotocol

from client import Server, open_table


async def _closed(server: Server, path: str, **options: Any) -> int:
    """Open a socket and return the code it is closed with."""
    url = server.url.replace("http", "ws", 1) + path
    async with websockets.connect(url, **options) as socket:
        with pytest.raises(websockets.ConnectionClosed) as closed:
            while True:
                await socket.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def test_a_wrong_token_or_table_is_accepted_then_closed(server: Server) -> None:
    host = await open_table(server.url)
    for table in (host["table"], "t_absent"):
        path = f"/v1/tables/{table}/ws"
        headers = {"Authorization": "Bearer tzs_wrong"}
        assert await _closed(server, path, additional_headers=headers) == 4401


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[::1"])
async def test_an_origin_that_is_not_allowed(server: Server, origin: str) -> None:
    host = await open_table(server.url)
    path = f"/v1/tables/{host['table']}/ws"
    assert await _closed(server, path, origin=origin) == 4403


@pytest.mark.parametrize("token", ["x" * 300, "x" * 4000, "\u00e9", "a b"])
async def test_a_header_that_is_no_token(server: Server, token: str) -> None:
    host = await open_table(server.url)
    path = f"/v1/tables/{host['table']}/ws"
    headers = {"Authorization": f"Bearer {token}"}
    assert await _closed(server, path, additional_headers=headers) == 4401
    async with httpx.AsyncClient(base_url=server.url) as http:
        answer = await http.get(
            f"/v1/tables/{host['table']}/view",
            headers=[(b"Authorization", f"Bearer {token}".encode("latin-1"))],
        )
    assert answer.status_code == 401


async def test_an_unknown_subprotocol(server: Server) -> None:
    host = await open_table(server.url)
    path = f"/v1/tables/{host['table']}/ws"
    wanted = [Subprotocol("terziglio.v9")]
    # The client gives up on a server that chose none of what it offered, or hears
    # the close; either way the code is the last thing it is told.
    assert await _closed(server, path, subprotocols=wanted) == 4426


async def test_the_header_is_enough_and_deflate_is_off(server: Server) -> None:
    host = await open_table(server.url)
    url = server.url.replace("http", "ws", 1) + f"/v1/tables/{host['table']}/ws"
    headers = {"Authorization": f"Bearer {host['token']}"}
    async with websockets.connect(
        url, additional_headers=headers, subprotocols=[Subprotocol("terziglio.v1")]
    ) as socket:
        assert socket.subprotocol == "terziglio.v1"
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        assert '"welcome"' in str(await socket.recv())


async def test_no_secret_reaches_the_log(server: Server) -> None:
    host = await open_table(server.url)
    path = f"/v1/tables/{host['table']}/ws?token={host['token']}"
    headers = {"Authorization": "Bearer tzs_wrong"}
    await _closed(server, path, additional_headers=headers)
    assert "tzs_" not in server.log.read_text()
