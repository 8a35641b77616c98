"""The solver compiled with numba: null windows over a table of canonical positions.

The soloist is renamed to seat 0 and the two against him to 1 and 2. A position at a
trick's start is worth the thirds that the soloist still takes. What keeps it small:

- there are no trumps, so the four suits are alike: a position is known by its four
  suits' codes, sorted, with the leader and the monte (``_probe``);
- of a seat's cards with no other card between them, those of equal worth are one; and
  once it is certain whose the trick is, only the richest or the poorest is tried;
- bounds: what the leader can cash at once, and what is left at all;
- children that the table knows are looked at before any is searched.

Only ints cross the functions here, and no literal ones in calls of themselves: numba
cannot load those from its cache (its issues 6061 and 9129).
"""

from functools import cache

import numpy as np
from numba import njit

from terziglio.cards import Card, thirds_in
from terziglio.solver.position import LIMIT, Position, Unsolved

__all__ = ["best_cards", "reaches", "thirds"]

_SLOTS = 1 << 20
# One block of memory holds all that a search writes and its weights: an array is
# seven words to a compiled function, and this one calls itself.
_NODES = 0
_LIMIT = 1
_AGE = 2
_CUT = 3
_LOW_AT = 8
_HIGH_AT = _LOW_AT + 512
_SCRATCH = _HIGH_AT + 32
_WEIGHTS_AT = _SCRATCH + 1024
_TABLE = _WEIGHTS_AT + 256
_SUIT = (1 << 10) - 1

_WORTH = np.array([0, 0, 0, 0, 1, 1, 1, 3, 1, 1] * 4, dtype=np.int64)
_SUM = np.array(
    [sum(int(_WORTH[r]) for r in range(10) if bits >> r & 1) for bits in range(1024)],
    dtype=np.int64,
)
_COUNT = np.array([bits.bit_count() for bits in range(1024)], dtype=np.int64)
_ABOVE = np.array([bits.bit_length() for bits in range(1024)], dtype=np.int64)
_LOW = np.array(
    [(b & -b).bit_length() - 1 if b else 10 for b in range(1024)], dtype=np.int64
)


_WEIGHTS = np.zeros(240, dtype=np.int64)


@njit(cache=True)
def _codes(h0, h1, h2, mem):
    """Fill the codes of every subset of each suit's cards, given who holds them."""
    for suit in range(4):
        at = suit * 10
        for bits in range(128):
            zeros = 0
            offset = 0
            power = 1
            for r in range(4):
                if bits >> r & 1:
                    owner = 0
                    if h1 >> (at + r) & 1:
                        owner = 1
                    elif h2 >> (at + r) & 1:
                        owner = 2
                    zeros += owner * power
                    offset += power
                    power *= 3
            zeros += offset
            courts = 0
            offset = 0
            power = 1
            for r in range(4, 7):
                if bits >> r & 1:
                    owner = 0
                    if h1 >> (at + r) & 1:
                        owner = 1
                    elif h2 >> (at + r) & 1:
                        owner = 2
                    courts += owner * power
                    offset += power
                    power *= 3
            courts += offset
            mem[_LOW_AT + suit * 128 + bits] = (zeros * 40 + courts) * 52
        for bits in range(8):
            code = 0
            if bits & 1:
                owner = 0
                if h1 >> (at + 7) & 1:
                    owner = 1
                elif h2 >> (at + 7) & 1:
                    owner = 2
                code = (1 + owner) * 13
            tops = 0
            offset = 0
            power = 1
            for r in range(8, 10):
                if bits >> (r - 7) & 1:
                    owner = 0
                    if h1 >> (at + r) & 1:
                        owner = 1
                    elif h2 >> (at + r) & 1:
                        owner = 2
                    tops += owner * power
                    offset += power
                    power *= 3
            mem[_HIGH_AT + suit * 8 + bits] = code + tops + offset


