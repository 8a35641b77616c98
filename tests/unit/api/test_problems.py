import string

import pytest

from terziglio.errors import Illegal, IllegalAction
from terziglio.words import LANGUAGES, Words, catalogue
from terziglio_api.commands import Code, Refusal
from terziglio_api.wire.problems import (
    PARAMS,
    all_codes,
    problem_of,
    sentence,
    status_of,
)

CODES = list(all_codes())
SAMPLE: dict[str, str | int] = {
    "due": "3.7", "turn": 1, "phase": "play", "highest": "solo", "card": "3S",
    "expected": 4, "got": 5, "led": "H", "held": 2, "retry_s": 5,
}  # fmt: skip


def test_every_code_is_listed_once_with_its_params() -> None:
    listed = [(code.kind, code.code) for code in CODES]
    assert len(listed) == len(set(listed)) == len(Code) + len(Illegal)
    for code in CODES:
        fields = {
            field for _, field, _, _ in string.Formatter().parse(code.title) if field
        }
        assert fields <= set(code.params)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence(language: str) -> None:
    words = Words(language)  # type: ignore[arg-type]
    for code in CODES:
        section = "problems" if code.kind == "problem" else "illegal"
        params = {name: SAMPLE[name] for name in code.params}
        told = words.sentence(section, code.code, params)
        assert told
        assert "{" not in told
    assert set(Code) <= set(catalogue(language)["problems"])  # type: ignore[arg-type]


@pytest.mark.parametrize("code", list(Code))
def test_every_refusal_of_the_service_is_a_problem(code: Code) -> None:
    params = {name: SAMPLE[name] for name in PARAMS.get(code, ())}
    problem = problem_of(Refusal(code, **params), "/v1/x")
    assert problem.status == status_of(Refusal(code)) >= 400
    assert problem.code == code
    assert problem.why is None
    assert "{" not in problem.detail


@pytest.mark.parametrize("reason", list(Illegal))
def test_every_refusal_of_the_rules_is_a_problem(reason: Illegal) -> None:
    params = {name: SAMPLE[name] for name in PARAMS.get(reason, ())}
    refusal = IllegalAction(reason, params)
    problem = problem_of(refusal, "/v1/x")
    if reason in {Illegal.HAND_OVER, Illegal.NOT_YOUR_TURN, Illegal.WRONG_PHASE}:
        assert (problem.status, problem.code) == (409, reason)
        assert problem.params == params
    else:
        assert (problem.status, problem.code) == (422, "illegal_action")
        assert problem.why is not None
        assert (problem.why.code, problem.why.params) == (reason, params)
    assert sentence(refusal) == problem.detail
