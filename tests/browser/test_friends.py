"""Three friends play a match by links, through all that happens to lines and pages."""

import asyncio
import json
import re
from collections import Counter, defaultdict
from typing import Any, Final

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from browser.knowledge import ACTS, RANKS, SUITS, Deal, deals, secrets
from browser.party import NAMES, Friend, Party, party
from client import Server

Json = dict[str, Any]
SEED: Final = "friends 0"
"""Its first called card is in another hand, so that one is given back; four deals."""
BIDS: Final = {1: "chiamo", 2: "pass", 3: "solo"}
"""What the first to speak says, by deal; later it is `solissimo`."""
RANK: Final = dict(
    zip(
        [
            "three",
            "two",
            "ace",
            "king",
            "queen",
            "jack",
            "seven",
            "six",
            "five",
            "four",
        ],
        RANKS,
        strict=True,
    )
)
SUIT: Final = dict(zip(["spades", "hearts", "clubs", "diamonds"], SUITS, strict=True))
PLAYED: Final = re.compile(r"(\w+) plays? the (\w+) of \S+ (\w+)\.")


class Game:
    """The match, as three people see it who choose by simple rules."""

    def __init__(self, table: Party) -> None:
        self.table = table
        self.tabs: dict[int, Page] = {}
        """A second page of a seat, which takes every other turn."""

    @property
    def friends(self) -> list[Friend]:
        return self.table.friends

    @property
    def newest(self) -> Json:
        """The newest view of all."""
        return max((f.newest for f in self.friends), key=lambda view: view["seq"])

    async def turn(self) -> Friend:
        """Wait until somebody is on turn and knows it."""
        seat: int = self.newest["turn"]["seat"]
        friend: Friend = self.friends[seat]
        await friend.until(lambda view: view["options"])
        await expect(friend.page.locator(".status")).to_have_attribute(
            "data-yours", "true"
        )
        return friend

    async def all_at(self, seq: int) -> None:
        """Wait until everybody knows so much."""
        for friend in self.friends:
            await friend.until(lambda view: view["seq"] >= seq)

    async def acts(self, friend: Friend, page: Page | None = None) -> None:
        """Answer the decision that is due, and wait until all know of it."""
        seq = friend.newest["seq"]
        await self.chooses(friend, page or friend.page)
        await self.all_at(seq + 1)

    async def chooses(self, friend: Friend, page: Page) -> None:
        """Answer the decision that is due, by a click."""
        view = friend.newest
        match view["options"]["type"]:
            case "bid":
                spoken = any(call["bid"] != "pass" for call in view["auction"])
                bid = BIDS.get(view["match"]["deal"], "solissimo")
                await self.bids(page, "pass" if spoken else bid)
            case "call":
                await page.locator(".calls .option").first.click()
                await page.locator(".confirm").click()
            case "discard":
                await self.lays(page, view["options"]["count"])
                if view["options"]["give_back"]:
                    await self.lays(page, 1)
                await page.locator(".confirm").click()
            case _:
                await page.locator(".hand .card[aria-disabled=false]").first.click()

    async def bids(self, page: Page, bid: str) -> None:
        await page.locator(".bids").get_by_role("button", name=bid, exact=True).click()
        await page.locator(".confirm").click()

    async def lays(self, page: Page, count: int) -> None:
        """Choose so many cards more, from the right."""
        free = page.locator(".hand .card[aria-pressed=false]")
        for _ in range(count):
            await free.last.click()

    async def plays(self, count: int) -> None:
        """Let so many decisions be taken."""
        for _ in range(count):
            friend = await self.turn()
            tab = self.tabs.get(friend.seat)
            odd = len(friend.newest["hand"]) % 2
            await self.acts(friend, tab if odd else None)

    async def plays_to_the_end(self) -> None:
        while self.newest["turn"]:
            await self.plays(1)

    async def goes_on(self, *friends: Friend) -> None:
        """Ask for the next hand."""
        for friend in friends or self.friends:
            seq = self.newest["seq"]
            await friend.page.locator("[data-next]").click()
            await self.all_at(seq + 1)


