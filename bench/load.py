"""The load tool: tables of three sockets on one core, over one epoll and no more.

It speaks just enough of WebSocket, reads a message as JSON only where it must, and
checks every frame: each seat's ``seq`` goes up by one, each command has one ``ack``.

``bench/service.py`` calls it with what to do, and gets its findings, as JSON.
"""

import http.client
import json
import random
import select
import socket
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from urllib.parse import urlsplit

import orjson

Json = dict[str, Any]
EVENT = b'{"type":"event","seq":'
ACK = b'{"type":"ack","id":"'
MINE = b'"options":{'
RAW = b'{"type":"action","id":"%d","decision":"1.1","action":{"type":"play"}}'
TICKS, PAGE = 100, 4096


@dataclass(slots=True, eq=False)
class Table:
    """A table as its three clients know it."""

    seats: list["Seat"] = field(default_factory=list)
    seq: int = 0
    """The newest change that all three have."""
    next: tuple["Seat", bytes] | None = None
    """What is to be said next, and by whom; ``None`` until all have been told."""
    coming: tuple["Seat", bytes] | None = None
    """That, as soon as it is known."""
    sent: float = 0
    """When the command under way was due; 0 if none is."""
    waiting: deque[float] = field(default_factory=deque)
    """Arrivals that found the table busy."""


@dataclass(slots=True, eq=False)
class Seat:
    """One seat's socket."""

    table: Table
    sock: socket.socket
    seq: int = 0
    """The last change heard of."""
    rest: bytes = b""
    """The beginning of a frame whose end is not here yet."""


def frame(payload: bytes, opcode: int = 1) -> bytes:
    """Return a client's frame; a mask of zeros is a mask."""
    size = len(payload)
    long = size.to_bytes(2, "big") if size > 125 else b""
    head = bytes((0x80 | opcode, 0x80 | (126 if long else size)))
    return head + long + b"\0\0\0\0" + payload


def post(web: http.client.HTTPConnection, path: str, body: Json) -> Json:
    """Return the answer to a request that makes something."""
    web.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = web.getresponse()
    told: Json = json.loads(answer.read())
    assert answer.status == 201, told
    return told


