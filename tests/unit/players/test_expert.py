"""The player ``expert`` and its hints: what it says of a card holds in the deals."""

from collections import Counter
from functools import cache

import pytest

from endings import answers
from strategies import rng
from support import at, golden
from terziglio import Bid, Contract, Hand, Play, deal
from terziglio.actions import Phase
from terziglio.players import expert as thinking
from terziglio.players import rules, search
from terziglio.players.expert import expert, hint
from terziglio.players.hint import Hint, Reason
from terziglio.players.knowledge import MONTE, Knowledge
from terziglio.seats import Seat
from terziglio.solver import Position
from terziglio.view import SeatView
from worlds import every, view_of, with_left
