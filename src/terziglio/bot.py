"""``Bot``: the class that authors of players subclass.

    from terziglio import Bot

    class MyBot(Bot):
        def act(self, view):
            return view.legal.first()

``act`` is enough. ``bid``, ``call``, ``discard`` and ``play`` may be overridden one by
one; what is not overridden asks ``act``. A bot is a ``Player``: calling it with a view
gives its answer.
"""

from hashlib import sha256
from random import Random
from typing import Self

from terziglio.actions import Action
from terziglio.seats import Seat
from terziglio.view import SeatView

__all__ = ["Bot", "generator", "seat_key"]

_ANSWERS = ("bid", "call", "discard", "play")


def seat_key(seed: str, deal: int, seat: Seat) -> bytes:
    """Return what stands for one seat of one deal of an arena: 32 bytes.

    Who has it learns neither seed nor deal, and so not the cards.
    """
    return sha256(f"terziglio/seat/{seed}/{deal}/{seat}".encode()).digest()


def generator(key: bytes) -> Random:
    """Return the generator of a bot whose seat has this key."""
    return Random(key)  # noqa: S311 - a game move, no secret


class Bot:
    """A computer player with a generator of its own.

    An arena seats a new instance for every deal, so what an instance remembers is of
    one deal; what is dear to make belongs into the module.
    """

    rng: Random
    """Draw from this, never from ``random``: the same seed gives the same answers."""

    def __new__(cls) -> Self:
        """Refuse a class that leaves a decision unanswered.

        Raises:
            TypeError: with the methods that are missing.
        """
        if cls.unanswered():
            raise TypeError(cls.complaint())
        bot = super().__new__(cls)
        bot.rng = generator(b"")
        return bot

    @classmethod
    def unanswered(cls) -> tuple[str, ...]:
        """Return the methods that are missing: none if there is an ``act``."""
        if cls.act is not Bot.act:
            return ()
        return tuple(n for n in _ANSWERS if getattr(cls, n) is getattr(Bot, n))

    @classmethod
    def complaint(cls) -> str:
        """Return, in a line, what a class with answers missing has to do."""
        missing = cls.unanswered()
        return (
            f"{cls.__name__} has no answer to {', '.join(missing)}: "
            f"define act(self, view), or {' and '.join(missing)}"
        )

    @classmethod
    def seated(cls, seed: str, deal: int, seat: Seat) -> Self:
        """Return a new bot for one deal at one seat; ``rng`` depends on all three."""
        return cls.keyed(seat_key(seed, deal, seat))

    @classmethod
    def keyed(cls, key: bytes) -> Self:
        """Return a new bot whose ``rng`` depends on its seat's key."""
        bot = cls()
        bot.rng = generator(key)
        return bot

    def __call__(self, view: SeatView) -> Action:
        """Answer the decision that is due."""
        legal = view.legal
        if legal.bids:
            return self.bid(view)
        if legal.calls:
            return self.call(view)
        if legal.discard is not None:
            return self.discard(view)
        return self.play(view)

    def act(self, view: SeatView) -> Action:
        """Answer whatever is due and has no method of its own."""
        raise NotImplementedError(f"{type(self).__name__}.act")

    def bid(self, view: SeatView) -> Action:
        """Answer with a ``Bid``, one of ``view.legal.bids``."""
        return self.act(view)

    def call(self, view: SeatView) -> Action:
        """Answer with a ``Call`` of one of ``view.legal.calls``."""
        return self.act(view)

    def discard(self, view: SeatView) -> Action:
        """Answer with a ``Discard`` as ``view.legal.discard`` wants it."""
        return self.act(view)

    def play(self, view: SeatView) -> Action:
        """Answer with a ``Play`` of one of ``view.legal.cards``."""
        return self.act(view)
