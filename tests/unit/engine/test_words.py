"""Both languages are complete, agree with each other, and fill every sentence."""

from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter
from typing import Any, get_args, get_type_hints

import pytest

from support import cards, golden, on_table, prefix, read_tries, steps
from terziglio.actions import Phase
from terziglio.cards import Card, Rank, Suit
from terziglio.contracts import Contract
from terziglio.count import Bonus, Step
from terziglio.errors import Illegal, IllegalAction
from terziglio.events import BidMade, CardPlayed, HandEvent
from terziglio.match import Match
from terziglio.notation import RULES
from terziglio.players.hint import Reason
from terziglio.seats import Seat
from terziglio.view import last_event
from terziglio.words import LANGUAGES, Deck, Language, Words, catalogue, rulebook

DECKS: tuple[Deck, ...] = ("french", "italian")
EVERY = [(language, deck) for language in LANGUAGES for deck in DECKS]
SYMBOLS = "♠♣♥♦"
TRIES = read_tries()


def leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every text of a catalogue with the keys that lead to it."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    else:
        assert isinstance(value, str), path
        yield "/".join(path), value


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_languages() -> None:
    assert LANGUAGES == get_args(Language) == ("en", "it")
    assert get_args(Deck) == DECKS


def test_both_languages_have_the_same_keys_everywhere() -> None:
    english, italian = (dict(leaves(catalogue(lang))) for lang in LANGUAGES)
    assert english.keys() == italian.keys()
    assert all(english.values())
    assert all(italian.values())


