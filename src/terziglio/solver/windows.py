"""The search: is a position worth at least so much?

The soloist is seat 0 here, the two against him 1 and 2. A position is worth the thirds
that the soloist still takes, cards on the table included. No call of a function by
itself has a literal argument: numba cannot load those from its cache (its issues 6061
and 9129).
"""

from terziglio.solver.bounds import bounds, last_trick
from terziglio.solver.choices import choices, learn
from terziglio.solver.codes import fill_codes, find, keep, key, slot
from terziglio.solver.layout import (
    AGE,
    CUT,
    LIMIT,
    MERITS,
    NODES,
    SCRATCH,
    TABLE,
    WIDTH,
    WORTH,
    Memory,
    compile_it,
)

__all__ = ["after", "exact", "reach", "start"]

ALL, NARROW = 16, 2
"""How many cards a search may try at each turn."""


@compile_it
def start(h1: int, h2: int, limit: int, mem: Memory) -> None:
    """Begin on new cards: what the table knows of older ones counts no more."""
    mem[NODES] = 0
    mem[LIMIT] = limit
    mem[AGE] = mem[AGE] + 2 & 0x7FFFFFFF
    mem[CUT] = 0
    mem[WIDTH] = ALL
    for at in range(MERITS, TABLE):
        mem[at] = 0
    fill_codes(h1, h2, mem)


@compile_it
def reach(
    h0: int, h1: int, h2: int, leader: int, played: int, a: int, b: int,
    need: int, left: int, rest: int, monte: int, mem: Memory,
) -> int:  # fmt: skip
    """Return a bound on the worth: from below if it is >= ``need``, else from above.

    Args:
        h0: what the soloist holds.
        h1: what the seat after him holds.
        h2: what the third seat holds.
        leader: who led, or leads.
        played: how many have played to the trick.
        a: the first card on the table.
        b: the second.
        need: the thirds asked about.
        left: tricks to be completed.
        rest: all thirds that can still be taken.
        monte: thirds in the monte, part of the rest.
        mem: the memory.
    """
    mem[NODES] += 1
    if mem[NODES] > mem[LIMIT]:
        mem[CUT] = 1
    if mem[CUT]:
        return need
    alive = h0 | h1 | h2
    first = 0
    second = 0
    place = 0
    if played == 0:
        if need <= 0:
            return 0
        if rest < need:
            return rest
        if left == 1:
            return rest if last_trick(h0, h1, h2, leader) else 0
        first, second = key(alive, leader, monte, mem)
        place = slot(first, second)
        known = find(first, second, place, mem)
        if known >= 0:
            if known & 63 >= need:
                return known & 63
            if known >> 6 < need:
                return known >> 6
        else:
            least, most = bounds(h0, h1, h2, leader, left, rest)
            if least >= need:
                return least
            if most < need:
                return most
    seat = leader + played
    if seat > 2:
        seat -= 3
    own = h0
    x = h1
    y = h2
    if seat == 1:
        own = h1
        x = h2
        y = h0
    elif seat == 2:
        own = h2
        x = h0
        y = h1
    best_card = a
    holder = leader
    on_table = 0
    table = 0
    if played > 0:
        on_table = 1 << a
        table = WORTH[a]
        if played == 2:
            on_table |= 1 << b
            table += WORTH[b]
            if b // 10 == a // 10 and b > a:
                best_card = b
                holder = leader + 1 if leader < 2 else 0
    everything = alive | on_table
    base = SCRATCH + (left * 3 - played) * 16
    n = choices(own, x, y, seat, played, a, best_card, holder, everything, base, mem)
    n = min(n, mem[WIDTH])
    soloist = seat == 0
    if played == 2 and n > 1 and left > 2:
        # Does the table know a child that settles it?
        for i in range(n):
            c = mem[base + i] & 255
            winner = seat if c // 10 == a // 10 and c > best_card else holder
            got = table + WORTH[c] if winner == 0 else 0
            k1, k2 = key(alive & ~(1 << c), winner, monte, mem)
            known = find(k1, k2, slot(k1, k2), mem)
            if known >= 0:
                if soloist and (known & 63) + got >= need:
                    return (known & 63) + got
                if not soloist and (known >> 6) + got < need:
                    return (known >> 6) + got
    best = -1 if soloist else 1000
    for i in range(n):
        c = mem[base + i] & 255
        bit = 1 << c
        g0 = h0 & ~bit
        g1 = h1 & ~bit
        g2 = h2 & ~bit
        following = played + 1
        if played == 0:
            bound = reach(
                g0, g1, g2, leader, following, c, b, need, left, rest, monte, mem
            )
        elif played == 1:
            bound = reach(
                g0, g1, g2, leader, following, a, c, need, left, rest, monte, mem
            )
        else:
            winner = seat if c // 10 == a // 10 and c > best_card else holder
            take = table + WORTH[c]
            got = take if winner == 0 else 0
            following -= 3
            if left == 1:
                bound = rest if winner == 0 else 0
            else:
                tricks = left - 1
                bound = got + reach(
                    g0, g1, g2, winner, following, a, b, need - got, tricks,
                    rest - take, monte, mem,
                )  # fmt: skip
        best = max(best, bound) if soloist else min(best, bound)
        if (best >= need) == soloist:
            if n > 1:
                learn(played, best_card, everything, base, i, mem)
            break
    if played == 0 and not mem[CUT]:
        keep(first, second, place, need, best, rest, mem)
    return best


