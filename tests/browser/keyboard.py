"""A person who has a keyboard and no mouse: presses keys, looks where the focus is."""

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page

__all__ = ["Focus", "Keyboard"]

_LOOK = """() => {
  const at = document.activeElement;
  const box = at?.getBoundingClientRect();
  const own = (node) => node.nodeType === 3 ? node.data
    : node.ariaHidden === "true" ? "" : [...node.childNodes].map(own).join("");
  const text = (id) => document.getElementById(id)?.textContent ?? "";
  const by = (at?.getAttribute("aria-labelledby") ?? "").split(" ").map(text).join(" ");
  const [label] = (at instanceof HTMLInputElement && at.labels) || [];
  const seen = at?.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  return {
    tag: at?.localName ?? "",
    name: (at?.getAttribute("aria-label") || by.trim() || (at && own(at)) || "").trim(),
    label: (label?.textContent ?? "").trim(),
    card: at?.closest(".hand") ? (at.dataset.card ?? "") : "",
    off: at?.getAttribute("aria-disabled") === "true",
    pressed: at?.getAttribute("aria-pressed") === "true",
    visible: Boolean(at && at !== document.body && seen && box.width > 1)
      && box.bottom > 0 && box.top < innerHeight
      && box.right > 0 && box.left < innerWidth,
    stops: document.querySelectorAll('.hand .cards [tabindex="0"]').length,
    cards: document.querySelectorAll(".hand .cards .card").length,
  };
}"""
_MOST = 80
"""No screen has so many places to go to; the hand is one."""


@dataclass(frozen=True)
class Focus:
    """Where the focus is."""

    tag: str
    name: str
    label: str
    card: str
    """The card of the hand that has it, or ``""``."""
    off: bool
    pressed: bool
    visible: bool
    stops: int
    """How many cards of the hand Tab comes to."""
    cards: int


class Keyboard:
    """Presses keys; after each the focus must be on something that is seen."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.presses = 0

    async def look(self) -> Focus:
        """Return where the focus is."""
        told: dict[str, Any] = await self._page.evaluate(_LOOK)
        return Focus(**told)

    async def check(self, what: str) -> Focus:
        """Return where the focus is; it must be seen there, and the hand one stop."""
        focus = await self.look()
        assert focus.visible, f"{what}: the focus is on {focus}"
        assert focus.stops == (1 if focus.cards else 0), f"{what}: {focus}"
        return focus

    async def press(self, key: str) -> Focus:
        """Press a key, and let the page draw."""
        await self._page.keyboard.press(key)
        self.presses += 1
        if key.endswith("Tab") and (await self.look()).tag == "body":
            # Past the page's end Tab comes to the browser's own buttons: one more.
            await self._page.keyboard.press(key)
        # What a key changes is drawn in the same moment.
        return await self.check(key)

    async def type(self, text: str) -> None:
        """Type into the field that has the focus."""
        await self._page.keyboard.type(text)

    async def to(self, name: str, *, key: str = "Tab") -> Focus:
        """Go on with Tab until the focus is on what has this name."""
        seen: list[str] = []
        focus = await self.look()
        for _ in range(_MOST):
            if name in (focus.name, focus.label):
                return focus
            focus = await self.press(key)
            seen.append(focus.name or focus.label)
        raise AssertionError(f"no {name!r} among {seen}")

    async def to_hand(self) -> Focus:
        """Go on with Tab into the hand."""
        for _ in range(_MOST):
            focus = await self.look()
            if focus.card:
                return focus
            await self.press("Tab")
        raise AssertionError("Tab does not come to the hand")

    async def to_card(self, card: str) -> Focus:
        """Go along the hand with the arrows."""
        focus = await self.to_hand()
        for _ in range(focus.cards):
            if focus.card == card:
                return focus
            focus = await self.press("ArrowRight")
        raise AssertionError(f"{card} is not in the hand")
