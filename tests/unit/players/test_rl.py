"""The learning environments: the tests of PettingZoo and Gymnasium, and our own."""

import re
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import terziglio
from redeal import MOMENTS, moments, redealt
from strategies import rng, shuffled
from support import golden, prefix
from terziglio import Card, Contract, Match, Seat
from terziglio.cards import cards_in
from terziglio.hand import history
from terziglio.phases import Counted
from terziglio.players import house, random
from terziglio.rl import ACTIONS, AGENTS, LAYOUT, SeatEnv, Step, TerziglioEnv, env
from terziglio.rl.episode import Episode

PETTINGZOO: Any = import_module("pettingzoo.test")  # it has no types
DOCS = Path(__file__).parents[3] / "docs" / "rl.md"
NUMBER = {step: number for number, step in enumerate(ACTIONS)}
THEIR_WARNINGS = (
    # What PettingZoo's own card games do as well: a mask beside the observation, empty
    # when the episode is over. And: made by hand instead of by ``gymnasium.make``.
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
    "ignore:.*Not able to test alternative render modes",
)
pytestmark = [pytest.mark.filterwarnings(warning) for warning in THEIR_WARNINGS]


def part(observation: dict[str, Any], name: str) -> list[float]:
    """One part of an observation."""
    at = 0
    for other, size in LAYOUT.items():
        if other == name:
            told: list[float] = observation["observation"][at : at + size].tolist()
            return told
        at += size
    raise LookupError(name)


def cards_of(observation: dict[str, Any], name: str) -> list[str]:
    return [str(Card(i)) for i, there in enumerate(part(observation, name)) if there]


def legal_steps(observation: dict[str, Any]) -> list[Step]:
    return [ACTIONS[i] for i in np.flatnonzero(observation["action_mask"])]


@pytest.mark.parametrize("target", [None, 7])
def test_pettingzoo_and_gymnasium_like_them(target: int | None) -> None:
    PETTINGZOO.api_test(env(target), num_cycles=200)
    PETTINGZOO.seed_test(lambda: env(target), num_cycles=200)
    for players in ((house, house), (random, random)):
        check_env(SeatEnv(players, target))


@pytest.mark.parametrize("target", [None, 7])
def test_random_legal_actions_play_to_the_end(target: int | None) -> None:
    played = env(target)
    for seed in range(6):
        played.reset(seed=seed)
        total = np.zeros(3)
        for agent in played.agent_iter():
            observation, reward, over, cut, _ = played.last()
            assert observation is not None
            total[AGENTS.index(agent)] += reward
            assert not cut
            # The acting seat alone may do something.
            masks = [played.observe(a)["action_mask"].any() for a in AGENTS]  # type: ignore[index] # it observes, always
            assert sum(masks) == (not over)
            space: Any = played.action_space(agent)
            action = None if over else space.sample(observation["action_mask"])
            played.step(action)  # type: ignore[arg-type] # None is what the dead do
        assert total.sum() == 0
        assert target is None or total.max() >= target


def steps_of(hand: terziglio.Hand) -> list[Step]:
    """The steps that play a hand."""
    return [step for _, action in history(hand) for step in steps_of_one(action)]


def steps_of_one(action: terziglio.Action) -> list[Step]:
    match action:
        case terziglio.Bid(bid):
            return [Step("bid", bid)]
        case terziglio.Call(card):
            return [Step("call", card)]
        case terziglio.Play(card):
            return [Step("play", card)]
        case terziglio.Discard(laid, back):
            gives = [] if back is None else [Step("give", back)]
            return gives + [Step("lay", card) for card in reversed(laid)]


@pytest.mark.parametrize("name", ["chiamo_won", "solo_lost_cappotto", "solissimo_won"])
def test_a_known_hand_comes_out_as_it_should(name: str) -> None:
    hand = golden(name)
    assert isinstance(hand, Counted)
    played = TerziglioEnv()
    played.reset(options={"dealer": hand.dealt.dealer, "deck": hand.dealt.deck})
    for step in steps_of(hand):
        assert not any(played.terminations.values())
        played.step(NUMBER[step])
    assert tuple(played.rewards.values()) == hand.result.delta
    assert all(played.terminations.values())


def test_the_exchange_is_chosen_card_by_card_and_nobody_else_sees_it() -> None:
    # FX-C: seat 2 called 3S of seat 1, gives 4C back and lays 5C 7D 6D 5D.
    hand = prefix(golden("chiamo_lost"), 4)
    deal: dict[str, Any] = {"dealer": hand.dealt.dealer, "deck": hand.dealt.deck}
    played = TerziglioEnv()
    played.reset(options=deal)
    for step in steps_of(hand):
        played.step(NUMBER[step])
    before = {agent: played.observe(agent) for agent in AGENTS}
    assert cards_of(before["seat_2"], "called") == ["3S"]
    assert part(before["seat_2"], "passed_by") == [0, 0, 1]
    kinds, chosen = [], ["4C", "5C", "5D", "6D", "7D"]
    for number, code in enumerate(chosen):
        assert played.agent_selection == "seat_2"
        observation = played.observe("seat_2")
        assert cards_of(observation, "to_give") == chosen[: min(number, 1)]
        assert cards_of(observation, "laid") == chosen[1:number]
        steps = legal_steps(observation)
        kinds.append({step.kind for step in steps})
        assert len(steps) == 17 - number
        for agent in ("seat_0", "seat_1"):
            told, was = played.observe(agent), before[agent]
            assert all(np.array_equal(told[key], was[key]) for key in was)
        played.step(NUMBER[Step("lay" if number else "give", Card(code))])
    assert kinds == [{"give"}, *[{"lay"}] * 4]
    assert cards_of(played.observe("seat_2"), "laid") == chosen[1:]
    assert cards_of(played.observe("seat_1"), "laid") == []
    assert cards_of(played.observe("seat_0"), "given_back") == ["4C"]