class Load:
    """Plays at many tables at once and keeps the books."""

    def __init__(self, asked: Json) -> None:
        self.asked = asked
        self.raw: bool = asked["raw"]
        self.epoll = select.epoll()
        self.seats: dict[int, Seat] = {}
        self.tables: list[Table] = []
        self.commands, self.playing = 0, False
        self.acks: set[int] = set()
        self.faults: list[str] = []
        self.times: list[float] = []
        self.lags: list[float] = []
        self.closed_loop = not asked["rate"]

    def connect(self) -> None:
        """Open the tables and their sockets."""
        address = urlsplit(self.asked["url"])
        host, port = address.hostname or "", address.port or 0
        web = http.client.HTTPConnection(host, port)
        for number in range(self.asked["tables"]):
            table = Table()
            for path, token in self._places(web, number):
                sock = socket.create_connection((host, port))
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.sendall(
                    f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
                    "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                    "Sec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    f"Authorization: Bearer {token}\r\n\r\n".encode()
                )
                answer = b""
                while b"\r\n\r\n" not in answer:
                    answer += sock.recv(PAGE)
                head, _, rest = answer.partition(b"\r\n\r\n")
                assert b" 101 " in head, head
                sock.setblocking(False)
                seated = Seat(table, sock)
                table.seats.append(seated)
                self.seats[sock.fileno()] = seated
                self.epoll.register(sock, select.EPOLLIN)
                self._read(seated, rest)
            self.tables.append(table)
            if self.raw:
                table.next = table.seats[0], RAW
            self._poll(0)  # pings want an answer also while others still come
        web.close()
        while any(table.next is None for table in self.tables):
            self._poll(1)

    def _places(self, web: http.client.HTTPConnection, number: int) -> list[Any]:
        """Return path and token of each seat of a new table."""
        if self.raw:
            return [(f"/raw/{number}/{seat}", "") for seat in range(3)]
        links = [{"kind": "link"}, {"kind": "link"}]
        body = {"mode": "open", "name": "A", "seats": links, "target": 21, "pace_ms": 0}
        opened = post(web, "/v1/tables", body)
        tokens = [opened["token"]]
        for invite in opened["invites"]:
            claim = {"invite": invite["invite"], "name": "B", "kind": "bot"}
            told = post(web, f"/v1/tables/{opened['table']}/claims", claim)
            tokens.append(told["token"])
        path = f"/v1/tables/{opened['table']}/ws"
        return [(path, token) for token in tokens]

    def run(self, seconds: float) -> None:
        """Play that long: at a rate, or each table as fast as it goes."""
        self.playing = True
        start = now = perf_counter()
        end = start + seconds
        if self.closed_loop:
            for table in self.tables:
                if table.next is not None:
                    self._say(table, now)
            while now < end:
                self._poll(end - now)
                now = perf_counter()
            return
        due = start
        while True:
            due += random.expovariate(self.asked["rate"])
            if due > end:
                break
            while (now := perf_counter()) < due:
                # Short sleeps are not exact: the last bit is waited for awake.
                self._poll(max(0.0, due - now - 0.0005))
            self.lags.append(now - due)
            table = random.choice(self.tables)
            if table.sent or table.next is None:
                table.waiting.append(due)
            else:
                self._say(table, due)

    def settle(self) -> None:
        """Wait for the answers that are still out, and check the books."""
        self.playing = not self.closed_loop
        end = perf_counter() + 10
        while perf_counter() < end and any(t.sent or t.waiting for t in self.tables):
            self._poll(0.2)
        self._poll(0.2)
        if not self.raw and len(self.acks) < self.commands:
            self.faults.append(f"{self.commands - len(self.acks)} without an ack")
        for table in self.tables:
            if (
                table.sent
                or table.waiting
                or any(seat.seq != table.seq for seat in table.seats)
            ):
                self.faults.append(f"seats at {[s.seq for s in table.seats]}")

    def _say(self, table: Table, due: float) -> None:
        assert table.next is not None
        seat, payload = table.next
        table.next, table.sent = None, due
        self.commands += 1
        seat.sock.send(frame(payload % self.commands))

    def _poll(self, timeout: float) -> None:
        for number, _ in self.epoll.poll(timeout):
            seat = self.seats[number]
            try:
                data = seat.sock.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                self.epoll.unregister(number)
                self.faults.append("a socket was closed")
                continue
            self._read(seat, data)

    def _read(self, seat: Seat, data: bytes) -> None:
        if seat.rest:
            data, seat.rest = seat.rest + data, b""
        at, end = 0, len(data)
        while at + 2 <= end:
            opcode, size, start = data[at] & 15, data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            if start + size > end:
                break
            at = start + size
            if opcode == 1:
                self._hear(seat, data[start:at])
            elif opcode == 9:
                seat.sock.send(frame(data[start:at], 10))
            else:
                self.faults.append(f"a frame of opcode {opcode}")
        seat.rest = data[at:]

    def _hear(self, seat: Seat, text: bytes) -> None:
        if text.startswith(EVENT):
            table = seat.table
            seq = int(text[22 : text.index(b",", 22)])
            if seat.seq and seq != seat.seq + 1:
                if seq != seat.seq or b'"snapshot"' not in text:
                    self.faults.append(f"seq {seq} after {seat.seq}")
                return
            seat.seq = seq
            if self.raw:
                table.coming = table.seats[seq % 3], RAW
            elif MINE in text:
                table.coming = seat, self._answer(orjson.loads(text)["view"])
            heard = [other.seq for other in table.seats]
            if heard == [seq, seq, seq]:
                self._told(table, seq, text)
        elif text.startswith(ACK):
            number = int(text[20 : text.index(b'"', 20)])
            if number in self.acks:
                self.faults.append(f"two acks of {number}")
            self.acks.add(number)
        elif text.startswith(b'{"type":"error"'):
            self.faults.append(text[:200].decode())

    def _told(self, table: Table, seq: int, text: bytes) -> None:
        """Go on: every seat of the table has heard of a change."""
        table.seq = seq
        if table.sent:
            if self.playing:
                self.times.append(perf_counter() - table.sent)
            table.sent = 0
        table.next, table.coming = table.coming, None
        if table.next is None:
            table.next = self._ask(table, orjson.loads(text)["view"])
        if table.next is None or not self.playing:
            return
        if self.closed_loop:
            self._say(table, perf_counter())
        elif table.waiting:
            self._say(table, table.waiting.popleft())

    @staticmethod
    def _ask(table: Table, view: Json) -> tuple[Seat, bytes] | None:
        """After a hand, the seats ask for the next one by turns."""
        asking = [seat["seat"] for seat in view["seats"] if not seat["wants_next"]]
        if not asking or view["phase"] not in {"count", "finished"}:
            return None
        what: Json = {"type": "rematch", "id": "%d"}
        if view["phase"] == "count":
            deal = view["match"]["deal"]
            what = {"type": "next_hand", "id": "%d", "deal": deal}
        return table.seats[asking[0]], orjson.dumps(what)

    @staticmethod
    def _answer(view: Json) -> bytes:
        """Return an action that a view allows; the first seat plays alone."""
        options, what = view["options"], {"type": view["options"]["type"]}
        match options["type"]:
            case "bid":
                what["bid"] = "chiamo" if "chiamo" in options["bids"] else "pass"
            case "discard":
                count, cards = options["count"], options["from"]
                what["cards"] = cards[:count]
                what["give_back"] = cards[count] if options["give_back"] else None
            case _:
                what["card"] = options["cards"][0]
        decision = view["turn"]["decision"]
        said = {"type": "action", "id": "%d", "decision": decision, "action": what}
        return orjson.dumps(said)


def cpu(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> float:
    """Return the KiB that a process has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1024


def quantile(values: list[float], share: float) -> float:
    """Return a quantile in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    """Do what is asked and print what was found."""
    asked: Json = json.loads(sys.argv[1])
    pid, load = asked["pid"], Load(asked)
    base = memory(pid)
    load.connect()
    seated = memory(pid)
    load.run(asked["warm"])
    load.times, load.lags = [], []
    done, used, own, start = load.commands, cpu(pid), process_time(), perf_counter()
    load.run(asked["seconds"])
    done, used, own = load.commands - done, cpu(pid) - used, process_time() - own
    seconds = perf_counter() - start
    load.settle()
    found = {
        "done": done,
        "per_second": done / seconds,
        "cpu_us": used / done * 1e6,
        "busy": used / seconds,
        "own_busy": own / seconds,
        "p50": quantile(load.times, 0.5),
        "p99": quantile(load.times, 0.99),
        "lag_p99": quantile(load.lags, 0.99) if load.lags else 0.0,
        "base_kib": base,
        "seated_kib": seated,
        "end_kib": memory(pid),
        "faults": load.faults,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
