"""The servers that are compared, all under the same uvicorn with the same settings.

python bench/serve.py raw       (a) 1 message in, 3 of 1 KiB out; no game
python bench/serve.py memory    (b) the service, its log in memory
python bench/serve.py FILE      (c) the service, its log in this SQLite file
python bench/serve.py FILE thinking   the same, with a process for players that think
"""

import sys
from collections import defaultdict
from pathlib import Path
from unittest import mock

from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from terziglio_api import server
from terziglio_api.app import create_app
from terziglio_api.settings import Settings
from terziglio_api.workers import Workers

SIZE = 1024


def raw_app(settings: Settings) -> FastAPI:
    """Return an application that answers a message at each of a table's three seats."""
    app = FastAPI()
    app.state.hall = create_app(settings).state.hall
    tables: defaultdict[str, dict[int, WebSocket]] = defaultdict(dict)
    counts: defaultdict[str, int] = defaultdict(int)

    @app.websocket("/raw/{table}/{seat}")
    async def serve(websocket: WebSocket, table: str, seat: int) -> None:
        await websocket.accept()
        sockets = tables[table]
        sockets[seat] = websocket
        try:
            while True:
                await websocket.receive_text()
                counts[table] += 1
                for number, socket in sockets.items():
                    head = f'{{"type":"event","seq":{counts[table]},"seat":{number},'
                    await socket.send_text(f'{head}"pad":"'.ljust(SIZE - 2, "x") + '"}')
        except WebSocketDisconnect:
            del sockets[seat]

    return app


def thinking_app(settings: Settings) -> FastAPI:
    """Return the service with one process, in which an expert burns a second."""
    return create_app(settings, thinkers=Workers(1, 60, 60, {"expert": "burner:burn"}))


def main(kind: str, *, thinking: bool = False) -> int:
    """Serve until stopped."""
    path = None if kind in {"raw", "memory"} else Path(kind)
    settings = Settings(
        port=0,
        database=path,
        socket_rate=0,
        seat_rate=0,
        address_rate=0,
        tables_rate=0,
        most_lag_ms=10_000,
        log_level="warning",
        workers=0,
    )
    if kind != "raw" and not thinking:
        return server.serve(settings)
    app = thinking_app if thinking else raw_app
    with mock.patch.object(server, "create_app", app):
        return server.serve(settings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], thinking="thinking" in sys.argv[2:]))