async def reloads(friend: Friend) -> None:
    """Load the page anew: it shows what it showed."""
    page = friend.page
    before = await shown(page)
    await page.reload()
    await friend.back()
    assert await shown(page) == before


async def shown(page: Page) -> Json:
    """Return what a page tells of the table."""
    told: Json = await page.evaluate(
        """() => ({
          phase: document.querySelector("main").dataset.phase,
          status: document.querySelector("#status").textContent,
          seats: document.querySelector(".seats").innerText,
          facts: document.querySelector("dl.facts").innerText,
          cards: [...document.querySelectorAll(".hand .card, .played .card")]
            .map((e) => e.getAttribute("aria-label") ?? e.innerText),
          choice: document.querySelector(".choice")?.innerText ?? "",
          count: document.querySelector(".count")?.innerText ?? "",
        })"""
    )
    return told


async def away(game: Game, who: Friend) -> None:
    """The two others are told that somebody is away, and for how long."""
    for friend in game.friends:
        if friend is not who:
            seat = friend.page.locator(".seat", has_text=who.name)
            await expect(seat.locator(".away")).to_have_text(re.compile(r"away 0:\d\d"))


async def returns(game: Game, who: Friend) -> None:
    await who.plug()
    await who.back()
    for friend in game.friends:
        await expect(friend.page.locator(".away")).to_have_count(0)
    await game.all_at(game.newest["seq"])


@pytest.mark.timeout(400)
async def test_three_friends_play_a_match(browser: Browser, server: Server) -> None:
    async with party(browser, server.url, seed=SEED) as table:
        game = Game(table)
        await _first_deal(game)
        await _second_deal(game)
        await _third_deal(game)
        while game.newest["phase"] != "finished":
            await game.goes_on()
            await game.plays_to_the_end()
        await reloads(game.friends[2])
        await _agree(game, server)


async def _first_deal(game: Game) -> None:
    """Somebody is offline in the auction, in the exchange, and within tricks."""
    carla = game.friends[2]
    first = await game.turn()
    gone = game.friends[(first.seat + 2) % 3]
    await gone.cut()
    await away(game, gone)
    await gone.axe()
    await first.axe()
    await game.chooses(first, first.page)
    await first.until(lambda view: view["turn"]["seat"] != first.seat)
    await returns(game, gone)
    await expect(gone.page.locator(".log")).to_contain_text(
        f"{first.name} bids chiamo."
    )
    await reloads(carla)
    await game.plays(2)
    await reloads(carla)
    assert game.newest["phase"] == "call"
    soloist = await game.turn()
    await game.acts(soloist)
    await _exchange(game, soloist, carla)
    await game.plays(4)
    for lost in (_click_is_lost, _answer_is_lost, _click_at_a_broken_line):
        await lost(game)
        await game.plays(3)
    await reloads(carla)
    await game.plays_to_the_end()
    assert game.newest["phase"] == "count"
    await reloads(carla)
    await game.goes_on(carla)
    await reloads(carla)
    await expect(carla.page.locator(".count")).to_contain_text("You have asked.")
    await game.goes_on(*game.friends[:2])


async def _exchange(game: Game, soloist: Friend, carla: Friend) -> None:
    """A choice that is half made stays; one that was confirmed comes through, once."""
    assert soloist.newest["options"]["give_back"]
    await reloads(carla)
    await game.lays(soloist.page, 3)
    await soloist.cut()
    await away(game, soloist)
    laid = soloist.page.locator(".hand .card[aria-pressed=true]")
    await soloist.page.locator(".hand .card[aria-pressed=false]").last.click()
    await expect(laid).to_have_count(3)
    await returns(game, soloist)
    await expect(laid).to_have_count(3)
    await game.lays(soloist.page, 2)
    await _swallowed(game, soloist, "up", soloist.page.locator(".confirm"))
    assert "give_back" in _said(soloist)[-1]["action"]


