"""Tags at a table: enrolment over the bus, tags that say what they are, changes in the middle of a game."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table.registry import FILE, Registry, load, save, virtual_registry
from tests.session.desk import BENEVOLENCE, KINDNESS, TOPICS, UIDS, Desk

ONE, TWO = "04A3C6CAE26180", "04AABBCCDDEE80"
_ids = iter(range(1_000_000))


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Desk]:
    """A real table of which no tag is known yet."""
    desk = Desk(tmp_path, virtual=False, below=Registry())
    desk.connect()
    yield desk
    desk.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.connect()
    yield desk
    desk.close()


def enrol(desk: Desk, action: str, **values: Any) -> dict[str, Any]:
    return desk.ask_for(id=f"e{next(_ids)}", enrol={"action": action, **values})


def said(desk: Desk) -> str:
    return str(desk.state["enrol"]["message"])


def test_a_sitting_over_the_bus_names_takes_and_saves_each_tag(bare: Desk) -> None:
    reply = enrol(bare, "start")
    assert (reply["verdict"], reply["message"]) == ("legal", "Now lay: the figure of Anxiety")
    assert bare.state["enrol"] == {
        "component": "spirit/anxiety",
        "text": "Now lay: the figure of Anxiety",
        "message": "",
        "fault": False,
        "left": 274,
        "of": 274,
    }
    bare.lies("pad/1", ONE)
    assert said(bare) == f"the figure of Anxiety: tag {ONE}."
    assert load(bare.journal.folder)[0].components == {ONE: "spirit/anxiety"}
    bare.lies("pad/1")
    bare.lies("slot/valley.1", ONE)
    assert said(bare) == "This tag is that of the figure of Anxiety already."
    assert bare.state["enrol"]["fault"]
    bare.lies("slot/valley.1", ONE, TWO)
    assert bare.state["enrol"]["left"] == 272
    enrol(bare, "back")
    assert load(bare.journal.folder)[0].components == {ONE: "spirit/anxiety"}
    enrol(bare, "skip")
    enrol(bare, "pick", component="spirit/anxiety")
    assert said(bare) == f"It has the tag {ONE}; the one laid now takes its place."
    assert enrol(bare, "stop")["message"] == "273 are without a tag."
    assert "enrol" not in bare.state


def test_what_lies_there_at_the_start_is_not_taken(bare: Desk) -> None:
    bare.lies("slot/valley.1", ONE)
    enrol(bare, "start")
    bare.lies("slot/valley.1", ONE, TWO)
    assert load(bare.journal.folder)[0].components == {TWO: "spirit/anxiety"}


def test_an_unreadable_tag_and_a_cut_off_id_are_said_at_once(bare: Desk) -> None:
    enrol(bare, "start")
    bare.lies("pad/2", state="unreadable")
    assert said(bare).startswith("pad/2: this tag can't be read.")
    payload = {"tags": ["8804A3C6"], "state": "ok", "node": "pads", "at": 1}
    bare.hear(TOPICS.space("pad/1"), json.dumps(payload).encode())
    assert said(bare) == "pad/1: tags[0]: 88 begins a cut-off id, not a UID: read all cascade levels"
    bare.hear(TOPICS.space("pad/1"), json.dumps(payload | {"tags": ["04A3C6CAE2"]}).encode())
    assert "a UID has 8, 14 or 20 hex digits, this has 10" in said(bare)
    assert load(bare.journal.folder)[0].components == {}


def test_a_tag_that_cannot_be_saved_is_not_taken(bare: Desk) -> None:
    enrol(bare, "start")
    (bare.journal.folder / FILE).mkdir()
    bare.lies("pad/1", ONE)
    assert "the tags can't be saved here" in said(bare)
    assert bare.state["enrol"]["component"] == "spirit/anxiety"
    assert bare.tags.registry.component(ONE) is None
    (bare.journal.folder / FILE).rmdir()
    bare.lies("pad/1")
    bare.lies("pad/1", ONE)
    assert bare.tags.registry.component(ONE) == "spirit/anxiety"


@pytest.mark.parametrize(
    ("action", "verdict", "message"),
    [
        ("skip", "illegal", "No tags are being enrolled"),
        ("burn", "error", "enrol.action: one of start, skip"),
    ],
)
def test_what_cannot_be_asked_for_is_said(bare: Desk, action: str, verdict: str, message: str) -> None:
    reply = enrol(bare, action)
    assert reply["verdict"] == verdict
    assert message in reply["message"]


def test_nothing_laid_in_a_sitting_is_play(desk: Desk) -> None:
    seq = desk.session.seq
    enrol(desk, "start")
    desk.lies("slot/valley.1", BENEVOLENCE)
    desk.advance(10.0)
    assert desk.session.seq == seq
    enrol(desk, "stop")
    desk.advance(10.0)
    assert desk.session.seq == seq
    assert not desk.state["table_ok"]
    desk.lies("slot/valley.1", KINDNESS)
    desk.advance(2.0)
    assert desk.state["table_ok"]


# Tags that say what they are


def test_a_tag_that_carries_its_name_needs_no_registry(bare: Desk) -> None:
    bare.lies("slot/valley.1", ONE, texts={ONE: f"companion:{KINDNESS}"})
    assert bare.tags.registry.component(ONE) == KINDNESS
    assert "tags" not in bare.state


def test_the_registry_wins_over_what_a_tag_says_and_that_is_said(desk: Desk) -> None:
    uid = UIDS[KINDNESS]
    save(desk.journal.folder, Registry({uid: KINDNESS}))
    desk.tags.changed()
    desk.lies("slot/valley.1", KINDNESS, texts={uid: f"companion:{BENEVOLENCE}"})
    assert desk.tags.registry.component(uid) == KINDNESS
    assert desk.state["table_ok"]
    assert desk.state["tags"] == [
        (
            f"Tag {uid} says it is Benevolence (Bliss), copy 1; "
            "the registry says Kindness (Bliss), copy 1, and that counts."
        )
    ]


def test_a_second_tag_of_a_name_and_one_of_another_game_are_named_for_what_they_are(bare: Desk) -> None:
    bare.lies("slot/valley.1", ONE, texts={ONE: f"companion:{KINDNESS}"})
    bare.lies("slot/cradle.1", TWO, texts={TWO: f"companion:{KINDNESS}"})
    bare.lies("slot/land.1", "04112233445566", texts={"04112233445566": "companion:dragon/7"})
    bare.advance(10.0)
    mends = " ".join(bare.mends)
    assert f"second tag for Kindness (Bliss), copy 1 ({TWO}; the first is {ONE})" in mends
    assert "tag that is not of this game (04112233445566 says 'dragon/7')" in mends
    assert len(bare.state["tags"]) == 2


@pytest.mark.parametrize("texts", [None, 7, ["x"], {"04": 1}, {ONE: ""}, {ONE: "x" * 500}, {ONE: "a\nb"}])
def test_texts_that_cannot_be_used_leave_the_tag_as_it_is(bare: Desk, texts: object) -> None:
    payload = {"tags": [ONE], "state": "ok", "node": "n", "at": 1, "texts": texts}
    bare.hear(TOPICS.space("slot/valley.1"), json.dumps(payload).encode())
    assert bare.referee.bad_payloads == 0
    assert bare.tags.registry.component(ONE) is None


# In the middle of a game


def test_two_copies_of_a_title_that_change_places_are_nothing(desk: Desk) -> None:
    desk.lies("slot/valley.1", "emotion/bliss/kindness/2")
    desk.advance(5.0)
    assert desk.state["table_ok"]
    assert desk.tags.registry.component(UIDS["emotion/bliss/kindness/2"]) == "emotion/bliss/kindness/2"


def test_a_registry_that_renames_a_lying_card_is_no_move(desk: Desk) -> None:
    seq = desk.session.seq
    swapped = {UIDS[KINDNESS]: BENEVOLENCE, UIDS[BENEVOLENCE]: KINDNESS}
    save(desk.journal.folder, Registry(swapped))
    desk.lies("pad/1", ONE)  # an unknown tag: the registry is looked at again
    desk.lies("pad/1")
    desk.advance(10.0)
    assert desk.session.seq == seq
    assert not desk.state["table_ok"]
    assert any("Kindness" in mend for mend in desk.mends)
    save(desk.journal.folder, Registry({}))
    desk.lies("pad/1", ONE)
    desk.lies("pad/1")
    desk.advance(10.0)
    assert desk.session.seq == seq
    assert desk.state["table_ok"]


def test_a_card_that_becomes_known_while_it_lies_there_is_played(desk: Desk) -> None:
    desk.lies("slot/valley.1", ONE)
    desk.advance(5.0)
    seq = desk.session.seq
    assert f"An unknown tag ({ONE})" in desk.mends[0]
    save(desk.journal.folder, Registry({ONE: BENEVOLENCE}))
    desk.lies("pad/1", TWO)
    desk.lies("pad/1")
    desk.advance(5.0)
    assert desk.session.seq == seq + 1


def test_the_virtual_table_has_all_its_tags(desk: Desk) -> None:
    assert enrol(desk, "start")["message"] == "Every component has its tag."
    assert desk.tags.own == Registry()
    assert desk.tags.registry.components == virtual_registry().components
