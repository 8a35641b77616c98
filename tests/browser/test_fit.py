"""Every screen fits a phone, a finger and an eye that needs large letters; axe agrees.

Targets are 44 pixels or lie in running text, nothing lies over anything else, no text
is cut, and nothing has to be scrolled to the side; axe finds nothing in any look.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from browser.conftest import Windows
from browser.puppet import Puppet
from browser.shows import SHOWS

Json = dict[str, Any]
FAULTS: Final = """() => {
  const faults = [];
  const told = (node) => {
    const text = (node.ariaLabel || node.textContent || node.name || "").trim();
    return `${node.localName}.${node.className} "${text.slice(0, 40)}"`;
  };
  const root = document.querySelector("dialog[open]") ?? document.body;
  const shown = (node) => node.checkVisibility({ checkVisibilityCSS: true })
    && !node.closest(".unseen, .skip, svg, noscript")
    && getComputedStyle(node).clipPath === "none"; // unseen where there is little room

  // To the side nothing is to be scrolled.
  const sheets = [document.documentElement, ...document.querySelectorAll(".sheet")];
  for (const sheet of sheets)
    if (sheet.scrollWidth > sheet.clientWidth)
      faults.push(`${sheet.scrollWidth} wide in ${sheet.clientWidth}: ${told(sheet)}`);

  // What is touched is as large as a finger, but for links in running text.
  const inText = (node) => getComputedStyle(node).display === "inline"
    && [...node.parentElement.childNodes].some(
      (other) => other.nodeType === 3 && other.data.trim());
  const touched = [...root.querySelectorAll(
    "button, a[href], input, select, summary, [tabindex='0']")].filter(shown);
  const boxes = touched.map((node) => {
    const radio = node.matches("input[type=radio], input[type=checkbox]");
    return [node, (radio ? node.closest("label") : node).getBoundingClientRect()];
  });
  for (const [node, box] of boxes)
    if ((box.width < 43.5 || box.height < 43.5) && !inText(node))
      faults.push(`${box.width.toFixed(1)} x ${box.height.toFixed(1)}: ${told(node)}`);

  // No target and no line of text lies over another, and none is cut.
  const lines = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.trim() || !shown(parentElement)) continue;
    if (parentElement.closest("option")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const box of range.getClientRects()) lines.push([parentElement, box]);
    if (parentElement.scrollWidth > parentElement.clientWidth + 1
        && getComputedStyle(parentElement).display !== "inline")
      faults.push(`cut: ${told(parentElement)}`);
  }
  // What sticks to an edge is meant to lie over what is scrolled below it.
  const stuck = (node) => {
    while (node && getComputedStyle(node).position !== "sticky")
      node = node.parentElement;
    return node;
  };
  const apart = (all, much) => all.forEach(([one, a], at) => {
    for (const [other, b] of all.slice(at + 1)) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      if (stuck(one) !== stuck(other)) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > much)
        faults.push(`over each other: ${told(one)}, ${told(other)}`);
    }
  });
  apart(boxes, 1);
  apart(lines, 6); // the boxes of lines are higher than their letters
  return [...new Set(faults)];
}"""


@dataclass(frozen=True)
class Look:
    """A window, and what is set in it."""

    lang: str
    width: int
    height: int
    settings: dict[str, str]
    more: Json = field(default_factory=dict[str, Any])


LOOKS: Final = {
    "phone": Look("it", 360, 640, {"scheme": "light"}),
    "phone, large letters": Look(
        "it", 360, 640, {"scheme": "light", "contrast": "high", "text": "larger"}
    ),
    "small phone, large letters, dark": Look(
        "en", 320, 568, {"scheme": "dark", "text": "larger", "suits": "two"}
    ),
    "flat phone": Look("en", 640, 360, {"scheme": "dark", "contrast": "high"}),
    "desktop": Look("en", 1280, 800, {"scheme": "light", "hand": "left"}),
    "forced colours": Look(
        "it", 1280, 800, {"scheme": "auto"}, {"forced_colors": "active"}
    ),
}


SHARES: Final = 3
"""Into so many tests the screens are dealt, for several processes."""


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("name", LOOKS)
async def test_every_screen_fits(open_page: Windows, name: str, share: int) -> None:
    look = LOOKS[name]
    size = {"width": look.width, "height": look.height}
    window = await open_page(viewport=size, has_touch=look.width < 700, **look.more)
    puppet = await Puppet.on(window)
    await puppet.language(look.lang, **look.settings)
    found: dict[str, list[str]] = {}
    for screen, show in [*SHOWS.items()][share::SHARES]:
        await show(puppet)
        faults = await puppet.page.evaluate(FAULTS)
        try:
            await window.axe()
        except AssertionError as why:
            faults.append(str(why))
        if faults:
            found[screen] = faults
    told = (f"{screen}:\n  " + "\n  ".join(faults) for screen, faults in found.items())
    assert not found, "\n" + "\n".join(told)
