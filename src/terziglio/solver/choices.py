"""Which cards are worth trying, and in which order.

Of a seat's cards with no card of others between them, a *run*, those of equal worth are
the same. And once it is certain which side takes the trick, whatever is played of a
run, only its richest card (ours) or its poorest (theirs) need be tried.
"""

from terziglio.solver.layout import (
    ABOVE,
    LOWEST,
    MERITS,
    SUIT,
    WEIGHTS,
    WORTH,
    Memory,
    compile_it,
)

__all__ = ["choices", "learn"]

_BEST = 4096
"""What a card's merit goes towards when it decides, and away from when it does not."""
_FOUND, _EXPECTED = 3, 6
"""How far: an eighth of the way, or a 64th if the first card tried decides."""


@compile_it
def _taken(
    seat: int, played: int, suit: int, card: int, x: int, y: int, best: int, holder: int
) -> int:
    """Return whose the trick is if a card is played: 1 ours, -1 theirs, 0 open.

    Args:
        seat: who plays it.
        played: how many have played before.
        suit: the card's.
        card: the card.
        x: what the seat that plays next holds.
        y: what the seat after that one holds.
        best: the card that holds the trick so far.
        holder: whose it is.
    """
    if played == 2:
        taker = seat if card // 10 == best // 10 and card > best else holder
        return 1 if (taker == 0) == (seat == 0) else -1
    if played == 1:
        led = best // 10
        beats = suit == led and card > best
        taker = seat if beats else holder
        edge = (card if beats else best) - led * 10
        theirs = x >> (led * 10) & SUIT
        last = seat + 1 if seat < 2 else 0
        if theirs >> (edge + 1) == 0:
            return 1 if (taker == 0) == (seat == 0) else -1
        if LOWEST[theirs] > edge or (taker == 0) == (last == 0):
            return 1 if (last == 0) == (seat == 0) else -1
        return 0
    rank = card - suit * 10
    xs = x >> (suit * 10) & SUIT
    ys = y >> (suit * 10) & SUIT
    if seat == 0:
        if xs >> (rank + 1) == 0 and ys >> (rank + 1) == 0:
            return 1
        forced = (xs and LOWEST[xs] > rank) or (ys and LOWEST[ys] > rank)
        return -1 if forced else 0
    soloist = ys if seat == 1 else xs
    partner = xs if seat == 1 else ys
    if soloist >> (rank + 1) == 0:
        return 1
    lowest = LOWEST[soloist]
    return -1 if lowest > rank and ABOVE[partner] <= lowest else 0


@compile_it
def _merits(played: int, best: int, full: int) -> int:
    """Return where the merits are of cards in one position.

    Who leads is judged by which of the suit's three upper cards are left, who follows
    by the card to beat.
    """
    row = 40 * played - 32 + best if played else full >> 7
    return MERITS + row * 40


@compile_it
def choices(
    own: int, x: int, y: int, seat: int, played: int, a: int, best: int, holder: int,
    everything: int, at: int, mem: Memory,
) -> int:  # fmt: skip
    """Write the cards to try, most promising first; return how many.

    Args:
        own: what the seat to play holds.
        x: what the seat that plays next holds.
        y: what the seat after that one holds.
        seat: the seat to play.
        played: how many have played to the trick.
        a: the card led, if one was.
        best: the card that holds the trick.
        holder: whose it is.
        everything: all cards in hands and on the table.
        at: where in the memory to write.
        mem: the memory.
    """
    n = 0
    led = a // 10
    must = played > 0 and (own >> (led * 10) & SUIT) != 0
    for suit in range(4):
        if must and suit != led:
            continue
        base = suit * 10
        mine = own >> base & SUIT
        if mine == 0:
            continue
        full = everything >> base & SUIT
        merits = _merits(played, best, full) + base
        while mine:
            top = ABOVE[mine] - 1
            between = full & ~mine & ((1 << top) - 1)
            run = mine >> ABOVE[between] << ABOVE[between]
            mine &= ~run
            sure = _taken(seat, played, suit, base + top, x, y, best, holder)
            kind = sure + 1
            if sure == 1 and played and suit == best // 10 and base + top > best:
                kind = 3
            w = WEIGHTS + ((played * 2 + (seat != 0)) * 4 + kind) * 3
            seen = 0
            pick = -1
            while run:
                rank = ABOVE[run] - 1
                run ^= 1 << rank
                worth = WORTH[rank]
                if seen >> worth & 1:
                    continue
                seen |= 1 << worth
                if sure == 0:
                    value = mem[w] + mem[w + 1] * worth + mem[w + 2] * rank
                    mem[at + n] = (value + mem[merits + rank]) * 256 + base + rank
                    n += 1
                elif pick < 0 or (worth - WORTH[pick]) * sure > 0:
                    pick = rank
            if pick >= 0:
                value = mem[w] + mem[w + 1] * WORTH[pick] + mem[w + 2] * pick
                mem[at + n] = (value + mem[merits + pick]) * 256 + base + pick
                n += 1
    for i in range(1, n):
        move = mem[at + i]
        j = i
        while j > 0 and mem[at + j - 1] < move:
            mem[at + j] = mem[at + j - 1]
            j -= 1
        mem[at + j] = move
    return n


@compile_it
def learn(
    played: int, best: int, everything: int, at: int, tried: int, mem: Memory
) -> None:
    """Raise the merit of the card that decided, lower that of those tried before it.

    Args:
        played: how many had played.
        best: the card that held the trick.
        everything: all cards in hands and on the table.
        at: where the cards to try are.
        tried: how many of them did not decide.
        mem: the memory.
    """
    step = _FOUND if tried else _EXPECTED
    for i in range(tried + 1):
        card = mem[at + i] & 255
        full = everything >> (card // 10 * 10) & SUIT
        merit = _merits(played, best, full) + card
        aim = _BEST if i == tried else -_BEST
        mem[merit] += (aim - mem[merit]) >> step
