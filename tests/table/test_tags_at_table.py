"""`companion tags enrol` and `write`: chips, driver, bridge, broker, and somebody with tags in the hand."""

import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from companion import cli
from companion.bus.broker import EmbeddedBroker
from companion.content import components
from companion.session.lock import FolderLock
from companion.table.registry import Registry, load, save, virtual_registry
from companion.tags_at_table import enrol, write
from firmware_bridge.bridge import Bridge
from firmware_bridge.contract.messages import SimField, SpaceMessage
from firmware_bridge.contract.table_file import load_table
from firmware_bridge.contract.topics import Topics
from firmware_bridge.publisher import Login
from tests.support.bus import Ear, ear, wait_until

UID, SECOND = "04A3C6CAE26180", "04AABBCCDDEE80"
TOPICS = Topics("home")


class Person:
    """Somebody at the table: lays tags, types keys, reads what is printed."""

    def __init__(self, app: Ear, keys: int) -> None:
        self._app = app
        self._keys = keys
        self.out = io.StringIO()
        self.err = io.StringIO()
        self.status: int | None = None

    def lay(self, space: str, *tags: str) -> Self:
        self._app.publish(TOPICS.sim_field(space), SimField(tags).to_json(), retain=True)
        topic = TOPICS.space(space)
        wait_until(
            lambda: topic in self._app.state and SpaceMessage.from_json(self._app.state[topic]).tags == tags,
            f"{tags} on {space}",
        )
        return self

    def type(self, keys: str) -> Self:
        os.write(self._keys, f"{keys}\n".encode())
        return self

    def reads(self, text: str) -> None:
        wait_until(
            lambda: text in self.out.getvalue() + self.err.getvalue(),
            f"{text!r} in {self.out.getvalue()} {self.err.getvalue()}",
        )


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Ear]]:
    """A virtual table with a bridge at work, at a broker that the table file names."""
    folder = tmp_path_factory.mktemp("table")
    with EmbeddedBroker("home") as broker:
        (folder / "app.password").write_text(broker.password("app"), encoding="utf-8")
        (folder / "table.toml").write_text(
            'table = "home"\nprofile = "virtual"\n'
            f'[broker]\nurl = "mqtt://127.0.0.1:{broker.port}"\n'
            'username = "app"\npassword_file = "app.password"\n'
            '[[node]]\nname = "virtual"\nkind = "virtual"\n',
            encoding="utf-8",
        )
        file = folder / "table.toml"
        bridge = Bridge(load_table(file), Login(broker.url, "bridge", broker.password("bridge")))
        bridge.start()
        try:
            with ear(broker, "app", "person", (TOPICS.all_spaces, TOPICS.all_nodes)) as app:
                wait_until(
                    lambda: b'"online"' in app.state.get(TOPICS.node("virtual"), b""), "the bridge is at work"
                )
                yield file, app
        finally:
            bridge.close()


@contextmanager
def running(verb: str, table: tuple[Path, Ear], data: Path) -> Iterator[Person]:
    """Run the command in a thread until the block ends."""
    file, app = table
    reading, writing = os.pipe()
    person = Person(app, writing)
    for space in ("pad/1", "pad/2", "slot/valley.1"):
        person.lay(space)

    def work() -> None:
        with os.fdopen(reading) as typed:
            if verb == "enrol":
                person.status = enrol(file, data, typed=typed, out=person.out)
            else:
                person.status = write(file, data, typed=typed, out=person.out, err=person.err)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield person
    finally:
        os.close(writing)
        thread.join(10)
        assert not thread.is_alive()


def test_a_sitting_at_the_readers(table: tuple[Path, Ear], tmp_path: Path) -> None:
    table_, app = table
    known = {uid: name for uid, name in virtual_registry().components.items() if "vibe/wild" not in name}
    save(tmp_path, Registry(known))
    missing = len(components()) - len(known)
    with running("enrol", (table_, app), tmp_path) as person:
        person.reads(f"{missing} components have no tag yet. Lay each on any reader; s skips")
        person.reads("Now lay: wild Vibe token 1")
        person.lay("pad/1", UID).reads(f"wild Vibe token 1: tag {UID}.")
        person.lay("pad/1").lay("slot/valley.1", UID).reads(
            "! This tag is that of wild Vibe token 1 already."
        )
        person.type("s").reads("wild Vibe token 2 is left out.")
        person.type("b").reads("wild Vibe token 2 again.")
        person.lay("pad/2", SECOND).reads(f"wild Vibe token 2: tag {SECOND}.")
    assert person.status == 1
    person.reads(f"{missing - 2} of {missing} components are without a tag.")
    assert load(tmp_path)[0].component(SECOND) == "vibe/wild/2"


def test_names_are_written_into_registered_tags_and_read_back(
    table: tuple[Path, Ear], tmp_path: Path
) -> None:
    save(tmp_path, Registry({UID: "emotion/bliss/kindness/1", "0488A3C6": "staff/1"}))
    with running("write", table, tmp_path) as person:
        person.reads("its name is written into it")
        person.lay("pad/1", UID).reads(f"Kindness (Bliss), copy 1: written into {UID}")
        person.lay("pad/2", SECOND).reads(f"tag {SECOND} is not registered: enrol it first")
        person.lay("slot/valley.1", "0488A3C6").reads("staff card 1: tag 0488A3C6 not written: ")
    assert person.status == 1
    person.reads("1 written, 1 not.")
    # It needs no registry any more: enrolment takes it as what it says, whatever is asked for.
    with running("enrol", table, tmp_path / "other") as person:
        person.reads("Now lay: the figure of")
        person.lay("pad/1", UID).reads(f"Kindness (Bliss), copy 1: tag {UID}.")
    assert load(tmp_path / "other")[0].components == {UID: "emotion/bliss/kindness/1"}


def test_an_app_that_plays_in_the_folder_is_not_disturbed(
    table: tuple[Path, Ear], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = FolderLock(tmp_path)
    try:
        command = ["tags", "enrol", "--table", str(table[0]), "--data", str(tmp_path)]
        assert cli.main(command) == 2
    finally:
        lock.release()
    assert "another companion is running with this data folder" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["enrol", "write"])
def test_without_a_table_or_with_a_broken_one_it_is_one_line(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["tags", verb, "--data", str(tmp_path)]) == 2
    assert "needs the table whose readers are used: add --table FILE" in capsys.readouterr().err
    (tmp_path / "table.toml").write_text("table = 7", encoding="utf-8")
    assert cli.main(["tags", verb, "--table", str(tmp_path / "table.toml"), "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
