"""Lights beside the spaces: where to take a piece off, where to put it, and dark when all is well."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.session.desk import BENEVOLENCE, KINDNESS, TOPICS, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path, "empower-refused")
    desk.connect()
    yield desk
    desk.close()


def lit(desk: Desk) -> Any:
    return json.loads(desk.retained[TOPICS.lights("virtual")])


def test_all_is_dark_at_first_whatever_a_broker_kept(desk: Desk) -> None:
    assert lit(desk) == {}
    assert len(desk.all("lights")) == 1


def test_a_refused_card_lies_in_red_light_until_it_is_put_back(desk: Desk) -> None:
    desk.lies("slot/valley.1", BENEVOLENCE)
    assert lit(desk) == {"slot/valley.1": "red"}
    desk.lies("slot/valley.1")
    desk.advance(9)
    assert lit(desk) == {"slot/valley.1": "amber"}
    desk.lies("slot/valley.1", KINDNESS)
    assert lit(desk) == {}


def test_a_figure_in_the_wrong_place_is_red_and_its_own_place_amber(desk: Desk) -> None:
    at = desk.state["players"]["diana"]["at"]
    desk.lies(f"spirit/{at}")
    desk.lies("spirit/network", "spirit/harmony")
    desk.advance(10)
    assert lit(desk) == {f"spirit/{at}": "amber", "spirit/network": "red"}


def test_a_new_connection_hears_the_lights_again(desk: Desk) -> None:
    desk.lies("slot/valley.1", BENEVOLENCE)
    desk.retained.pop(TOPICS.lights("virtual"))
    desk.referee.link(desk.now, up=True)
    desk.advance(5)
    assert lit(desk) == {"slot/valley.1": "red"}


def test_a_reader_in_trouble_and_a_strange_tag_stop_nobody(desk: Desk) -> None:
    desk.lies("slot/valley.1", KINDNESS, state="fault")
    desk.lies("slot/land.1", "04AABBCCDDEE80")
    desk.advance(10)
    assert lit(desk) == {"slot/land.1": "amber"}