async def _click_is_lost(game: Game) -> None:
    """It went out on a line that was dead already: it comes when the line is back."""
    friend = await game.turn()
    cards = friend.page.locator(".hand .card[aria-disabled=false]")
    await _swallowed(game, friend, "up", cards.first)


async def _answer_is_lost(game: Game) -> None:
    """The others have seen the card, the one who played it has not."""
    friend = await game.turn()
    cards = friend.page.locator(".hand .card[aria-disabled=false]")
    await _swallowed(game, friend, "down", cards.first)


async def _swallowed(game: Game, friend: Friend, way: Any, button: Any) -> None:
    seq, said = friend.newest["seq"], len(_said(friend))
    friend.cable.freeze(way)
    await button.click()
    await expect(friend.page.locator(".banner")).to_contain_text("Sending")
    await friend.cable.swallowed.wait()
    # A second click, of somebody who sees nothing happen.
    await button.click(force=True)
    if way == "down":
        other = game.friends[(friend.seat + 1) % 3]
        await other.until(lambda view: view["seq"] > seq)
    await friend.cut()
    await returns(game, friend)
    await game.all_at(seq + 1)
    first, again = _said(friend)[said:]
    assert first == again
    assert game.newest["seq"] == seq + 1


async def _click_at_a_broken_line(game: Game) -> None:
    """The page says that it is broken and takes no card; then it does."""
    friend = await game.turn()
    seq, said = friend.newest["seq"], len(_said(friend))
    await friend.cut()
    card = friend.page.locator(".hand .card[aria-disabled=false]").first
    name = await card.get_attribute("data-card")
    await card.click()
    await returns(game, friend)
    assert len(_said(friend)) == said
    assert game.newest["seq"] == seq
    await friend.page.locator(f".hand [data-card='{name}']").click()
    await game.all_at(seq + 1)
    assert len(_said(friend)) == said + 1


def _said(friend: Friend) -> list[Json]:
    """Return the actions that its pages have sent."""
    said = [frame.message for frame in friend.frames if frame.way == "out"]
    return [message for message in said if message["type"] == "action"]


async def _second_deal(game: Game) -> None:
    """All three pass; somebody loads the page anew while the cards are thrown in."""
    deal = game.newest["match"]["deal"]
    await game.plays(3)
    carla = game.friends[2]
    await expect(carla.page.locator("main")).to_have_attribute(
        "data-phase", re.compile("thrown_in|auction")
    )
    await carla.page.reload()
    await carla.back()
    for friend in game.friends:
        await friend.until(lambda view: view["match"]["deal"] == deal + 1)


async def _third_deal(game: Game) -> None:
    """A second tab plays along; a seat is given to another browser."""
    _, bruno, _ = game.friends
    tab = await bruno.context.new_page()
    await tab.goto(bruno.page.url)
    await tab.locator("main[data-phase=auction]").wait_for()
    game.tabs[bruno.seat] = tab
    await game.plays(3)
    while game.newest["phase"] != "play":
        await game.plays(1)
    await game.plays(6)
    assert await shown(tab) == await shown(bruno.page)
    await _both_tabs_at_once(game, bruno, tab)
    await tab.close()
    del game.tabs[bruno.seat]
    await _given_anew(game)
    await game.plays_to_the_end()


