"""Scenario files that can't be used: one line each, with the file, the line, the key and what is wrong."""

import io
import os
import tomllib
from pathlib import Path

import pytest

from companion.content import catalogue
from companion.scenario.commands import check, legal
from companion.scenario.errors import ScenarioError
from companion.scenario.files import MOST_BYTES, scenario_from

HEAD = """title = "a file"
[players.diana]
team = "bliss"
at = "valley"
willpower = 3
hand = ["courage", "*"]
vibes = { move = ["red", "", "", ""] }
"""
STEP = """[[try]]
name = "a step"
do = { action = "move", to = "valley-cradle" }
expect = "legal"
"""
TURN = HEAD + "[turn]\n"
CARD = HEAD + "[cards.kindness]\n"

NO_TOML = {
    "a string left open": (TURN + 'player = "diana\n', ":9: is not TOML: illegal character '\\n'"),
    "a header left open": (HEAD + "[turn\n", ":8: is not TOML: expected ']' at the end of a table"),
    "a list left open": (TURN + 'ambition_used = ["vibe"\n', ":10: is not TOML: unclosed array"),
    "a long string left open": (TURN + 'player = """x\n', ":10: is not TOML: unterminated string"),
    "an inline table over lines": (
        STEP.replace("move", 'move",\n "x'),
        ":3: is not TOML: invalid initial character for a key",
    ),
    "a key set twice": (HEAD + 'at = "land"\n', ":8: is not TOML: cannot overwrite a value"),
    "a table stated twice": (
        HEAD + "[players.diana]\n",
        ":8: is not TOML: cannot declare players.diana twice",
    ),
    "no value": (TURN + "number =\n", ":9: is not TOML: invalid value"),
    "no equals sign": (TURN + "number 3\n", ":9: is not TOML: expected '='"),
    "a NUL": (TURN + 'player = "\0"\n', ":9: is not TOML: illegal character '\\x00'"),
    "old Macintosh line ends": (HEAD.replace("\n", "\r"), ":1: is not TOML: expected newline"),
    "a number of 5000 digits": (TURN + "number = " + "9" * 5000, ":9: a number with too many digits"),
    "lists in lists in lists": (TURN + "number = " + "[" * 5000, ": is nested too deeply"),
    "tables in tables": (TURN + "number = " + "{a=" * 5000, ": is nested too deeply"),
}

KEYS = {
    "nothing": ("", ":1: players: is missing"),
    "an unknown key": (HEAD + "willpwer = 1\n", ":8: players.diana.willpwer: unknown key; known are team,"),
    "an unknown table": (HEAD + "[foo]\n", ":8: foo: unknown key; known are title, source, cards,"),
    "an unknown array of tables": (HEAD + "[[foo]]\n", ":8: foo: unknown key"),
    "a line end in a key": (HEAD + '"a\\nb" = 1\n', ':8: players.diana."a\\nb": unknown key'),
    "an escape sequence in a key": (HEAD + '"\\u001b[31m" = 1\n', ':8: players.diana."\\u001b[31m": unknown'),
    "a quote in a key": (HEAD + '"a\\"b" = 1\n', ':8: players.diana."a\\"b": unknown key'),
    "an empty key": (HEAD + '"" = 1\n', ':8: players.diana."": unknown key'),
    "a key of 5000 letters": (HEAD + "k" * 5000 + " = 1\n", f':8: players.diana."{"k" * 60}…": unknown key'),
    "a known key in escapes": (TURN + '"act\\u0069ons_left" = -1\n', ":9: turn.actions_left: -1 is not"),
    "a known key in single quotes": (TURN + "'actions_left' = -1\n", ":9: turn.actions_left: -1 is not"),
    "dotted at the top": ("turn . actions_left = -1\n" + HEAD, ":1: turn.actions_left: -1 is not"),
    "dotted and quoted": (
        f"slots.\"valley.1\".emotion = 'trust'\nslots.'valley.1'.essence = -1\n{HEAD}",
        ':2: slots."valley.1".essence: -1 is not a whole number from 1',
    ),
    "a slot without quotes": (HEAD + "[slots.valley.1]\n", ":8: slots.valley: no such slot; there are"),
    "comments that look like settings": (
        HEAD + "# [turn]\n# number = 0\n[turn] # number = 1\n  number = 0 # x\n",
        ":11: turn.number: 0 is not a whole number from 1",
    ),
    "a text that looks like settings": (
        TURN.replace('"a file"', '"""\n[turn]\nnumber = 0\n"""') + "number = 0\n",
        ":12: turn.number: 0 is not",
    ),
    "a text that ends in a quote": (
        TURN.replace('"a file"', '""""x""""') + "number = 0\n",
        ":9: turn.number",
    ),
    "an item on a line of its own": (
        HEAD.replace('["courage", "*"]', '[\n "courage",\n "curage",\n]'),
        ':8: players.diana.hand[2]: "curage" is not the title of an Emotion, or "*"',
    ),
    "windows line ends": (HEAD.replace("\n", "\r\n") + "wilpower = 1\r\n", ":8: players.diana.wilpower"),
}

