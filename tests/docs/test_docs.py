"""The documents say what the programs do: commands, topics, settings, examples, links."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from companion import cli
from companion.cli import _parser
from companion.content import catalogue
from companion.doctor.command import CHECKS
from companion.rules.actions import Action
from companion.rules.verdict import Missing
from companion.scenario.doing import _NAMES
from companion.session import enrolling, shelf
from companion.session.asked import Asked
from companion.session.commands import VERBS
from companion.session.pack import FILE, Pack, Value
from companion.table.decisions import Choice
from firmware_bridge.__main__ import _parser as bridge_parser
from firmware_bridge.contract.figures import ReaderFigures
from firmware_bridge.contract.table_file import load_table
from firmware_bridge.contract.topics import Topics

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), DOCS.parent / "README.md"]


def fenced(page: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {word for action in parser._actions for word in action.option_strings if word.startswith("--")}


def commands() -> dict[str, argparse.ArgumentParser]:
    found = next(a for a in _parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_option_is_documented(name: str) -> None:
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    assert f"companion {name}" in page
    for option in options(commands()[name]) - {"--help"}:
        assert option in page, option


def test_every_option_of_the_bridge_is_documented() -> None:
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    for option in options(bridge_parser()) - {"--help", "--stop-on-stdin-eof"}:
        assert option in page, option


def test_every_topic_is_documented() -> None:
    page = (DOCS / "reference" / "bus.md").read_text(encoding="utf-8")
    topics = Topics("home")
    for topic in (topics.game_state, topics.game_event, topics.game_ask, topics.command("<client>")):
        assert f"`{topic.removeprefix(topics.root)}`" in page
    for below in ("space/<kind>/<name>", "node/<node>", "reply/<client>", "sim/field/<kind>/<name>"):
        assert f"`{below}`" in page


def test_every_figure_of_a_reader_is_documented() -> None:
    page = (DOCS / "reference" / "bus.md").read_text(encoding="utf-8")
    for key in ("health", "problem", *ReaderFigures().as_json()):
        assert f"`{key}`" in page, key


def test_every_command_and_every_key_of_a_question_is_documented() -> None:
    page = (DOCS / "reference" / "bus.md").read_text(encoding="utf-8")
    for verb in VERBS:
        assert f'`{{"id", "{verb}"' in page, verb
    later = Asked("2", "", ())
    asked = Asked(
        *("1", "", (Choice("a", "", None, "effect"), Choice("b", "", None))),
        *("step", "detail"),
        opens={"a": later},
        values={"b": Value("trust", "empower_threshold", 2)},
        wanted=Missing("trust", "empower_threshold"),
    ).message()
    keys = {*asked, *(key for choice in asked["choices"] for key in choice)}
    assert {"step", "detail", "value", "effect", "opens"} < keys
    for key in keys - {"id", "text", "choices", "do"}:
        assert f"| `{key}` |" in page, key
    for key in ("remedy", "overrule"):
        assert f"`{key}`" in page, key


def test_the_bus_page_shows_a_card_pack_that_loads(tmp_path: Path) -> None:
    [text] = fenced(DOCS / "reference" / "bus.md", "toml")
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    pack = Pack(tmp_path, catalogue())
    assert pack.notices == ()
    assert pack.stated == {"trust": {"empower_threshold": 2}}


def test_every_check_of_the_doctor_is_documented() -> None:
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    for check in {check.name for check in CHECKS} | {"nodes"}:
        assert f"`{check}`" in page, check


def test_every_request_for_games_and_tags_is_documented() -> None:
    page = (DOCS / "reference" / "bus.md").read_text(encoding="utf-8")
    for action in (*shelf.ACTIONS, *enrolling.ACTIONS):
        assert f"`{action}`" in page or f'"{action}"' in page, action
    for key in ("component", "text", "message", "fault", "left", "of"):
        assert f"`{key}`" in page
    topics = Topics("home")
    for topic in (topics.write("x"), topics.written("x")):
        assert f"`{topic.removeprefix(topics.root).replace('/x/', '/<node>/')}`" in page


def test_the_scenario_page_shows_a_file_that_passes(tmp_path: Path) -> None:
    [text] = fenced(DOCS / "reference" / "scenario-files.md", "toml")
    file = tmp_path / "shown.toml"
    file.write_text(text, encoding="utf-8")
    assert cli.main(["check", str(file)]) == 0


def test_the_scenario_page_names_every_action() -> None:
    page = (DOCS / "reference" / "scenario-files.md").read_text(encoding="utf-8")
    assert set(_NAMES) == set(Action.__args__)
    for name in _NAMES.values():
        assert f"`{name}`" in page


def test_the_table_file_page_shows_a_file_that_loads(tmp_path: Path) -> None:
    [text] = fenced(DOCS / "reference" / "table-file.md", "toml")
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    (tmp_path / "app.password").write_text("secret\n", encoding="utf-8")
    table = load_table(tmp_path / "table.toml")
    assert table.table == "front-window"
    assert [node.name for node in table.nodes] == ["pads"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_picture_is_shown_by_a_page_and_not_too_heavy() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    kept = {picture.resolve() for picture in (DOCS / "pictures").iterdir()}
    assert kept == shown
    assert all(picture.stat().st_size < 500_000 for picture in kept)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_a_page_shows_can_be_typed(page: Path) -> None:
    for block in fenced(page, ""):
        for line in block.splitlines():
            if not re.match(r"(\.venv/bin/|make |sudo |mosquitto_)", line):
                continue
            words = shlex.split(line, comments=True)
            if words[0].endswith("bin/companion"):
                _parser().parse_args(words[1:] if words[1] in commands() else ["play", *words[1:]])
            if words[0].endswith("bin/firmware-bridge"):
                bridge_parser().parse_args(words[1:])
            if words[0] == "make":
                assert f"\n{words[1]}:" in (DOCS.parent / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_heading_finds_one(page: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        text = ((page.parent / target) if target else page).read_text(encoding="utf-8")
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        assert heading in {re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-") for h in headings}
