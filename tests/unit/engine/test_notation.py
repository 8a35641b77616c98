"""A hand as text: both ways, and every way in which a text can be wrong."""

import pytest

from support import golden, golden_text, prefix, random_hand, steps
from terziglio.errors import Illegal, IllegalAction
from terziglio.notation import RULES, NotationError, parse, write
from terziglio.phases import Auction, Exchange, Playing
from terziglio.seats import Seat

HEAD = """\
rules: terziglio/1
dealer: 0
hand 0: QS 4S JC JH 7H 6H 4H 3D 2D QD JD 4D
hand 1: 3S 2S 7S 6S 5S 2C QC 6C AH QH 5H KD
hand 2: AS 3C AC KC 7C 5C 4C 3H 2H AD 7D 6D
monte: KS JS KH 5D
"""
PASSED = HEAD + "bids: 1 pass, 2 chiamo, 0 pass\ncall: 3S\n"
LAID = PASSED + "give: 4C\nlay: 5C 7D 6D 5D\n"
SOLO = HEAD + "bids: 1 pass, 2 pass, 0 solo\n"


def body(name: str) -> str:
    """A golden file without its comments."""
    lines = golden_text(name).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#"))


@pytest.mark.parametrize("seed", range(40))
def test_every_hand_comes_back_as_it_was_written(seed: int) -> None:
    hand = random_hand(seed)
    for now in (*(now for now, _, _ in steps(hand)), hand):
        assert parse(write(now)) == now


@pytest.mark.parametrize("name", ["chiamo_lost", "solissimo_won", "thrown_in"])
def test_text_is_written_as_the_golden_file_has_it(name: str) -> None:
    assert write(golden(name)) == body(name)


@pytest.mark.parametrize("name", ["chiamo_lost", "solo_won", "solissimo_won"])
def test_each_beginning_of_the_text_is_a_beginning_of_the_hand(name: str) -> None:
    lines = body(name).splitlines()
    hands = [now for now, _, _ in steps(golden(name))] + [golden(name)]
    for number in range(6, len(lines) + 1):
        if not lines[number - 1].startswith("give"):
            assert parse("\n".join(lines[:number])) in hands


def test_trick_and_auction_under_way() -> None:
    hand = parse(HEAD + "bids: 1 pass, 2 chiamo")
    assert isinstance(hand, Auction)
    assert hand.turn is Seat.S0
    assert parse(HEAD + "bids: 1 pass\nbids: 2 chiamo") == hand
    playing = parse(LAID + "lead 1: 2C KC")
    assert playing == prefix(golden("chiamo_lost"), 7)
    assert isinstance(playing, Playing)
    assert write(playing).endswith("lead 1: 2C KC\n")


def test_comments_blank_lines_and_spaces_do_not_matter() -> None:
    loose = LAID.replace("dealer: 0", "\n  # who deals\ndealer :  0   # seat 0\n")
    loose = loose.replace("hand 1:", "hand   1:").replace("2 chiamo,", " 2  chiamo ,")
    assert parse(loose) == parse(LAID)


def test_cards_may_come_in_any_order() -> None:
    loose = LAID.replace("monte: KS JS KH 5D", "monte: 5D KH KS JS")
    loose = loose.replace("lay: 5C 7D 6D 5D", "lay: 7D 5D 5C 6D")
    assert parse(loose) == parse(LAID)


def test_rules_name_the_rule_set() -> None:
    assert RULES == "terziglio/1"
    assert write(parse(HEAD)).startswith("rules: terziglio/1\n")


def test_give_waits_for_lay() -> None:
    assert isinstance(parse(PASSED), Exchange)
    assert isinstance(parse(LAID), Playing)


