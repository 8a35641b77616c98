"""Every phase and every refusal is read as the right sentence, in both languages.

What is refused is told in the service's own words: the sentence is made here, from the
catalogue's template and the params that the code declares, and looked for on the page.
The sentences of the phases are the page's own, and stand here once more.
"""

import re
from typing import Any, Final, Literal

import pytest
from playwright.async_api import expect

from browser.conftest import Windows
from browser.moments import MOMENTS, NAMES
from browser.puppet import Puppet
from browser.shows import problem, refused_open
from terziglio import Phase
from terziglio.words import Words
from terziglio_api.sockets import CLOSE
from terziglio_api.wire.problems import CodeModel, all_codes

Json = dict[str, Any]
Language = Literal["en", "it"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "it")
YOURS: Final[Json] = {
    "auction": ("Your turn: bid or pass.", "Tocca a te: parla o passa."),
    "call": ("Your turn: call a card.", "Tocca a te: chiama una carta."),
    "exchange": (
        "Your turn: lay four cards face down.",
        "Tocca a te: scarta quattro carte coperte.",
    ),
    "play": ("Your turn: play a card.", "Tocca a te: gioca una carta."),
}
GIVE: Final = (
    "Your turn: lay four cards face down and give one back to {who}.",
    "Tocca a te: scarta quattro carte coperte e rendi una carta a {who}.",
)
OTHERS: Final[Json] = {
    "auction": ("{who} is to bid.", "Tocca a {who}: parla o passa."),
    "call": ("{who} is to call a card.", "Tocca a {who}: chiama una carta."),
    "exchange": (
        "{who} is to lay four cards.",
        "Tocca a {who}: scarta quattro carte.",
    ),
    "play": ("{who} is to play.", "Tocca a {who}: gioca una carta."),
}
LEADS: Final = ("{who} leads.", "{who} è di mano.")
NOBODYS: Final[Json] = {
    "waiting": (
        "Waiting until all three sit.",
        "Si aspetta che tutti e tre siano seduti.",
    ),
    "thrown_in": (
        "All three passed. The next deal comes by itself.",
        "Tutti e tre hanno passato. La prossima mano arriva da sola.",
    ),
}
RESULT: Final[dict[tuple[bool, bool], tuple[str, str]]] = {
    (True, True): ("You win the hand:", "Vinci la mano:"),
    (True, False): ("You lose the hand:", "Perdi la mano:"),
    (False, True): ("{who} wins the hand:", "{who} vince la mano:"),
    (False, False): ("{who} loses the hand:", "{who} perde la mano:"),
}
"""By whether the soloist is the reader, and has won."""
WON: Final = ("You have won the match!", "Hai vinto la partita!")
LOST: Final = ("{who} has won the match.", "{who} ha vinto la partita.")
ENDED: Final = ("The host has ended the table.", "L'ospite ha chiuso il tavolo.")
STOPPED: Final = {
    1000: ("it was left", "l'hai lasciato"),
    4401: (
        "the seat has a new link, or the table is gone",
        "il posto ha un nuovo link, o il tavolo non c'è più",
    ),
    4403: (
        "the service does not take pages from this address",
        "il servizio non accetta pagine da questo indirizzo",
    ),
    4409: (
        "the seat is open in too many places",
        "il posto è aperto in troppe finestre",
    ),
    4426: (
        "the page is older than the service: load it again",
        "la pagina è più vecchia del servizio: ricaricala",
    ),
}
BROKEN: Final = (
    r"The line is broken. Trying again in (\d+) s.",
    r"La linea è caduta. Riprovo fra (\d+) s.",
)
HEAR: Final = """() => {
  window.said = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const { data } of addedNodes) said.push(data);
  }).observe(document.getElementById("alert"), { childList: true });
}"""
SAMPLES: Final[Json] = {
    "due": "3.23",
    "retry_s": 7,
    "turn": 2,
    "phase": "exchange",
    "highest": "solo",
    "card": "QH",
    "expected": 4,
    "got": 3,
    "led": "D",
    "held": 2,
}
"""A value for each param that a code declares."""
READ: Final = """() => {
  const notice = [...document.querySelector(".notice").childNodes];
  const texts = notice.filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  const alert = document.getElementById("alert").textContent;
  return [texts.map(({ data }) => data).join("").trim(), alert.replace("\\u00a0", "")];
}"""
"""What a notice says to who sees it, and what to who hears it."""
PLAIN: Final = "\ufe0e"


