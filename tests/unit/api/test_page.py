"""The page's files fit together: what is loaded ahead is what is used, all is typed."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
WEB = ROOT / "examples" / "web"
IMPORT = re.compile(r'(?:from|import)\s*"(\.[^"]+)"')
LATER = re.compile(r'=> import\("(\.[^"]+)"\)')
AHEAD = re.compile(r'<link rel="modulepreload" href="([^"]+)"')


def imported(module: Path, found: set[Path]) -> set[Path]:
    """Add to what was found all that a module imports, and they import."""
    for name in IMPORT.findall(module.read_text("utf-8")):
        other = (module.parent / name).resolve()
        if other not in found:
            found.add(other)
            imported(other, found)
    return found


def test_what_is_imported_is_loaded_ahead() -> None:
    # A slow line would else ask for the modules of a module only when it has it.
    ahead = AHEAD.findall((WEB / "index.html").read_text("utf-8"))
    wanted = imported(WEB / "main.js", set())
    assert {(WEB / name).resolve() for name in ahead} == wanted
    assert len(ahead) == len(set(ahead))


def test_what_is_shown_later_is_loaded_when_it_is_shown() -> None:
    at_once = imported(WEB / "main.js", set())
    text = (WEB / "later.js").read_text("utf-8")
    later = {(WEB / name).resolve() for name in LATER.findall(text)}
    assert {path.stem for path in later} == {"rules", "voice", "watch"}
    # One import of another module's would bring it along at once.
    assert not later & at_once


def test_no_module_is_left_over() -> None:
    modules = {path.resolve() for path in WEB.rglob("*.js")}
    used = imported(WEB / "main.js", set())
    for name in LATER.findall((WEB / "later.js").read_text("utf-8")):
        used |= imported(WEB / name, {(WEB / name).resolve()})
    assert modules - {WEB / "main.js"} <= used


def test_each_module_is_typed_and_says_what_it_is() -> None:
    for path in WEB.glob("*.js"):
        first, second, *rest = path.read_text("utf-8").splitlines()
        assert first == "// @ts-check", path.name
        assert second.startswith("/**"), path.name
        if path.name != "texts.js":  # a catalogue
            assert len(rest) < 348, path.name
