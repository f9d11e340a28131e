"""Finding the line of a key in a TOML text."""

import json
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


def _written(key: str, draw: st.DrawFn) -> str:
    """A key in one of the ways in which TOML can write it."""
    ways = [json.dumps(key), json.dumps(key, ensure_ascii=False)]
    ways.append('"' + "".join(f"\\u{ord(letter):04x}" for letter in key) + '"')
    if "'" not in key and key.isprintable():
        ways.append(f"'{key}'")
    if key.isascii() and key.isalnum():
        ways += [key, key]
    return draw(st.sampled_from(ways))


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, dict[Path, int]]:
    """A TOML text of tables written in every style, and the line of each number in it."""
    names = st.lists(
        st.sampled_from(["a", "1", "b.c", "d e", "\xe9", 'x"y', "tab\t", "#", "=[]", ""]),
        unique=True,
        min_size=1,
        max_size=4,
    )
    lines: list[str] = []
    where: dict[Path, int] = {}
    for table in draw(names):
        header = _written(table, draw)
        many = draw(st.integers(0, 2))
        for index in range(max(1, many)):
            lines.append(f"[[ {header} ]] # [x]" if many else f" [{header}]")
            here: Path = (table, index) if many else (table,)
            for key in draw(names):
                style = draw(st.sampled_from(["number", "dotted", "inline", "list"]))
                start, inner = _written(key, draw), _written("in ner", draw)
                if style == "list":
                    lines += [f"{start} = [ # ]", '  "]", """', ' [ """,', "  { x = 1 }, 2,", "]"]
                    where[(*here, key, 2, "x")] = where[(*here, key, 3)] = len(lines) - 1
                    continue
                end: Path = () if style == "number" else ("in ner",)
                value = {"number": f"{start} = 1", "dotted": f"{start} . {inner} = 1"}.get(style)
                lines.append(value or f"{start} = {{ y = '}}', {inner} = [ 1, 2 ] }}")
                where[(*here, key, *end)] = len(lines)
    return "\n".join(lines), where


@settings(deadline=None, max_examples=200)
@given(_texts())
def test_a_key_is_found_in_every_way_of_writing_it(written: tuple[str, dict[Path, int]]) -> None:
    text, where = written
    data = tomllib.loads(text)
    for path, line in where.items():
        value: Any = data
        for part in path:
            value = value[part]
        assert line_of(text, path) == line