def sentence(code: CodeModel, words: Json, lang: Language) -> str:
    """The sentence of a code, with a sample of each of its params."""
    deck = "italian" if lang == "it" else "french"
    kind = "problems" if code.kind == "problem" else "illegal"
    told = {name: _told(name, words, deck) for name in code.params}
    text: str = words[kind][code.code].format(**told)
    return text


def _told(name: str, words: Json, deck: str) -> str:
    value = SAMPLES[name]
    match name:
        case "card":
            rank = words["ranks"][value[0]][deck]
            told: str = words["card"].format(
                rank=rank, suit=_suit(value[1], words, deck)
            )
            return told
        case "led":
            return _suit(value, words, deck)
        case "turn":
            return NAMES[int(value)]
        case "phase":
            return str(words["phases"][value])
        case "highest":
            return str(words["bids"][value])
        case _:
            return str(value)


def _suit(suit: str, words: Json, deck: str) -> str:
    """By its symbol and its word; no character is the symbol of an Italian suit."""
    told = words["suits"][suit]
    if deck == "italian":
        return str(told["italian"])
    return f"{told['symbol']}{PLAIN} {told[deck]}"


def params_of(code: CodeModel) -> Json:
    """A sample of each of a code's params."""
    return {name: SAMPLES[name] for name in code.params}


