"""The rules' part of the benchmark: real games, measured against something each time."""

from collections.abc import Iterator

import pytest

from companion import bench, bench_rules
from companion.bench_rules import PlayedGames


@pytest.fixture(scope="module")
def games() -> Iterator[PlayedGames]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench_rules, "GAMES", 1)
        patch.setattr(bench_rules, "REPEATS", 1)
        yield PlayedGames()


def test_a_position_kept_in_a_game_shares_what_an_action_left_alone(games: PlayedGames) -> None:
    memory = games.memory()
    assert 0 < memory.kept < memory.copied


def test_every_row_has_something_it_is_measured_against_and_says_which_game_it_is(games: PlayedGames) -> None:
    rows = {row.name: row for row in bench._rules_rows(games, "a broker", 2.0)}

    typical, slowest = rows["full legal list, typical"], rows["full legal list, slowest"]
    assert 0 < rows["verdict"].ours < typical.ours < slowest.ours
    assert typical.ratio == typical.ours / 2.0
    assert rows["whole random games"].theirs == 500
    assert all("seed 1" in row.note and row.against.endswith("a broker") for row in rows.values())


def test_the_typical_list_is_one_of_many_positions(games: PlayedGames) -> None:
    lists = games.lists()

    assert lists.positions > 10
    assert 1 < lists.typical_actions < lists.most_actions
