"""A position's key, and the table of what is known of positions.

There are no trumps, so the four suits are alike: a position at a trick's start is what
is held in each suit, in order of strength, in whatever suit. A suit's code tells how
many of its four worthless ranks are left and with whom, how many of the five ranks
worth a third, and where the ace stands among these: 213,928 states of a suit. The key
is the four codes, sorted, the leader and the monte, in two words: nothing of it is
dropped, so that no two positions that differ share one.
"""

from terziglio.solver.layout import (
    AGE,
    CODES,
    SLOTS,
    TABLE,
    Memory,
    compile_it,
)

__all__ = ["fill_codes", "find", "keep", "key", "slot"]

_AGE = 19
_CODE = (1 << _AGE) - 1
_LEAST = 50
_MOST = 56
_IDENTITY = (1 << _LEAST) - 1
_BOUND = 63
_POSITIVE = (1 << 63) - 1


@compile_it
def _holders(bits: int, at: int, size: int, h1: int, h2: int) -> int:
    """Return a number for how many of some ranks are left, and with whom."""
    code = 0
    fewer = 0
    power = 1
    for rank in range(size):
        if bits >> rank & 1:
            owner = (h1 >> (at + rank) & 1) + 2 * (h2 >> (at + rank) & 1)
            code += owner * power
            fewer += power
            power *= 3
    return code + fewer


@compile_it
def _upper(bits: int, at: int, h1: int, h2: int) -> int:
    """Return a number, below 3,640, for which of J Q K A 2 3 are left, and with whom.

    Those of a third are in order: 364 ways. The ace is not there, or one of three seats
    has it, and others hold none, one or two of the tops. It then stands right under so
    many cards of others, wherever in its run.
    """
    held1, held2 = h1 >> at, h2 >> at
    code = _holders(
        bits & 7 | bits >> 4 << 3, 0, 5,
        held1 & 7 | held1 >> 4 << 3, held2 & 7 | held2 >> 4 << 3,
    )  # fmt: skip
    if bits >> 3 & 1:
        owner = (held1 >> 3 & 1) + 2 * (held2 >> 3 & 1)
        above = 0
        for rank in range(4, 6):
            if bits >> rank & 1:
                above += owner != (held1 >> rank & 1) + 2 * (held2 >> rank & 1)
        code += 364 * (1 + owner + 3 * above)
    return code


@compile_it
def fill_codes(h1: int, h2: int, mem: Memory) -> None:
    """Write the codes of all subsets of the cards, given what seats 1 and 2 hold."""
    for suit in range(4):
        at = suit * 10
        to = CODES + suit * 80
        for bits in range(16):
            mem[to + bits] = _holders(bits, at, 4, h1, h2)
        for bits in range(64):
            mem[to + 16 + bits] = _upper(bits, at + 4, h1, h2) * 121


@compile_it
def key(alive: int, leader: int, monte: int, mem: Memory) -> tuple[int, int]:
    """Return the two words of a position's key."""
    c0 = mem[CODES + (alive & 15)] + mem[CODES + 16 + (alive >> 4 & 63)]
    c1 = mem[CODES + 80 + (alive >> 10 & 15)] + mem[CODES + 96 + (alive >> 14 & 63)]
    c2 = mem[CODES + 160 + (alive >> 20 & 15)] + mem[CODES + 176 + (alive >> 24 & 63)]
    c3 = mem[CODES + 240 + (alive >> 30 & 15)] + mem[CODES + 256 + (alive >> 34 & 63)]
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
    first = c0 | c1 << 19 | c2 << 38 | leader << 57 | monte << 59
    return first, c3 | mem[AGE] << _AGE


@compile_it
def slot(first: int, second: int) -> int:
    """Return where in the table a key belongs, or beside there: whatever its age.

    With the age in it two positions would meet in one question and not in the next, and
    how long a search takes would depend on what was asked before.
    """
    mixed = (first ^ (second & _CODE) * 0x1E3779B97F4A7C15) & _POSITIVE
    mixed = (mixed ^ mixed >> 31) * 0x3F58476D1CE4E5B9 & _POSITIVE
    return TABLE + 2 * ((mixed ^ mixed >> 29) & SLOTS - 1)


@compile_it
def find(first: int, second: int, at: int, mem: Memory) -> int:
    """Return the bounds that the table has: least + 64 x most; -1 if it has none."""
    if mem[at] != first or mem[at + 1] & _IDENTITY != second:
        at ^= 2
        if mem[at] != first or mem[at + 1] & _IDENTITY != second:
            return -1
    return mem[at + 1] >> _LEAST


@compile_it
def keep(
    first: int, second: int, at: int, need: int, bound: int, rest: int, mem: Memory
) -> None:
    """Write a bound: from below if it is at least ``need``, else from above."""
    least = 0
    most = rest
    if mem[at] != first or mem[at + 1] & _IDENTITY != second:
        beside = at ^ 2
        if mem[beside] == first and mem[beside + 1] & _IDENTITY == second:
            at = beside
        else:
            # The one that was here last goes beside, over the one that was there.
            mem[beside] = mem[at]
            mem[beside + 1] = mem[at + 1]
            mem[at] = 0
    if mem[at] == first and mem[at + 1] & _IDENTITY == second:
        least = mem[at + 1] >> _LEAST & _BOUND
        most = mem[at + 1] >> _MOST & _BOUND
    if bound >= need:
        least = max(least, bound)
    else:
        most = min(most, bound)
    mem[at] = first
    mem[at + 1] = second | least << _LEAST | most << _MOST
