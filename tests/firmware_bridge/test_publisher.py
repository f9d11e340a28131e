from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.contract.messages import NodeMessage, SpaceMessage
from firmware_bridge.contract.topics import Topics
from firmware_bridge.presence.debounce import Fact
from firmware_bridge.publisher import Login, NodePublisher
from tests.support.bus import Broker, Ear, cut, ear, wait_until
from tests.support.mosquitto import Mosquitto

TOPICS = Topics("home")
NODE = TOPICS.node("pads")
PAD = TOPICS.space("pad/1")
SPACES = ("pad/1", "pad/2")
KINDNESS = bytes.fromhex("04A3C6CAE26180")
COURAGE = bytes.fromhex("04A3C611223344")


class Ticks:
    """Unix time in ms that goes up by one at each look."""

    def __init__(self) -> None:
        self.now_ms = 1_000

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path).start()
    try:
        yield broker
    finally:
        broker.stop()


def publisher_at(broker: Broker) -> NodePublisher:
    login = Login(broker.url, "bridge", broker.password("bridge"))
    publisher = NodePublisher(login, TOPICS, "pads", SPACES, now_ms=Ticks())
    publisher.start()
    assert publisher.link.wait_connected(10)
    return publisher


@pytest.fixture
def publisher(mosquitto: Mosquitto) -> Iterator[NodePublisher]:
    found = publisher_at(mosquitto)
    try:
        yield found
    finally:
        found.close()


@pytest.fixture
def app(mosquitto: Mosquitto) -> Iterator[Ear]:
    with ear(mosquitto, "app", "app", [TOPICS.all_spaces, TOPICS.all_nodes]) as listener:
        yield listener


def all_known(publisher: NodePublisher) -> NodePublisher:
    for space in SPACES:
        publisher.fact(space, Fact((), "ok"))
    return publisher


def node_state(app: Ear) -> str:
    return NodeMessage.from_json(app.state[NODE]).state if NODE in app.state else "unknown"


def test_a_fact_becomes_a_retained_topic(mosquitto: Mosquitto, publisher: NodePublisher) -> None:
    publisher.fact("pad/1", Fact((COURAGE, KINDNESS), "ok"))
    with ear(mosquitto, "app", "late", [TOPICS.all_spaces]) as late:
        late.wait_for(PAD)
        message = SpaceMessage.from_json(late.state[PAD])
        assert message.tags == ("04A3C611223344", "04A3C6CAE26180")
        assert (message.state, message.node) == ("ok", "pads")
        assert message.at > 1_000
        assert late.heard[0][2], "retained"


def test_a_node_is_online_once_all_its_spaces_are_known(publisher: NodePublisher, app: Ear) -> None:
    publisher.fact("pad/1", Fact((KINDNESS,), "ok"))
    app.wait_for(PAD)
    assert node_state(app) == "offline"
    publisher.fact("pad/2", Fact((), "fault"))
    wait_until(lambda: node_state(app) == "online", "online")
    heard = [topic for topic, _, _ in app.heard]
    assert heard[-2:] == [TOPICS.space("pad/2"), NODE], "the space comes first"


def test_a_bridge_that_comes_back_speaks_for_its_node_when_it_has_looked(
    mosquitto: Mosquitto, app: Ear
) -> None:
    all_known(publisher_at(mosquitto)).close()
    wait_until(lambda: node_state(app) == "offline", "offline")
    app.publish(NODE, NodeMessage("online", "1.0.0", {}, 1).to_json(), retain=True)
    wait_until(lambda: node_state(app) == "online", "a broker that kept the wrong word")
    again = publisher_at(mosquitto)
    try:
        wait_until(lambda: node_state(app) == "offline", "what is retained is of before")
        all_known(again)
        wait_until(lambda: node_state(app) == "online", "online")
    finally:
        again.close()


def test_a_node_is_online_with_its_readers_and_says_only_changes(publisher: NodePublisher, app: Ear) -> None:
    all_known(publisher)
    wait_until(lambda: node_state(app) == "online", "online")
    before = len(app.heard)
    publisher.readers({"pad/1": "ok", "pad/2": "recovering"})
    publisher.readers({"pad/1": "ok", "pad/2": "recovering"})
    publisher.fact("pad/1", Fact((KINDNESS,), "ok"))
    wait_until(lambda: b"04A3C6CAE26180" in app.state[PAD], "the card")
    news = [topic for topic, _, _ in app.heard[before:]]
    assert news == [NODE, PAD]
    assert NodeMessage.from_json(app.state[NODE]).readers == {"pad/1": "ok", "pad/2": "recovering"}


def test_a_bridge_that_dies_is_offline_by_its_will(mosquitto: Mosquitto, app: Ear) -> None:
    dying = all_known(publisher_at(mosquitto))
    wait_until(lambda: node_state(app) == "online", "online")
    dying._closing = True
    dying.link._client._reconnect_on_failure = False  # a process that is gone does not come back
    cut(dying.link)
    try:
        wait_until(lambda: node_state(app) == "offline", "offline")
    finally:
        dying.close()


