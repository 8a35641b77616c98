"""Which cards are worth trying, and in which order.

Of a seat's cards with no card of others between them, a *run*, those of equal worth are
the same. And once it is certain which side takes the trick, whatever is played of a
run, only its richest card (ours) or its poorest (theirs) need be tried.
"""

from terziglio.solver.layout import (
    ABOVE,
    COUNT,
    LOWEST,
    SUIT,
    WEIGHTS_AT,
    WORTH,
    Memory,
    compile_it,
)

__all__ = ["choices"]


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
def choices(
    own: int, x: int, y: int, seat: int, played: int, a: int, best: int, holder: int,
    everything: int, table: int, at: int, mem: Memory,
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
        table: thirds on the table.
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
        all_of_it = mine
        full = everything >> base & SUIT
        xs = x >> base & SUIT
        ys = y >> base & SUIT
        while mine:
            top = ABOVE[mine] - 1
            between = full & ~mine & ((1 << top) - 1)
            run = mine >> ABOVE[between] << ABOVE[between]
            mine &= ~run
            sure = _taken(seat, played, suit, base + top, x, y, best, holder)
            kind = sure + 1
            if sure == 1 and played and suit == best // 10 and base + top > best:
                kind = 3
            w = WEIGHTS_AT + ((played * 2 + (seat != 0)) * 4 + kind) * 10
            score = mem[w] + mem[w + 3] * COUNT[all_of_it]
            score += mem[w + 4] * COUNT[xs] + mem[w + 5] * COUNT[ys]
            if xs >> (top + 1):
                score += mem[w + 6]
            if ys >> (top + 1):
                score += mem[w + 7]
            score += mem[w + 8] * table
            if run != all_of_it:
                score += mem[w + 9]
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
                    value = score + mem[w + 1] * worth + mem[w + 2] * rank
                    mem[at + n] = value * 256 + base + rank
                    n += 1
                elif pick < 0 or (worth - WORTH[pick]) * sure > 0:
                    pick = rank
            if pick >= 0:
                value = score + mem[w + 1] * WORTH[pick] + mem[w + 2] * pick
                mem[at + n] = value * 256 + base + pick
                n += 1
    for i in range(1, n):
        move = mem[at + i]
        j = i
        while j > 0 and mem[at + j - 1] < move:
            mem[at + j] = mem[at + j - 1]
            j -= 1
        mem[at + j] = move
    return n
