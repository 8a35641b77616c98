"""The three contracts as a table of facts."""

import pytest

from terziglio.contracts import Contract


def test_R15_chiamo_below_solo_below_solissimo() -> None:
    assert Contract.CHIAMO < Contract.SOLO < Contract.SOLISSIMO
    assert [contract.code for contract in sorted(Contract)] == [
        "chiamo",
        "solo",
        "solissimo",
    ]


@pytest.mark.parametrize("code", ["chiamo", "solo", "solissimo"])
def test_contract_is_found_by_its_code(code: str) -> None:
    assert str(Contract(code)) == Contract(code).code == code


@pytest.mark.parametrize("code", ["pass", "SOLO", "", "american"])
def test_R74_no_other_contract(code: str) -> None:
    with pytest.raises(ValueError, match="not a valid Contract"):
        Contract(code)


def test_R50_stakes_1_2_4() -> None:
    assert [contract.stake for contract in Contract] == [1, 2, 4]


def test_R22_R27_only_chiamo_calls_a_card() -> None:
    assert [contract.calls_a_card for contract in Contract] == [True, False, False]


def test_R28_R35_all_but_solissimo_take_the_monte() -> None:
    assert [contract.takes_the_monte for contract in Contract] == [True, True, False]


def test_R36_only_the_solissimo_soloist_leads() -> None:
    assert [contract.soloist_leads for contract in Contract] == [False, False, True]
