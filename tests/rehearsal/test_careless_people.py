"""Whole games through pieces by careless people: what was meant is what counts, whatever hands and cables do.

A small share of `python -m tests.rehearsal --games 500`, from the same dice.
"""

import re
from pathlib import Path

import pytest

from companion.content import catalogue
from companion.scenario.random_play import assumed
from firmware_bridge.contract.table_file import Profile
from tests.rehearsal.__main__ import registry
from tests.rehearsal.air import Weather
from tests.rehearsal.bench import rows
from tests.rehearsal.evening import NO_FAULTS, Evening
from tests.rehearsal.hands import CALM
from tests.rehearsal.illegal import offend
from tests.rehearsal.tally import Tally
from tests.rule_ids import SPECIFICATION

CARDS, STICKERS = assumed(catalogue()), registry()


def evening(folder: Path, seed: str, profile: Profile = "virtual", **options: object) -> Evening:
    return Evening(seed, folder, CARDS, STICKERS, profile=profile, players=4, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", ["virtual", "full", "slots", "pad"])
def test_a_calm_game_needs_no_tap_where_only_one_thing_can_be_meant(profile: Profile, tmp_path: Path) -> None:
    tally = evening(tmp_path, "calm", profile, habits=CALM, faults=NO_FAULTS).play()
    assert tally.faults == []
    assert tally.actions > 60


@pytest.mark.parametrize("profile", ["virtual", "full", "slots"])
def test_careless_people_lose_nothing_and_nothing_is_taken_that_they_did_not_mean(
    profile: Profile, tmp_path: Path
) -> None:
    tally = evening(tmp_path, "careless", profile).play(120)
    assert (tally.wrong, tally.lost, tally.dead) == ([], [], [])
    assert tally.by_pieces > 10
    assert tally.rest_s


def test_a_game_in_which_every_field_is_polled_all_the_time(tmp_path: Path) -> None:
    tally = evening(tmp_path, "polled", polls_all=True).play(40)
    assert (tally.wrong, tally.lost, tally.dead) == ([], [], [])


def test_what_is_not_allowed_is_refused_by_a_rule_that_forbids_it_and_the_table_is_led_back(
    tmp_path: Path,
) -> None:
    game = evening(tmp_path, "offences", faults=NO_FAULTS)
    if SPECIFICATION.exists():
        game.rule_ids = frozenset(re.findall(r"R-[A-Z]+-\d+", SPECIFICATION.read_text()))
    tally = game.play(120, offences=0.3, offend=offend)
    assert tally.illegal > 10
    assert tally.astray == []
    assert tally.refused_rightly == tally.led_back == tally.illegal


def test_the_truth_is_looked_at_a_table_that_hears_nothing_loses_every_action(tmp_path: Path) -> None:
    """The rehearsal itself can fail: with every frame lost people have to say all they do."""
    game = evening(tmp_path, "deaf", weather=Weather(dropped_frames=1.0), faults=NO_FAULTS, habits=CALM)
    assert game.play(30).lost


def test_the_bench_tells_questions_and_waits() -> None:
    tally = Tally(games=1, actions=50, by_pieces=20, asked=1, rest_s=[0.4, 0.5, 2.0], work_ms=[1.0])
    assert [row.ours for row in rows(tally)] == [5.0, 500.0, 2000.0, 1.0]
