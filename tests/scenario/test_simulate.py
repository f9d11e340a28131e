"""`companion simulate`: random games keep every piece, end in every way, and tell it when they don't."""

import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules.actions import ReturnCommon
from companion.rules.board import SLOTS, TEAMS
from companion.rules.engine import check, legal_actions
from companion.rules.position import HIDDEN, Emotion, Mode, Position, Row
from companion.scenario import simulate as module
from companion.scenario.invariants import broken
from companion.scenario.notation import position_to
from companion.scenario.random_play import assumed, opening
from companion.scenario.simulate import ENDS, Game, games, play, simulate
from tests.strategies import CARDS as PRINTED
from tests.strategies import MILD

CARDS = assumed(PRINTED)


def _clock() -> float:
    return next(_SECONDS)


_SECONDS: Iterator[float] = (float(second) for second in count())


def _opening(players: int = 4, mode: Mode = "full", seed: int = 1) -> Position:
    return opening(players, mode, random.Random(seed), CARDS)  # noqa: S311


def _placed(start: Position) -> Position:
    """Take the first way to set up until the game is on."""
    while start.turn.pending:
        after = next(iter(legal_actions(start, CARDS)))[1].after
        assert after is not None
        start = after
    return start


@pytest.mark.parametrize("mode", ["full", "basic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_by_chance_begins_with_the_steps_of_the_set_up(players: int, mode: Mode) -> None:
    for seed in range(10):
        start = _opening(players, mode, seed)
        steps = [step.action for step in start.turn.pending]
        figures = 4 if players == 3 else players
        assert steps == ["place-spirit"] * figures + ["place-wild"] * (4 * players if mode == "full" else 0)
        hidden = {team.aspiration for team in start.teams.values()} - {None}
        assert not hidden & {(start.common or ("",))[0]}
        ready = _placed(start)
        assert len(ready.slots) == figures
        assert len({player.at for player in ready.players.values()}) == players


@pytest.mark.parametrize("mode", ["full", "basic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_break_nothing_and_come_to_their_end(players: int, mode: Mode) -> None:
    for game in games(3, 7, mode, players, CARDS):
        assert game.faults == ()
        assert game.end != "stopped"


def test_every_end_of_the_game_occurs() -> None:
    played = list(games(25, 1, "full", 2, CARDS))
    assert [game.faults for game in played if game.faults] == []
    ends = Counter(game.end for game in played)
    assert set(ends) == set(ENDS) - {"stopped"}


@pytest.mark.parametrize(("mode", "most"), [("full", 9), ("basic", 7)])
def test_a_game_has_no_more_revelations_than_common_aspirations(mode: Mode, most: int) -> None:
    """R-SCORE-5: each one uses up a card, and a Major Fragment takes out another."""
    for game in games(4, 5, mode, 2, CARDS):
        position, revelations, taken_out = game.start, 0, 0
        for step in game.steps:
            after = check(position, step, CARDS).after
            assert after is not None
            gone = len(position.common or ()) - len(after.common or ())
            taken_out += isinstance(step, ReturnCommon)
            revelations += gone - isinstance(step, ReturnCommon)
            position = after
        assert revelations <= most - taken_out
        assert (position.common == ()) == (revelations == most - taken_out)


def test_the_same_seed_plays_the_same_games() -> None:
    def steps(seed: int) -> list[str]:
        return [repr(game.steps) for game in games(2, seed, "full", 2, CARDS)]

    assert steps(3) == steps(3)
    assert steps(3) != steps(4)


def test_a_game_is_stopped_after_so_many_actions() -> None:
    game = play(_opening(), CARDS, random.Random(1), most=5)  # noqa: S311
    assert (game.actions, game.end, game.faults) == (5, "stopped", ())


# Each invariant is seen to break.


def _figure_placed() -> Position:
    """A set-up after its first step: some players have a figure on the board, others have none."""
    after = next(iter(legal_actions(_opening(), CARDS)))[1].after
    assert after is not None
    return after


def _spoilt() -> dict[str, Position]:
    start = _figure_placed()
    name, player = next(iter(start.players.items()))
    bliss = start.teams["bliss"]
    double: Row = ("red", "red", "", "")
    locked: Row = ("", "red", "", "")
    spheres = start.origin.willpower
    return {
        "Fragments, not": start.with_team("bliss", replace(bliss, minor=5)),
        "fewer Fragments than none": start.with_team("bliss", replace(bliss, minor=-1)),
        "two Capping": replace(start, identity=("bliss capping", "gloom capping")),
        "has 4 Ambition": start.with_team("bliss", replace(bliss, ambition=4)),
        "-1 Willpower": start.with_player(replace(player, willpower=-1)),
        "-1 Essence": start.with_player(replace(player, essence=-1)),
        "holds 17 cards": start.with_player(replace(player, hand=(HIDDEN,) * 17)),
        "a colour twice": start.with_player(replace(player, vibes={"move": double})),
        "locked row": start.with_player(replace(player, vibes={"move": locked})),
        "a Sphere is missing": replace(start, origin=replace(start.origin, willpower={})),
        "holds 8 Willpower": replace(
            start, origin=replace(start.origin, willpower={**spheres, "humility": 8})
        ),
        "-1 Actions": replace(start, turn=replace(start.turn, actions_left=-1)),
        "is no slot": start.with_slot("elsewhere", Emotion("kindness")),
        "has 9 Essence": start.with_slot("valley.1", Emotion("courage", 9)),
        f"{name} has 3 courage": start.with_player(replace(player, hand=("courage",) * 3)),
        "3 brightness are seen": replace(
            start, slots=dict.fromkeys(("valley.1", "cradle.1", "land.1"), Emotion("brightness"))
        ),
        "figure left the board": start.with_player(replace(player, at=None)),
        "never placed": replace(start, turn=replace(start.turn, pending=())),
        "has 5 wild Vibe tokens": start.with_player(
            replace(player, vibes={"move": ("wild",) * 4, "quell": ("wild", "", "", "")})
        ),
        "lost points": start.with_team("bliss", replace(bliss, points=-1)),
        "order changed": replace(start, players=dict(reversed(list(start.players.items())))),
        "changed at once": replace(
            start, origin=replace(start.origin, willpower={**spheres, "humility": 6, "knowledge": 6})
        ),
        "went from 7 to 6": replace(
            start,
            origin=replace(start.origin, willpower={**spheres, "humility": 6}),
            turn=replace(start.turn, absorbed=False),
        ),
        "not in the deck": start.with_player(replace(player, deck=(), top=MILD[player.team][0])),
        "out of 2 decks": replace(start, slots=dict.fromkeys(SLOTS, Emotion(MILD[player.team][0])), players={
            who: replace(one, hand=(HIDDEN,) * 16) for who, one in start.players.items()}),
        "can't be read again": replace(start, slots={"valley.1": Emotion("courage", 0)}),
        "is another one": replace(start, players={**start.players, name: replace(player, vibes={
            **player.vibes, "move": ("", "", "", "")})}),
    }  # fmt: skip


@pytest.mark.parametrize("fault", sorted(_spoilt()))
def test_a_broken_invariant_is_found(fault: str) -> None:
    start = _figure_placed()
    assert list(broken(start, start, CARDS, position_to(start))) == []
    found = list(broken(start, _spoilt()[fault], CARDS, position_to(start)))
    assert any(fault in sentence for sentence in found), found


def test_a_fragment_that_leaves_the_identity_is_found() -> None:
    start = replace(_opening(), identity=("bliss minor",))
    after = replace(start, identity=())
    assert "a Fragment left the Identity" in list(broken(start, after, CARDS, position_to(start)))


def test_a_position_that_was_changed_is_found() -> None:
    start = _opening()
    was = position_to(start)
    was["mode"] = "basic"
    assert any("can't be undone" in fault for fault in broken(start, start, CARDS, was))


# The command


def test_the_command_says_what_it_is_and_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "2", "--seed", "1", "--players", "2", "--mode", "basic"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("simulation with random play: 2 games, basic, 2 players, seed 1\n")
    assert "invariants none broken" in out


def test_the_command_writes_json() -> None:
    out, err = io.StringIO(), io.StringIO()
    code = simulate(2, 1, mode="full", players=2, as_json=True, out=out, err=err, clock=_clock)
    assert (code, err.getvalue()) == (0, "")
    figures = json.loads(out.getvalue())
    assert figures["simulation"] == "random play"
    assert figures["actions_per_s"] == figures["actions"]
    assert sum(figures["ends"].values()) == sum(figures["winners"].values()) == 2


def test_a_broken_game_is_told_with_its_seed_and_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    start = _opening()
    one = play(start, CARDS, random.Random(1), most=3)  # noqa: S311
    spoilt = Game(start, one.position, one.steps, ("bliss has 4 Ambition",))
    monkeypatch.setattr(module, "games", lambda *_: iter([spoilt]))
    out, err = io.StringIO(), io.StringIO()
    code = simulate(1, 5, mode="full", players=4, as_json=False, out=out, err=err, clock=_clock)
    assert code == 1
    first, begin, *steps = err.getvalue().splitlines()
    assert first == "seed 5, game 1, after 3 actions: bliss has 4 Ambition"
    assert begin.startswith("    start {")
    assert len(steps) == 3
    assert "invariants 1 broken" in out.getvalue()


def test_a_game_that_was_saved_can_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "folder"
    command = ["simulate", "--games", "2", "--seed", "1", "--players", "2", "--save", str(folder)]
    assert main(command) == 0
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["game-0001.toml", "game-0002.toml"]
    assert [main(["replay", str(file)]) for file in files] == [0, 0]
    assert capsys.readouterr().err == ""


def test_a_folder_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    command = ["simulate", "--games", "1", "--seed", "1", "--save", str(tmp_path / "file")]
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    "words", [["--games", "0"], ["--seed", "x"], ["--players", "5"], ["--mode", "quick"]]
)
def test_arguments_that_can_t_be_used_are_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "--games", "1", "--seed", "1", *words])
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_both_teams_begin_now_and_then() -> None:
    first = {next(iter(_opening(seed=seed).players.values())).team for seed in range(20)}
    assert first == set(TEAMS)
