"""What is done at a table and tried at its edges: the same for two deals of a scene.

A script is made from one of the two deals, and only from what both have in common: the
public record, and the cards of the seat that looks on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from strategies import held
from terziglio import Action, Bid, Call, Card, Contract, Discard, Hand, Play, Seat
from terziglio.cards import cards_in
from terziglio.hand import apply, check, deal, decision
from terziglio_api.commands import Mode
from wire.scenes import Scene

__all__ = [
    "Act",
    "Dealing",
    "End",
    "Fill",
    "Hangup",
    "Look",
    "Poll",
    "Say",
    "Script",
    "Signal",
    "Step",
    "Try",
    "Visit",
    "script_of",
]


@dataclass(frozen=True)
class Act:
    """Do what the record says next, by request or by socket."""

    hand: int
    number: int
    seat: Seat
    way: str


@dataclass(frozen=True)
class Try:
    """Try an action that is refused; by request or by socket."""

    decision: str
    action: Action
    way: str
    name: str


@dataclass(frozen=True)
class Look:
    """Make a request; ``who`` shows a token: own, none, another table's, a host's."""

    method: str
    path: str
    who: str = "own"
    content: str = ""
    accept: str = "*/*"


@dataclass(frozen=True)
class Say:
    """Say something on a socket of one's own, and hear what is said to it."""

    text: str | bytes


@dataclass(frozen=True)
class Dial:
    """Open another socket, or a stream of events: ``how`` it says who it is."""

    how: str
    after: int | None


@dataclass(frozen=True)
class Hangup:
    """Close the first of the open sockets and streams."""


@dataclass(frozen=True)
class Poll:
    """Ask for the view once the next change is there."""


@dataclass(frozen=True)
class Visit:
    """Another seat comes online, or goes again."""

    seat: Seat


@dataclass(frozen=True)
class Signal:
    """Another seat that is online sets up voice with this one."""

    seat: Seat


@dataclass(frozen=True)
class Fill:
    """The last guest sits down."""


@dataclass(frozen=True)
class Dealing:
    """All ask for the next hand or for a rematch, or the thrown-in deal is followed."""

    hand: int


@dataclass(frozen=True)
class End:
    """The host ends the table."""


Step = (
    Act
    | Try
    | Look
    | Say
    | Dial
    | Hangup
    | Poll
    | Visit
    | Signal
    | Fill
    | Dealing
    | End
)
Script = tuple[Step, ...]
DIALS = (
    ("header", 6), ("hello", 6), ("events", 3), ("stranger", 1), ("garbage", 1),
    ("version", 1), ("origin", 1),
)  # fmt: skip
MALFORMED = (
    '{"type":"ping","n":NaN}', "[" * 20, b"\x00\x01", '{"type":"undo"}', "3S", "",
    '{"type":"action","id":"m","decision":"1.1","action":{"type":"play","card":"1S"}}',
    '{"type":"signal","to":2,"data":{"x":1}}', '{"type":"signal","to":0,"data":{}}',
)  # fmt: skip


def script_of(scene: Scene, random: Random, *, cards: bool = True) -> Script:
    """Return a script for a scene and its likes.

    Args:
        scene: one of the two.
        random: what decides.
        cards: whether it may try what only the seat's own cards forbid.
    """
    return tuple(_Writer(scene, random, cards).steps())


