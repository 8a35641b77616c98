"""Writes what is generated: ``openapi/``, its examples, the rules and settings pages.

``python -m terziglio_api.export [ROOT]``, or ``make specs``. A test compares the
result with what is committed.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from terziglio.words import rulebook
from terziglio_api.app import create_app
from terziglio_api.rehearsal.rest import rehearse_rest
from terziglio_api.rehearsal.socket import rehearse_socket
from terziglio_api.settings import Settings
from terziglio_api.spec import asyncapi, openapi, write_examples

__all__ = ["export", "rehearse", "rules_page", "settings_page"]


async def rehearse() -> dict[str, Any]:
    """Return the examples of both specifications."""
    return {"rest": await rehearse_rest(), "socket": await rehearse_socket()}


def export(root: Path) -> None:
    """Write every generated file below the project's root."""
    write_examples(asyncio.run(rehearse()))
    app = create_app(Settings(database=None))
    for name, document in (("openapi", openapi(app)), ("asyncapi", asyncapi())):
        text = json.dumps(document, ensure_ascii=False, indent=1)
        (root / "openapi" / f"{name}.json").write_text(text + "\n", "utf-8")
    (root / "docs" / "rules.md").write_text(rules_page(), "utf-8")
    (root / "docs" / "settings.md").write_text(settings_page(), "utf-8")


def rules_page() -> str:
    """Return the rules as a page for readers, with sources and choices."""
    book = rulebook()
    lines = [
        "# The rules of Terziglio",
        "",
        f"Rule set `{book['rules']}`. Generated from `src/terziglio/data/rules.json` "
        "by `make specs`; the service serves the same in English and Italian at "
        "`/v1/meta/rules/en` and `/it`. Tests are named after the numbers.",
    ]
    for section in book["sections"]:
        lines += ["", f"## {section['title']['en']}", ""]
        for rule in section["rules"]:
            lines.append(f"- **{rule['id']}** {rule['en']} [{rule['source']}]")
    lines += ["", "## Where the sources are silent or differ", ""]
    for choice in book["choices"]:
        question, ruling = choice["question"]["en"], choice["ruling"]["en"]
        lines.append(f"- **{choice['id']}** {question} **{ruling}**")
    return "\n".join(lines) + "\n"


def settings_page() -> str:
    """Return what can be set, with defaults."""
    lines = [
        "# Settings",
        "",
        "Generated from `src/terziglio_api/settings.py` by `make specs`. Each is read "
        "from the environment; `terziglio serve` has options for the host, the port, "
        'the database, dev mode and the page. Lists are JSON: `["https://page.example"]`.',
        "",
        "| variable | default | meaning |",
        "|---|---|---|",
    ]
    for name, field in Settings.model_fields.items():
        default = "" if field.default_factory else f"`{json.dumps(field.default)}`"
        told = field.description
        lines.append(f"| `TERZIGLIO_{name.upper()}` | {default} | {told} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    export(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
