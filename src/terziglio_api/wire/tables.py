"""REST's requests and responses about tables and seats."""

from typing import Annotated, Literal, cast

from pydantic import BeforeValidator, Field, model_validator

from terziglio_api.commands import Seating
from terziglio_api.seen import Summary
from terziglio_api.wire.actions import ActionModel
from terziglio_api.wire.base import (
    ActionId,
    Incoming,
    KindName,
    ModeName,
    Name,
    Outgoing,
    PlayerName,
    SeatNo,
    SitterKind,
    optional,
)
from terziglio_api.wire.view import PhaseName, View

__all__ = [
    "ActRequest",
    "ActResponse",
    "ClaimRequest",
    "InviteModel",
    "NextHandRequest",
    "OpenRequest",
    "Opened",
    "Seated",
    "SeqResponse",
    "SummaryModel",
    "invite_of",
    "opened_of",
    "summary_of",
]


class LinkSeat(Incoming):
    """A seat for whoever has its link."""

    kind: Literal["link"]


class ComputerSeat(Incoming):
    """A seat for a computer player."""

    kind: Literal["computer"]
    player: PlayerName = Field(
        default="house",
        description="`search` and `expert` think, and need a service with a solver.",
    )


SeatRequest = Annotated[LinkSeat | ComputerSeat, Field(discriminator="kind")]


def _whole(number: object) -> object:
    """Refuse 7.0, which is equal to 7 but not a number of points."""
    if type(number) is not int:
        raise ValueError("a target is a whole number")
    return number


class ClockRequest(Incoming):
    """A clock: when it runs out, the service plays for the seat."""

    decision_s: int = Field(
        ge=1, le=7 * 24 * 3600, description="Seconds for each decision."
    )


class OpenRequest(Incoming):
    """Open a table."""

    mode: ModeName
    name: Name
    kind: SitterKind = "person"
    target: Annotated[Literal[7, 11, 21], BeforeValidator(_whole)] = 7
    seats: list[SeatRequest] | None = Field(
        default=None,
        min_length=2,
        max_length=2,
        description="Seats 1 and 2; by default two house players, at a friends' table "
        "two links. A computer table has computers in both, a friends' table none.",
    )
    pace_ms: int = Field(
        default=800, ge=0, le=10_000, description="How long a computer player takes."
    )
    clock: ClockRequest | None = Field(
        default=None, description="Null: everybody takes their time."
    )
    voice: bool = Field(
        default=False,
        description="Let the seats set up voice between their browsers; not at a "
        "computer table.",
    )
    deal: str | None = Field(
        default=None,
        max_length=4000,
        description="The first deal in notation (dev mode).",
    )
    seed: str | None = Field(
        default=None, max_length=100, description="All deals from this seed (dev mode)."
    )

    @model_validator(mode="after")
    def _fits_the_mode(self) -> "OpenRequest":
        kind = {"computer": "computer", "friends": "link"}.get(self.mode)
        if kind and any(seat.kind != kind for seat in self.seats or ()):
            raise ValueError(f"a {self.mode} table has no such seat")
        if self.voice and self.mode == "computer":
            raise ValueError("a computer table has nobody to talk to")
        return self

    @property
    def players(self) -> tuple[str | None, str | None]:
        """Who plays in seats 1 and 2; ``None`` for a link."""
        if self.seats is None:
            player = None if self.mode == "friends" else "house"
            return player, player
        right, left = (s.player if s.kind == "computer" else None for s in self.seats)
        return right, left


class InviteModel(Outgoing):
    """A seat to give away: `invite` is the secret, `link` opens the page with it."""

    seat: SeatNo
    invite: str
    link: str


class Seated(Outgoing):
    """Your seat. Keep the token: it is shown once, and whoever has it is you."""

    table: str
    seat: SeatNo
    token: str


class Opened(Seated):
    """Your table."""

    invites: list[InviteModel]


class ClaimRequest(Incoming):
    """Sit down with an invite."""

    invite: str = Field(max_length=200)
    name: Name
    kind: SitterKind = "person"


class ActRequest(Incoming):
    """Answer the decision that is due."""

    id: ActionId
    decision: str = Field(max_length=32, description="From `view.turn.decision`.")
    action: ActionModel


class SeqResponse(Outgoing):
    """Done; the table has reached `seq`, and this is your newest view."""

    seq: int
    view: View


class ActResponse(SeqResponse):
    """Stored as `seq`; `duplicate` if it had been before."""

    duplicate: bool


class NextHandRequest(Incoming):
    """Ask for the hand after this deal."""

    deal: int = Field(ge=0)


class SummarySeat(Outgoing):
    """A seat, as anybody may see it."""

    seat: SeatNo
    name: str | None
    kind: KindName
    player: PlayerName | None = optional("Which computer player sits here.")
    present: bool


class SummaryModel(Outgoing):
    """What anybody may know of a table: no card, no secret."""

    table: str
    seq: int
    mode: ModeName
    phase: PhaseName
    closed: bool
    seats: list[SummarySeat]
    target: int
    scores: list[int]


def invite_of(table: str, seat: int, invite: str, origin: str) -> InviteModel:
    """Return an invite with its join link; the secret is in the fragment only."""
    link = f"{origin.rstrip('/')}/#/join/{table}/{invite}"
    return InviteModel(seat=seat, invite=invite, link=link)


def opened_of(seating: Seating, origin: str) -> Opened:
    """Return what the host of a new table gets."""
    invites = [
        invite_of(seating.table, seat, invite, origin)
        for seat, invite in seating.invites
    ]
    return Opened(
        table=seating.table, seat=seating.seat, token=seating.token, invites=invites
    )


def summary_of(summary: Summary) -> SummaryModel:
    """Return a table's summary on the wire."""
    return SummaryModel(
        table=summary.table,
        seq=summary.seq,
        mode=summary.mode.value,
        phase=summary.phase.value,
        closed=summary.closed,
        seats=[
            SummarySeat(
                seat=info.seat,
                name=info.name,
                kind=info.kind,
                player=cast("PlayerName | None", info.player),
                present=info.present,
            )
            for info in summary.seats
        ],
        target=summary.target,
        scores=list(summary.scores),
    )
