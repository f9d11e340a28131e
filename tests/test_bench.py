"""The rules' part of the benchmark: a real game, measured against something each time."""

import pytest

from companion import bench, bench_rules
from companion.bench_rules import PlayedGame


@pytest.fixture(scope="module")
def game() -> PlayedGame:
    return PlayedGame()


def test_a_position_kept_in_a_game_shares_what_an_action_left_alone(game: PlayedGame) -> None:
    memory = game.memory()
    assert 0 < memory.kept < memory.copied


def test_every_row_has_something_it_is_measured_against_and_says_which_game_it_is(
    game: PlayedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_rules, "REPEATS", 1)
    monkeypatch.setattr(bench_rules, "GAMES", 1)

    rows = {row.name: row for row in bench._rules_rows(game, "a broker", 2.0)}

    typical, slowest = rows["full legal list, typical"], rows["full legal list, slowest"]
    assert 0 < rows["verdict"].ours < typical.ours < slowest.ours
    assert typical.ratio == typical.ours / 2.0
    assert rows["whole random games"].theirs == 500
    assert all("seed 1" in row.note and row.against.endswith("a broker") for row in rows.values())


def test_the_typical_list_is_one_of_many_positions(game: PlayedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rules, "REPEATS", 1)

    lists = game.lists()

    assert lists.positions > 10
    assert 1 < lists.typical_actions < lists.most_actions
