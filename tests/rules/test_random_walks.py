"""Whole games of random legal actions: what no action may break."""

import random
from dataclasses import replace

import pytest

from companion.content import aspirations
from companion.rules import adjust
from companion.rules.actions import Absorb, Action, EndTurn, Score
from companion.rules.board import FRONTIERS, TEAMS, Team
from companion.rules.choices import choices
from companion.rules.derived import Derived
from companion.rules.ending import is_triggered
from companion.rules.engine import PLAIN, check, legal_actions
from companion.rules.position import ROWS, Emotion, Player, Position, TeamState, Turn
from companion.scenario.notation import position_from, position_to
from tests.strategies import CARDS, MILD, SPIRITS

MOST_ACTIONS = 1500
GAMES = 5
FIRST_ROW = dict.fromkeys(ROWS[:4], ("wild", "", "", ""))


def opening(players: int, mode: str, dice: random.Random) -> Position:
    """A set-up of two to four players as R-SETUP-13 to R-SETUP-24 have it, Hidden Aspirations unknown."""
    seats = (*TEAMS, *TEAMS)[:players]
    table, slots = {}, {}
    for i, team in enumerate(seats):
        name, frontier = f"p{i}", FRONTIERS[i]
        deck = sorted(MILD[team])[8 * (i // 2) :][:8] * 2
        table[name] = Player(
            name,
            team,
            SPIRITS[team][i // 2],
            at=frontier,
            willpower=4,
            essence=2,
            hand=tuple(sorted(dice.sample(deck, 2))),
            vibes=FIRST_ROW,
        )
        slots[f"{frontier.split('-')[0]}.2"] = Emotion("brightness" if team == "bliss" else "bleakness")
    basic = [name for name in aspirations() if CARDS.aspirations[name].basic_game or mode == "full"]
    return Position(
        players=table,
        turn=Turn("p0", 1),
        mode="full" if mode == "full" else "basic",
        teams={team: TeamState() for team in TEAMS},
        slots=slots,
        common=tuple(dice.sample(basic, len(basic))),
        rulings={"assumed-threshold": 2},
    )


def chosen(position: Position, dice: random.Random) -> tuple[Action, Position]:
    """A random legal action; Absorb is preferred, so that games come to their end."""
    # Points are few and far between at a table.
    tries = [
        action
        for action in choices(Derived(position, CARDS), placing=dice.random() < 0.15)
        if not isinstance(action, Score)
    ]
    dice.shuffle(tries)
    tries.sort(key=lambda action: (isinstance(action, EndTurn), not isinstance(action, Absorb)))
    if dice.random() < 0.7:
        dice.shuffle(tries)
    for action in tries:
        verdict = check(position, action, CARDS)
        if verdict.after is not None:
            return action, verdict.after
    raise AssertionError("nothing is legal")


def fragments(position: Position, team: Team) -> tuple[int, int]:
    """All Minor and all Major Fragments of a team: unused, as Fortresses, in the Identity."""
    placed = [f"{f.team} {f.fragment}" for f in position.fortresses.values()] + list(position.identity)
    state = position.teams[team]
    return state.minor + placed.count(f"{team} minor"), state.major + placed.count(f"{team} major")


def check_invariants(before: Position, action: Action, after: Position) -> None:
    for team in TEAMS:
        assert fragments(after, team) == fragments(before, team)
        assert after.identity.count(f"{team} capping") <= 1
        assert 0 <= after.teams[team].ambition <= 3
    assert sum(fragment.endswith("capping") for fragment in after.identity) <= 1
    assert after.identity[: len(before.identity)] == before.identity
    for sphere, inside in after.origin.willpower.items():
        was = before.origin.willpower[sphere]
        assert 0 <= inside <= 7
        # Willpower leaves a Sphere by Absorb alone and comes back by a Revelation alone, all 7 of it.
        assert inside == was or isinstance(action, Absorb) or (was == 0 and inside == 7)
    for name, emotion in ((e.name, e) for e in after.slots.values()):
        assert 1 <= emotion.essence <= (CARDS.cards[name].spaces or emotion.essence)
    for player in after.players.values():
        assert min(player.willpower, player.essence) >= 0
        for row in player.vibes.values():
            coloured = [token for token in row if token not in ("", "wild")]
            assert len(set(coloured)) == len(coloured)
    assert position_from(position_to(after), CARDS) == after


@pytest.mark.parametrize("mode", ["full", "basic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_random_game_keeps_every_piece_and_comes_to_its_end(players: int, mode: str) -> None:
    ends = {_play(opening(players, mode, dice), dice) for dice in _dice(f"{players} {mode}")}
    assert "no Common Aspiration" in ends


@pytest.mark.parametrize("mode", ["full", "basic"])
def test_a_random_game_with_few_fragments_ends_by_capping(mode: str) -> None:
    for dice in _dice(mode):
        position = opening(4, mode, dice)
        few = dict.fromkeys(TEAMS, TeamState(minor=1, major=0))
        assert _play(replace(position, teams=few), dice) == "capped"


def _dice(name: str) -> list[random.Random]:
    return [random.Random(f"{name} {game}") for game in range(GAMES)]  # noqa: S311


def _play(position: Position, dice: random.Random) -> str:
    """Play to the end and say what ended the game."""
    for _ in range(MOST_ACTIONS):
        before = repr(position)
        action, after = chosen(position, dice)
        assert repr(position) == before, "the position before is untouched: to undo is to go back to it"
        check_invariants(position, action, after)
        position = after
        if position.result is not None:
            break
    assert position.result is not None, "a random game ends"
    assert is_triggered(position)
    assert list(legal_actions(position, CARDS)) == []
    return "no Common Aspiration" if position.common == () else "capped"


def test_points_end_the_game_for_good_and_so_do_all_the_steps() -> None:
    dice = random.Random(7)  # noqa: S311
    position = opening(2, "full", dice)
    position = position.with_team("gloom", replace(position.teams["gloom"], points=20))
    ended = check(position, EndTurn("cards"), CARDS).after
    assert ended is not None
    assert ended.result is not None
    assert ended.result.winner == "gloom"
    for kind in PLAIN.values():
        assert kind.rules[0].rule == "R-END-5" or kind is adjust.PROCEDURE