VALUES = {
    "true for a number": (
        TURN + "actions_left = true\n",
        ":9: turn.actions_left: true is not a whole number",
    ),
    "a number with a point": (TURN + "actions_left = 3.0\n", ":9: turn.actions_left: 3.0 is not a whole"),
    "a number without end": (TURN + "actions_left = inf\n", ":9: turn.actions_left: inf is not a whole"),
    "a number in quotes": (TURN + 'actions_left = "3"\n', ':9: turn.actions_left: "3" is not a whole number'),
    "a date": (TURN + "actions_left = 2020-01-01\n", ":9: turn.actions_left: 2020-01-01 is not a whole"),
    "a million": (TURN + "number = 1000000\n", ":9: turn.number: 1000000 is not a whole number from 1 to"),
    "a number of 3000 digits": (
        TURN + "number = " + "9" * 3000,
        ":9: turn.number: a number that long is not",
    ),
    "a number of 9000 hex digits": (TURN + "number = 0x" + "f" * 9000, ":9: turn.number: a number that long"),
    "a long text": (TURN + f'number = "{"x" * 9000}"\n', f':9: turn.number: "{"x" * 60}…" is not a whole'),
    "a list for a number": (TURN + "number = [1, 2]\n", ":9: turn.number: a list is not a whole number"),
    "deep lists": (TURN + "number = " + "[" * 200 + "]" * 200, ":9: turn.number: a list is not a whole"),
    "a table for a text": ("[title]\na = 1\n" + HEAD[17:], ":1: title: a table is not a text"),
    "a text for a table": ('turn = "diana"\n' + HEAD, ':1: turn: "diana" is not a table'),
    "players in a list": ("players = []\n", ":1: players: a list is not a table"),
    "no players": ("[players]\n", ":1: players: at least the player to act must be listed"),
    "a player without a name": (
        '[players.""]\nteam = "bliss"\n',
        ':1: players."": "" is not a player\'s name',
    ),
    "a line end in a name": (
        '[players."a\\nb"]\nteam = "bliss"\n',
        ':1: players."a\\nb": "a\\nb" is not a player',
    ),
    "a player that is a number": ("[players]\ndiana = 3\n", ":2: players.diana: 3 is not a table"),
    "three of one team": (
        HEAD + '[players.a]\nteam = "bliss"\n[players.b]\nteam = "bliss"\n',
        ":2: players: 3 players of bliss: a team has one or two",
    ),
    "a Spirit of the other team": (
        HEAD + 'spirit = "malice"\n',
        ':8: players.diana.spirit: "malice" is a Spirit of gloom, not of bliss',
    ),
    "a row of five": (
        HEAD.replace('"red", ', '"red", "", '),
        ":7: players.diana.vibes.move: must have 4 items",
    ),
    "a purple token": (
        HEAD.replace("red", "purple"),
        ':7: players.diana.vibes.move[1]: "purple" is not one of "", red, yellow, green, blue, wild',
    ),
    "a mode in capitals": ('mode = "FULL"\n' + HEAD, ':1: mode: "FULL" is not one of full, basic'),
    "a ruling in a list": (HEAD + "[[rulings]]\n", ":8: rulings: a list is not a table"),
    "a card that is a number": (HEAD + "[cards]\nkindness = 2\n", ":9: cards.kindness: 2 is not a table"),
    "a card that is none": (HEAD + "[cards.trst]\n", ":8: cards.trst: there is no such card"),
    "a threshold of 0": (CARD + "empower_threshold = 0\n", ":9: cards.kindness.empower_threshold: 0 is not"),
    "an Intensity of true": (CARD + "intensity = [true]\n", ":9: cards.kindness.intensity[1]: true is not"),
    "no Intensity at all": (CARD + "intensity = []\n", ":9: cards.kindness.intensity: must not be empty"),
    "too much Essence": (
        HEAD + '[slots]\n"valley.1" = { emotion = "trust",   essence = 4 }\n',
        ':9: slots."valley.1".essence: trust has 3 Essence spaces, not 4',
    ),
    "a turn of nobody": (
        TURN + 'player = "otto"\n',
        ':9: turn.player: "otto" is not among the players listed',
    ),
}

