"""What the pages of a table make of voice, as tests see it."""

import asyncio
from collections.abc import Callable
from itertools import permutations
from typing import Any, Final

from playwright.async_api import Locator, Page, expect

from browser.party import Friend

__all__ = [
    "PAIR",
    "connected",
    "figures",
    "flows",
    "heard",
    "join",
    "panel",
    "signals",
    "talk",
    "told",
    "tracks",
    "until",
    "watched",
]

Json = dict[str, Any]
PATIENCE_MS: Final = 20_000
WATCH: Final = """
window.connections = []; window.tracks = [];
const Connection = RTCPeerConnection;
window.RTCPeerConnection = class extends Connection {
  constructor(...how) { super(...how); window.connections.push(this); }
};
const ask = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);
if (ask)
  navigator.mediaDevices.getUserMedia = async (how) => {
    const stream = await ask(how);
    window.tracks.push(...stream.getTracks());
    return stream;
  };
const sender = ({ remoteDescription: told }) =>
  /msid:\\S+ (\\S+)/.exec(told?.sdp)?.[1];
window.figures = async () => {
  const all = [];
  for (const each of connections) {
    if (each.connectionState === "closed") continue;
    const one = { of: sender(each), came: 0, went: 0, energy: 0 };
    for (const r of (await each.getStats()).values()) {
      if (r.type === "inbound-rtp")
        [one.came, one.energy] = [r.packetsReceived, r.totalAudioEnergy];
      if (r.type === "outbound-rtp") one.went = r.packetsSent;
    }
    all.push(one);
  }
  return all;
};
"""
"""Keeps what the page makes of connections and of the microphone, to look at."""
PAIR: Final = """async () => {
  const { Peer } = await import("/peer.js");
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const [track] = stream.getAudioTracks();
  const soon = (said) => setTimeout(() => pair[said.to].heard(said.told), 5);
  const made = (polite, to) => new Peer("id", {
    polite, servers: [], track, changed: () => {}, say: (told) => soon({ to, told }),
  });
  window.pair = [];
  pair.push(made(false, 1), made(true, 0));
  const way = ({ pc }) => /ice-ufrag:(\\S+)/.exec(pc.localDescription?.sdp)?.[1];
  window.ways = () => pair.map(way);
  while (!pair.every(({ stand }) => stand === "connected"))
    await new Promise((done) => setTimeout(done, 20));
}"""
"""Two ends of one connection, in one page."""


async def join(friend: Friend) -> None:
    await friend.page.get_by_role("button", name="Join voice").click()
    await expect(panel(friend)).to_have_attribute("data-stand", "in")


def panel(friend: Friend) -> Locator:
    return friend.page.locator(".voice")


def told(friend: Friend, of: Friend) -> Locator:
    """What a page's panel says of somebody."""
    return friend.page.locator(f".voice li[data-seat='{of.seat}']")


async def connected(*friends: Friend) -> None:
    """Wait until each of them is in voice with each."""
    for one, two in permutations(friends, 2):
        await expect(told(one, two)).to_contain_text("connected", timeout=PATIENCE_MS)


async def figures(page: Page) -> list[Json]:
    """Return what has come and gone, for each open connection."""
    found: list[Json] = await page.evaluate("figures()")
    return found


async def until(
    page: Page, links: int, good: Callable[[Json, Json], bool], within: float = 15
) -> None:
    """Wait until the figures of every link, beside those of before, are good."""
    before = await figures(page)
    assert len(before) == links
    async with asyncio.timeout(within):
        while True:
            now = await figures(page)
            if all(good(old, new) for old, new in zip(before, now, strict=True)):
                return


def flows(old: Json, new: Json) -> bool:
    return bool(new["came"] > old["came"] + 10 and new["went"] > old["went"] + 10)


async def talk(*friends: Friend, all_of: int | None = None) -> None:
    """Wait until packets have come and gone on each link of each.

    Args:
        friends: whose pages to look at.
        all_of: how many are in voice, if there are more.
    """
    for friend in friends:
        await until(friend.page, (all_of or len(friends)) - 1, flows)


def signals(friend: Friend) -> list[Json]:
    """Return what a page has said to the others to set up voice."""
    said = [frame.message for frame in friend.frames if frame.way == "out"]
    return [message for message in said if message["type"] == "signal"]


async def tracks(friend: Friend) -> list[Json]:
    found: list[Json] = await friend.page.evaluate(
        "tracks.map(({ kind, enabled, readyState }) => ({ kind, enabled, readyState }))"
    )
    return found


async def heard(friend: Friend, of: Friend) -> float:
    """Return the energy of all that has been heard of somebody."""
    track = await of.page.evaluate("tracks.at(-1).id")
    found = [f["energy"] for f in await figures(friend.page) if f["of"] == track]
    assert len(found) == 1
    return float(found[0])


async def watched(friends: list[Friend]) -> None:
    """Let all three join, on pages that are watched."""
    for friend in friends:
        await friend.context.add_init_script(WATCH)
        await friend.page.reload()
        await friend.back()