@njit(cache=True, inline="always")
def _key(alive, leader, monte, mem):
    c0 = mem[_LOW_AT + (alive & 127)] + mem[_HIGH_AT + (alive >> 7 & 7)]
    c1 = (
        mem[_LOW_AT + 128 + (alive >> 10 & 127)] + mem[_HIGH_AT + 8 + (alive >> 17 & 7)]
    )
    c2 = (
        mem[_LOW_AT + 256 + (alive >> 20 & 127)]
        + mem[_HIGH_AT + 16 + (alive >> 27 & 7)]
    )
    c3 = (
        mem[_LOW_AT + 384 + (alive >> 30 & 127)]
        + mem[_HIGH_AT + 24 + (alive >> 37 & 7)]
    )
    if c0 > c1:
        c0, c1 = c1, c0
    if c2 > c3:
        c2, c3 = c3, c2
    if c0 > c2:
        c0, c2 = c2, c0
    if c1 > c3:
        c1, c3 = c3, c1
    if c1 > c2:
        c1, c2 = c2, c1
    first = c0 | c1 << 18 | c2 << 36 | leader << 54 | monte << 56
    return first, c3


@njit(cache=True, inline="always")
def _slot(first, second):
    x = np.uint64(first) ^ (np.uint64(second) * np.uint64(0x9E3779B97F4A7C15))
    x ^= x >> np.uint64(31)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(29)
    return np.int64(x & np.uint64(_SLOTS - 1))


@njit(cache=True, inline="always")
def _bounds(h0, h1, h2, leader, left, rest):
    """Return the least and the most that the soloist takes, by cards nobody beats.

    Who leads can lead his own one after the other. A defender can then cross to the
    other, if he holds a card of a suit whose best is there. Who holds the best card of
    every suit that can be led gets in at once, and then leads his own.
    """
    n0 = 0
    n1 = 0
    n2 = 0
    w0 = 0
    w1 = 0
    w2 = 0
    owners = 0
    for suit in range(4):
        at = suit * 10
        m0 = h0 >> at & _SUIT
        m1 = h1 >> at & _SUIT
        m2 = h2 >> at & _SUIT
        a0 = _ABOVE[m0]
        a1 = _ABOVE[m1]
        a2 = _ABOVE[m2]
        if a0 > a1 and a0 > a2:
            edge = a1 if a1 > a2 else a2
            top = m0 >> edge << edge
            n = _COUNT[top]
            if n >= _COUNT[m1] and n >= _COUNT[m2]:
                top = m0
                n = _COUNT[m0]
            n0 += n
            w0 += _SUM[top]
            bit = 1
        elif a1 > a2:
            edge = a0 if a0 > a2 else a2
            top = m1 >> edge << edge
            n = _COUNT[top]
            if n >= _COUNT[m0] and n >= _COUNT[m2]:
                top = m1
                n = _COUNT[m1]
            n1 += n
            w1 += _SUM[top]
            bit = 2
        elif a2:
            edge = a0 if a0 > a1 else a1
            top = m2 >> edge << edge
            n = _COUNT[top]
            if n >= _COUNT[m0] and n >= _COUNT[m1]:
                top = m2
                n = _COUNT[m2]
            n2 += n
            w2 += _SUM[top]
            bit = 4
        else:
            bit = 0
        if (m0 if leader == 0 else (m1 if leader == 1 else m2)) != 0:
            owners |= bit
    least = 0
    most = rest
    if leader == 0:
        least = rest if n0 >= left else w0
        if not owners & 1:
            lost = rest
            if owners & 2:
                lost = rest if n1 >= left else w1
            if owners & 4:
                other = rest if n2 >= left else w2
                lost = other if other < lost else lost
            most = rest - lost
    else:
        if leader == 1:
            n = n1
            lost = w1
            if owners & 4:
                n += n2
                lost += w2
        else:
            n = n2
            lost = w2
            if owners & 2:
                n += n1
                lost += w1
        most = 0 if n >= left else rest - lost
        if owners == 1:
            least = rest if n0 >= left else w0
    return least, most


