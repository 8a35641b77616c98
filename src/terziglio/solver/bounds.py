"""What can be told of a position at a trick's start without trying a card."""

from terziglio.solver.layout import ABOVE, COUNT, LOWEST, SUIT, SUM, compile_it

__all__ = ["bounds", "last_trick"]


@compile_it
def bounds(
    h0: int, h1: int, h2: int, leader: int, left: int, rest: int
) -> tuple[int, int]:
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
        m0 = h0 >> at & SUIT
        m1 = h1 >> at & SUIT
        m2 = h2 >> at & SUIT
        a0 = ABOVE[m0]
        a1 = ABOVE[m1]
        a2 = ABOVE[m2]
        if a0 > a1 and a0 > a2:
            edge = a1 if a1 > a2 else a2
            top = m0 >> edge << edge
            n = COUNT[top]
            if n >= COUNT[m1] and n >= COUNT[m2]:
                top = m0
                n = COUNT[m0]
            n0 += n
            w0 += SUM[top]
            bit = 1
        elif a1 > a2:
            edge = a0 if a0 > a2 else a2
            top = m1 >> edge << edge
            n = COUNT[top]
            if n >= COUNT[m0] and n >= COUNT[m2]:
                top = m1
                n = COUNT[m1]
            n1 += n
            w1 += SUM[top]
            bit = 2
        elif a2:
            edge = a0 if a0 > a1 else a1
            top = m2 >> edge << edge
            n = COUNT[top]
            if n >= COUNT[m0] and n >= COUNT[m1]:
                top = m2
                n = COUNT[m2]
            n2 += n
            w2 += SUM[top]
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


@compile_it
def last_trick(h0: int, h1: int, h2: int, leader: int) -> bool:
    """Return whether the soloist takes the last trick: nobody has a choice."""
    winner = leader
    best = -1
    led = -1
    seat = leader
    for _ in range(3):
        held = h0 if seat == 0 else (h1 if seat == 1 else h2)
        card = 0
        for suit in range(4):
            own = held >> (suit * 10) & SUIT
            if own:
                card = suit * 10 + LOWEST[own]
        if led < 0:
            led = card // 10
            best = card
        elif card // 10 == led and card > best:
            best = card
            winner = seat
        seat = seat + 1 if seat < 2 else 0
    return winner == 0