def status_of(view: Json, at: int) -> str:
    """What the first heading says of a view, in the language of this number."""
    turn: Json | None = view["turn"]
    who = "" if turn is None else NAMES[int(turn["seat"])]
    phase: str = view["phase"]
    if view["closed"]:
        return ENDED[at]
    if phase == "finished":
        winner: int = view["match"]["winner"]
        mine = winner == view["you"]["seat"]
        return WON[at] if mine else LOST[at].format(who=NAMES[winner])
    if phase == "count":
        count, soloist = view["count"], view["contract"]["soloist"]
        mine = bool(soloist == view["you"]["seat"])
        told = RESULT[mine, bool(count["won"])][at]
        to = ("to", "a")[at]
        result = f"{count['soloist']} {to} {count['defenders']}."
        return f"{told} {result}".format(who=NAMES[soloist])
    if turn is None:
        return str(NOBODYS[phase][at])
    if view["options"]:
        if view["options"].get("give_back"):
            return GIVE[at].format(who=NAMES[view["contract"]["passed_by"]])
        return str(YOURS[phase][at])
    if phase == "play" and len(view["trick"]["plays"]) % 3 == 0:
        return LEADS[at].format(who=who)
    return str(OTHERS[phase][at].format(who=who))


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_every_phase_says_whose_move_it_is(
    open_page: Windows, lang: Language
) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    page = puppet.page
    said: set[tuple[str, bool]] = set()
    await puppet.sit(MOMENTS["thrown in"]())
    for name, made in MOMENTS.items():
        view = made()
        if "computers" in name:  # whose names are the service's
            continue
        await puppet.show(view)
        status = status_of(view, LANGUAGES.index(lang))
        await expect(page.locator("h1")).to_have_text(status)
        yours = view["options"] is not None
        marked = ("Your turn", "Tocca a te")[LANGUAGES.index(lang)]
        assert (marked in await page.title()) == yours
        alert = (await page.locator("#alert").inner_text()).strip("\u00a0")
        assert not yours or alert == status
        said.add((view["phase"], yours))
    assert {phase for phase, _ in said} == {phase.value for phase in Phase}
    assert {phase for phase, yours in said if yours} == set(YOURS)


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_every_refusal_on_the_socket_is_read(
    open_page: Windows, lang: Language
) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    page = puppet.page
    words: Json = dict(Words(lang).data)
    await puppet.sit(MOMENTS["play, you lead"]())
    read: Json = {}
    wanted: Json = {}
    for code in all_codes():
        told: Json = {"code": code.code, "params": params_of(code), "detail": ""}
        if code.kind == "illegal" and code.status is None:
            why = {"code": code.code, "params": params_of(code)}
            told = {"code": "illegal_action", "params": {}, "detail": "", "why": why}
        puppet.answer = told
        key = f"{code.kind} {code.code}"
        wanted[key] = [sentence(code, words, lang)] * 2
        await page.locator(".hand .card").first.dispatch_event("click")
        await page.locator(f".notice[data-code={told['code']}]").wait_for()
        read[key] = await page.evaluate(READ)
        await page.locator(".notice .plain").dispatch_event("click")
    assert read == wanted
    assert len(puppet.sent) == len(wanted), "each was asked for once"


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_every_refusal_over_http_is_read(
    open_page: Windows, lang: Language
) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    page = puppet.page
    words: Json = dict(Words(lang).data)
    read: Json = {}
    wanted: Json = {}
    again: set[str] = set()
    for code in all_codes():
        if code.kind != "problem" or code.status is None:
            continue
        told = problem(code.code, code.status, params=params_of(code))
        await refused_open(puppet, told)
        notice = page.locator(".notice")
        read[code.code] = await page.evaluate(READ)
        wanted[code.code] = [sentence(code, words, lang)] * 2
        if await notice.locator("button").count() == 2:
            again.add(code.code)
        await notice.locator(".plain").dispatch_event("click")
    assert read == wanted
    assert again == {"draining", "overloaded", "rate_limited", "storage_unavailable"}


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_a_card_that_may_not_be_played_says_why(
    open_page: Windows, lang: Language
) -> None:
    """To who points at it, who comes to it, who touches it: every code of the rules."""
    puppet = await Puppet.on(await open_page(has_touch=True))
    await puppet.language(lang)
    page = puppet.page
    words: Json = dict(Words(lang).data)
    view = MOMENTS["play, you follow"]()
    barred = [held for held in view["hand"] if held["why"]]
    assert len(barred) >= 3
    pointed, focused, touched = (held["card"] for held in barred[:3])
    await puppet.sit(view)
    shown = page.locator(".hand .why")

    def card(code: str) -> Any:
        return page.locator(f".hand [data-card='{code}']")

    for code in all_codes():
        if code.kind != "illegal":
            continue
        for held in barred:
            held["why"] = {"code": code.code, "params": params_of(code)}
        await puppet.show(view)
        why = sentence(code, words, lang)
        await card(pointed).hover()
        await expect(shown).to_have_text(why)
        assert why in str(await card(pointed).get_attribute("aria-label"))
        await card(focused).focus()
        await expect(shown).to_have_text(why)
        await page.evaluate("document.getElementById('alert').textContent = ''")
        await card(touched).tap(force=True)
        await expect(page.locator("#alert")).to_have_text(why)
        await expect(shown).to_have_text(why)
    assert puppet.sent == []


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_how_the_line_stands_is_read(open_page: Windows, lang: Language) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    page = puppet.page
    at = LANGUAGES.index(lang)
    left = (
        "This page has left the table ({why}).",
        "Questa pagina ha lasciato il tavolo ({why}).",
    )[at]
    for code in {*CLOSE.values(), *STOPPED, 1012, 4500}:
        await puppet.sit(MOMENTS["play, you lead"]())
        await puppet.close(code)
        banner = page.locator(".banner")
        if code in STOPPED:
            why = STOPPED[code][at]
            await expect(banner).to_contain_text(left.format(why=why))
        else:
            await expect(banner).to_have_text(re.compile(BROKEN[at]))
            told = re.search(BROKEN[at], await banner.inner_text())
            assert told is not None
            assert int(told[1]) in (range(59, 61) if code == 4429 else range(31))
        await page.locator(".hand .card").first.click()
        assert puppet.sent == [], "nothing is sent on a line that is down"


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_a_line_that_broke_is_said_once_and_also_that_it_is_back(
    open_page: Windows, lang: Language
) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    page = puppet.page
    at = LANGUAGES.index(lang)
    await puppet.sit(MOMENTS["play, another"]())
    await page.evaluate(HEAR)
    banner = page.locator(".banner")
    await expect(banner).to_be_hidden()
    await puppet.close(4508)
    await expect(banner).to_have_attribute("role", "timer")  # not read second by second
    await expect(banner).to_have_text(("You are back.", "Sei di nuovo al tavolo.")[at])
    await expect(banner).to_have_attribute("role", "status")
    await expect(banner).to_be_hidden()
    broken, back = await page.evaluate("said")
    assert re.fullmatch(BROKEN[at], broken)
    assert back == ("You are back.", "Sei di nuovo al tavolo.")[at]


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_what_is_sent_is_told_of_only_if_the_answer_takes_long(
    open_page: Windows, lang: Language
) -> None:
    window = await open_page()
    await window.page.clock.install()
    puppet = await Puppet.on(window)
    await puppet.language(lang)
    page = puppet.page
    await puppet.sit(MOMENTS["play, you lead"]())
    await page.clock.pause_at(await page.evaluate("Date.now() + 1"))
    await page.locator(".hand .card").first.click()
    await expect(page.locator("main")).to_have_attribute("aria-busy", "true")
    assert len(puppet.sent) == 1
    banner = page.locator(".banner")
    await page.clock.run_for(690)
    await expect(banner).to_be_hidden()
    await page.clock.run_for(20)
    await expect(banner).to_have_text(("Sending…", "Invio…")[LANGUAGES.index(lang)])
    await page.locator(".hand .card").last.click()
    assert len(puppet.sent) == 1, "one thing at a time"