@njit(cache=True)
def _search(h0, h1, h2, leader, played, a, b, need, left, rest, monte, mem):
    """Return a bound on the soloist's future thirds: at least it if it is >= need,
    at most it if it is < need."""
    mem[_NODES] += 1
    if mem[_NODES] > mem[_LIMIT]:
        mem[_CUT] = 1
    if mem[_CUT]:
        return need
    alive = h0 | h1 | h2
    first = 0
    second = 0
    slot = 0
    if played == 0:
        if need <= 0:
            return 0
        if rest < need:
            return rest
        if left == 1:
            # One card each: nothing to choose.
            c = np.int64(0)
            won = leader
            best = -1
            led = -1
            seat = leader
            for _ in range(3):
                h = h0 if seat == 0 else (h1 if seat == 1 else h2)
                c = 0
                for suit in range(4):
                    m = h >> (suit * 10) & _SUIT
                    if m:
                        c = suit * 10 + _LOW[m]
                if led < 0:
                    led = c // 10
                    best = c
                elif c // 10 == led and c > best:
                    best = c
                    won = seat
                seat = seat + 1 if seat < 2 else 0
            return rest if won == 0 else 0
        least, most = _bounds(h0, h1, h2, leader, left, rest)
        if least >= need:
            return least
        if most < need:
            return most
        first, second = _key(alive, leader, monte, mem)
        slot = _slot(first, second)
        gen = mem[_AGE]
        for k in range(2):
            at = slot ^ k
            if (
                mem[_TABLE + 2 * (at)] == first
                and mem[_TABLE + 2 * (at) + 1] & 0x3FFFFFFFFFFFF == second | gen << 18
            ):
                lo = mem[_TABLE + 2 * (at) + 1] >> 50 & 63
                hi = mem[_TABLE + 2 * (at) + 1] >> 56 & 63
                if lo >= need:
                    return lo
                if hi < need:
                    return hi
                break
    seat = leader + played
    if seat > 2:
        seat -= 3
    own = h0
    x = h1  # plays next
    y = h2  # plays after that
    if seat == 1:
        own = h1
        x = h2
        y = h0
    elif seat == 2:
        own = h2
        x = h0
        y = h1
    led = -1
    best_card = a
    holder = leader
    on_table = 0
    table = 0
    if played > 0:
        led = a // 10
        on_table = 1 << a
        table = _WORTH[a]
        if played == 2:
            on_table |= 1 << b
            table += _WORTH[b]
            if b // 10 == led and b > a:
                best_card = b
                holder = leader + 1 if leader < 2 else 0
    everything = alive | on_table
    base = _SCRATCH + (left * 3 - played) * 16
    n = 0
    must = played > 0 and (own >> (led * 10) & _SUIT) != 0
    for suit in range(4):
        if must and suit != led:
            continue
        at = suit * 10
        mine = own >> at & _SUIT
        if mine == 0:
            continue
        full = everything >> at & _SUIT
        xs = x >> at & _SUIT
        ys = y >> at & _SUIT
        length = _COUNT[mine]
        mine_at = mine
        r = 9
        while mine:
            # The next run: cards of this seat with no other card between them.
            r = _ABOVE[mine] - 1
            top = r
            run = 0
            while r >= 0:
                if full >> r & 1:
                    if not mine >> r & 1:
                        break
                    run |= 1 << r
                r -= 1
            mine &= ~run
            # Whose the trick is if one of the run is played: 1 ours, -1 theirs, 0 open.
            sure = 0
            if played == 2:
                taker = seat if suit == led and at + top > best_card else holder
                sure = 1 if (taker == 0) == (seat == 0) else -1
            elif played == 1:
                beats = suit == led and at + top > a
                h = seat if beats else leader
                edge = (at + top if beats else a) - led * 10
                zs = x >> (led * 10) & _SUIT
                z = seat + 1 if seat < 2 else 0
                if zs >> (edge + 1) == 0:
                    sure = 1 if (h == 0) == (seat == 0) else -1
                elif _LOW[zs] > edge or (h == 0) == (z == 0):
                    sure = 1 if (z == 0) == (seat == 0) else -1
            elif seat == 0:
                if xs >> (top + 1) == 0 and ys >> (top + 1) == 0:
                    sure = 1
                elif (xs and _LOW[xs] > top) or (ys and _LOW[ys] > top):
                    sure = -1
            else:
                es = ys if seat == 1 else xs
                ps = xs if seat == 1 else ys
                if es >> (top + 1) == 0:
                    sure = 1
                elif _LOW[es] > top and _ABOVE[ps] <= _LOW[es]:
                    sure = -1
            kind = 1 if sure == 0 else (0 if sure < 0 else 2)
            if sure > 0 and played > 0:
                if suit == led and at + top > best_card:
                    kind = 3
            k = ((played * 2 + (seat != 0)) * 4 + kind) * 10
            flat = mem[_WEIGHTS_AT + k] + mem[_WEIGHTS_AT + k + 3] * length
            flat += mem[_WEIGHTS_AT + k + 4] * _COUNT[xs]
            flat += mem[_WEIGHTS_AT + k + 5] * _COUNT[ys]
            if xs >> (top + 1):
                flat += mem[_WEIGHTS_AT + k + 6]
            if ys >> (top + 1):
                flat += mem[_WEIGHTS_AT + k + 7]
            flat += mem[_WEIGHTS_AT + k + 8] * table
            if run != mine_at:
                flat += mem[_WEIGHTS_AT + k + 9]
            seen = 0
            pick = -1
            c = _ABOVE[run]
            while c > 0:
                c -= 1
                if not run >> c & 1:
                    continue
                worth = _WORTH[c]
                if seen >> worth & 1:
                    continue
                seen |= 1 << worth
                if sure != 0:
                    if pick < 0 or (worth - _WORTH[pick]) * sure > 0:
                        pick = c
                    continue
                score = (
                    flat
                    + mem[_WEIGHTS_AT + k + 1] * worth
                    + mem[_WEIGHTS_AT + k + 2] * c
                )
                mem[base + n] = (score << 8) | (at + c)
                n += 1
            if pick >= 0:
                worth = _WORTH[pick]
                score = (
                    flat
                    + mem[_WEIGHTS_AT + k + 1] * worth
                    + mem[_WEIGHTS_AT + k + 2] * pick
                )
                mem[base + n] = (score << 8) | (at + pick)
                n += 1
    # Best first.
    for i in range(1, n):
        move = mem[base + i]
        j = i
        while j > 0 and mem[base + j - 1] < move:
            mem[base + j] = mem[base + j - 1]
            j -= 1
        mem[base + j] = move
    maximise = seat == 0
    best = -1 if maximise else 1000
    if played == 2 and n > 1 and left > 2:
        # Does the table know a child that decides?
        gen = mem[_AGE]
        for i in range(n):
            c = mem[base + i] & 255
            won = seat if c // 10 == led and c > best_card else holder
            take = table + _WORTH[c]
            got = take if won == 0 else 0
            k1, k2 = _key(alive & ~(1 << c), won, monte, mem)
            sl = _slot(k1, k2)
            for k in range(2):
                at = sl ^ k
                if (
                    mem[_TABLE + 2 * (at)] == k1
                    and mem[_TABLE + 2 * (at) + 1] & 0x3FFFFFFFFFFFF == k2 | gen << 18
                ):
                    lo = (mem[_TABLE + 2 * (at) + 1] >> 50 & 63) + got
                    hi = (mem[_TABLE + 2 * (at) + 1] >> 56 & 63) + got
                    if maximise and lo >= need:
                        return lo
                    if not maximise and hi < need:
                        return hi
                    break
    nxt = played + 1
    one = left - 1
    zero = played - played
    for i in range(n):
        c = mem[base + i] & 255
        bit = np.int64(1) << c
        g0 = h0
        g1 = h1
        g2 = h2
        if seat == 0:
            g0 = h0 ^ bit
        elif seat == 1:
            g1 = h1 ^ bit
        else:
            g2 = h2 ^ bit
        if played == 0:
            v = _search(g0, g1, g2, leader, nxt, c, b, need, left, rest, monte, mem)
        elif played == 1:
            v = _search(g0, g1, g2, leader, nxt, a, c, need, left, rest, monte, mem)
        else:
            won = seat if c // 10 == led and c > best_card else holder
            take = table + _WORTH[c]
            got = take if won == 0 else 0
            if left == 1:
                v = rest if won == 0 else 0
            else:
                v = got + _search(
                    g0,
                    g1,
                    g2,
                    won,
                    zero,
                    a,
                    b,
                    need - got,
                    one,
                    rest - take,
                    monte,
                    mem,
                )
        if maximise:
            if v > best:
                best = v
                if best >= need:
                    break
        elif v < best:
            best = v
            if best < need:
                break
    if played == 0 and not mem[_CUT]:
        gen = mem[_AGE]
        want = second | gen << 18
        at = slot
        for k in range(2):
            if (
                mem[_TABLE + 2 * (slot ^ k)] == first
                and mem[_TABLE + 2 * (slot ^ k) + 1] & 0x3FFFFFFFFFFFF == want
            ):
                at = slot ^ k
                break
        lo = np.int64(0)
        hi = rest
        if (
            mem[_TABLE + 2 * (at)] == first
            and mem[_TABLE + 2 * (at) + 1] & 0x3FFFFFFFFFFFF == want
        ):
            lo = mem[_TABLE + 2 * (at) + 1] >> 50 & 63
            hi = mem[_TABLE + 2 * (at) + 1] >> 56 & 63
        else:
            # Keep the older one in the neighbour slot.
            mem[_TABLE + 2 * (slot ^ 1)] = mem[_TABLE + 2 * (slot)]
            mem[_TABLE + 2 * (slot ^ 1) + 1] = mem[_TABLE + 2 * (slot) + 1]
            at = slot
        if best >= need:
            lo = max(lo, best)
        else:
            hi = min(hi, best)
        mem[_TABLE + 2 * (at)] = first
        mem[_TABLE + 2 * (at) + 1] = want | lo << 50 | hi << 56
    return best


