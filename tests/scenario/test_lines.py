"""Finding the line of a key in a TOML text."""

import tomllib

import pytest

from companion.scenario.errors import Path
from companion.scenario.lines import line_of

TEXT = '''title = "a # b"            # 1
note = """
[not.a.table]
essence = 9
"""
[players.diana]            # 6
team = "bliss"
vibes = { move = ["red", "", "", ""], empower = ["", "", "", ""] }
hand = [
  "courage",   # a comment ]
  "*",
]
[slots."valley.1"]         # 13
emotion = 'kindness'
[slots]
"valley.2" = { emotion = "trust" }
teams.bliss.ambition = 1
[[try]]                    # 18
name = "one"
do = { action = "move", place = { discard = "trust", space = 1 } }
[try.after]
players.diana = { willpower = 2 }
[[try]]                    # 23
name = "two"
[try.after.turn]
number = 1
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1),
        (("note",), 2),
        (("players", "diana"), 6),
        (("players", "diana", "team"), 7),
        (("players", "diana", "vibes", "empower"), 8),
        (("players", "diana", "vibes", "empower", 2), 8),
        (("players", "diana", "hand"), 9),
        (("players", "diana", "hand", 1), 11),
        (("players", "diana", "at"), 6),
        (("slots", "valley.1", "emotion"), 14),
        (("slots", "valley.2", "emotion"), 16),
        (("slots", "teams", "bliss", "ambition"), 17),
        (("try", 0), 18),
        (("try", 0, "do", "place", "space"), 20),
        (("try", 0, "after", "players", "diana", "willpower"), 22),
        (("try", 1), 23),
        (("try", 1, "name"), 24),
        (("try", 1, "after", "turn", "number"), 26),
        (("nowhere",), 1),
    ],
)
def test_a_key_is_found_where_it_stands(path: Path, line: int) -> None:
    tomllib.loads(TEXT)
    assert line_of(TEXT, path) == line