def test_an_observation_says_what_the_layout_says() -> None:
    hand = prefix(
        golden("solo_won"), 3 + 1 + 4
    )  # bids, the discard, a trick and a card
    match = Match(11, Seat(0), (4, -1, -3), hand=hand)
    told = Episode(match, whole_match=True).observe(Seat(1))
    assert told["observation"].shape == (sum(LAYOUT.values()),)
    assert part(told, "phase") == [0, 0, 0, 1, 0]
    assert part(told, "dealer") == [0, 0, 1]
    assert part(told, "turn") == [0, 0, 1]
    assert part(told, "bids") == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    assert part(told, "contract") == [0, 1, 0]
    assert part(told, "soloist") == [0, 0, 1]
    assert cards_of(told, "monte_shown") == ["5S", "QS", "7C", "7D"]
    assert part(told, "laid") == [0] * 40
    held = [str(card) for card in cards_in(hand.held[1])]  # type: ignore[union-attr] # it is in play
    assert cards_of(told, "hand") == held
    assert part(told, "hand_sizes") == pytest.approx([11 / 17, 10 / 17, 11 / 17])
    # Trick 1 was JD 3D 7D, and seat 2 leads 3S to the second.
    table, played = part(told, "table"), part(told, "played")
    assert [i for i, there in enumerate(table) if there] == [40 + Card("3S")]
    assert {i: round(12 * n) for i, n in enumerate(played) if n} == {
        Card("JD"): 1,
        40 + Card("3D"): 1,
        80 + Card("7D"): 1,
    }
    assert part(told, "thirds") == pytest.approx([0, 2 / 35])
    assert part(told, "scores") == pytest.approx([-1 / 21, -3 / 21, 4 / 21])
    assert part(told, "target") == pytest.approx([11 / 21])


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_observation_does_not_tell_what_the_seat_may_not_know(moment: str) -> None:
    random, moved = rng("rl", moment), 0
    for _ in range(40):
        match = moments(moment, random)
        for seat in Seat:
            assert match.hand is not None
            again = redealt(match.hand, seat, random)
            moved += again.dealt != match.hand.dealt
            told, other = (
                Episode(dealt, whole_match=True).observe(seat)
                for dealt in (match, replace(match, hand=again))
            )
            assert all(np.array_equal(told[key], other[key]) for key in told)
    assert moved == 0 if moment == "count" else moved > 80


def test_an_illegal_action_ends_the_episode_and_costs_the_most() -> None:
    seat = SeatEnv()
    told, _ = seat.reset(seed=1)
    assert NUMBER[Step("play", Card("3S"))] not in np.flatnonzero(told["action_mask"])
    _, reward, over, cut, info = seat.step(NUMBER[Step("play", Card("3S"))])
    assert (reward, over, cut, info) == (-24, True, False, {"illegal": "play 3S"})
    raw = TerziglioEnv()
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="may not play 3S now"):
        raw.step(NUMBER[Step("play", Card("3S"))])


def test_three_passes_end_a_hand_without_points_and_a_match_goes_on() -> None:
    for target in (None, 7):
        played = TerziglioEnv(target)
        played.reset(seed=4)
        for _ in range(3):
            played.step(NUMBER[Step("bid", None)])
        assert tuple(played.rewards.values()) == (0, 0, 0)
        assert all(played.terminations.values()) == (target is None)


def test_a_learner_plays_a_match_to_its_end() -> None:
    seat, total, over = SeatEnv((house, random), 7), 0.0, False
    told, _ = seat.reset(seed=3)
    while not over:
        action = seat.action_space.sample(told["action_mask"])
        told, reward, over, _, _ = seat.step(action)
        total += reward
    assert part(told, "scores")[0] == pytest.approx(total / 21)
    assert max(part(told, "scores")) > 6.5 / 21


def test_a_learner_that_plays_house_among_house_scores_what_house_scores() -> None:
    """The same hand through ``SeatEnv``, and with three players at the table."""
    for seed in range(20):
        random_ = rng("seat", seed)
        deck, dealer = shuffled(random_), Seat(seed % 3)
        seat = SeatEnv()
        seat.reset(options={"dealer": dealer, "deck": deck})
        match = Match(7, dealer).deal(deck)
        while match.turn is not None:
            view = terziglio.seat_view(match, match.turn)
            match = match.apply(match.turn, house(view))
        assert match.hand is not None
        own = [action for who, action in history(match.hand) if who is Seat.S0]
        total, over = 0.0, False
        for action in own:
            for step in steps_of_one(action):
                assert not over
                _, reward, over, _, _ = seat.step(NUMBER[step])
                total += reward
        assert over
        assert total == match.scores[0]


def test_the_list_of_actions_is_fixed() -> None:
    assert len(ACTIONS) == len(NUMBER) == 164
    assert ACTIONS[3] == Step("bid", Contract.SOLISSIMO)
    assert ACTIONS[4 + Card("3D")] == Step("call", Card("3D"))
    assert ACTIONS[163] == Step("play", Card("3D"))


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.startswith("terziglio.rl")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=re.escape("pip install '.[rl]'")):
        __import__("terziglio.rl")


def test_the_blocks_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {"__name__": "page"})  # noqa: S102 - our own page
    assert capsys.readouterr().out