async def _both_tabs_at_once(game: Game, bruno: Friend, tab: Page) -> None:
    """Two cards for one decision: one is played, and the other tab is told."""
    cards = bruno.page.locator(".hand .card[aria-disabled=false]")
    while True:
        friend = await game.turn()
        if friend is bruno and await cards.count() > 1:
            break
        await game.plays(1)
    await expect(tab.locator(".status")).to_have_attribute("data-yours", "true")
    seq = bruno.newest["seq"]
    click = """(last) => [...document.querySelectorAll(".hand [aria-disabled=false]")]
      .at(last ? -1 : 0).click()"""
    await asyncio.gather(bruno.page.evaluate(click, False), tab.evaluate(click, True))
    await game.all_at(seq + 1)
    assert game.newest["seq"] == seq + 1
    for page in (bruno.page, tab):
        await expect(page.locator(".banner")).to_be_hidden()
    assert await shown(tab) == await shown(bruno.page)


async def _given_anew(game: Game) -> None:
    """Carla has lost her browser; the host makes a link for her new one."""
    anna, bruno, lost = game.friends
    await lost.cut()
    await away(game, lost)
    await anna.page.get_by_role("button", name="Menu").click()
    await anna.page.get_by_role("button", name="The seats").click()
    dialog = anna.page.get_by_role("dialog")
    await expect(
        dialog.get_by_role("listitem").filter(has_text="Bruno")
    ).to_contain_text("is here")
    await dialog.get_by_role("button", name="New link for Carla").click()
    link = await dialog.locator(".links input").input_value()
    found = await game.table.comes(lost.seat)
    await found.sit(link)
    await expect(dialog.locator(".links input")).to_have_count(0)
    await anna.page.get_by_role("button", name="Close").click()
    await game.all_at(game.newest["seq"])
    for friend in (anna, bruno):
        await expect(friend.page.locator(".away")).to_have_count(0)
    # Her old browser says what has become of it, and keeps nothing to come back with.
    await lost.plug()
    banner = lost.page.locator(".banner")
    await expect(banner).to_contain_text("the seat has a new link", timeout=40_000)
    kept = await lost.page.evaluate("localStorage.getItem('terziglio.seats')")
    assert json.loads(kept) == []


async def _agree(game: Game, server: Server) -> None:
    """Nothing was lost, nothing doubled, and nobody was told what is not theirs."""
    anna = game.friends[0]
    kept = json.loads(await anna.page.evaluate("localStorage['terziglio.seats']"))[0]
    number = game.newest["match"]["deal"]
    async with httpx.AsyncClient(
        base_url=f"{server.url}/v1/tables/{kept['table']}",
        headers={"Authorization": f"Bearer {kept['token']}"},
    ) as http:
        answers = {n: await http.get(f"/hands/{n}") for n in range(1, number + 1)}
    records = {n: a.json() for n, a in answers.items() if a.status_code == 200}
    assert {*answers} - {*records} == {2}  # it was thrown in
    await _nothing_lost(game, records)
    _nothing_doubled(game, records)
    _no_secrets(game, records)


def _events(friend: Friend) -> dict[int, Json]:
    """Return the changes that its pages were told; told again, they are the same."""
    told: dict[int, Json] = {}
    for message in friend.heard("event"):
        seq, event = message["seq"], message["event"]
        if event["kind"] != "snapshot":
            assert told.setdefault(seq, event) == event
    return told


async def _nothing_lost(game: Game, records: dict[int, Json]) -> None:
    anna, bruno, _ = game.friends
    every = set(range(min(_events(anna)), game.newest["seq"] + 1))
    # Who never loaded the page anew has been told every change, broken lines or not.
    assert {*_events(anna)} == every
    assert every - {*_events(bruno)} <= set(range(min(_events(bruno))))
    for friend in game.table.everybody:
        for seq, event in _events(friend).items():
            assert _common(event) == _common(_events(anna)[seq])
    plays = [
        (friend["seat"], friend["action"]["card"])
        for record in records.values()
        for friend in record["actions"]
        if friend["action"]["type"] == "play"
    ]
    for friend in game.friends:
        log = await _log(friend)
        # A page that was loaded anew tells the hand from its beginning.
        assert log == plays[-len(log) :]
        assert len(log) >= 36
    assert await _log(anna) == await _log(bruno) == plays


