"""A finished hand, move by move, is what its record says; the rules can be read."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, Response, Route, expect

from browser.conftest import Windows
from browser.window import Window
from client import Seat, Server, open_table, rest
from terziglio.analysis import analyse
from terziglio.notation import parse
from terziglio.phases import Counted
from terziglio.words import catalogue
from terziglio_api.wire.thoughts import AnalysisModel, analysis_json
from urging import urged

Json = dict[str, Any]
WORDS = catalogue("en")
SHOWN = """() => {
  const texts = (part, all) => [...part.querySelectorAll(all)].map((each) => each.textContent.trim());
  const main = document.getElementById("main");
  return {
    at: Number(main.dataset.at),
    told: main.querySelector(".told")?.textContent.trim(),
    held: [...main.querySelectorAll(".holders > li")].map((li) => texts(li, ".held .unseen")),
    counts: texts(main, ".holders > li .facts").map((text) => Number(/(\\d+) cards/.exec(text)[1])),
    trick: texts(main, ".trick .card-word"),
    rules: texts(main, ".applied a"),
  };
}"""  # noqa: E501 - JavaScript


def name(card: str) -> str:
    """A card in words, as the page says it."""
    rank, suit = WORDS["ranks"][card[0]], WORDS["suits"][card[1]]
    return str(WORDS["card"].format(rank=rank["french"], suit=suit["french"]))


def names(cards: list[str]) -> set[str]:
    return set(map(name, cards))


async def shown(page: Page) -> Json:
    """What the replay shows now."""
    told: Json = await page.evaluate(SHOWN)
    return told


def looks_like(seen: Json, step: Json, seat: int | None) -> None:
    """The page shows a step of the record: its rules, its cards, nobody else's."""
    view = step["view"]
    assert seen["rules"] == step["rules"]
    trick = [] if view["trick"] is None else view["trick"]["plays"]
    assert set(seen["trick"]) == names([play["card"] for play in trick])
    first = seat or 0
    order = [first, (first + 1) % 3, (first + 2) % 3]
    if seat is None:
        held = [view["hands"][who] for who in order]
        assert seen["counts"][:3] == [len(cards) for cards in held]
    else:
        own = [card["card"] for card in view["hand"]]
        held = [own, [], []]
        assert seen["counts"][:3] == [view["seats"][who]["cards"] for who in order]
    assert [set(cards) for cards in seen["held"][:3]] == [names(c) for c in held]
    monte = (view["monte"] or {}).get("cards") or []
    assert [set(cards) for cards in seen["held"][3:]] == [names(monte)] * bool(monte)


async def record_of(url: str, path: str, token: str = "", **query: Any) -> Json:
    answer = await rest(url, "GET", path, token, params=query)
    assert answer.status_code == 200, answer.text
    record: Json = answer.json()
    return record


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
async def test_the_replay_is_the_record_at_each_step_there_and_back(
    open_page: Windows, server: Server, seat: int | None
) -> None:
    query: Json = {} if seat is None else {"seat": seat}
    record = await record_of(server.url, "/v1/meta/sample", **query)
    steps, last = record["steps"], len(record["steps"])
    window = await open_page("#/sample")
    page = window.page
    if seat is not None:
        await page.get_by_role("combobox").select_option(str(seat))
    await expect(page.locator(".board")).to_be_visible()
    forward = page.get_by_role("button", name="One move on")
    back = page.get_by_role("button", name="One move back")
    for at in range(last + 1):
        seen = await shown(page)
        assert seen["at"] == at
        if at:
            looks_like(seen, steps[at - 1], seat)
        else:
            dealt = [names(hand) for hand in record["hands"]]
            others = [set[str](), set[str]()]
            wanted = dealt if seat is None else [dealt[seat], *others]
            assert [set(cards) for cards in seen["held"][:3]] == wanted
        if at < last:
            await forward.click()
    await expect(forward).to_have_attribute("aria-disabled", "true")
    for at in range(last, 0, -1):
        seen = await shown(page)
        assert seen["at"] == at
        looks_like(seen, steps[at - 1], seat)
        await back.click()
    assert (await shown(page))["told"] == "The cards are dealt by Seat 2."


