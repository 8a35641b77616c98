"""Learning environments (extra ``rl``): PettingZoo for three, Gymnasium for one.

``env()`` is a PettingZoo AEC environment of the three seats; ``SeatEnv`` seats one
learner among two players. An episode is a hand, or with ``target`` a match. The reward
is game points, given when a hand is counted; a thrown-in hand gives none.

An observation is what the seat's view holds and nothing else, as a flat vector; what
each number means is ``LAYOUT``, and ``docs/rl.md`` tells it in words. What can be done
is one fixed list, ``ACTIONS``, with a mask of what is legal now. The exchange is taken
card by card, five or four steps of the same seat: first the card to give back, if one
is due, then the four to lay, in any order. The other seats see it when it is done.
"""

try:
    import gymnasium as _gymnasium
    import pettingzoo as _pettingzoo
except ImportError as missing:
    raise ImportError(
        "terziglio.rl needs: pip install '.[rl]' in Terziglio's folder"
    ) from missing

from terziglio.rl.environments import AGENTS, SeatEnv, TerziglioEnv, env
from terziglio.rl.episode import ACTIONS, LAYOUT, Step

del _gymnasium, _pettingzoo

__all__ = ["ACTIONS", "AGENTS", "LAYOUT", "SeatEnv", "Step", "TerziglioEnv", "env"]
