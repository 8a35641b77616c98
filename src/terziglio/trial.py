"""One decision put to a player, and how it is told when the answer is no good.

The one home of failure texts: ``terziglio check``, ``watch``, ``play``, ``bot`` and
``terziglio.testing`` all say them. An illegal answer is told with the rule, with what
would do, and with the command that shows it again.
"""

import traceback
from collections.abc import Mapping
from enum import StrEnum
from shlex import quote
from typing import Final, assert_never

from terziglio import notation
from terziglio.actions import Action, Bid, Call, Discard, Phase, Play
from terziglio.bank import deal_of
from terziglio.cards import Card, set_of
from terziglio.contracts import Contract
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import history, refuse_discard
from terziglio.legal import Legal
from terziglio.match import Match, new_match
from terziglio.phases import Hand
from terziglio.players import Player
from terziglio.view import SeatView, seat_view
from terziglio.words import Words

__all__ = [
    "Failed",
    "Kind",
    "answer",
    "ask",
    "codes",
    "dealt",
    "on_table",
    "one_line",
    "refusal",
    "rule_of",
    "spoken",
    "unfolded",
    "where",
    "would_do",
]

_RULES: Final[Mapping[Illegal, str]] = {
    Illegal.HAND_OVER: "R41",
    Illegal.NOT_YOUR_TURN: "R9",
    Illegal.BID_TOO_LOW: "R15",
    Illegal.CARD_IN_OWN_HAND: "R23",
    Illegal.WRONG_DISCARD_COUNT: "R30",
    Illegal.DUPLICATE_DISCARD: "R30",
    Illegal.DISCARD_NOT_HELD: "R30",
    Illegal.GIVE_BACK_MISSING: "R29",
    Illegal.GIVE_BACK_NOT_WANTED: "R31",
    Illegal.GIVE_BACK_NOT_HELD: "R29",
    Illegal.GIVE_BACK_ALSO_DISCARDED: "R29",
    Illegal.CARD_NOT_HELD: "R37",
    Illegal.MUST_FOLLOW_SUIT: "R38",
}
"""The rule that a refusal comes from."""
_PHASE_RULES: Final[Mapping[str, str]] = {
    Phase.AUCTION: "R14",
    Phase.CALL: "R22",
    Phase.EXCHANGE: "R30",
    Phase.PLAY: "R37",
}
"""What a phase asks for, where something else was done."""

_TARGET: Final = 21
"""As in an arena, so that a player gets the same view here."""
_WORDS: Final = Words("en", "french")


class Kind(StrEnum):
    """How an answer can be no good."""

    ILLEGAL = "illegal"
    """An action that the rules refuse."""
    NO_ACTION = "no_action"
    """Not an action at all."""
    CRASH = "crash"
    """The player raised an exception."""


class Failed(Exception):
    """A player's answer that is no good; ``str`` is the whole story.

    Args:
        kind: in what way.
        view: what the player was asked.
        told: what was wrong, a line each.
        refused: the rules' own reason, for an illegal answer.
    """

    def __init__(
        self,
        kind: Kind,
        view: SeatView,
        told: tuple[str, ...],
        refused: IllegalAction | None = None,
    ) -> None:
        super().__init__(kind, told)
        self.kind = kind
        self.view = view
        self.told = told
        self.refused = refused
        self.again = ""
        """The command that shows it again; empty where that is not known."""

    def __str__(self) -> str:
        again = (f"again: {self.again}",) if self.again else ()
        return "\n  ".join((*self.told, *again))


def ask(player: Player, match: Match, name: str = "my_bot.py") -> Action:
    """Return the answer of the seat on turn.

    Args:
        player: who is asked, with that seat's view.
        match: with a hand under way.
        name: what a command line calls the player.

    Raises:
        Failed: the answer is no good.
    """
    hand, turn = match.hand, match.turn
    if hand is None or turn is None:
        raise ValueError("nobody is on turn")
    try:
        return answer(player, seat_view(match, turn))
    except Failed as failed:
        failed.again = f"terziglio check {name} --notation {quote(one_line(hand))}"
        raise


def answer(player: Player, view: SeatView) -> Action:
    """Return the player's answer to the decision that is due in its view.

    Raises:
        Failed: the answer is no good.
    """
    try:
        given = player(view)
    except (Exception, SystemExit) as error:
        raise Failed(Kind.CRASH, view, _crash(view, error)) from error
    action = _action(given)
    if action is None:
        wrong = (
            f"{where(view)}: the answer is {_short(given)}, which is no action",
            f"would do: {would_do(view.legal)}",
        )
        raise Failed(Kind.NO_ACTION, view, wrong)
    refused = refusal(view, action)
    if refused is not None:
        told = (
            f"{where(view)}: {spoken(action)} breaks {rule_of(refused)}",
            f"{refused.code}: {_WORDS.refusal(refused)}",
            f"would do: {would_do(view.legal)}",
        )
        raise Failed(Kind.ILLEGAL, view, told, refused)
    return action


