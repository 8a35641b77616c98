"""The service under load: server and load tool on one core each, ratios in one run.

One action is one socket message in and three different ones out, one to each seat (a
game's ``ack`` comes on top). By turns: (a) a raw FastAPI socket that answers 1 message
with 3 of 1 KiB, (b) the service with its log in memory, (c) the service that commits
to SQLite before the views leave. Then (b) and (c) at half load, and 300 and 1,000
tables at 300 actions a second that arrive whether or not the last were answered.

    python bench/service.py              about three minutes
    python bench/service.py --rounds 7 --seconds 10
    python bench/service.py --thinking   only: busy tables beside players that think
"""

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

Json = dict[str, Any]
HERE = Path(__file__).parent
NAMES = {"raw": "(a) raw", "memory": "(b) memory", "disk": "(c) disk"}
VOID_MS = 20
CORES = sorted(os.sched_getaffinity(0))


@contextmanager
def server(kind: str, *options: str) -> Generator[tuple[str, int], None, None]:
    """Run a server on the first core; give its address and process."""
    with tempfile.TemporaryDirectory() as folder:
        what = str(Path(folder) / "tables.sqlite3") if kind == "disk" else kind
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(HERE / "serve.py"), what, *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        os.sched_setaffinity(process.pid, CORES[:1])
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1], process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def load(
    kind: str,
    tables: int,
    rate: float,
    seconds: float,
    *,
    warm: float = 1,
    experts: int | None = None,
) -> Json:
    """Load a fresh server from the last core; return what the tool found.

    With ``experts`` it has a process that thinks, and so many tables that want it.
    """
    options = () if experts is None else ("thinking",)
    with server(kind, *options) as (url, pid):
        for _ in range(experts or 0):
            seats = [{"kind": "computer", "player": "expert"}] * 2
            body = {"mode": "computer", "name": "A", "seats": seats, "pace_ms": 0}
            body["clock"] = {"decision_s": 1}  # so that seat 0 plays too
            request = urllib.request.Request(  # noqa: S310 - our own server
                f"{url}/v1/tables",
                json.dumps(body).encode(),
                {"Content-Type": "application/json"},
            )
            urllib.request.urlopen(request).close()  # noqa: S310 - as above
        asked = {
            "url": url,
            "pid": pid,
            "raw": kind == "raw",
            "tables": tables,
            "rate": rate,
            "warm": warm,
            "seconds": seconds,
        }
        tool = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(HERE / "load.py"), json.dumps(asked)],
            stdout=subprocess.PIPE,
        )
        os.sched_setaffinity(tool.pid, CORES[-1:])
        out, _ = tool.communicate()
    found: Json = json.loads(out)
    for fault in found["faults"][:5]:
        print(f"  FAULT {NAMES[kind]}: {fault}")
    return found


def costs(rounds: int, tables: int, seconds: float) -> dict[str, float]:
    """Print each server's cost an action, by turns; return what each can do."""
    seen: dict[str, list[Json]] = {kind: [] for kind in NAMES}
    for _ in range(rounds):
        for kind, found in seen.items():
            found.append(load(kind, tables, 0, seconds))
    print(f"\ncost of an action: {tables} tables as fast as they go, {rounds} rounds")
    print(
        "  server          CPU us (min - max)     x (a)   actions/s  its core  tool's"
    )
    for kind, found in seen.items():
        used = [one["cpu_us"] for one in found]
        ratio = median(
            one["cpu_us"] / raw["cpu_us"]
            for one, raw in zip(found, seen["raw"], strict=True)
        )
        able, busy, own = (
            median(one[key] for one in found)
            for key in ("per_second", "busy", "own_busy")
        )
        spread = f"({min(used):.0f} - {max(used):.0f})"
        print(
            f"  {NAMES[kind]:12} {median(used):9.0f} {spread:13} {ratio:9.2f}"
            f" {able:10.0f} {busy:9.2f} {own:7.2f}"
        )
    return {kind: median(o["per_second"] for o in f) for kind, f in seen.items()}


def paced(kind: str, tables: int, rate: float, seconds: float) -> Json:
    """Print latencies at a rate."""
    found = load(kind, tables, rate, seconds)
    void = "  VOID: the tool lagged" if found["lag_p99"] > VOID_MS else ""
    print(
        f"  {NAMES[kind]:12} {tables:5} tables {rate:6.0f}/s"
        f"  p50 {found['p50']:6.2f} ms  p99 {found['p99']:6.2f} ms"
        f"  CPU {found['cpu_us']:5.0f} us  RSS {found['end_kib'] / 1024:4.0f} MiB"
        f"  lag p99 {found['lag_p99']:.2f} ms  faults {len(found['faults'])}{void}"
    )
    return found


def thoughts(rounds: int, tables: int, seconds: float) -> None:
    """Print what players that think cost those beside them: by turns, without, with.

    The process that thinks has no core but the server's own: all that helps the event
    loop is that the other is nice.
    """
    rate = 300
    print(f"\n{tables} tables, {rate} actions a second; a search of 1 s after another")
    seen: dict[int, list[float]] = {0: [], 6: []}
    for _ in range(rounds):
        for experts, p99 in seen.items():
            found = load("disk", tables, rate, seconds, warm=3, experts=experts)
            void = "  VOID: the tool lagged" if found["lag_p99"] > VOID_MS else ""
            print(
                f"  {experts} tables of experts: p50 {found['p50']:6.2f} ms"
                f"  p99 {found['p99']:6.2f} ms  lag p99 {found['lag_p99']:.2f} ms"
                f"  faults {len(found['faults'])}{void}"
            )
            if not void:
                p99.append(found["p99"])
    if not all(seen.values()):
        print("p99 beside a search: all runs of one kind are void")
        return
    without, beside = (median(p99) for p99 in seen.values())
    print(
        f"p99 beside a search: {beside / without:.2f} x ({without:.2f}, {beside:.2f})"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--thinking", action="store_true")
    args = parser.parse_args()
    print(
        f"Python {platform.python_version()}, cores {CORES[0]} and {CORES[-1]}, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    if args.thinking:
        thoughts(args.rounds, args.tables, 2 * args.seconds)
        return
    able = costs(args.rounds, args.tables, args.seconds)
    thoughts(1, args.tables, 2 * args.seconds)
    print("\nat half load")
    for kind in ("memory", "disk"):
        paced(kind, args.tables, able[kind] / 2, args.seconds)
    print("\nat 300 actions a second")
    paced("disk", 300, 300, 2 * args.seconds)
    full = paced("disk", 1000, 300, 2 * args.seconds)
    raw = load("raw", 1000, 300, 1)
    sockets = (raw["seated_kib"] - raw["base_kib"]) / 3000
    table = (full["seated_kib"] - full["base_kib"]) / 1000
    later = (full["end_kib"] - full["base_kib"]) / 1000
    print(
        f"\nmemory: {sockets:.1f} KiB a bare socket of (a); a table of (c) with its"
        f" three sockets {table:.0f} KiB, {later:.0f} KiB after the run"
    )


if __name__ == "__main__":
    main()
