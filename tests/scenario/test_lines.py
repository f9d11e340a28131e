"""Finding the line of a key in a TOML text."""

import tomllib
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.scenario.errors import Path
from companion.scenario.lines import line_of

ROOT = FilePath(__file__).parents[2]
FILES = [
    *sorted((ROOT / "tests" / "cases").glob("*.toml")),
    *sorted((ROOT / "companion" / "content" / "starts").glob("*.toml")),
]

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


def _keys(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            yield from _keys(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _keys(item, (*path, i))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_key_of_a_real_file_is_named_on_its_line(file: FilePath) -> None:
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    for path in _keys(tomllib.loads(text)):
        if isinstance(path[-1], int):
            continue
        assert path[-1] in lines[line_of(text, path) - 1]


@settings(deadline=None)
@given(st.text(alphabet="ab.\"'[]{}=, \n#\\", max_size=40))
def test_no_text_makes_it_hang_or_fall(text: str) -> None:
    assert line_of(text, ("a",)) >= 1
