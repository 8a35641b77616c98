"""What is to be decided is said whole, and what cannot be chosen says why."""

import re
from functools import partial
from typing import Any, Final, Literal

import pytest
from playwright.async_api import Route, expect

from browser.conftest import Windows
from browser.moments import MOMENTS, NAMES
from browser.puppet import Puppet

Json = dict[str, Any]
Language = Literal["en", "it"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "it")
FULL: Final = (
    "Four are chosen already. To change one, choose it again first.",
    "Ne hai già scelte quattro. Per cambiarne una, scegli prima di nuovo quella.",
)
FIRST: Final = (
    "First choose the four cards to lay face down.",
    "Scegli prima le quattro carte da scartare coperte.",
)


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_R31_a_fifth_card_says_why_it_is_not_laid(
    open_page: Windows, lang: Language
) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    page = puppet.page
    await puppet.sit(MOMENTS["exchange, you"]())
    cards = page.locator(".hand .card")
    for place in range(5):
        await cards.nth(place).click()
    told = FULL[LANGUAGES.index(lang)]
    await expect(page.locator("#sentence")).to_have_text(told)
    await expect(page.locator("#alert")).to_have_text(told)
    assert await page.locator(".hand [aria-pressed=true]").count() == 4
    await cards.nth(0).click()
    await cards.nth(4).click()
    await expect(page.locator("#sentence")).not_to_have_text(told)
    await page.locator(".confirm").click()
    assert len(puppet.sent) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_R30_that_a_card_goes_back_is_said_from_the_start(
    open_page: Windows, lang: Language
) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    page = puppet.page
    view = MOMENTS["exchange, you, one back"]()
    await puppet.sit(view)
    who = NAMES[view["contract"]["passed_by"]]
    await expect(page.locator("h1")).to_contain_text(who)
    told = FIRST[LANGUAGES.index(lang)]
    await expect(page.locator("#sentence")).to_have_text(told)


SEEN: Final = """() => {
  const top = (node) => node.getBoundingClientRect().top;
  const panel = document.querySelector(".choice");
  const edge = Math.min(innerHeight, top(panel));
  // The corner of a card says which it is.
  return [...document.querySelectorAll(".hand .card")].map(
    (card) => top(card) + card.offsetWidth * 0.6 <= edge);
}"""
SIZES: Final = {
    "phone": (360, 640, "normal"),
    "phone, largest text": (360, 640, "larger"),
    "desktop": (1280, 800, "normal"),
}


@pytest.mark.parametrize("size", SIZES)
async def test_your_hand_is_seen_together_with_the_choice(
    open_page: Windows, size: str
) -> None:
    width, height, text = SIZES[size]
    window = await open_page(viewport={"width": width, "height": height})
    puppet = await Puppet.on(window)
    await puppet.language("it", text=text)
    page = puppet.page
    hidden: dict[str, int] = {}
    for name in ("auction, you", "call, you", "exchange, you"):
        await puppet.sit(MOMENTS[name]())
        seen = await page.evaluate(SEEN)
        if not all(seen):
            hidden[name] = seen.count(False)
    assert not hidden


async def test_the_call_says_what_you_hold_of_each_suit(open_page: Windows) -> None:
    puppet = await Puppet.on(await open_page())
    view = MOMENTS["call, you"]()
    await puppet.sit(view)
    page = puppet.page
    for suit in "SHCD":
        held = {card["card"][0] for card in view["hand"] if card["card"][1] == suit}
        told = page.locator(f".suit-row[data-suit={suit}] .own-ranks")
        ranks = [rank for rank in "32AKQJ7654" if rank in held]
        said = f"you hold {' '.join(ranks) or 'none'}"
        await expect(told).to_have_text(f"· {said}")


@pytest.mark.parametrize("deck", ["french", "italian"])
async def test_R72_a_symbol_is_that_of_the_deck(open_page: Windows, deck: str) -> None:
    """In sentences and on buttons: of Italian cards no French symbol is read."""
    puppet = await Puppet.on(await open_page())
    await puppet.settings(lang="en", deck=deck)
    page = puppet.page
    for name, where in (
        ("call, you", ".choice"),
        ("exchange, you", ".felt"),
        ("play, you follow", ".log"),
        ("count, won", ".monte-was"),
    ):
        await puppet.sit(MOMENTS[name]())
        told = await page.locator(where).inner_text()
        assert bool(set(told) & set("♠♥♣♦")) == (
            deck == "french" and name != "call, you"
        ), name
    await puppet.sit(MOMENTS["call, you"]())
    drawn = await page.locator(".calls .emblem").evaluate_all(
        "all => all.map((one) => one.dataset.deck + one.dataset.suit)"
    )
    assert set(drawn) == {deck + suit for suit in "SHCD"}


HINTS: Final[dict[str, tuple[Json, str, str]]] = {
    "auction, you": (
        {"type": "bid", "bid": "solo"},
        "best_bid",
        "The computer would say: solo. Over the deals that are possible",
    ),
    "call, you": (
        {"type": "call", "card": "3S"},
        "best_call",
        "The computer would call the three of spades. No other card",
    ),
    "exchange, you, one back": (
        {"type": "discard", "cards": ["4C", "5C", "6D", "7D"], "give_back": "5D"},
        "best_exchange",
        "The computer would lay the four of clubs, the five of clubs, the six of "
        "diamonds, and the seven of diamonds face down and give back the five of "
        "diamonds. What is left",
    ),
    "play, you lead": (
        {"type": "play", "card": "AC"},
        "sure",
        "The computer would play the ace of clubs. It wins",
    ),
}


async def answered(told: Json, route: Route) -> None:
    await route.fulfill(status=200, json=told)


async def test_a_hint_is_said_in_whole_sentences(open_page: Windows) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language("en", hints="on")
    page = puppet.page
    for name, (action, reason, told) in HINTS.items():
        view = MOMENTS[name]() | {"mode": "computer"}
        decision = view["turn"]["decision"]
        hint = {"seq": 7, "decision": decision, "action": action, "reason": reason}
        await page.unroute_all()
        await page.route("**/hint", partial(answered, hint))
        await puppet.sit(view)
        await page.get_by_role("button", name="Hint").click()
        said = await page.locator(".hint p").first.inner_text()
        assert re.sub("[♠♥♣♦]\ufe0e ", "", said).startswith(told)


async def test_R47_the_result_comes_first_and_nothing_covers_the_count(
    open_page: Windows,
) -> None:
    """On a phone: who won and the scores, what to do next, and then the rest."""
    puppet = await Puppet.on(await open_page(viewport={"width": 360, "height": 640}))
    page = puppet.page
    await puppet.sit(MOMENTS["count, won"]())
    places: list[float] = []
    for part in ("h1", ".outcome table", "[data-next]", ".sums", ".monte-was", ".felt"):
        box = await page.locator(part).bounding_box()
        assert box is not None
        places.append(box["y"])
        if part == "[data-next]":
            assert box["y"] + box["height"] < 640
    assert places == sorted(places)
    stuck = await page.evaluate(
        "[...document.querySelectorAll('main *')].filter((node) =>"
        " getComputedStyle(node).position === 'sticky').length"
    )
    assert stuck == 0