def refusal(view: SeatView, action: Action) -> IllegalAction | None:
    """Return why the seat of a view, which is on turn, may not do this."""
    legal = view.legal
    match action:
        case Bid(bid) if legal.bids:
            if bid in legal.bids:
                return None
            highest = max(call.bid for call in view.auction if call.bid is not None)
            return IllegalAction(Illegal.BID_TOO_LOW, {"highest": highest.code})
        case Call(card) if legal.calls:
            if card in legal.calls:
                return None
            return IllegalAction(Illegal.CARD_IN_OWN_HAND, {"card": card.code})
        case Discard() if legal.discard is not None:
            rule = legal.discard
            return refuse_discard(action, set_of(rule.choices), rule.give_back)
        case Play(card) if legal.cards:
            if card in legal.cards:
                return None
            missing = IllegalAction(Illegal.CARD_NOT_HELD, {"card": card.code})
            return legal.why.get(card, missing)
        case _:
            return IllegalAction(Illegal.WRONG_PHASE, {"phase": view.phase.value})


def rule_of(refused: IllegalAction) -> str:
    """Return the number of the rule that a refusal comes from."""
    if refused.code is Illegal.WRONG_PHASE:
        return _PHASE_RULES.get(str(refused.params["phase"]), "R34")
    return _RULES[refused.code]


def would_do(legal: Legal) -> str:
    """Return what a seat may do now, in a line."""
    if legal.bids:
        told = ", ".join("None (pass)" if b is None else b.code for b in legal.bids)
        return f"Bid of {told}"
    if legal.calls:
        return f"Call of {codes(legal.calls)}"
    if legal.discard is not None:
        rule = legal.discard
        back = ", and one more as give_back" if rule.give_back else ", give_back None"
        return f"Discard of {rule.count} of {codes(rule.choices)}{back}"
    return f"Play of {codes(legal.cards)}"


def spoken(action: Action) -> str:
    """Return an action in a few words."""
    match action:
        case Bid(contract):
            return "pass" if contract is None else f"bid {contract}"
        case Call(card):
            return f"call {card}"
        case Discard(cards, back):
            return f"lay {codes(cards)}" + ("" if back is None else f", give {back}")
        case Play(card):
            return f"play {card}"
        case _:
            assert_never(action)


def codes(cards: tuple[Card, ...]) -> str:
    """Return the codes of cards, with a space between."""
    return " ".join(card.code for card in cards)


def one_line(hand: Hand) -> str:
    """Return a hand's notation in one line: ``;`` between what else are lines."""
    return "; ".join(notation.write(hand).splitlines())


def unfolded(text: str) -> str:
    """Return notation as lines, comments left out: ``;`` may stand for a line's end."""
    told = (line.partition("#")[0] for line in text.splitlines())
    return "\n".join(line.replace(";", "\n") for line in told)


def dealt(seed: str, number: int, bank: str = "test") -> Match:
    """Return a match with one deal of the public bank on the table, as an arena does.

    Raises:
        ValueError: the number is negative, or the seed has a zero byte.
    """
    deal = deal_of(bank, seed, number)
    return new_match(_TARGET, deal.dealer).deal(deal.deck)


def on_table(hand: Hand) -> Match:
    """Return a match at 0 0 0 with this hand on the table, as far as it goes."""
    match = new_match(_TARGET, hand.dealt.dealer).deal(hand.dealt.deck)
    for seat, action in history(hand):
        match = match.apply(seat, action)
    return match


def where(view: SeatView) -> str:
    """Return which decision a view is of."""
    phase = _WORDS.data["phases"][view.phase]
    return f"decision {view.decision}, seat {view.seat}, {phase}"


def _crash(view: SeatView, error: BaseException) -> tuple[str, ...]:
    """Say what was raised, and where: the last line of code that is not ours."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    theirs = [f for f in frames if "/terziglio/" not in f.filename.replace("\\", "/")]
    place = (theirs or frames)[-1:]
    at = [f"at {frame.filename}:{frame.lineno}: {frame.line}" for frame in place]
    return f"{where(view)}: raised {type(error).__name__}: {error}", *at


def _action(given: object) -> Action | None:
    """Return what was given if it is an action made of what actions are made of."""
    match given:
        case Bid(None | Contract()) | Call(Card()) | Play(Card()):
            return given
        case Discard(cards, None | Card()):
            return given if all(type(card) is Card for card in cards) else None
        case _:
            return None


def _short(given: object) -> str:
    told = repr(given)
    return told if len(told) <= 80 else f"{told[:77]}..."