def test_a_clean_end_says_offline(mosquitto: Mosquitto, app: Ear) -> None:
    all_known(publisher_at(mosquitto)).close()
    app.wait_for(PAD)
    wait_until(lambda: node_state(app) == "offline", "offline")
    with ear(mosquitto, "app", "late", [TOPICS.all_nodes]) as late:
        wait_until(lambda: node_state(late) == "offline", "offline, retained")


def test_the_will_of_an_earlier_session_that_comes_late_is_contradicted(
    publisher: NodePublisher, app: Ear
) -> None:
    all_known(publisher)
    wait_until(lambda: node_state(app) == "online", "online")
    assert publisher.link.connected
    for payload in (NodeMessage("offline", "1.0.0", {}, 1).to_json(), b"garbage", b""):
        mark = len(app.heard)
        app.publish(NODE, payload, retain=True)
        wait_until(
            lambda: len(app.heard) >= mark + 2 and node_state(app) == "online",  # noqa: B023
            "online again",
        )


def test_after_a_broken_connection_the_node_is_online_again(publisher: NodePublisher, app: Ear) -> None:
    all_known(publisher)
    wait_until(lambda: node_state(app) == "online", "online")
    mark = len(app.heard)
    cut(publisher.link)
    wait_until(
        lambda: any(b'"offline"' in payload for topic, payload, _ in app.heard[mark:] if topic == NODE),
        "the will",
    )
    wait_until(lambda: node_state(app) == "online", "online again")


def test_a_broker_that_is_killed_and_comes_back_empty_has_the_same_picture(
    mosquitto: Mosquitto, publisher: NodePublisher
) -> None:
    with ear(mosquitto, "app", "table", [TOPICS.all_spaces, TOPICS.all_nodes]) as app:
        publisher.readers(dict.fromkeys(SPACES, "ok"))
        publisher.fact("pad/1", Fact((KINDNESS,), "ok"))
        publisher.fact("pad/2", Fact((), "ok"))
        wait_until(lambda: node_state(app) == "online", "online")
        picture = app.state
        for _ in range(3):
            mosquitto.kill()
            wait_until(lambda: not publisher.link.connected, "the loss is noticed")
            mosquitto.start()
            assert publisher.link.wait_connected(10)
            with ear(mosquitto, "app", "late", [TOPICS.all_spaces, TOPICS.all_nodes]) as late:
                wait_until(lambda: late.state == picture, "the same picture")
        wait_until(lambda: app.state == picture, "what came twice changed nothing")


def test_what_changes_while_the_broker_is_away_is_said_when_it_is_back(
    mosquitto: Mosquitto, publisher: NodePublisher
) -> None:
    publisher.fact("pad/1", Fact((KINDNESS,), "ok"))
    mosquitto.kill()
    wait_until(lambda: not publisher.link.connected, "the loss is noticed")
    publisher.fact("pad/1", Fact((COURAGE,), "ok"))
    mosquitto.start()
    with ear(mosquitto, "app", "late", [TOPICS.all_spaces]) as late:
        late.wait_for(PAD)
        wait_until(
            lambda: SpaceMessage.from_json(late.state[PAD]).tags == ("04A3C611223344",), "the new card"
        )


def test_a_node_that_comes_and_goes_is_online_while_it_is_there_and_known(
    publisher: NodePublisher, app: Ear
) -> None:
    all_known(publisher)
    wait_until(lambda: node_state(app) == "online", "online")
    publisher.fact("pad/1", Fact((KINDNESS,), "fault"))
    publisher.part()
    wait_until(lambda: node_state(app) == "offline", "offline")
    publisher.meet("2.0.0", SPACES)
    publisher.fact("pad/1", Fact((COURAGE,), "ok"))
    wait_until(lambda: b"04A3C611223344" in app.state[PAD], "one of two")
    message = NodeMessage.from_json(app.state[NODE])
    assert (message.state, message.firmware) == ("offline", "2.0.0"), "until all of it is said again"
    publisher.fact("pad/2", Fact((), "ok"))
    wait_until(lambda: node_state(app) == "online", "online")


def test_a_node_that_says_more_spaces_is_known_when_they_are(publisher: NodePublisher, app: Ear) -> None:
    all_known(publisher)
    wait_until(lambda: node_state(app) == "online", "online")
    publisher.meet("1.0.0", (*SPACES, "pad/3"))
    wait_until(lambda: node_state(app) == "offline", "one is not known yet")
    publisher.fact("pad/3", Fact((), "ok"))
    wait_until(lambda: node_state(app) == "online", "online")


def test_a_space_that_another_node_has_is_not_said_again(
    mosquitto: Mosquitto, publisher: NodePublisher, app: Ear
) -> None:
    all_known(publisher)
    publisher.release(["pad/1"])
    wait_until(lambda: NodeMessage.from_json(app.state[NODE]).readers.keys() == {"pad/2"}, "given up")
    app.publish(PAD, b"", retain=True)
    app.wait_for(PAD, b"")
    cut(publisher.link)
    wait_until(lambda: not publisher.link.connected, "cut")
    wait_until(lambda: publisher.link.connected and node_state(app) == "online", "back")
    with ear(mosquitto, "app", "late", [TOPICS.all_spaces, TOPICS.all_nodes]) as late:
        late.wait_for(NODE)
        late.wait_for(TOPICS.space("pad/2"))
        assert PAD not in late.state