@njit(cache=True)
def _exact(h0, h1, h2, leader, played, a, b, guess, left, rest, monte, mem):
    """Return what a position is worth, -1 if the search came to its limit."""
    low = np.int64(0)
    high = rest
    guess = min(max(guess, low), high)
    while low < high:
        need = guess + 1 if guess == low else guess
        bound = _search(h0, h1, h2, leader, played, a, b, need, left, rest, monte, mem)
        if mem[_CUT]:
            return np.int64(-1)
        if bound >= need:
            low = bound
        else:
            high = bound
        guess = bound
    return low


@njit(cache=True)
def _grade(h0, h1, h2, leader, played, a, b, m0, m1, m2, left, rest, monte, mem):
    """Return how many of three rising marks are reached, -1 if cut."""
    bound = _search(h0, h1, h2, leader, played, a, b, m1, left, rest, monte, mem)
    if mem[_CUT]:
        return np.int64(-1)
    if bound >= m1:
        if bound < m2:
            bound = _search(h0, h1, h2, leader, played, a, b, m2, left, rest, monte, mem)
        grade = 3 if bound >= m2 else 2
    else:
        if bound >= m0:
            bound = _search(h0, h1, h2, leader, played, a, b, m0, left, rest, monte, mem)
        grade = 1 if bound >= m0 else 0
    return np.int64(-1) if mem[_CUT] else np.int64(grade)