def test_both_languages_have_the_same_placeholders_in_each_sentence() -> None:
    english, italian = (dict(leaves(catalogue(lang))) for lang in LANGUAGES)
    for key, sentence in english.items():
        assert placeholders(sentence) == placeholders(italian[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_words(language: Language) -> None:
    words = catalogue(language)
    whats = get_args(get_type_hints(Step)["what"])
    assert set(words["illegal"]) == set(Illegal)
    assert set(words["reasons"]) == set(Reason)
    assert set(words["phases"]) == set(Phase)
    assert set(words["bonuses"]) == set(Bonus)
    assert set(words["bids"]) == {"pass", *(contract.code for contract in Contract)}
    assert set(words["suits"]) == {suit.code for suit in Suit}
    assert set(words["ranks"]) == {rank.code for rank in Rank}
    assert set(words["count"]) == set(whats)
    assert set(words["sides"]) == {"soloist", "defenders"}
    assert set(words["results"]) == {"won", "lost"}
    kinds = {kind.kind for kind in get_args(HandEvent)}
    assert kinds <= set(words["events"])
    for named in (*words["suits"].values(), *words["ranks"].values()):
        assert set(DECKS) <= set(named)


@pytest.mark.parametrize(
    ("language", "deck", "name"),
    [
        ("en", None, "queen of ♠ spades"),
        ("en", "italian", "knight of ♠ swords"),
        ("it", None, "cavallo di ♠ spade"),
        ("it", "french", "donna di ♠ picche"),
    ],
)
def test_R2_one_card_by_four_names(
    language: Language, deck: Deck | None, name: str
) -> None:
    assert Words(language, deck).card(Card("QS")) == name


@pytest.mark.parametrize(
    ("deck", "suits"),
    [
        ("french", ["♠ spades", "♣ clubs", "♥ hearts", "♦ diamonds"]),
        ("italian", ["♠ swords", "♣ batons", "♥ cups", "♦ coins"]),
    ],
)
def test_R2_suit_names(deck: Deck, suits: list[str]) -> None:
    assert [Words("en", deck).suit(suit) for suit in Suit] == suits


@pytest.mark.parametrize(("language", "deck"), EVERY)
def test_R72_each_card_has_its_own_name_with_symbol_and_word(
    language: Language, deck: Deck
) -> None:
    words = Words(language, deck)
    names = [words.card(card) for card in Card]
    assert len(set(names)) == 40
    for card, name in zip(Card, names, strict=True):
        assert SYMBOLS[card.suit] in name
        assert catalogue(language)["suits"][card.suit.code][deck] in name
        assert words.rank(card.rank) in name


def test_cards_bids_and_seats() -> None:
    words = Words()
    assert words.cards(cards("3S 4D")) == "three of ♠ spades, four of ♦ diamonds"
    assert words.cards(()) == ""
    assert [words.bid(bid) for bid in (None, *Contract)] == [
        "pass",
        "chiamo",
        "solo",
        "solissimo",
    ]
    assert words.seat(Seat.S2) == "Seat 2"
    assert Words(names=("Ada", "Bo", "Cy")).seat(Seat.S2) == "Cy"
    assert Words("it").seat(Seat.S0) == "Posto 0"
    assert Words("it").bid(None) == "passo"


def test_the_tries_show_each_refusal_with_its_params() -> None:
    """So that the next test renders every one of them."""
    assert {tried.refusal.code for tried in TRIES} == set(Illegal)


@pytest.mark.parametrize(("language", "deck"), EVERY)
def test_R71_every_refusal_becomes_a_sentence(language: Language, deck: Deck) -> None:
    words = Words(language, deck, ("Ada", "Bo", "Cy"))
    for refusal in (tried.refusal for tried in TRIES):
        sentence = words.refusal(refusal)
        assert whole(sentence), refusal
        wanted = catalogue(language)["illegal"][refusal.code]
        assert placeholders(wanted) == set(refusal.params), refusal


def whole(sentence: str) -> bool:
    """Whether it begins large, ends, and has neither brace nor ``None`` in it."""
    return (
        sentence[0].isupper()
        and sentence[-1] == "."
        and not set(sentence) & set("{}")
        and "None" not in sentence
    )


def test_params_are_told_in_words() -> None:
    words = Words("en", names=("Ada", "Bo", "Cy"))

    def told(code: Illegal, **params: str | int) -> str:
        return words.refusal(IllegalAction(code, params))

    assert "Bo" in told(Illegal.NOT_YOUR_TURN, turn=1)
    assert "thrown in" in told(Illegal.WRONG_PHASE, phase="thrown_in")
    assert "♦ diamonds" in told(Illegal.MUST_FOLLOW_SUIT, led="D", held=2)
    assert "2" in told(Illegal.MUST_FOLLOW_SUIT, led="D", held=2)
    assert "three of ♠ spades" in told(Illegal.CARD_NOT_HELD, card="3S")
    assert "solo" in told(Illegal.BID_TOO_LOW, highest="solo")
    assert "passo" in Words("it").refusal(
        IllegalAction(Illegal.BID_TOO_LOW, {"highest": "pass"})
    )


HANDS = [
    "chiamo_lost",
    "chiamo_won",
    "chiamo_won_stramazzo",
    "solo_won",
    "solo_won_cappotto",
    "solissimo_won",
    "solissimo_lost_cappotto",
    "thrown_in",
]


@cache
def events(name: str) -> set[HandEvent]:
    """All events of a hand, as each seat is told them; the last may end the match."""
    hand = golden(name)
    stages = [*(Match(7, now.dealt.dealer, hand=now) for now, _, _ in steps(hand))]
    stages.append(on_table(hand))
    told = {last_event(match, seat) for match in stages[1:] for seat in Seat}
    return {event for event in told if event is not None}


@pytest.mark.parametrize("name", HANDS)
def test_R71_every_event_becomes_sentences(name: str) -> None:
    for event in events(name):
        for language, deck in EVERY:
            assert whole(Words(language, deck).event(event)), event


def test_hands_show_every_sentence_of_the_game() -> None:
    """Each key of an event of the hand is used by some event of these hands."""
    used = {
        key
        for name in HANDS
        for event in events(name)
        for key, _ in Words().told(event)
    }
    stems = {kind.kind for kind in get_args(HandEvent)} | {"monte_shown"}
    ours = {key for key in catalogue("en")["events"] if key.split(".")[0] in stems}
    assert used == ours


def told(name: str, count: int, language: Language = "en") -> str:
    event = last_event(on_table(prefix(golden(name), count)), Seat.S0)
    assert event is not None
    return Words(language, names=("Ada", "Bo", "Cy")).event(event)


def test_events_name_who_did_what() -> None:
    assert "Bo" in told("chiamo_lost", 1)
    call = told("chiamo_lost", 4)
    for part in ("Cy", "three of ♠ spades", "Bo", "king of ♥ hearts"):
        assert part in call
    laid = told("chiamo_lost", 5)
    assert "four of ♣ clubs" in laid
    assert "diamonds" not in laid, "the laid cards are not told to seat 0"
    end = told("chiamo_lost", 41)
    for part in ("Bo", "two of ♠ spades", "17", "18"):
        assert part in end
    assert "stramazzo" in told("chiamo_won_stramazzo", 41).lower()
    assert "Bo" in told("solissimo_won", 38)
    assert told("chiamo_lost", 41, "it") != end


def test_pass_and_bid_are_told_apart() -> None:
    words = Words()
    passed = words.event(BidMade(Seat.S0, None))
    assert passed != words.event(BidMade(Seat.S0, Contract.SOLO))
    played = words.event(CardPlayed(Seat.S0, Card("3S"), winner=Seat.S1))
    assert "Seat 1" in played


def test_sentences_of_the_service_take_their_params_as_they_are() -> None:
    assert "3 s" in Words("en").sentence("problems", "rate_limited", {"retry_s": 3})
    closed = Words("en").sentence("events", "table_closed")
    assert closed == catalogue("en")["events"]["table_closed"]


def rules() -> list[Mapping[str, Any]]:
    return [rule for section in rulebook()["sections"] for rule in section["rules"]]


def test_rulebook_has_each_rule_once_in_both_languages() -> None:
    ids = [rule["id"] for rule in rules()]
    assert sorted(ids, key=lambda r: int(r[1:])) == [f"R{n}" for n in range(1, 76)]
    for rule in rules():
        assert rule["en"].strip()
        assert rule["it"].strip()
        assert rule["en"] != rule["it"]


def test_rulebook_has_each_choice_once_in_both_languages() -> None:
    choices = rulebook()["choices"]
    assert [choice["id"] for choice in choices] == [f"O{n}" for n in range(1, 33)]
    for choice in choices:
        for part in ("question", "ruling"):
            assert set(choice[part]) == set(LANGUAGES)
            assert all(text.strip() for text in choice[part].values())


def test_rulebook_names_the_rule_set_and_its_sections() -> None:
    assert rulebook()["rules"] == RULES
    for section in rulebook()["sections"]:
        assert section["id"]
        assert all(section["title"][language] for language in LANGUAGES)
        assert section["rules"]


def test_params_of_the_tables_events_are_told_in_words() -> None:
    words = Words("en")
    assert words.sentence("events", "dealt", {"deal": 3, "dealer": 0}) == (
        "Deal 3: Seat 0 deals."
    )
    named = Words("it", names=("Ada", "Bruno", "Carla"))
    assert named.sentence("events", "next_hand_asked", {"seat": 1, "deal": 2}) == (
        "Bruno chiede la prossima smazzata."
    )
    assert words.amount("third", 1) == "1 third"
    assert words.amount("third", 0) == "0 thirds"
