"""A match to 7 at the computer table from the accessibility tree alone.

The player reads the tree, hears the live regions, and acts on what has a role and a
name. Whether the tree tells all that is needed is held against the newest view, in the
words of the service's catalogue.
"""

import re
from typing import Any

from playwright.async_api import Page, expect

from browser.conftest import Windows
from browser.dealt import seeded
from browser.reader import Node, Reader
from terziglio.words import Words

Json = dict[str, Any]
SEED = "5"
"""Three hands: the player below is soloist, and is handed the card he calls."""
WORDS: Json = dict(Words("en").data)
ASKS = {
    "bid": "Your turn: bid or pass.",
    "call": "Your turn: call a card.",
    "discard": "Your turn: lay four cards face down.",
    "play": "Your turn: play a card.",
}
NAMES = ("Guest", "Ada", "Bruno")
MINUS = "\u2212"


def card(code: str) -> str:
    """A card by its name alone."""
    rank, suit = WORDS["ranks"][code[0]], WORDS["suits"][code[1]]
    return f"{rank['french']} of {suit['french']}"


def who(seat: int) -> str:
    """What a seat is called by the one in seat 0."""
    return "You" if seat == 0 else NAMES[seat]


def points(number: int) -> str:
    """A score as it is written."""
    return str(number).replace("-", MINUS)


def thirds(number: int) -> str:
    """So many thirds."""
    unit = "third" if number == 1 else "thirds"
    amount: str = WORDS["amounts"][unit].format(n=number)
    return amount


def why(told: Json) -> str:
    """A reason in words, without the suits' symbols."""
    params = dict(told["params"])
    if "led" in params:
        params["led"] = WORDS["suits"][params["led"]]["french"]
    sentence: str = WORDS["illegal"][told["code"]].format(**params)
    return sentence


def plain(text: str) -> str:
    """A text without the suits' symbols."""
    return re.sub("[♠♥♣♦]\ufe0e? ?", "", text)


def tells_all(tree: Node, view: Json) -> None:
    """Everything that the player's view has is in the tree, in words."""
    main = tree.one("main")
    if view["options"]:
        asks = ASKS[view["options"]["type"]]
        if view["options"].get("give_back"):
            back = NAMES[view["contract"]["passed_by"]]
            asks = f"{asks[:-1]} and give one back to {back}."
        heading = main.one("heading", asks)
        assert heading.states["level"] == 1
    _seats(main.one("list", "The others"), view)
    if view["hand"]:
        _hand(main.one("group", "Your hand"), view)
    told = plain(main.text)
    for seat, score in enumerate(view["match"]["scores"]):
        assert f"{who(seat)}: {points(score)}" in told
    assert f"Match to {view['match']['target']}" in told
    if (contract := view["contract"]) is not None:
        _contract(told, contract)
    if view["phase"] in {"auction", "call", "exchange"}:
        bids = [f"{who(bid['seat'])} {bid['bid']}" for bid in view["auction"]]
        spoken = [item.text for item in main.one("region", "Auction").all("listitem")]
        assert spoken == bids
    if view["phase"] == "exchange":
        for each in view["monte"]["shown"]:
            assert card(each) in plain(main.one("region", "Auction").text)
    if view["phase"] == "play":
        _play(main, view)
    if view["phase"] in {"count", "finished"}:
        _count(main.one("region", "The count"), view)


def _seats(seats: Node, view: Json) -> None:
    turn = view["turn"] and view["turn"]["seat"]
    for item in seats.all("listitem"):
        (seat,) = (s for s in range(3) if item.text.startswith(who(s)))
        told = view["seats"][seat]
        assert ("to move" in item.text) == (turn == seat)
        assert ("plays alone" in item.text) == (told["side"] == "soloist")
        assert ("dealer" in item.text) == (view["match"]["dealer"] == seat)
        if seat and told["cards"]:
            assert f"{told['cards']} cards" in item.text


def _hand(hand: Node, view: Json) -> None:
    buttons = hand.all("button")
    assert len(buttons) == len(view["hand"])
    for held in view["hand"]:
        name = card(held["card"])
        (button,) = (b for b in buttons if b.name.split(",")[0] == name)
        assert button.off == (held["why"] is not None)
        if held["why"] is not None:
            assert why(held["why"]) in plain(button.name)


def _contract(told: str, contract: Json) -> None:
    stake = f"{contract['bid']}, stake {contract['stake']}"
    assert f"{who(contract['soloist'])}: {stake}" in told
    if contract["called"]:
        by = contract["passed_by"]
        where = "from you" if by == 0 else "it lay in the monte"
        where = f"from {NAMES[by]}" if by in {1, 2} else where
        assert f"called {card(contract['called'])}, {where}" in told
    if contract["given_back"]:
        assert f"gave back {card(contract['given_back'])}" in told


def _play(main: Node, view: Json) -> None:
    table = main.one("region", "On the table")
    played = [plain(item.text).replace(" ★", "") for item in table.all("listitem")]
    assert played == [
        f"{card(play['card'])} {who(play['seat'])}" for play in view["trick"]["plays"]
    ]
    sides = view["thirds"]
    told = f"soloist {sides['soloist']} · defenders {sides['defenders']}"
    assert told in main.text
    assert "18 of 35 needed" in main.text


def _count(count: Node, view: Json) -> None:
    told = view["count"]
    rows = [[c.text for c in row.children] for row in count.all("row")]
    for step in told["steps"]:
        line = [str(step["soloist"]), str(step["defenders"])]
        assert [WORDS["count"][step["what"]], *line] in rows
    for seat, score in enumerate(view["match"]["scores"]):
        gained = f"{told['delta'][seat]:+}".replace("-", MINUS)
        assert [who(seat), gained, points(score)] in rows
    assert plain(count.text).count("The monte: ") == 1
    for each in view["monte"]["cards"]:
        assert card(each) in plain(count.text)
    outcome = WORDS["terminal"]["outcome.won" if told["won"] else "outcome.lost"]
    assert outcome.format(thirds=thirds(told["soloist"])) in count.text


