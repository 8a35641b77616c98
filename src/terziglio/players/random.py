"""A player that chooses uniformly among what is legal."""

from hashlib import sha256
from random import Random

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.view import SeatView

__all__ = ["choose", "random"]


def random(view: SeatView) -> Action:
    """Answer with a random legal action, drawn from a generator keyed by the view."""
    return choose(view, Random(sha256(repr(view).encode()).digest()))  # noqa: S311 - a game move, no secret


def choose(view: SeatView, rng: Random) -> Action:
    """Draw one of the legal actions, each equally likely."""
    legal = view.legal
    if legal.discard is not None:
        rule = legal.discard
        chosen = rng.sample(rule.choices, rule.count + rule.give_back)
        return Discard(
            tuple(chosen[: rule.count]), chosen[-1] if rule.give_back else None
        )
    if legal.bids:
        return Bid(rng.choice(legal.bids))
    if legal.calls:
        return Call(rng.choice(legal.calls))
    return Play(rng.choice(legal.cards))
