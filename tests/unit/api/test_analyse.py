import io
import json
from pathlib import Path

import pytest

from support import GOLDEN, played
from terziglio import solver
from terziglio.cards import cards_in
from terziglio.hand import history
from terziglio.notation import write
from terziglio_api.cli import main
from terziglio_api.commands import By
from terziglio_api.seen import Record
from terziglio_api.wire.records import record_of

pytestmark = pytest.mark.timeout(600)  # whoever asks first waits for the compiler
NAME = "solissimo_won_cappotto"
FILE = str(GOLDEN / f"{NAME}.hand")


def record(name: str) -> str:
    """A hand as the service tells it."""
    hand = played(name)
    first, second, third = map(cards_in, hand.dealt.hands)
    told = Record(
        table="t",
        deal=1,
        dealer=hand.dealt.dealer,
        hands=(first, second, third),
        monte=cards_in(hand.dealt.monte),
        actions=tuple((seat, action, By.PERSON) for seat, action in history(hand)),
        count=hand.result,
        scores_before=(0, 0, 0),
        scores_after=hand.result.delta,
        text=write(hand),
    )
    return record_of(told, None).model_dump_json()


def test_a_hand_is_told_in_hindsight(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", FILE]) == 0
    told = capsys.readouterr().out
    assert told.startswith("In hindsight: every card known")
    assert "Nobody at the table could know this" in told
    assert "The bid could be made: 35 of 35 for seat 1." in told
    assert "It was won with 35; it takes 18." in told
    assert "No card turned the hand" in told
    assert "as it must be" in told
    assert told.count("\nlead ") == 12


def test_a_card_that_turned_the_hand_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["analyse", str(GOLDEN / "chiamo_lost.hand")]) == 0
    told = capsys.readouterr().out
    assert main(["analyse", "--json", str(GOLDEN / "chiamo_lost.hand")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["knowledge"] == "hindsight"
    assert (found["final"], found["won"]) == (17, False)
    lost = found["lost"]
    assert found["final"] - found["start"] == lost["defenders"] - lost["soloist"]
    card = found["cards"][found["turning"]]
    assert (card["trick"], card["seat"], card["card"], card["lost"]) == (4, 1, "QC", 1)
    assert "The hand turned in trick 4, for the first time: seat 1 played QC" in told
    assert "4C or 6C would have lost nothing" in told
    turns = [row.split()[-2] for row in told.splitlines() if row.count("│") == 9]
    assert [word for word in turns if word in {"soloist", "defenders"}] == [
        "soloist",
        "defenders",
    ]
    assert len(found["cards"]) == 36
    assert len(found["line"]) == 12


def test_a_record_and_standard_input_will_do(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert main(["analyse", "--json", FILE]) == 0
    right = capsys.readouterr().out
    path = tmp_path / "record.json"
    path.write_text(record(NAME))
    assert main(["analyse", "--json", str(path)]) == 0
    assert capsys.readouterr().out == right
    monkeypatch.setattr("sys.stdin", io.StringIO(record(NAME)))
    assert main(["analyse", "--json", "-"]) == 0
    assert capsys.readouterr().out == right


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: 'rules' is missing"),
        ("{}", "no record: table: Field required"),
        ("{nonsense", "no record: the file: Invalid JSON"),
        (record(NAME).replace('"bid":"solissimo"', '"bid":"solo"'), "no record of a"),
        (write(played(NAME)).partition("lead")[0], "the hand is not played out"),
    ],
)
def test_what_is_no_played_hand_is_refused_in_a_line(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand"
    path.write_text(text)
    assert main(["analyse", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"terziglio analyse: {path}: ")
    assert told in error
    assert error.count("\n") == 1


def test_no_file_and_no_solver_are_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert main(["analyse", str(tmp_path / "none")]) == 2
    assert "No such file" in capsys.readouterr().err
    monkeypatch.setattr(solver, "COMPILED", False)
    assert main(["analyse", FILE]) == 2
    assert "pip install '.[strong]'" in capsys.readouterr().err
