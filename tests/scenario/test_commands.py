"""`companion check` and `companion legal` over real files."""

import io
import json
from pathlib import Path

import pytest

from companion.scenario.commands import check, legal

CASES = Path(__file__).parents[1] / "cases"
SHARED = Path(__file__).parents[3] / "shared" / "cases"
STARTS = Path(__file__).parents[2] / "companion" / "content" / "starts"
HEAD = """title = "a file"
[players.diana]
team = "bliss"
at = "valley"
willpower = 3
hand = ["courage", "*"]
vibes = { move = ["red", "", "", ""] }
"""
LEGAL = """[[try]]
name = "a step"
do = { action = "move", to = "valley-cradle" }
expect = "legal"
"""


def _check(*paths: Path | str, as_json: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = check([str(path) for path in paths], as_json=as_json, out=out, err=err)
    return code, out.getvalue(), err.getvalue()


def _file(tmp_path: Path, text: str, name: str = "case.toml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("folder", [CASES, STARTS])
def test_our_own_cases_pass(folder: Path) -> None:
    code, out, err = _check(folder)
    assert (code, err) == (0, "")
    assert "all as expected" in out


@pytest.mark.parametrize("kind", ["empower", "vibe", "move", "invoke", "quell"])
def test_the_shared_cases_pass(kind: str) -> None:
    files = sorted(SHARED.glob(f"{kind}-*.toml"))
    if not files:
        pytest.skip("the shared cases are not beside this repository")
    assert _check(*files)[0] == 0


def test_json_has_one_object_a_line_with_the_keys_of_the_contracts() -> None:
    code, out, _ = _check(CASES / "empower-copies-and-modes.toml", as_json=True)
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, len(lines)) == (0, 2)
    assert list(lines[0]) == [
        "file", "title", "try", "expect", "verdict", "rules", "message", "cost", "missing", "ok",
    ]  # fmt: skip
    assert (lines[1]["verdict"], lines[1]["missing"]) == ("unknown", ["trust.empower_threshold"])


@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        (LEGAL.replace('"legal"', '"illegal"'), "illegal expected, legal found"),
        (LEGAL + "cost = { willpower = 2 }", "a cost of 2 Willpower expected, 1 Willpower found"),
        (LEGAL + "cost = {}", "a cost of nothing expected, 1 Willpower found"),
        (
            LEGAL.replace("valley-cradle", "land").replace('"legal"', '"illegal"') + 'rule = "R-MOVE-2"',
            "R-MOVE-2 expected, R-MOVE-1 found",
        ),
        (
            LEGAL + "[try.after]\nplayers.diana = { willpower = 3 }",
            "players.diana.willpower: 3 expected, 2 found",
        ),
        (LEGAL + 'after = { players = { diana = { hand = ["*"] } } }', "players.diana.hand"),
        (LEGAL + "[try.after.slots]\nland = {}".replace("land", '"land.1"'), ""),
        (LEGAL + '[try.after.slots]\n"land.1" = { essence = 2 }', 'slots."land.1": { essence = 2 } expected'),
        (LEGAL + 'missing = ["trust.empower_threshold"]', "expected to be missing"),
    ],
)
def test_what_is_otherwise_than_stated_is_said(tmp_path: Path, tail: str, reason: str) -> None:
    code, out, err = _check(_file(tmp_path, HEAD + tail))
    assert err == ""
    assert code == (1 if reason else 0)
    assert reason in out


def test_hands_compare_as_multisets_and_rows_left_out_are_empty(tmp_path: Path) -> None:
    after = '{ hand = ["*", "courage"], vibes = { empower = ["", "", "", ""] }, at = "valley-cradle" }'
    assert _check(_file(tmp_path, f"{HEAD}{LEGAL}[try.after]\nplayers.diana = {after}"))[0] == 0


def test_tries_follow_on_each_other(tmp_path: Path) -> None:
    second = LEGAL.replace("a step", "back").replace("valley-cradle", "valley") + 'after_try = "a step"\n'
    assert _check(_file(tmp_path, HEAD + LEGAL + second))[0] == 0