def _common(event: Json) -> Json:
    """Return what all seats are told of a change."""
    return {name: told for name, told in event.items() if name != "cards"}


async def _log(friend: Friend) -> list[tuple[int, str]]:
    """Return who played what, as the page's log has it."""
    page = friend.page
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="The whole log").click()
    lines = await page.locator(".whole-log li").all_inner_texts()
    await page.keyboard.press("Escape")
    return [
        (NAMES.index(who) if who in NAMES else friend.seat, RANK[rank] + SUIT[suit])
        for line in lines
        for who, rank, suit in PLAYED.findall(line)
    ]


def _nothing_doubled(game: Game, records: dict[int, Json]) -> None:
    acked: defaultdict[str, set[str]] = defaultdict(set)
    refused: Counter[str] = Counter()
    for friend in game.table.everybody:
        ids = {message["id"] for message in friend.heard("ack")}
        refused.update(message["code"] for message in friend.heard("error"))
        for message in _said(friend):
            if message["id"] in ids:
                acked[message["decision"]].add(message["id"])
    assert all(len(ids) == 1 for ids in acked.values())
    counted = {d for d in acked if not d.startswith("2.")}
    assert len(counted) == sum(len(record["actions"]) for record in records.values())
    # Only of two tabs at once one may have come too late.
    assert set(refused) <= {"stale_decision"}
    assert refused.total() <= 1


def _no_secrets(game: Game, records: dict[int, Json]) -> None:
    table = deals(_events(game.friends[0]), records)
    looked = 0
    for friend in game.table.everybody:
        texts = [frame.text for frame in friend.frames if frame.way == "in"]
        messages = [json.loads(text) for text in texts]
        assert list(secrets(texts, messages, friend.seat, table)) == []
        looked += len(texts)
    assert looked > 3 * 100
    _the_check_can_fail(game, table)


def _the_check_can_fail(game: Game, table: dict[int, Deal]) -> None:
    """Each planted leak is found in a frame that was really heard."""
    frames = [m for f in game.friends[:2] for m in f.heard("event")]
    by = {kind: [m for m in frames if m["event"]["kind"] == kind] for kind in ACTS}
    defender = next(m for m in by["discarded"] if "cards" not in m["event"])
    record = table[defender["view"]["match"]["deal"]].record
    assert record is not None
    laid = next(
        a["action"] for a in record["actions"] if a["action"]["type"] == "discard"
    )
    seat = defender["view"]["you"]["seat"]
    off = next(m for m in by["card_played"] if m["view"]["options"] is None)
    planted: list[tuple[Json, list[Any], Any]] = [
        (defender, ["event", "cards"], laid["cards"]),
        (defender, ["view", "monte", "cards"], laid["cards"]),
        (defender, ["view", "monte", "cards"], laid["cards"][:1]),
        (defender, ["view", "last", 0, "cards"], laid["cards"]),
        (defender, ["view", "hand", 0, "card"], laid["cards"][0]),
        (defender, ["view", "you", "seat"], (seat + 1) % 3),
        (off, ["view", "options"], {"type": "bid", "bids": ["pass"]}),
        (off, ["view", "hand", 0, "why"], {"code": "must_follow_suit", "params": {}}),
        (off, ["view", "seats", 0, "name"], "tzi_x"),
        (off, ["view", "seats", 0, "next"], record["monte"][0]),
        (by["bid"][0], ["view", "monte", "shown"], record["monte"]),
    ]
    for message, path, value in planted:
        leak = json.loads(json.dumps(message))
        *way, name = path
        place = leak
        for step in way:
            place = place[step]
        place[name] = value
        seat = message["view"]["you"]["seat"]
        assert list(secrets([json.dumps(message)], [message], seat, table)) == []
        assert list(secrets([json.dumps(leak)], [leak], seat, table)), path