def whole() -> str:
    return body("chiamo_lost")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        pytest.param("", 1, "'rules' is missing", id="empty"),
        pytest.param("# only this\n", 1, "'rules' is missing", id="comment alone"),
        pytest.param("\n\nrules: terziglio/1\n", 4, "'dealer' is missing", id="short"),
        pytest.param(
            HEAD.rsplit("monte", 1)[0], 6, "'monte' is missing", id="no monte"
        ),
        pytest.param("terziglio", 1, "a line is 'key: value'", id="no colon"),
        pytest.param(
            HEAD + "# then\n3S\n", 8, "a line is 'key: value'", id="no colon later"
        ),
        pytest.param(
            HEAD.replace("dealer: 0\n", ""),
            2,
            "expected 'dealer', got 'hand 0'",
            id="head order",
        ),
        pytest.param(
            HEAD.replace("/1", "/2"),
            1,
            "unknown rules 'terziglio/2', this is terziglio/1",
            id="rules",
        ),
        pytest.param(
            HEAD.replace("dealer: 0", "dealer: 3"),
            2,
            "a seat is 0, 1 or 2, not '3'",
            id="dealer",
        ),
        pytest.param(
            HEAD.replace("QS 4S", "QS 8S"), 3, "'8S' is not a valid Card", id="no card"
        ),
        pytest.param(
            HEAD.replace("QS 4S", "QS"), 3, "hand 0 takes 12 cards, got 11", id="eleven"
        ),
        pytest.param(
            HEAD.replace("KS JS", ""), 6, "monte takes 4 cards, got 2", id="monte of 2"
        ),
        pytest.param(
            HEAD.replace("QS 4S", "QS QS"), 3, "QS is there twice", id="twice in a hand"
        ),
        pytest.param(
            HEAD.replace("monte: KS", "monte: QS"),
            6,
            "QS is there twice",
            id="twice in the deal",
        ),
        pytest.param(HEAD + "bid: 1 pass", 7, "'bid' does not belong here", id="key"),
        pytest.param(
            HEAD + "monte: KS JS KH 5D",
            7,
            "'monte' does not belong here",
            id="head again",
        ),
        pytest.param(
            HEAD + "lead: 3S", 7, "'lead' does not belong here", id="nobody leads"
        ),
        pytest.param(
            HEAD + "bids: 1 pass, 2 pass, 0 double",
            7,
            "a bid is 'SEAT pass|chiamo|solo|solissimo': ' 0 double'",
            id="no bid",
        ),
        pytest.param(
            HEAD + "bids:",
            7,
            "a bid is 'SEAT pass|chiamo|solo|solissimo': ''",
            id="empty bids",
        ),
        pytest.param(
            HEAD + "bids: 3 pass", 7, "a seat is 0, 1 or 2, not '3'", id="bidder"
        ),
        pytest.param(
            HEAD + "bids: 2 pass", 7, "not_your_turn (turn 1)", id="bid out of turn"
        ),
        pytest.param(
            HEAD + "bids: 1 solo, 2 chiamo",
            7,
            "bid_too_low (highest solo)",
            id="low bid",
        ),
        pytest.param(
            SOLO + "bids: 0 pass", 8, "wrong_phase (phase exchange)", id="late bid"
        ),
        pytest.param(
            PASSED.replace("call: 3S", "call: 3S 2S"),
            8,
            "call takes one card, got 2",
            id="two calls",
        ),
        pytest.param(
            PASSED.replace("call: 3S", "call:"),
            8,
            "call takes one card, got 0",
            id="empty call",
        ),
        pytest.param(
            PASSED.replace("call: 3S", "call: AS"),
            8,
            "card_in_own_hand (card AS)",
            id="own card called",
        ),
        pytest.param(
            SOLO + "call: 3S", 8, "wrong_phase (phase exchange)", id="no call"
        ),
        pytest.param(
            HEAD + "give: 4C", 7, "'give' does not belong here", id="early give"
        ),
        pytest.param(
            PASSED + "give: 4C\ngive: 5C",
            10,
            "'give' does not belong here",
            id="second give",
        ),
        pytest.param(
            PASSED + "give: 4C\n", 9, "give is followed by lay", id="give alone"
        ),
        pytest.param(
            PASSED + "give: 4C 5C\n", 9, "give takes one card, got 2", id="give two"
        ),
        pytest.param(PASSED + "lay: 5C 7D 6D 5D", 9, "give_back_missing", id="no give"),
        pytest.param(
            SOLO + "give: 4S\nlay: QS JC JH 7H",
            9,
            "give_back_not_wanted",
            id="give in solo",
        ),
        pytest.param(
            SOLO + "lay: QS JC JH",
            8,
            "wrong_discard_count (expected 4, got 3)",
            id="lay three",
        ),
        pytest.param(
            HEAD + "lay: QS JC JH 7H", 7, "wrong_phase (phase auction)", id="early lay"
        ),
        pytest.param(
            LAID + "lead 3: 2C", 11, "a seat is 0, 1 or 2, not '3'", id="leader"
        ),
        pytest.param(
            LAID + "lead 2: KC", 11, "not_your_turn (turn 1)", id="wrong leader"
        ),
        pytest.param(PASSED + "lead 1: 2C", 9, "no trick begins here", id="early lead"),
        pytest.param(
            LAID + "lead 1: 2C KC\nlead 0: JC",
            12,
            "no trick begins here",
            id="trick unfinished",
        ),
        pytest.param(
            LAID + "lead 1:", 11, "a trick has up to 3 cards, got 0", id="empty trick"
        ),
        pytest.param(
            LAID + "lead 1: 2C KC JC 5H",
            11,
            "a trick has up to 3 cards, got 4",
            id="long trick",
        ),
        pytest.param(
            LAID + "lead 1: 2C KC 3D",
            11,
            "must_follow_suit (led C, held 1)",
            id="revoke",
        ),
        pytest.param(
            LAID + "lead 1: 3S", 11, "card_not_held (card 3S)", id="card not held"
        ),
        pytest.param(
            LAID + "count: 17 18", 11, "the hand is not played out", id="early count"
        ),
        pytest.param(
            whole().replace("count: 17 18", "count: 18 17"),
            23,
            "the count is 17 18, not 18 17",
            id="wrong count",
        ),
        pytest.param(whole() + "bids: 0 pass", 24, "hand_over", id="after the end"),
        pytest.param(
            whole() + "lead 1: 2S", 24, "no trick begins here", id="thirteenth trick"
        ),
    ],
)
def test_wrong_text_is_refused_with_line_and_reason(
    text: str, line: int, reason: str
) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert (refused.value.line, refused.value.reason) == (line, reason)
    assert str(refused.value) == f"line {line}: {reason}"
    assert isinstance(refused.value, ValueError)


def test_illegal_action_is_the_cause_of_its_error() -> None:
    with pytest.raises(NotationError) as refused:
        parse(HEAD + "bids: 2 pass")
    wanted = IllegalAction(Illegal.NOT_YOUR_TURN, {"turn": 1})
    assert refused.value.__cause__ == wanted


def test_count_may_be_spaced_and_repeated() -> None:
    assert parse(whole() + "count:  17   18 # again") == golden("chiamo_lost")