async def test_it_goes_by_keys_by_slider_by_the_list_and_by_itself(
    open_page: Windows,
) -> None:
    window = await open_page("#/sample")
    page = window.page
    main = page.locator("#main")
    await expect(page.locator(".board")).to_be_visible()

    async def at(place: int) -> None:
        await expect(main).to_have_attribute("data-at", str(place))

    for key, place in (
        ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
        ("End", 41), ("ArrowRight", 41), ("ArrowLeft", 40), ("Home", 0),
    ):  # fmt: skip
        await page.keyboard.press(key)
        await at(place)
    slider = page.get_by_role("slider")
    await slider.focus()
    await page.keyboard.press("ArrowRight")
    await at(1)
    await expect(slider).to_have_attribute("aria-valuetext", "Move 1 of 41")
    await page.get_by_text("All moves").click()
    await page.get_by_role("button", name=re.compile("^5\\. ")).click()
    await at(5)
    await expect(page.locator("[aria-current=step]")).to_contain_text("5. ")
    # By itself, until it is told to stop; at the end it stops by itself.
    await page.get_by_role("button", name="Start", exact=True).click()
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    await at(7)
    await page.get_by_role("button", name="Pause").click()
    await expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowLeft")
    await page.get_by_role("button", name="Start", exact=True).click()
    await at(41)
    await expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    await window.axe()


async def test_rules_of_a_move_lead_to_their_text_and_back(open_page: Windows) -> None:
    window = await open_page("#/sample")
    page = window.page
    await expect(page.locator(".board")).to_be_visible()
    for _ in range(6):
        await page.keyboard.press("ArrowRight")
    applied = page.locator(".applied")
    await expect(applied).to_contain_text("may play any card")
    await applied.get_by_role("link", name="R37").click()
    await expect(page.locator("#rule-R37")).to_be_focused()
    await expect(page.locator("#rule-R37")).to_be_in_viewport()
    await window.axe()
    await page.go_back()
    await expect(page.locator("#main")).to_have_attribute("data-at", "6")


async def test_rules_are_found_by_what_is_typed(
    open_page: Windows, server: Server
) -> None:
    window = await open_page("#/rules", storage_state=italian(server.url))
    page = window.page
    rules = page.locator(".rule")
    await expect(rules.first).to_be_visible()
    book = await record_of(window.url, "/v1/meta/rules/it")
    all_rules = [rule for section in book["sections"] for rule in section["rules"]]
    assert await rules.count() == len(all_rules) + len(book["choices"])
    await page.get_by_role("searchbox").fill("r38")
    await expect(rules).to_have_count(1)
    # Accents and order do not matter; what is not there finds nothing.
    await page.get_by_role("searchbox").fill("SOLISSIMO può")
    wanted = [rule["id"] for rule in all_rules if fits(rule["text"])]
    wanted += [c["id"] for c in book["choices"] if fits(c["question"] + c["ruling"])]
    assert wanted
    await expect(rules.locator("a")).to_have_text(wanted)
    await page.get_by_role("searchbox").fill("zzz")
    await expect(rules).to_have_count(0)
    await expect(page.get_by_role("status").first).to_have_text("0 regole")
    await window.axe()


def fits(text: str) -> bool:
    return "solissimo" in text.lower() and re.search("pu[oò]", text.lower()) is not None


def italian(url: str) -> Any:
    return stored(url, "terziglio.settings", {"lang": "it"})


def stored(url: str, key: str, value: object) -> Any:
    """What a browser has kept of the page."""
    kept = [{"name": key, "value": json.dumps(value)}]
    return {"cookies": [], "origins": [{"origin": url, "localStorage": kept}]}