def test_what_is_refused_changes_nothing_for_the_tries_that_follow_on_it(tmp_path: Path) -> None:
    first = LEGAL.replace("valley-cradle", "land").replace('"legal"', '"illegal"')
    second = (
        LEGAL.replace("a step", "then") + 'after_try = "a step"\n[try.after]\nplayers.diana.willpower = 2\n'
    )
    assert _check(_file(tmp_path, HEAD + first + second))[0] == 0


def test_a_try_on_one_that_came_out_otherwise_fails_and_says_so(tmp_path: Path) -> None:
    first = LEGAL.replace("valley-cradle", "land")
    second = LEGAL.replace("a step", "back").replace("valley-cradle", "valley") + 'after_try = "a step"\n'
    code, out, _ = _check(_file(tmp_path, HEAD + first + second))
    assert code == 1
    assert '"a step", which it follows on, was not legal' in out


def test_the_other_files_are_still_run(tmp_path: Path) -> None:
    _file(tmp_path, "x = = 1", "a.toml")
    (tmp_path / "deep").mkdir()
    _file(tmp_path, HEAD + LEGAL, "deep/b.toml")
    code, out, err = _check(tmp_path)
    assert code == 2
    assert "1 try in 1 file: all as expected, 1 file or path not usable" in out
    assert err.count("\n") == 1


def test_paths_that_lead_nowhere_are_one_line_each(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, problem in (
        (tmp_path / "empty", "has no *.toml file in it or below"),
        (tmp_path / "none.toml", "there is no such file or folder"),
    ):
        code, _, err = _check(path)
        assert code == 2
        assert err == f"{path}: {problem}\n"


def test_bytes_that_are_no_text_are_found_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"title = 'a'\n# \xff\xfe")
    assert _check(path) == (
        2,
        "0 tries in 0 files: nothing was run, 1 file or path not usable\n",
        f"{path}:2: is not UTF-8 text\n",
    )


def test_a_folder_named_like_a_file_is_searched_not_read(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    _file(tmp_path, HEAD + LEGAL, "folder.toml/case.toml")
    assert _check(tmp_path)[0] == 0


def test_line_ends_of_windows_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "case.toml"
    path.write_bytes((HEAD + LEGAL + "cost = { wilpower = 1 }\n").replace("\n", "\r\n").encode())
    assert _check(path)[2].startswith(f"{path}:12: try[1].cost.wilpower")


def test_card_values_of_a_file_lie_over_the_printed_ones(tmp_path: Path) -> None:
    text = """
[cards.trust]
empower_threshold = 2
intensity = [1, 1, 1, 9]
[players.diana]
team = "bliss"
at = "valley"
willpower = 3
vibes = { empower = ["red", "", "", ""] }
[slots."valley.1"]
emotion = "trust"
essence = 4
[[try]]
name = "known here"
do = { action = "empower", slot = "valley.1" }
expect = "legal"
"""
    assert _check(_file(tmp_path, text))[0] == 0


def _legal(path: Path, *, as_json: bool) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = legal(str(path), as_json=as_json, out=out, err=err)
    return code, out.getvalue(), err.getvalue()


def test_legal_lists_actions_with_their_cost(tmp_path: Path) -> None:
    path = _file(tmp_path, HEAD)
    code, out, _ = _legal(path, as_json=True)
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert {"do": {"action": "move", "to": "valley-cradle"}, "cost": {"willpower": 1}} in lines
    code, out, _ = _legal(path, as_json=False)
    assert "Diana moves to the Valley-Cradle Frontier (1 Willpower)" in out
    assert out.splitlines()[-1] == f"{len(lines)} legal actions"


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_legal_says_in_one_line_what_it_can_not_read(tmp_path: Path, name: str) -> None:
    code, out, err = _legal(tmp_path / name, as_json=False)
    assert (code, out, err.count("\n")) == (2, "", 1)