TRIES = {
    "a name given twice": (HEAD + STEP + STEP, ':13: try[2].name: "a step" is the name of an earlier try'),
    "a name that is a number": (HEAD + STEP.replace('"a step"', "3"), ":9: try[1].name: 3 is not a text"),
    "on no try": (HEAD + STEP + 'after_try = "b"\n', ':12: try[1].after_try: no earlier try is named "b"'),
    "on itself": (HEAD + STEP + 'after_try = "a step"\n', ":12: try[1].after_try: no earlier try is named"),
    "in a circle": (
        HEAD + STEP + 'after_try = "b"\n' + STEP.replace("a step", "b") + 'after_try = "a step"\n',
        ':12: try[1].after_try: no earlier try is named "b"',
    ),
    "no expectation": (HEAD + STEP.replace('expect = "legal"\n', ""), ":8: try[1].expect: is missing"),
    "an expectation in capitals": (
        HEAD + STEP.replace('"legal"', '"Legal"'),
        ':11: try[1].expect: "Legal" is',
    ),
    "nothing done": (HEAD + '[[try]]\nname = "x"\nexpect = "legal"\n', ":8: try[1].do: is missing"),
    "one table for the tries": (HEAD + '[try]\nname = "x"\n', ":8: try: a table is not a list"),
    "numbers for tries": ("try = [1]\n" + HEAD, ":1: try[1]: 1 is not a table"),
    "an absorb from nowhere": (
        HEAD + STEP.replace('"move", to', '"absorb", from'),
        ":10: try[1].do.from: unknown key",
    ),
    "an action of no game": (
        HEAD + STEP.replace("move", "fly"),
        ':10: try[1].do.action: this version does not know the action "fly"',
    ),
    "no place to go": (
        HEAD + STEP.replace("to", "two"),
        ":10: try[1].do.two: unknown key; known are action, player, upgrades, place, to",
    ),
    "a player nobody listed": (
        HEAD + STEP.replace("to =", 'player = "x", to ='),
        ':10: try[1].do.player: "x" is not among the players listed',
    ),
    "a cost below nothing": (
        HEAD + STEP + "cost = { willpower = -1 }\n",
        ":12: try[1].cost.willpower: -1 is",
    ),
    "a cost of something else": (HEAD + STEP + "cost = { wp = 1 }\n", ":12: try[1].cost.wp: unknown key"),
    "an end for a stranger": (
        HEAD + STEP + "[try.after]\nplayers.otto = {}\n",
        ':13: try[1].after.players.otto: "otto" is not among the players listed',
    ),
    "a slip in an end": (
        HEAD + STEP + STEP.replace("a step", "b") + "[try.after.turn]\nnumbr = 1\n",
        ":17: try[2].after.turn.numbr: unknown key",
    ),
}

ALL = NO_TOML | KEYS | VALUES | TRIES