@compile_it
def _worth(
    h0: int, h1: int, h2: int, leader: int, played: int, a: int, b: int,
    guess: int, left: int, rest: int, monte: int, mem: Memory,
) -> int:  # fmt: skip
    """Return the worth, by windows from a guess on; -1 if the search was cut short."""
    low = 0
    high = rest
    guess = min(max(guess, low), high)
    while low < high:
        need = guess + 1 if guess == low else guess
        bound = reach(h0, h1, h2, leader, played, a, b, need, left, rest, monte, mem)
        if mem[CUT]:
            return -1
        if bound >= need:
            low = bound
        else:
            high = bound
        guess = bound
    return low


@compile_it
def exact(
    h0: int, h1: int, h2: int, leader: int, played: int, a: int, b: int,
    guess: int, left: int, rest: int, monte: int, mem: Memory,
) -> int:  # fmt: skip
    """Return the worth; -1 if the search was cut short.

    ``guess`` is where to begin. Without one, below 0, it comes from a search that tries
    the two most promising cards at each turn: what that finds is kept apart, under an
    age of its own.
    """
    if guess < 0:
        guess = rest // 2
        mem[WIDTH] = NARROW
        mem[AGE] += 1
        guess = _worth(h0, h1, h2, leader, played, a, b, guess, left, rest, monte, mem)
        mem[AGE] -= 1
        mem[WIDTH] = ALL
    return _worth(h0, h1, h2, leader, played, a, b, guess, left, rest, monte, mem)


@compile_it
def _grade(
    h0: int, h1: int, h2: int, leader: int, played: int, a: int, b: int,
    m0: int, m1: int, m2: int, left: int, rest: int, monte: int, mem: Memory,
) -> int:  # fmt: skip
    """Return how many of three rising marks are reached; -1 if cut short."""
    bound = reach(h0, h1, h2, leader, played, a, b, m1, left, rest, monte, mem)
    grade = 0
    if bound >= m1:
        if bound < m2 and not mem[CUT]:
            bound = reach(h0, h1, h2, leader, played, a, b, m2, left, rest, monte, mem)
        grade = 3 if bound >= m2 else 2
    else:
        if bound >= m0 and not mem[CUT]:
            bound = reach(h0, h1, h2, leader, played, a, b, m0, left, rest, monte, mem)
        grade = 1 if bound >= m0 else 0
    return -1 if mem[CUT] else grade


@compile_it
def after(
    h0: int, h1: int, h2: int, leader: int, played: int, a: int, b: int, left: int,
    rest: int, monte: int, c: int, guess: int, marks: Memory, mem: Memory,
) -> int:  # fmt: skip
    """Return what a position is worth after card ``c``, or how many marks it reaches.

    Three marks that fall ask for the worth; -1 says that the search was cut short. The
    other arguments are those of ``reach`` and ``exact``.
    """
    bit = 1 << c
    h0 &= ~bit
    h1 &= ~bit
    h2 &= ~bit
    got = 0
    if played == 0:
        a = c
    elif played == 1:
        b = c
    else:
        best = a
        winner = leader
        if b // 10 == a // 10 and b > best:
            best = b
            winner = (leader + 1) % 3
        if c // 10 == a // 10 and c > best:
            winner = (leader + 2) % 3
        take = WORTH[a] + WORTH[b] + WORTH[c]
        if left == 1:
            take = rest
        if winner == 0:
            got = take
        rest -= take
        left -= 1
        leader = winner
    turn = (played + 1) % 3
    if marks[0] <= marks[2]:
        m0 = marks[0] - got
        m1 = marks[1] - got
        m2 = marks[2] - got
        if left == 0:
            return (m0 <= 0) + (m1 <= 0) + (m2 <= 0)
        return _grade(
            h0, h1, h2, leader, turn, a, b, m0, m1, m2, left, rest, monte, mem
        )
    if left == 0:
        return got
    if guess >= 0:
        guess = max(guess - got, 0)
    value = exact(h0, h1, h2, leader, turn, a, b, guess, left, rest, monte, mem)
    return value if value < 0 else value + got
