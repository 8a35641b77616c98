"""The suits are told apart without any colour: by their shapes, and by their words."""

import io
from itertools import combinations
from typing import Any, Final

import pytest
from PIL import Image, ImageChops

from browser.conftest import Windows
from browser.moments import MOMENTS
from browser.puppet import Puppet
from terziglio.words import Words

Json = dict[str, Any]
SUITS: Final = "SHCD"
RANKS: Final = "7AK"
APART: Final = 0.1
"""How much of the ink of two faces, laid over each other, must be of one alone."""
SYMBOL: Final = (0, 60, 48, 105)
"""Where the corner of a small card has its suit, of 120 by 180."""
BLANK: Final = 0.05
"""How much of a face is ink, at the least."""


def ink(picture: bytes) -> Image.Image:
    """White where a face is not as its ground is, whatever its colours were."""
    grey = Image.open(io.BytesIO(picture)).convert("L").resize((120, 180))
    shades = grey.histogram()
    plain = Image.new("L", grey.size, shades.index(max(shades)))
    return ImageChops.difference(grey, plain).point([0] * 40 + [255] * 216)


def share(mask: Image.Image) -> float:
    """How much of a mask is white."""
    white: int = mask.histogram()[255]
    return white / (mask.width * mask.height)


@pytest.mark.parametrize("deck", ["french", "italian"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(("scheme", "colours"), [("light", "four"), ("dark", "two")])
async def test_suits_are_told_without_colours(
    open_page: Windows, deck: str, colours: str, width: int, scheme: str
) -> None:
    puppet = await Puppet.on(await open_page(viewport={"width": width, "height": 800}))
    await puppet.settings(lang="en", deck=deck, suits=colours, scheme=scheme)
    view: Json = MOMENTS["thrown in"]()
    cards = [rank + suit for rank in RANKS for suit in SUITS]
    view["hand"] = [{"card": card, "why": None} for card in cards]
    await puppet.sit(view)
    hand = puppet.page.locator(".hand")
    words = Words("en").data["suits"]
    for rank in RANKS:
        faces: dict[str, Image.Image] = {}
        for suit in SUITS:
            card = hand.locator(f"[data-card='{rank}{suit}']")
            faces[suit] = ink(await card.locator(".face").screenshot())
            assert share(faces[suit]) > BLANK, f"{rank}{suit} is blank"
            name = words[suit][deck]
            assert (await card.get_attribute("aria-label") or "").endswith(f"of {name}")
            assert (await card.locator(".card-word").inner_text()).split()[-1] == name
        for one, other in combinations(SUITS, 2):
            # Courts have one figure: what tells them apart is the corner's symbol.
            a, b = faces[one].crop(SYMBOL), faces[other].crop(SYMBOL)
            apart = share(ImageChops.difference(a, b))
            together = share(ImageChops.lighter(a, b))
            assert apart / together > APART, f"{rank}: {one} and {other} look alike"