@njit(cache=True)
def _start(h0, h1, h2, limit, mem):
    """Begin on new cards: what the table knows of older ones counts no more."""
    mem[_NODES] = 0
    mem[_LIMIT] = limit
    mem[_AGE] += 1
    mem[_CUT] = 0
    _codes(h0, h1, h2, mem)


@njit(cache=True)
def _after(h0, h1, h2, leader, played, a, b, left, rest, monte, c, guess, marks, mem):
    """Return what a position is worth after a card; with marks, how many it reaches."""
    seat = (leader + played) % 3
    bit = np.int64(1) << c
    if seat == 0:
        h0 ^= bit
    elif seat == 1:
        h1 ^= bit
    else:
        h2 ^= bit
    got = np.int64(0)
    if played == 0:
        a = c
    elif played == 1:
        b = c
    else:
        best = a
        won = leader
        if b // 10 == a // 10 and b > best:
            best = b
            won = (leader + 1) % 3
        if c // 10 == a // 10 and c > best:
            won = (leader + 2) % 3
        take = _WORTH[a] + _WORTH[b] + _WORTH[c]
        if left == 1:
            take = rest
        if won == 0:
            got = take
        rest -= take
        left -= 1
        leader = won
    turn = (played + 1) % 3
    if marks[0] <= marks[2]:
        m0 = marks[0] - got
        m1 = marks[1] - got
        m2 = marks[2] - got
        if left == 0:
            return np.int64((m0 <= 0) + (m1 <= 0) + (m2 <= 0))
        return _grade(h0, h1, h2, leader, turn, a, b, m0, m1, m2, left, rest, monte, mem)
    value = _exact(h0, h1, h2, leader, turn, a, b, guess - got, left, rest, monte, mem)
    return value if value < 0 else value + got