def read(path: Path) -> str:
    return path.read_text("utf-8")


async def played(server: Server) -> tuple[Json, int]:
    """Play a hand at a computer table; return the host's seat, and its deal."""
    host = await open_table(server.url, seed="watch")
    seat = await Seat(server.url, host["table"], host["token"]).connect()
    await seat.play(lambda view: view["count"] is not None)
    await seat.close()
    return host, seat.view["match"]["deal"]


async def watching(open_page: Windows, server: Server, host: Json, deal: int) -> Window:
    """Open the replay in the browser that has the seat."""
    kept = {
        "table": host["table"], "seat": 0, "token": host["token"], "name": "Anna",
        "mode": "computer", "at": 1, "invites": [], "hands": [deal],
    }  # fmt: skip
    window = await open_page(
        f"#/watch/{host['table']}/{deal}",
        server=server,
        storage_state=stored(server.url, "terziglio.seats", [kept]),
    )
    await expect(window.page.locator(".board")).to_be_visible()
    return window


async def test_a_hand_is_saved_and_played_again(
    open_page: Windows, server: Server
) -> None:
    host, deal = await played(server)
    window = await watching(open_page, server, host, deal)
    page = window.page
    path = f"/v1/tables/{host['table']}/hands/{deal}"
    async with page.expect_download() as saving:
        await page.get_by_role("button", name="Save as JSON").click()
    saved = await saving.value
    assert saved.suggested_filename == f"terziglio-{host['table']}-{deal}.json"
    record = await record_of(server.url, path, host["token"])
    assert json.loads(read(await saved.path())) == record
    async with page.expect_download() as saving:
        await page.get_by_role("button", name="Save as notation").click()
    saved = await saving.value
    text = read(await saved.path())
    headers = {"Authorization": f"Bearer {host['token']}", "Accept": "text/plain"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers) as http:
        assert text == (await http.get(path)).text
    # Who plays is called as at the table.
    await page.keyboard.press("End")
    await expect(page.locator(".holders")).to_contain_text("You")
    await expect(page.locator(".holders")).to_contain_text("Ada")
    await window.axe()

    await page.get_by_role("button", name="Same deal again").click()
    await expect(page.locator("#status")).to_be_visible()
    seats = await page.evaluate("JSON.parse(localStorage.getItem('terziglio.seats'))")
    assert [seat.get("again") for seat in seats] == [True, None]
    hand = await page.evaluate(
        "[...document.querySelectorAll('.hand [data-card]')].map((c) => c.dataset.card)"
    )
    assert set(hand) == set(record["hands"][0])


async def test_without_a_solver_the_analysis_is_politely_refused(
    open_page: Windows, server: Server
) -> None:
    window = await watching(open_page, server, *await played(server))
    window.allow("status of 503")
    page = window.page
    await page.get_by_role("button", name="Analyse in hindsight").click()
    told = page.locator(".hindsight")
    await expect(told).to_have_attribute("data-study", "refused")
    await expect(told).to_contain_text(WORDS["problems"]["no_solver"])
    assert await told.get_by_role("button").count() == 0
    assert await page.locator(".notice").count() == 0


def analysed(text: str) -> Json:
    """The analysis of a hand in notation, as the service would put it."""
    hand = parse(text)
    assert isinstance(hand, Counted)
    told = analysis_json(analyse(hand)) | {"table": "t_0", "deal": 1}
    return AnalysisModel.model_validate(told).model_dump(mode="json")


async def judges(page: Page, found: Json) -> None:
    """What an analysis says of each card is told beside it, from the last one back."""
    judged = page.locator(".hindsight .judged")
    await page.keyboard.press("End")
    for card in reversed(found["cards"]):
        await expect(judged).to_have_attribute("data-lost", str(card["lost"]))
        if card["lost"]:
            text = re.sub("[♠♥♣♦]\ufe0e ", "", await judged.inner_text())
            assert all(name(best) in text for best in card["best"])
        await page.keyboard.press("ArrowLeft")
    await expect(judged).to_have_count(0)  # the exchange


