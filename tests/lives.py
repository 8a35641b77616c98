"""Lives of tables: random scripts of commands to the service's pure table.

``lived`` tells a life from its seed: every command, invalid ones mixed in, what came of
it, and every state.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Final

from strategies import Script, probe, rng, shuffled
from terziglio import IllegalAction, Seat
from terziglio.actions import Phase
from terziglio_api.commands import (
    Act,
    AskNextHand,
    AskRematch,
    By,
    Chance,
    Claim,
    Close,
    Command,
    DealAgain,
    Mode,
    Refusal,
    Reissue,
    Renew,
)
from terziglio_api.decisions import decide, first_deal, opening_dealer
from terziglio_api.journal import Event, Opened, Plan
from terziglio_api.table import Table, opened, states

__all__ = ["TABLE", "Life", "Moment", "a_chance", "an_opening", "lived"]

COMMANDS: Final = 500
"""Commands in a life; a closed table's ends soon after."""
TABLE: Final = "t_0"
"""Every table's id."""


@dataclass(frozen=True)
class Moment:
    """A command to a table and what came of it."""

    before: Table
    command: Command
    chance: Chance
    events: tuple[Event, ...]
    refusal: Refusal | IllegalAction | None
    after: Table


@dataclass
class Life:
    """All that a table has been through."""

    log: list[Event]
    states: list[Table]
    told: list[int]
    """The hash of each state's ``repr`` when it was new."""
    moments: list[Moment] = field(default_factory=list)

    def add(self, event: Event, state: Table) -> None:
        self.log.append(event)
        self.states.append(state)
        self.told.append(hash(repr(state)))


@lru_cache(maxsize=16)
def lived(seed: int) -> Life:
    random = rng("table", seed)
    opening = an_opening(random)
    life = Life([], [], [])
    table = opened(TABLE, opening)
    life.add(opening, table)
    for event in first_deal(table, a_chance(random)):
        (table,) = states(table, [event])
        life.add(event, table)
    player = Player(random)
    for number in range(COMMANDS):
        if number >= 40 and life.moments[-40].before.closed:
            break
        command, chance, before = player.command(table), a_chance(random), table
        events: tuple[Event, ...] = ()
        refusal: Refusal | IllegalAction | None = None
        try:
            events = decide(table, command, chance)
        except (Refusal, IllegalAction) as error:
            refusal = error
        for event in events:
            (table,) = states(table, [event])
            life.add(event, table)
        life.moments.append(Moment(before, command, chance, events, refusal, table))
    return life


def a_chance(random: Random) -> Chance:
    return Chance(random.randbytes(32), random.randrange(2**41))


def an_opening(random: Random) -> Opened:
    plans = [Plan("house", None), Plan("random", None)]
    again = random.random() < 0.15
    if not again:
        for seat in (1, 2):
            if random.random() < 0.5:
                plans[seat - 1] = Plan(None, f"secret-invite-{seat}")
    forced = again or random.random() < 0.2
    chance, seed = a_chance(random), random.choice((None, None, "a seed"))
    return Opened(
        at=chance.at,
        mode=random.choice(tuple(Mode)),
        name="Zoë ‽ 🂡",
        kind=random.choice((By.PERSON, By.BOT)),
        token="secret-host",  # noqa: S106 - a test's own
        target=random.choice((7, 7, 11)),
        pace_ms=0,
        plans=(plans[0], plans[1]),
        dealer=opening_dealer(random.choice((None, *Seat)), seed, chance),
        seed=seed,
        deck=tuple(shuffled(random)) if forced else None,
        again=again,
    )


@dataclass
class Player:
    """Somebody who mostly does what is due, and now and then anything at all."""

    random: Random
    script: Script | None = None
    deal: int = 0
    sent: list[Act] = field(default_factory=list)
    number: int = 0

    def command(self, table: Table) -> Command:
        if self.random.random() < 0.25:
            return self.anything(table)
        if table.match.turn is not None:
            return self.act(table)
        match table.phase:
            case Phase.THROWN_IN:
                return DealAgain(table.match.deal_no)
            case Phase.COUNT:
                return AskNextHand(self.somebody(table), table.match.deal_no)
            case Phase.FINISHED if self.random.random() < 0.2:
                return AskNextHand(self.somebody(table), table.match.deal_no)
            case Phase.FINISHED:
                return AskRematch(self.somebody(table))
            case _:
                return self.claim(table)

    def act(self, table: Table) -> Act:
        hand, seat = table.match.hand, table.match.turn
        assert hand is not None
        assert seat is not None
        if self.script is None or self.deal != table.match.deal_no:
            contract = self.random.choice((None, "P", "C", "S", "X", "X"))
            self.script = Script.drawn(self.random, contract)
            self.deal = table.match.deal_no
        action = self.script.action(hand)
        return self.send(Act(seat, action, table.due or "closed", self.an_id()))

    def anything(self, table: Table) -> Command:
        random, deal = self.random, table.match.deal_no
        seat = random.choice(tuple(Seat))
        match random.randrange(10):
            case 0 | 1 | 2 if table.match.hand is not None:
                actor, action = probe(random, table.match.hand)
                stale = random.choice((f"{deal}.{random.randrange(44)}", "", "1.1"))
                due = table.due if random.random() < 0.7 else stale
                return self.send(Act(actor, action, due or "", self.an_id()))
            case 3 | 4 if self.sent:
                return random.choice(self.sent)
            case 5:
                return AskNextHand(seat, random.choice((deal, deal, deal + 1)))
            case 6:
                return AskRematch(seat)
            case 7:
                return DealAgain(random.choice((deal, deal, deal - 1)))
            case 8:
                return self.claim(table)
            case _:
                return self.of_the_host(table)

    def of_the_host(self, table: Table) -> Command:
        self.number += 1
        secret = f"secret-{self.number}"
        guests = [s for s in Seat if s and table.seats[s].kind is not By.COMPUTER]
        if self.random.random() < 0.02:
            return Close()
        if guests and self.random.random() < 0.3:
            return Reissue(self.random.choice(guests), secret)
        return Renew(secret, {s: f"{secret}-{s}" for s in Seat})

    def claim(self, table: Table) -> Claim:
        self.number += 1
        invites = [s.invite for s in table.seats if s.invite is not None]
        invite = self.random.choice((*invites, *invites, "secret-wrong"))
        kind = self.random.choice((By.PERSON, By.BOT))
        key = self.random.choice((None, "secret-key", "secret-other-key"))
        return Claim(invite, f"guest {self.number}", kind, f"secret-{self.number}", key)

    def somebody(self, table: Table) -> Seat:
        return self.random.choice(sorted(table.people))

    def an_id(self) -> str | None:
        self.number += 1
        return self.random.choice((None, f"id {self.number}", f"id {self.number}"))

    def send(self, act: Act) -> Act:
        self.sent.append(act)
        return act
