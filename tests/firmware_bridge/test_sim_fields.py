import pytest

from firmware_bridge.contract.messages import SimField
from firmware_bridge.contract.topics import Topics
from firmware_bridge.sim_fields import SimFields

TOPICS = Topics("home")
PAD = TOPICS.sim_field("pad/1")


@pytest.fixture
def laid() -> list[tuple[str, tuple[str, ...]]]:
    return []


@pytest.fixture
def fields(laid: list[tuple[str, tuple[str, ...]]]) -> SimFields:
    return SimFields(TOPICS, ["pad/1", "pad/2"], lambda space, tags: laid.append((space, tags)))


def test_tags_are_laid_on_the_space_of_the_topic(
    fields: SimFields, laid: list[tuple[str, tuple[str, ...]]]
) -> None:
    fields.arrived(PAD, SimField(("04A3C6CAE26180",)).to_json())
    fields.arrived(PAD, b'{"tags": []}')
    assert laid == [("pad/1", ("04A3C6CAE26180",)), ("pad/1", ())]


def test_a_fault_is_handed_on_and_ends_with_the_next_message_without_one() -> None:
    broken: list[tuple[str, str | None]] = []
    fields = SimFields(
        TOPICS, ["pad/1"], lambda _space, _tags: None, lambda space, fault: broken.append((space, fault))
    )
    fields.arrived(PAD, b'{"tags": [], "fault": "dead"}')
    fields.arrived(PAD, b'{"tags": []}')
    fields.arrived(PAD, b"")
    assert broken == [("pad/1", "dead"), ("pad/1", None), ("pad/1", None)]


def test_a_deleted_topic_is_an_empty_field(
    fields: SimFields, laid: list[tuple[str, tuple[str, ...]]]
) -> None:
    fields.arrived(PAD, b"")
    assert laid == [("pad/1", ())]


def test_each_kind_of_garbage_is_logged_once_counted_and_dropped(
    fields: SimFields, laid: list[tuple[str, tuple[str, ...]]], caplog: pytest.LogCaptureFixture
) -> None:
    garbage = [
        (PAD, b"not json"),
        (PAD, b"[]"),
        (PAD, b'{"tags": 3}'),
        (PAD, b'{"tags": ["04A3C6"]}'),
        (PAD, b'{"tags": ["xyz"]}'),
        (PAD, b"x" * 1_000_000),
        (TOPICS.sim_field("slot/nowhere"), b'{"tags": []}'),
        (TOPICS.sim_field("slot/valley.1"), b'{"tags": []}'),
        (TOPICS.root + "sim/field/pad", b'{"tags": []}'),
        ("elsewhere", b"\xff"),
    ]
    for _ in range(10):
        for topic, payload in garbage:
            fields.arrived(topic, payload)
    assert laid == []
    assert fields.dropped == {
        "payload as a whole": 30,
        "payload tags": 10,
        "payload tags[]": 20,
        "space": 20,
        "topic": 20,
    }
    assert len(caplog.records) == 5
    assert all(
        "\n" not in record.getMessage() and len(record.getMessage()) < 300 for record in caplog.records
    )
    assert f"{PAD}: not JSON at character 0" in caplog.text
    fields.arrived(PAD, b'{"tags": ["04A3C6CAE26180"]}')
    assert laid == [("pad/1", ("04A3C6CAE26180",))]