class Player:
    """Acts by names: bids chiamo, lays his last cards, plays the first that he may."""

    def __init__(self, page: Page, reader: Reader) -> None:
        self._page = page
        self._reader = reader
        self.tried = 0
        self.gave_back = False

    async def press(self, name: str, *, off: bool = False) -> None:
        """Press the button of this name; one that is off only if that is meant."""
        button = self._page.get_by_role("button", name=name, exact=True)
        await button.click(force=off)

    async def answer(self, tree: Node) -> None:
        """Do what the first heading asks for."""
        asked = next(n.name for n in tree.all("heading") if n.states["level"] == 1)
        names = [button.name for button in tree.one("main").all("button")]
        hand = tree.one("group", "Your hand").all("button")
        match asked:
            case "Your turn: bid or pass.":
                await self.press("chiamo" if "chiamo" in names else "pass")
                await self.press("Confirm")
            case "Your turn: call a card.":
                calls = tree.one("group", "The card you call").all("button")
                await self.press(calls[0].name)
                await self.press("Confirm")
            case _ if asked.startswith("Your turn: lay four cards face down"):
                await self.exchange([button.name for button in hand])
            case "Your turn: play a card.":
                barred = [button.name for button in hand if button.off]
                if barred and self.tried < 3:
                    self.tried += 1
                    await self.press(barred[0], off=True)
                await self.press(next(b.name for b in hand if not b.off))
            case _:
                raise AssertionError(asked)

    async def exchange(self, names: list[str]) -> None:
        """Lay the last four; if the page asks for a card to give back, the fifth."""
        for name in reversed(names[-4:]):
            await self.press(name)
        choice = (await self._reader.read()).one("region", "Your turn:")
        if "give back" in choice.text:
            assert choice.one("button", "Confirm").off
            await self.press(names[-5])
            choice = (await self._reader.read()).one("region", "Your turn:")
            assert f"You give back the {names[-5].split(',')[0]}" in plain(choice.text)
            self.gave_back = True
        for name in names[-4:]:
            assert name.split(",")[0] in plain(choice.text)
        await self.press("Confirm")


def due(view: Json) -> str:
    """For what a view waits: a decision, or the end of a deal; "" if for others."""
    if view["phase"] in {"count", "finished"}:
        return f"{view['phase']} {view['match']['deal']}"
    decision: str = view["turn"]["decision"] if view["options"] else ""
    return decision


async def test_a_match_is_played_from_the_accessibility_tree_alone(
    open_page: Windows,
) -> None:
    window = await open_page()
    page = window.page
    await seeded(page, SEED)
    await expect(page.get_by_role("button", name="Deal")).to_be_visible()
    reader = await Reader.of(page)
    player = Player(page, reader)
    await player.press("Deal")

    decisions: list[str] = []
    done: set[str] = set()
    phases: set[str] = set()
    while True:
        await reader.called(len(decisions))
        tree = await reader.read()
        view = await window.view(lambda view: due(view) not in {"", *done})
        done.add(due(view))
        phases.add(view["phase"])
        tells_all(tree, view)
        if view["phase"] == "finished":
            break
        if view["options"]:
            decisions.append(view["turn"]["decision"])
            await player.answer(tree)
        else:
            await player.press("Next hand")
            await page.wait_for_function("() => !document.querySelector('[data-next]')")
    assert phases >= {"auction", "call", "exchange", "play", "count", "finished"}
    assert player.gave_back
    winner: int = view["match"]["winner"]
    assert tree.all("heading", f"{NAMES[winner]} has won the match.")

    said = await reader.said()
    assert player.tried == 3
    assert len([text for text in said if "You must follow" in text]) == 3
    assert len([text for text in said if text.startswith("Your turn")]) == len(
        decisions
    )
    assert len(said) == len(decisions) + 3, "each thing is said once"
    await hears_what_happened(reader, window.heard())


async def hears_what_happened(reader: Reader, frames: list[Json]) -> None:
    """What has happened since the first view is read from the log, each line once."""
    events = [f["event"] for f in frames if f["event"]["kind"] != "snapshot"]
    lines = [plain(line) for line in await reader.logged()][-len(events) :]
    for event, line in zip(events, lines, strict=True):
        assert line.startswith(happened(event)), (event, line)
        if "trick" in event:
            winner, worth = event["trick"]["winner"], thirds(event["trick"]["thirds"])
            takes = "You take" if winner == 0 else f"{NAMES[winner]} takes"
            assert f"{takes} the trick: {worth}." in line


def happened(event: Json) -> str:
    """The first sentence of an event."""
    seat: int = event["dealer" if event["kind"] == "dealt" else "seat"]
    name = NAMES[seat]
    doer, s = ("You", "") if seat == 0 else (name, "s")
    match event["kind"]:
        case "bid" if event["bid"] == "pass":
            return f"{doer} pass{'es' if s else ''}."
        case "bid":
            return f"{doer} bid{s} {event['bid']}."
        case "called":
            return f"{doer} call{s} the {card(event['card'])}."
        case "discarded":
            return f"{doer} lay{s} 4 cards face down."
        case "card_played":
            return f"{doer} play{s} the {card(event['card'])}."
        case "next_hand_asked":
            return f"{doer} ask{s} for the next hand."
        case _:
            assert event["kind"] == "dealt"
            return f"Deal {event['deal']}: {doer.replace('You', 'you')} deal{s}."
