import json
from contextlib import suppress
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.figures import ReaderFigures
from firmware_bridge.contract.messages import (
    MAX_PAYLOAD_BYTES,
    Colour,
    Lights,
    NodeMessage,
    NodeState,
    ReaderState,
    SimField,
    SpaceMessage,
    SpaceState,
    tag_text,
)
from firmware_bridge.contract.spaces import ALL_SPACES, VIRTUAL_SPACES

AnyMessage = type[SpaceMessage] | type[NodeMessage] | type[SimField] | type[Lights]

OF_EXAMPLE: dict[str, AnyMessage] = {
    "space.json": SpaceMessage,
    "space-fault.json": SpaceMessage,
    "node.json": NodeMessage,
    "node-offline.json": NodeMessage,
    "node-figures.json": NodeMessage,
    "lights.json": Lights,
    "sim-field.json": SimField,
}
EXAMPLES = resources.files("firmware_bridge.contract") / "examples"

SPACE_STATES: tuple[SpaceState, ...] = ("ok", "unreadable", "fault")
NODE_STATES: tuple[NodeState, ...] = ("online", "offline")
READER_STATES: tuple[ReaderState, ...] = ("ok", "silent", "recovering")
COLOURS: tuple[Colour, ...] = ("green", "amber", "red", "off")

uids = st.one_of(
    st.binary(min_size=4, max_size=4).filter(lambda uid: uid[0] != 0x88),
    st.binary(min_size=7, max_size=7),
    st.binary(min_size=10, max_size=10),
)
tags = st.sets(uids.map(tag_text), max_size=4).map(lambda found: tuple(sorted(found)))
times = st.integers(0, 2**53)
spaces = st.sampled_from(VIRTUAL_SPACES)


def test_every_example_has_a_message_type_and_every_type_an_example() -> None:
    assert {entry.name for entry in EXAMPLES.iterdir() if entry.name.endswith(".json")} == set(OF_EXAMPLE)


@pytest.mark.parametrize("name", OF_EXAMPLE)
def test_each_example_survives_reading_and_writing(name: str) -> None:
    payload = (EXAMPLES / name).read_bytes()
    message = OF_EXAMPLE[name].from_json(payload)
    assert json.loads(message.to_json()) == json.loads(payload)


@given(tags, st.sampled_from(SPACE_STATES), st.text(max_size=20), times)
def test_a_space_message_comes_back_as_it_went(
    found: tuple[str, ...], state: SpaceState, node: str, at: int
) -> None:
    message = SpaceMessage(found, state, node, at)
    assert SpaceMessage.from_json(message.to_json()) == message


@given(
    st.sampled_from(NODE_STATES), st.dictionaries(spaces, st.sampled_from(READER_STATES)), st.text(), times
)
def test_a_node_message_comes_back_as_it_went(
    state: NodeState, readers: dict[str, ReaderState], firmware: str, at: int
) -> None:
    message = NodeMessage(state, firmware, readers, at)
    assert NodeMessage.from_json(message.to_json()) == message


@given(st.dictionaries(spaces, st.sampled_from(COLOURS)))
def test_lights_come_back_as_they_went(colours: dict[str, Colour]) -> None:
    assert Lights.from_json(Lights(colours).to_json()) == Lights(colours)


@given(tags)
def test_a_field_comes_back_as_it_went(found: tuple[str, ...]) -> None:
    assert SimField.from_json(SimField(found).to_json()) == SimField(found)


figures = st.builds(
    ReaderFigures,
    counted=st.sampled_from(("polls", "frames")),
    over=st.integers(0, 10_000),
    hit_rate=st.none() | st.floats(0, 1),
    noise=st.none() | st.floats(0, 1),
    polls=st.none() | st.integers(0, 2**40),
    version=st.none() | st.integers(0, 255),
    gain=st.none() | st.integers(0, 7),
    reason=st.text(max_size=20),
    warnings=st.lists(st.text(max_size=20), max_size=3).map(tuple),
)


@given(st.dictionaries(spaces, figures), st.text(max_size=30), st.lists(st.text(max_size=9)).map(tuple))
def test_the_figures_of_a_node_come_back_as_they_went(
    health: dict[str, ReaderFigures], problem: str, warnings: tuple[str, ...]
) -> None:
    message = NodeMessage("online", "1.0.0", {}, 1, health, problem, warnings)
    assert NodeMessage.from_json(message.to_json()) == message


@pytest.mark.parametrize(
    "health",
    [
        3,
        [],
        {"slot/valley.1": 3, "slot/nowhere": {}},
        {"slot/valley.1": {"over": -1, "hit_rate": 1.5, "noise": "much", "polls": True, "reason": 3}},
        {"slot/valley.1": {"warnings": [3, "\ud800"], "version": 1.5}},
    ],
)
def test_figures_that_are_none_cost_no_state(health: object) -> None:
    text = json.dumps(
        {"state": "online", "firmware": "1", "readers": {}, "at": 1, "health": health, "problem": 3}
    )
    message = NodeMessage.from_json(text.encode())
    assert message.state == "online"
    assert message.problem == ""
    assert all(found == ReaderFigures() for found in message.health.values())


