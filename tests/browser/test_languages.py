"""Both languages are whole: no screen has a word of the other, no sentence a hole.

A screen's words are all its texts and labels. Whether one is of the other language is
told by small words that every sentence has, and by the page's own texts word for word.
"""

import re
from typing import Any, Final

import pytest
from playwright.async_api import Route, expect

from browser.conftest import Windows
from browser.puppet import Puppet
from browser.shows import SHOWS

Json = dict[str, Any]
SMALL: Final = {
    "en": "the of your you and is are to with not this card cards turn hand what nobody"
    " from for by play plays it at has here table rules seat their who deal trick three"
    " four",
    "it": "il la lo gli le di del della dei che una un con non tocca carta carte sei al"
    " alla hai ai si presa punti posto tavolo mano regole tre quattro chi sono gioca"
    " giochi questa questo",
}
"""Words of each language that the other one does not have."""
TEXTS: Final = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!parentElement.closest("noscript, script, style") && data.trim())
      texts.push(data.trim().replace(/\\s+/g, " "));
  }
  for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"])
    for (const element of document.querySelectorAll(`[${name}]`))
      texts.push(element.getAttribute(name));
  return [document.documentElement.lang, texts];
}"""
HOLE: Final = re.compile(r"\{\w+\}|undefined|\bnull\b|\bNaN\b|\[object")


def foreign(text: str, lang: str) -> set[str]:
    """The words of a text that are of the other language."""
    other = "en" if lang == "it" else "it"
    said = re.sub(r"\{\w+\}", "", text.lower())
    return {*re.findall(r"[a-zà-ù]+", said)} & {*SMALL[other].split()}


async def own_texts(puppet: Puppet) -> dict[str, dict[str, str]]:
    """The page's own words, by language and key."""
    told: dict[str, dict[str, str]] = await puppet.page.evaluate(
        "async () => (await import('/texts.js')).TEXTS"
    )
    return told


async def test_each_text_is_there_in_both_languages(open_page: Windows) -> None:
    puppet = await Puppet.on(await open_page())
    texts = await own_texts(puppet)
    assert texts.keys() == SMALL.keys()
    assert texts["en"].keys() == texts["it"].keys()
    for key, english in texts["en"].items():
        italian = texts["it"][key]
        assert english.strip()
        assert italian.strip()
        holes = [{*re.findall(r"\{(\w+)\}", text)} for text in (english, italian)]
        assert holes[0] == holes[1], key
        assert not foreign(english, "en"), key
        assert not foreign(italian, "it"), key


@pytest.mark.parametrize("lang", SMALL)
async def test_a_screen_speaks_one_language(open_page: Windows, lang: str) -> None:
    puppet = await Puppet.on(await open_page())
    await puppet.language(lang)
    texts = await own_texts(puppet)
    others = {*texts["en" if lang == "it" else "it"].values()}
    wrong = others - {*texts[lang].values()} - {"English", "Italiano"}
    found: dict[str, Json] = {}
    for name, show in SHOWS.items():
        await show(puppet)
        spoken, told = await puppet.page.evaluate(TEXTS)
        assert spoken == lang
        for text in told:
            words = foreign(text, lang)
            if words or text in wrong or HOLE.search(text):
                found.setdefault(name, {})[text] = words
    assert found == {}


async def test_a_language_that_does_not_come_is_asked_for_once(
    open_page: Windows,
) -> None:
    window = await open_page()
    page = window.page
    window.allow("net::ERR_FAILED")
    await expect(page.get_by_role("heading").first).to_be_visible()
    asked: list[str] = []

    async def refuse(route: Route) -> None:
        asked.append(route.request.url)
        await route.abort()

    await page.route("**/v1/meta/words/it", refuse)
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("radio", name="Italiano").check()
    notice = page.get_by_text("The service was not reached.")
    await expect(notice.last).to_be_visible()
    await page.get_by_role("radio", name="dark").check()  # the page is drawn again
    assert len(asked) == 1
    await page.unroute("**/v1/meta/words/it")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("heading", name="Impostazioni")).to_be_visible()


async def test_what_is_set_in_one_tab_is_set_in_the_others(open_page: Windows) -> None:
    window = await open_page()
    first = window.page
    await expect(first.get_by_role("heading").first).to_be_visible()
    other = await window.context.new_page()
    await other.goto(f"{window.url}/#/rules")
    await other.get_by_role("button", name="Settings").click()
    await other.get_by_role("radio", name="dark").check()
    await other.get_by_role("radio", name="Italiano").check()
    await expect(first.locator("html")).to_have_attribute("data-scheme", "dark")
    await expect(first.locator("html")).to_have_attribute("lang", "it")
    await expect(first.locator(".lead")).to_contain_text("Il gioco di carte")
