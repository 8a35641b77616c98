"""The environments: ``TerziglioEnv`` for three agents, ``SeatEnv`` for one."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import Env, spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from terziglio.cards import Card
from terziglio.match import TARGETS, new_match
from terziglio.players import Player, house
from terziglio.rl.episode import ACTIONS, LAYOUT, SCORES, SIZE, Episode, Observation
from terziglio.seats import SEATS, Seat
from terziglio.view import seat_view

__all__ = ["AGENTS", "SeatEnv", "TerziglioEnv", "env"]

AGENTS: Final = tuple(f"seat_{seat}" for seat in Seat)
"""The agents by seat, in playing order."""
MOST: Final = 24
"""The most game points a hand can cost (W64), and so what an illegal action does."""


def _spaces() -> tuple[spaces.Space[Any], spaces.Space[Any]]:
    low = np.zeros(SIZE, dtype=np.float32)
    high = np.ones(SIZE, dtype=np.float32)
    scores = SIZE - LAYOUT["target"] - LAYOUT["scores"]
    low[scores : scores + SEATS], high[scores : scores + SEATS] = -SCORES, SCORES
    return (
        spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (len(ACTIONS),), dtype=np.int8),
            }
        ),
        spaces.Discrete(len(ACTIONS)),
    )


def _begin(
    chance: np.random.Generator, target: int | None, options: Mapping[str, Any] | None
) -> Episode:
    """Begin an episode: ``options`` may force the first ``dealer`` and ``deck``."""
    given = options or {}
    dealer = Seat(given.get("dealer", int(chance.integers(SEATS))))
    match = new_match(target or TARGETS[0], dealer)
    deck = given.get("deck") or _deck(chance)
    return Episode(match.deal(deck), target is not None)


def _deck(chance: np.random.Generator) -> list[Card]:
    return [Card(int(number)) for number in chance.permutation(len(Card))]


class TerziglioEnv(AECEnv[str, Observation, int]):
    """The three seats as agents that act in turn; ``env`` makes one with its guards.

    Args:
        target: play a match to 7, 11 or 21 game points; ``None``: one hand.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        "name": "terziglio_v1",
        "render_modes": [],
        "is_parallelizable": False,
    }
    render_mode: str | None = None

    def __init__(self, target: int | None = None) -> None:
        self.target = target
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        told = {agent: _spaces() for agent in AGENTS}
        self.observation_spaces = {agent: told[agent][0] for agent in AGENTS}
        self.action_spaces = {agent: told[agent][1] for agent in AGENTS}
        self._chance, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent's actions look like: a number of ``ACTIONS``."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Deal. ``options`` may force the first hand's ``dealer`` and ``deck``."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self._episode = _begin(self._chance, self.target, options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._select()

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know now, and what it may do: all 0 off turn."""
        return self._episode.observe(Seat(AGENTS.index(agent)))

    def step(self, action: int) -> None:
        """Do one step for the agent on turn.

        Raises:
            ValueError: the mask does not allow it.
        """
        agent, episode = self.agent_selection, self._episode
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        step, seat = ACTIONS[action], Seat(AGENTS.index(agent))
        if step not in episode.legal(seat):
            raise ValueError(f"{agent} may not {step.kind} {step.what} now")
        self._cumulative_rewards[agent] = 0.0
        moved = episode.take(seat, step)
        self.rewards = {a: float(moved[AGENTS.index(a)]) for a in self.agents}
        self._accumulate_rewards()
        if episode.turn is None and not episode.over:
            episode.match = episode.match.deal(_deck(self._chance))
        if episode.over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()

    def _select(self) -> None:
        turn = self._episode.turn
        self.agent_selection = AGENTS[0 if turn is None else turn]


def env(target: int | None = None) -> AECEnv[str, Observation, int]:
    """Return the environment with its guards.

    An illegal action ends the episode and costs the agent 24 points, the most that a
    hand can cost.
    """
    guarded = wrappers.TerminateIllegalWrapper(TerziglioEnv(target), -MOST)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class SeatEnv(Env[Observation, Any]):
    """One learner at seat 0 among two players: a Gymnasium environment.

    An illegal action ends the episode and costs 24 points, the most that a hand can
    cost; ``info["illegal"]`` tells what was tried.

    Args:
        opponents: who sits at seats 1 and 2.
        target: play a match to 7, 11 or 21 game points; ``None``: one hand.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as the base has it

    def __init__(
        self,
        opponents: tuple[Player, Player] = (house, house),
        target: int | None = None,
    ) -> None:
        self.observation_space, self.action_space = _spaces()
        self.opponents, self.target = opponents, target

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal, and let the others act until it is the learner's turn.

        ``options`` may force the first hand's ``dealer`` and ``deck``. No hand goes by
        without the learner: every seat plays in it, or has passed.
        """
        super().reset(seed=seed)
        self._episode = _begin(self.np_random, self.target, options)
        self._others()
        return self._episode.observe(Seat.S0), {}

    def step(
        self, action: Any
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do one step, then let the others act until it is the learner's turn."""
        episode, step = self._episode, ACTIONS[int(action)]
        if step not in episode.legal(Seat.S0):
            told = {"illegal": f"{step.kind} {step.what}"}
            return episode.observe(Seat.S0), float(-MOST), True, False, told
        points = episode.take(Seat.S0, step)[0] + self._others()
        return episode.observe(Seat.S0), float(points), episode.over, False, {}

    def _others(self) -> int:
        """Act for the others; return the learner's game points meanwhile."""
        episode, points = self._episode, 0
        while not episode.over and episode.turn is not Seat.S0:
            if episode.turn is None:
                episode.match = episode.match.deal(_deck(self.np_random))
                continue
            player = self.opponents[episode.turn - 1]
            action = player(seat_view(episode.match, episode.turn))
            points += episode.act(episode.turn, action)[0]
        return points
