"""A person who sees nothing: reads the accessibility tree, hears the live regions."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

from playwright.async_api import CDPSession, Page

__all__ = ["Node", "Reader"]

Json = dict[str, Any]
_TREE: Final = "Accessibility.getFullAXTree"
_TEXT: Final = {"StaticText", "ListMarker"}
_HEAR: Final = """() => {
  const alert = document.querySelector("[role=alert]");
  window.said = [];
  window.logged = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const { data } of addedNodes) said.push(data.replace("\\u00a0", ""));
  }).observe(alert, { childList: true });
  // A log is polite: what is added to it is read, once.
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      for (const node of addedNodes)
        if (node.localName === "li" && target.closest("[role=log]"))
          logged.push(node.textContent.trim());
  }).observe(document.body, { childList: true, subtree: true });
}"""


@dataclass
class Node:
    """A part of the tree."""

    role: str
    name: str
    states: Json = field(default_factory=dict[str, Any])
    children: list["Node"] = field(default_factory=list["Node"])

    def all(self, role: str, name: str | None = None) -> list["Node"]:
        """Return the parts with a role, and with a name if one is given."""
        return [
            node
            for node in self.walk()
            if node.role == role and name in (None, node.name)
        ]

    def one(self, role: str, name: str | None = None) -> "Node":
        """Return the only such part."""
        found = self.all(role, name)
        assert len(found) == 1, f"{role} {name!r}: {found or self.outline()}"
        return found[0]

    def walk(self) -> Iterator["Node"]:
        """Yield it, and all that is in it, in the order in which it is read."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def text(self) -> str:
        """What is read of it."""
        told = " ".join(node.name for node in self.walk() if node.role in _TEXT)
        return " ".join(told.split())

    @property
    def off(self) -> bool:
        """Whether it says that it cannot be used now."""
        return bool(self.states.get("disabled"))

    def outline(self, depth: int = 0) -> str:
        """Return it as lines, for a test that fails."""
        line = f"{'  ' * depth}{self.role} {self.name!r} {self.states}\n"
        return line + "".join(child.outline(depth + 1) for child in self.children)


class Reader:
    """Reads a page as a screen reader does."""

    def __init__(self, page: Page, line: CDPSession) -> None:
        self._page = page
        self._line = line

    @classmethod
    async def of(cls, page: Page) -> "Reader":
        """Start to listen to a page."""
        await page.evaluate(_HEAR)
        return cls(page, await page.context.new_cdp_session(page))

    async def read(self) -> Node:
        """Return the whole tree as it is now."""
        answer = cast("Json", await cast("Any", self._line).send(_TREE))
        nodes: dict[str, Json] = {node["nodeId"]: node for node in answer["nodes"]}
        root = next(node for node in answer["nodes"] if "parentId" not in node)
        return Node("page", "", {}, list(_parts(root, nodes)))

    async def said(self) -> list[str]:
        """Return what was said at once, in order."""
        told: list[str] = await self._page.evaluate("said")
        return told

    async def logged(self) -> list[str]:
        """Return what was read from the log, in order."""
        told: list[str] = await self._page.evaluate("logged")
        return told

    async def called(self, said: int) -> None:
        """Wait until the page calls once more, or the hand is over."""
        await self._page.wait_for_function(
            """(before) => {
              const calls = said.filter((text) => text.startsWith("Your turn"));
              const told = document.querySelector("h1")?.textContent ?? "";
              return calls.length > before
                || document.querySelector("[data-next]") !== null
                || /won the match/.test(told);
            }""",
            arg=said,
        )


def _parts(node: Json, nodes: dict[str, Json]) -> Iterator[Node]:
    """Yield what is told of a node: itself, or its parts if it is passed over."""
    inner = [
        part
        for child in node.get("childIds", ())
        if child in nodes
        for part in _parts(nodes[child], nodes)
    ]
    role = node.get("role", {}).get("value", "")
    if node["ignored"] or role in {"InlineTextBox", "none"}:
        yield from inner
        return
    states = {each["name"]: each["value"].get("value") for each in node["properties"]}
    yield Node(role, node.get("name", {}).get("value", ""), states, inner)