class _Writer:
    def __init__(self, scene: Scene, random: Random, cards: bool) -> None:
        self.scene, self.random, self.cards = scene, random, cards
        self.tried = 0
        self.own: list[str] = []
        """Names of what the seat has done: again they change nothing."""
        self.deal = 0
        self.other = [seat for seat in Seat if seat != scene.seat]

    def steps(self) -> Iterator[Step]:
        """Yield the steps: quiet ones, then from some moment on busy ones."""
        records = self.scene.records
        total = sum(map(len, records)) + 3 * len(records)
        busy = total - self.random.choice((0, 2, 4, 8, 12, self.random.randrange(80)))
        done = 0
        if busy <= 0 or not records:
            yield from self.edges(None)
        if records and self.scene.mode is not Mode.COMPUTER:
            yield Fill()
        for index, record in enumerate(records):
            whole = self.scene.hands[index]
            now: Hand = deal(whole.dealt.dealer, whole.dealt.deck)
            self.deal = index + 1
            for number, (seat, action) in enumerate(record):
                if done >= busy:
                    yield from self.edges(now)
                ways = ("rest", "socket") if done >= busy else ("quiet",)
                yield Act(index, number, seat, self.random.choice(ways))
                if seat == self.scene.seat:
                    self.own.append(f"a{index}.{number}")
                now, done = apply(now, seat, action), done + 1
            done += 3
            if done >= busy:
                yield from self.edges(now)
            if index + 1 < len(records):
                yield Dealing(index)
        last = self.scene.hands[-1] if records else None
        if last is not None and last.turn is None:
            path = f"/hands/{self.deal}/analysis"
            yield Look("POST", path)
            yield Look("GET", path)
        yield from self.edges(last)
        if self.scene.seat == 0 and self.random.random() < 0.1:
            # Last of all, for it voids the token that the record is played with.
            yield Look("POST", f"/seats/{self.random.choice((1, 2))}/invite")
        if self.scene.name == "ended" or self.random.random() < 0.1:
            yield End()
            yield from self.edges(last)
        yield from self.edges(last)

    def edges(self, now: Hand | None) -> Iterator[Step]:
        """Yield a few things that may be tried at any moment."""
        own = now is not None and now.turn == self.scene.seat
        if own and self.scene.mode is Mode.COMPUTER:
            yield Look("GET", self.random.choice(("/hint", "/hint?lang=it")))
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            kinds = (self.dial, self.look, self.attempt, self.say, self.visit)
            kind = self.random.choices(kinds, (3, 4, 4, 2, 1))[0]
            yield from kind(now)

    def dial(self, _now: Hand | None) -> Iterator[Step]:
        names, weights = zip(*DIALS, strict=True)
        how = self.random.choices(names, weights)[0]
        yield Dial(how, self.random.choice((None, 0, 3, 10, 40, 999)))
        if self.random.random() < 0.2:
            yield Hangup()

    def visit(self, _now: Hand | None) -> Iterator[Step]:
        seat = self.random.choice(self.other)
        yield Visit(seat)
        yield Signal(seat)

    def say(self, now: Hand | None) -> Iterator[Step]:
        random, deal = self.random, self.deal + self.random.choice((1, 2))
        over = now is not None and now.turn is None
        yield Say(
            random.choice(
                (
                    '{"type":"resync"}',
                    '{"type":"ping","n":7}',
                    '{"type":"ping","n":8}' if over else '{"type":"rematch","id":"r"}',
                    f'{{"type":"next_hand","deal":{deal},"id":"n"}}',
                    random.choice(MALFORMED),
                )
            )
        )

    def look(self, now: Hand | None) -> Iterator[Step]:
        random = self.random
        deal, seat = random.choice((1, self.deal, self.deal + 1)), random.choice("012")
        who = random.choice(("own",) * 8 + ("none", "stranger"))
        if random.random() < 0.15:
            yield Poll()
            return
        steps = random.choice(("", "?steps=true", f"?steps=true&seat={seat}"))
        path = random.choice(
            (
                "/view", "/view", "/view?after=0", "/view?after=9999&wait=0", "",
                f"/hands/{deal}", f"/hands/{deal}{steps}", f"/hands/{deal}/analysis",
                "/hint", "/ice", "/secrets", "/view?after=-1",
            )
        )  # fmt: skip
        accept = random.choice(("*/*", "text/plain"))
        if random.random() < 0.7:
            yield Look("GET", path, who, accept=accept)
            return
        junk = '{"invite":"tzi_' + "j" * 43 + '","name":"J"}'
        early = f'{{"deal":{self.deal + 1}}}'
        method, path, content = random.choice(
            (
                ("POST", f"/hands/{self.deal}/again", ""),
                ("POST", f"/hands/{self.deal}/analysis", ""),
                ("POST", "/claims", junk),
                ("POST", "/rematch", ""),
                ("POST", "/next-hand", early),
                ("POST", "/next-hand", '{"deal":"x"}'),
                ("POST", "/actions", '{"id":'),
                ("PUT", "/view", "{}"),
                ("GET", "//healthz", ""),
                ("GET", "//readyz", ""),
            )
        )
        over = now is not None and now.turn is None
        if not (over and path == "/rematch"):  # it might be granted
            yield Look(method, path, who, content)
        if self.scene.seat != 0:
            guest = random.choice((1, 2))
            yield random.choice(
                (
                    Look("POST", f"/seats/{guest}/invite", who),
                    Look("DELETE", "", who),
                )
            )

    def attempt(self, now: Hand | None) -> Iterator[Step]:
        """Yield an action that is refused: by the moment, the rules, or the cards."""
        random, seat = self.random, self.scene.seat
        due = self._decision(now)
        action = self._action(now)
        refusal = None if now is None else check(now, seat, action)
        if self.own and random.random() < 0.1:
            yield Try(due, action, "rest", random.choice(self.own))
            return
        if random.random() < 0.15:
            due = random.choice(("0.0", "9.9", "x", f"{self.deal}.99"))
        elif now is not None and refusal is None:
            return  # it would be done
        if not self.cards and now is not None and now.turn == seat:
            return
        self.tried += 1
        name = f"t{self.tried}"
        yield Try(due, action, random.choice(("rest", "socket")), name)

    def _decision(self, now: Hand | None) -> str:
        return f"{self.deal}.{1 if now is None else decision(now)}"

    def _action(self, now: Hand | None) -> Action:
        """An action, more often than not of the kind that the moment asks for."""
        random, seat = self.random, self.scene.seat
        own = list(cards_in(held(now)[seat])) if now is not None else []
        pool = own if len(own) > 5 and random.random() < 0.4 else list(Card)
        some = random.sample(pool, 5)
        asked: dict[str, Action] = {
            "auction": Bid(random.choice((None, *Contract))),
            "call": Call(some[0]),
            "exchange": Discard(tuple(some[:4]), random.choice((None, some[4]))),
            "play": Play(some[0]),
        }
        kind = "play" if now is None else now.phase.value
        if kind not in asked or random.random() < 0.3:
            kind = random.choice([*asked])
        return asked[kind]