def _memory():
    mem = np.zeros(_TABLE + 2 * _SLOTS, dtype=np.int64)
    mem[_WEIGHTS_AT : _WEIGHTS_AT + len(_WEIGHTS)] = _WEIGHTS
    return mem


def _named(position):
    """Return the position's numbers, the soloist renamed to seat 0."""
    soloist = position.soloist
    h0, h1, h2 = (position.hands[soloist.after(n)] for n in range(3))
    leader = (position.leader - soloist) % 3
    cards = h0 | h1 | h2
    table = [int(card) for card in position.trick]
    rest = 0
    if cards or table:
        rest = thirds_in(cards) + sum(int(_WORTH[c]) for c in table) + 3 + position.monte
    left = (cards.bit_count() + len(table)) // 3
    a, b = (*table, 0, 0)[:2]
    return h0, h1, h2, leader, len(table), a, b, left, rest, position.monte


@cache
def _shared():
    """The block of memory that the questions of this process use, one by one."""
    return _memory()


def reaches(position: Position, need: int, limit: int = LIMIT) -> bool:
    """Return whether the soloist takes at least so many thirds from here on.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    mem, named = _shared(), _named(position)
    h0, h1, h2, leader, played, a, b, left, rest, monte = named
    if need <= 0 or rest < need:
        return need <= 0
    _start(h0, h1, h2, limit, mem)
    bound = _search(h0, h1, h2, leader, played, a, b, need, left, rest, monte, mem)
    if mem[_CUT]:
        raise Unsolved
    return bool(bound >= need)


def thirds(position: Position, limit: int = LIMIT) -> int:
    """Return the thirds that the soloist takes from here on, both sides at their best.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    mem, named = _shared(), _named(position)
    h0, h1, h2, leader, played, a, b, left, rest, monte = named
    _start(h0, h1, h2, limit, mem)
    value = _exact(
        h0, h1, h2, leader, played, a, b, rest // 2, left, rest, monte, mem
    )
    if value < 0:
        raise Unsolved
    return int(value)


def best_cards(position: Position, limit: int = LIMIT) -> dict[Card, int]:
    """Return what the position is worth after each card that may be played.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    return _each_card(position, limit, _NO_MARKS)


def grades(
    position: Position, marks: tuple[int, int, int], limit: int = LIMIT
) -> dict[Card, int]:
    """Return how many of three marks the soloist reaches after each card.

    Args:
        position: with somebody to play.
        marks: thirds still to be taken, rising.
        limit: how many cards the search may try.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    return _each_card(position, limit, np.array(marks, dtype=np.int64))


_NO_MARKS = np.array([1, 1, 0], dtype=np.int64)
"""Marks that fall: none."""


def _each_card(position, limit, marks):
    """Ask once for each card, of equal ones for the strongest."""
    mem, named = _shared(), _named(position)
    h0, h1, h2, leader, played, a, b, left, rest, monte = named
    _start(h0, h1, h2, limit, mem)
    own = position.hands[position.turn]
    others = (h0 | h1 | h2) & ~own
    for card in position.trick:
        others |= 1 << card
    values: dict[Card, int] = {}
    guess = rest // 2
    above = None
    for card in reversed(position.playable):
        equal = (
            above is not None
            and above.suit is card.suit
            and above.thirds == card.thirds
            and not others >> card & (1 << above - card) - 1
        )
        if not equal:
            guess = int(
                _after(h0, h1, h2, leader, played, a, b, left, rest, monte, int(card),
                       guess, marks, mem)
            )
            if guess < 0:
                raise Unsolved
        values[card] = guess
        above = card
    return dict(reversed(values.items()))