@pytest.mark.timeout(300)
async def test_the_services_own_analysis_is_told(
    open_page: Windows, thinking_server: Server
) -> None:
    host, deal = await played(thinking_server)
    window = await watching(open_page, thinking_server, host, deal)
    page, told = window.page, window.page.locator(".hindsight")

    def done(answer: Response) -> bool:
        return answer.url.endswith("/analysis") and answer.status == 200

    # Where the solver has yet to be compiled, that takes a minute.
    waiting = page.expect_response(done, timeout=200_000)
    async with urged(thinking_server), waiting as answered:
        await page.get_by_role("button", name="Analyse in hindsight").click()
    found = await (await answered.value).json()
    await expect(told).to_have_attribute("data-study", "here")
    path = f"/v1/tables/{host['table']}/hands/{deal}"
    record = await record_of(thinking_server.url, path, host["token"])
    acts = [made["action"] for made in record["actions"][-len(found["cards"]) :]]
    assert [card["card"] for card in found["cards"]] == [act["card"] for act in acts]
    await expect(told).to_contain_text(f"It came to {found['final']} thirds.")
    await judges(page, found)


async def test_the_analysis_is_told_beside_each_card(
    open_page: Windows, server: Server
) -> None:
    """Worked out here: the service's own process comes last on a busy machine."""
    host, deal = await played(server)
    window = await watching(open_page, server, host, deal)
    page, path = window.page, f"/v1/tables/{host['table']}/hands/{deal}"
    headers = {"Authorization": f"Bearer {host['token']}", "Accept": "text/plain"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers) as http:
        found = await asyncio.to_thread(analysed, (await http.get(path)).text)
    asked: list[str] = []
    go_on = asyncio.Event()

    async def answer(route: Route) -> None:
        asked.append(route.request.method)
        if len(asked) == 2:
            await go_on.wait()
        if len(asked) < 3:
            state = ["queued", "running"][len(asked) - 1]
            await route.fulfill(status=202, json={"state": state})
        else:
            await route.fulfill(json=found)

    await page.route("**/analysis", answer)
    told = page.locator(".hindsight")
    await page.get_by_role("button", name="Analyse in hindsight").click()
    await expect(told).to_contain_text("waits for its turn")
    go_on.set()
    await expect(told).to_contain_text("worked out")
    await expect(told).to_have_attribute("data-study", "here")
    assert asked == ["POST", "GET", "GET"]
    await expect(told).to_contain_text("This is hindsight")
    assert found["turning"] is not None
    await told.get_by_role("button", name="turned the hand").click()
    turned = found["cards"][found["turning"]]
    judged = told.locator(".judged")
    await expect(judged).to_have_attribute("data-lost", str(turned["lost"]))
    await judges(page, found)
    await window.axe()


async def test_a_hand_that_may_not_be_seen_is_refused_in_words(
    open_page: Windows, server: Server
) -> None:
    window = await open_page("#/watch/t_none/1")
    page = window.page
    await expect(page.get_by_role("alert").first).to_contain_text("no seat")
    host, _ = await played(server)
    kept = {
        "table": host["table"], "seat": 0, "token": host["token"], "name": "Anna",
        "mode": "computer", "at": 1, "invites": [], "hands": [],
    }  # fmt: skip
    other = await open_page(
        f"#/watch/{host['table']}/77",
        storage_state=stored(server.url, "terziglio.seats", [kept]),
    )
    other.allow("status of 404")
    fault = other.page.locator("#main .notice")
    await expect(fault).to_contain_text(WORDS["problems"]["no_such_hand"])
    await expect(fault.get_by_role("button", name="Try again")).to_be_visible()
    await other.axe()
