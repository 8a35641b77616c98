"""What may be asked of a table, what it answers, and how it refuses: frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from terziglio.actions import Action
from terziglio.cards import Card
from terziglio.frozen import quick
from terziglio.seats import Seat

__all__ = [
    "Act",
    "AskNextHand",
    "AskRematch",
    "Asked",
    "By",
    "Chance",
    "Claim",
    "Close",
    "Code",
    "Command",
    "DealAgain",
    "Done",
    "Due",
    "Holder",
    "Mode",
    "Move",
    "Opening",
    "Refusal",
    "Reissue",
    "Renew",
    "Seating",
]


class Mode(StrEnum):
    """What a table is for."""

    COMPUTER = "computer"
    FRIENDS = "friends"
    """Three people: no computer players, no bots."""
    OPEN = "open"


class By(StrEnum):
    """Who chose an action."""

    PERSON = "person"
    COMPUTER = "computer"
    BOT = "bot"
    CLOCK = "clock"

    __hash__ = str.__hash__  # equal to its text, so found by it; Enum's is slower


class Code(StrEnum):
    """Why the service refuses something; the engine's reasons are ``Illegal``."""

    MALFORMED = "malformed"
    BAD_TOKEN = "bad_token"  # noqa: S105 - a code, no secret
    BAD_INVITE = "bad_invite"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_HAND = "no_such_hand"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    DEV_ONLY = "dev_only"
    NO_BOTS = "no_bots"
    HOST_ONLY = "host_only"
    COMPUTER_TABLE_ONLY = "computer_table_only"
    SEAT_TAKEN = "seat_taken"
    SEAT_PRESENT = "seat_present"
    TABLE_CLOSED = "table_closed"
    STALE_DECISION = "stale_decision"
    ILLEGAL_ACTION = "illegal_action"
    HAND_IN_PROGRESS = "hand_in_progress"
    MATCH_OVER = "match_over"
    MATCH_NOT_OVER = "match_not_over"
    VOICE_OFF = "voice_off"
    NO_SOLVER = "no_solver"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    DRAINING = "draining"
    STORAGE_UNAVAILABLE = "storage_unavailable"
    INTERNAL = "internal"


class Refusal(Exception):
    """The service refuses a request; nothing has changed."""

    def __init__(self, code: Code, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: Mapping[str, str | int] = params


@quick
@dataclass(frozen=True, slots=True)
class Chance:
    """What a decision takes from outside: entropy and the time."""

    key: bytes
    """32 random bytes, for a deck or a dealer."""
    at: int
    """Milliseconds since 1970, UTC."""


@quick
@dataclass(frozen=True, slots=True)
class Act:
    """Act in the hand on the table."""

    seat: Seat
    action: Action
    decision: str
    """Which decision this answers: ``"<deal>.<n>"``."""
    id: str | None = None
    """The client's name for this action: a resend of it changes nothing."""
    by: By | None = None
    """Who chose it, if not who sits there: the clock."""


@dataclass(frozen=True, slots=True)
class AskNextHand:
    """Ask for the hand after this deal."""

    seat: Seat
    deal: int


@dataclass(frozen=True, slots=True)
class AskRematch:
    """Ask for a new match at the same table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealAgain:
    """Deal after this thrown-in deal; the service's own command."""

    deal: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Sit down with an invite; the secrets are hashes."""

    invite: str
    name: str
    kind: By
    token: str
    """Hash of the new seat token."""
    key: str | None
    """Hash of the client's idempotency key."""


@dataclass(frozen=True, slots=True)
class Reissue:
    """Void a seat's link and token; the seat waits for a new link of this hash."""

    seat: Seat
    invite: str


@dataclass(frozen=True, slots=True)
class Renew:
    """Give the host a new token and free seats new links: a repeated opening."""

    token: str
    invites: Mapping[Seat, str]


@dataclass(frozen=True, slots=True)
class Close:
    """End the table."""


Asked = Act | AskNextHand | AskRematch
"""What a seat's socket may ask of its table."""
Command = Asked | DealAgain | Claim | Reissue | Renew | Close


@dataclass(frozen=True, slots=True)
class Opening:
    """A request for a table; ``players`` are seats 1 and 2, ``None`` for a link."""

    mode: Mode
    name: str
    kind: By
    target: int
    pace_ms: int
    players: tuple[str | None, str | None]
    dealer: Seat | None = None
    seed: str | None = None
    deck: tuple[Card, ...] | None = None
    again: bool = False
    clock_s: int | None = None
    """Seconds for each decision; ``None``: as long as it takes."""
    voice: bool = False
    origin: str | None = None
    """What names this request, for one that may come twice."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A seat given: its secret, and for a host the invites to give away."""

    table: str
    seat: Seat
    token: str
    invites: tuple[tuple[Seat, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat: good only while the seat's token is the one he showed."""

    seat: Seat
    token: str
    """Hash of the token."""


@quick
@dataclass(frozen=True, slots=True)
class Done:
    """A command carried out; ``duplicate`` if it had been before."""

    seq: int
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """A decision that the service answers for a seat."""

    seat: Seat
    player: str | None
    """The computer player that sits there; ``None``: a clock ran out."""
    decision: str


@dataclass(frozen=True, slots=True)
class Due:
    """What the service itself has to do at a table next."""

    at: int
    """When, in milliseconds since 1970, UTC."""
    deal: int
    move: Move | None
    """``None``: deal after a thrown-in deal."""