def _check(*paths: Path | str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = check([str(path) for path in paths], as_json=True, out=out, err=err)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(("text", "error"), ALL.values(), ids=ALL.keys())
def test_a_broken_file_is_one_line_with_its_place(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "case.toml"
    path.write_bytes(text.encode())
    code, out, err = _check(path)
    assert (code, out) == (2, "")
    assert err.startswith(f"{path}{error}")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert len(err) < len(str(path)) + 350


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (HEAD.replace("a file", "caf\xe9").encode("latin-1"), ":1: is not UTF-8 text"),
        (HEAD.encode("utf-16"), ":1: is not UTF-8 text"),
        (HEAD.encode() + b"# \xff\n", ":8: is not UTF-8 text"),
        (
            HEAD.encode() + b"# long\n" * (MOST_BYTES // 7),
            ": is no scenario: one has 4 million bytes at most",
        ),
    ],
)
def test_bytes_that_are_no_scenario_are_named(tmp_path: Path, data: bytes, error: str) -> None:
    path = tmp_path / "case.toml"
    path.write_bytes(data)
    assert _check(path) == (2, "", f"{path}{error}\n")


def test_the_mark_that_some_editors_put_before_the_text_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "case.toml"
    path.write_bytes((HEAD + STEP).encode("utf-8-sig"))
    assert _check(path)[0] == 0


def test_a_name_with_a_line_end_stays_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a\nb.toml"
    path.write_text("x", encoding="utf-8")
    code, _, err = _check(path)
    assert (code, err.count("\n")) == (2, 1)
    assert "a\\nb.toml:1: is not TOML" in err


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "none.toml/deeper", "none"])
def test_paths_that_can_not_be_are_one_line(name: str) -> None:
    code, out, err = _check(name)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "self.toml").symlink_to(tmp_path / "self.toml")
    (tmp_path / "case.toml").write_text(HEAD + STEP, encoding="utf-8")
    code, out, err = _check(tmp_path)
    assert (code, out.count("\n"), err.count("\n")) == (2, 1, 1)
    assert "self.toml: can't be read: " in err


def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "case.toml").write_text(HEAD + STEP, encoding="utf-8")
    closed.chmod(0)
    try:
        code, out, err = _check(tmp_path)
    finally:
        closed.chmod(0o700)
    assert out.count("\n") == 1
    if os.geteuid():
        assert (code, err) == (2, f"{closed}: can't be read: Permission denied\n")
    else:
        assert (code, err) == (0, "")


@pytest.mark.parametrize("text", ["[[try]]", "x", HEAD + STEP.replace("valley-cradle", "nowhere")])
def test_legal_names_a_broken_file_in_the_same_way(tmp_path: Path, text: str) -> None:
    path = tmp_path / "case.toml"
    path.write_text(text, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    assert legal(path, as_json=True, out=out, err=err) == 2
    assert (out.getvalue(), err.getvalue()) == ("", _check(path)[2])


@pytest.mark.parametrize(("left", "right", "kind"), [("[", "]", "list"), ("{a=", "}", "table")])
def test_no_depth_of_nesting_makes_it_fall(left: str, right: str, kind: str) -> None:
    ends = set()
    for depth in range(150, 500, 3):
        text = f"{TURN}number = {left * depth}1{right * depth}\n"
        with pytest.raises(ScenarioError) as raised:
            scenario_from(text, "case.toml", catalogue())
        ends.add((raised.value.line, raised.value.problem[:12]))
    assert (None, "is nested to") in ends
    assert (9, f"a {kind} is not a whole"[:12]) in ends
    assert len(ends) == 2


def test_a_fault_at_the_end_of_a_long_file_is_found_in_time() -> None:
    text = HEAD + "".join(STEP.replace("a step", f"step {i}") for i in range(3000)) + 'rle = "R-EMP-2"\n'
    assert tomllib.loads(text)
    with pytest.raises(ScenarioError) as raised:
        scenario_from(text, "case.toml", catalogue())
    assert raised.value.line == 7 + 4 * 3000 + 1
