"""What files say about Spirits: powers and sides B, with every fault named by line and key."""

import pytest

from companion.content import catalogue
from companion.rules.effects import Reaches
from companion.scenario.errors import ScenarioError
from companion.scenario.files import scenario_from
from companion.scenario.saved import game_from

HEAD = """title = "told"
[players.diana]
team = "bliss"
spirit = "harmony"
side = "b"
[spirits.harmony]
power = { effects = [{ kind = "reach", action = "quell" }] }
"""


def test_a_spirit_that_a_file_tells_is_known_in_that_file_alone() -> None:
    """R-COMP-2, R-POWER-6."""
    told = scenario_from(HEAD + "[spirits.harmony.side_b.move]\n", "told", catalogue()).cards
    power = told.spirits["harmony"].power
    assert power is not None
    assert power.effects == (Reaches("quell"),)
    assert told.powers.of(Reaches)["harmony"] == ((1, Reaches("quell")),)
    assert tuple(told.spirits["harmony"].side_b) == ("move",)
    assert catalogue().spirits["harmony"].side_b == {}


def test_a_row_that_a_file_tells_leaves_the_others_of_empathy_as_they_are() -> None:
    text = HEAD.replace("harmony", "empathy") + "[spirits.empathy.side_b.move]\nwillpower = 2\n"
    board = scenario_from(text, "told", catalogue()).cards.spirits["empathy"].side_b
    assert [upgrade.name for upgrade in board["move"].upgrades] == ["haste", "surmount", "determination"]
    assert board["quell"] == catalogue().spirits["empathy"].side_b["quell"]


def test_a_saved_game_tells_spirits_as_a_scenario_does() -> None:
    text = "version = 1\nmove = []\n" + HEAD + "[spirits.harmony.side_b.move]\n"
    assert tuple(game_from(text, "game", catalogue()).cards.spirits["harmony"].side_b) == ("move",)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[spirits.joy]\n", "told:8: spirits.joy: there is no such Spirit"),
        ("[spirits.love]\nvibe = 1\n", "told:9: spirits.love.vibe: unknown key"),
        ("[spirits.love]\npower = 1\n", "told:9: spirits.love.power: 1 is not a text or a table"),
        (
            '[spirits.love.power]\neffects = [{ kind = "reach", action = "swim" }]\n',
            "told:9: spirits.love.power.effects[1].action: must be one of invoke,",
        ),
        (
            '[spirits.love.power]\neffects = [{ kind = "invoke-from-supply", emotion = "glee", most = 2 }]\n',
            'told:9: spirits.love.power.effects[1].emotion: "glee" is not the title of an Emotion',
        ),
        ("[spirits.love]\nside_b = 3\n", "told:9: spirits.love.side_b: 3 is not a table"),
        ("[spirits.love.side_b.jump]\n", "told:8: spirits.love.side_b.jump: unknown key"),
        (
            '[[spirits.love.side_b.move.upgrade]]\nname = "haste"\n',
            "told:8: spirits.love.side_b.move.upgrade: a row has three upgrades",
        ),
    ],
)
def test_faults_have_line_and_key(text: str, fault: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario_from(HEAD + text, "told", catalogue())
    assert str(caught.value).startswith(fault)
