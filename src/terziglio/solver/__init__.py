"""The best that both sides can do when every card is known.

``reaches``, ``thirds``, ``best_cards`` and ``grades`` answer in thirds that the soloist
still takes, with trick 12's three and the monte. They come compiled where numba is
installed (``terziglio[strong]``), else in plain Python, some fifty times slower: the
answers are the same. A process asks one question at a time; threads must not share it.
"""

from terziglio.solver.position import LIMIT, Position, Unsolved

try:
    from terziglio.solver.compiled import best_cards, grades, reaches, thirds
except ImportError:  # numba is an extra
    from terziglio.solver.reference import best_cards, grades, reaches, thirds

COMPILED = best_cards.__module__.endswith("compiled")
"""Whether the fast one is there."""

__all__ = [
    "COMPILED",
    "LIMIT",
    "Position",
    "Unsolved",
    "best_cards",
    "grades",
    "reaches",
    "thirds",
]