def test_the_largest_honest_message_is_read() -> None:
    """109 spaces with figures and two warnings each."""
    full = ReaderFigures("polls", 100, 0.123, 0.123, 10**9, 10**9, 10**6, 10**6, 255, 7, "", ("x" * 80,) * 2)
    message = NodeMessage(
        "online", "1.0.0", dict.fromkeys(ALL_SPACES, "ok"), 2**42, dict.fromkeys(ALL_SPACES, full)
    )
    assert NodeMessage.from_json(message.to_json()) == message


def test_a_fault_of_a_simulated_reader_comes_back_as_it_went() -> None:
    field = SimField(("04A3C6CAE26180",), "noise")
    assert SimField.from_json(field.to_json()) == field
    with pytest.raises(MessageError, match="fault"):
        SimField.from_json(b'{"tags": [], "fault": "fire"}')


def test_unknown_keys_are_ignored() -> None:
    assert SimField.from_json(b'{"tags": [], "colour": "blue"}') == SimField.NOTHING
    assert Lights.from_json(b'{"slot/valley.1": "red", "note": 3}') == Lights({"slot/valley.1": "red"})


def test_tags_are_sorted_and_each_counts_once() -> None:
    field = SimField.from_json(b'{"tags": ["5B2E90D1", "04A3C6CAE26180", "5B2E90D1"]}')
    assert field.tags == ("04A3C6CAE26180", "5B2E90D1")


@pytest.mark.parametrize(
    ("payload", "path", "problem"),
    [
        (b"", "", "not JSON"),
        (b"\xff\xfe", "", "not UTF-8 at byte 0"),
        (b"[]", "", "must be a JSON object, is a list"),
        (b'""', "", "must be a JSON object, is a text"),
        (b"{", "", "not JSON at character 1"),
        (b"[" * 10_000, "", "not JSON that can be read"),
        (b'{"tags": ' + b"9" * 5_000 + b"}", "", "not JSON that can be read"),
        (b'{"tags": NaN}', "", "NaN is no JSON"),
        (b"x" * (MAX_PAYLOAD_BYTES + 1), "", "too many"),
        (b"{}", "tags", "is missing"),
        (b'{"tags": "04A3C6CAE26180"}', "tags", "must be a list, is a text"),
        (b'{"tags": [12]}', "tags[0]", "must be a text, is a number"),
        (b'{"tags": ["04A3C6CAE26180", "04A3C6CAE2618"]}', "tags[1]", "this has 13"),
        (b'{"tags": ["04A3C6CAE261"]}', "tags[0]", "8, 14 or 20 hex digits, this has 12"),
        (b'{"tags": ["04a3c6cae26180"]}', "tags[0]", "must be in upper case"),
        (b'{"tags": ["04:A3:C6:CA"]}', "tags[0]", "upper-case hex"),
        (b'{"tags": ["8804A3C6"]}', "tags[0]", "cut-off id"),
        (b'{"tags": [""]}', "tags[0]", "this has 0"),
        (b'{"tags": [' + b",".join([b'"5B2E90D1"'] * 17) + b"]}", "tags", "17 tags are too many"),
    ],
)
def test_a_bad_payload_is_refused_with_the_place_of_its_fault(
    payload: bytes, path: str, problem: str
) -> None:
    with pytest.raises(MessageError) as caught:
        SimField.from_json(payload)
    assert caught.value.path == path
    assert problem in caught.value.problem
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"state": "broken"}, "state"),
        ({"state": None}, "state"),
        ({"node": 3}, "node"),
        ({"at": "now"}, "at"),
        ({"at": -1}, "at"),
        ({"at": True}, "at"),
        ({"at": 1.5}, "at"),
    ],
)
def test_a_bad_space_message_names_the_key(change: dict[str, object], path: str) -> None:
    good = {"tags": [], "state": "ok", "node": "pads", "at": 1}
    with pytest.raises(MessageError) as caught:
        SpaceMessage.from_json(json.dumps(good | change).encode())
    assert caught.value.path == path


def test_a_bad_reader_state_names_its_space() -> None:
    payload = b'{"state": "online", "firmware": "1", "readers": {"pad/1": "fine"}, "at": 1}'
    with pytest.raises(MessageError) as caught:
        NodeMessage.from_json(payload)
    assert caught.value.path == "readers.pad/1"


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_nothing_else(payload: bytes) -> None:
    for message in (SpaceMessage, NodeMessage, SimField, Lights):
        with suppress(MessageError):
            message.from_json(payload)
