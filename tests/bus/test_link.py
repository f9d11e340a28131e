import logging
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bus.broker import EmbeddedBroker
from firmware_bridge.contract.errors import BrokerUrlError
from firmware_bridge.contract.link import MAX_QUICK_LOSSES, MAX_TAKE_OVERS, Link
from firmware_bridge.contract.topics import Topics
from tests.support.bus import Broker, Ear, cut, ear, wait_until
from tests.support.mosquitto import Mosquitto, free_port

TOPICS = Topics("home")


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path).start()
    try:
        yield broker
    finally:
        broker.stop()


def test_both_ends_have_no_nagle_delay(broker: Broker) -> None:
    with ear(broker, "app", "app") as app:
        sock = app.link._client.socket()
        assert isinstance(sock, socket.socket)
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


def test_an_exception_in_a_callback_is_logged_and_the_link_lives_on(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[bytes] = []

    def stumble(_topic: str, payload: bytes, _retain: bool) -> None:  # noqa: FBT001 - the link's signature
        heard.append(payload)
        if payload == b"1":
            raise ZeroDivisionError("on the first message")

    def trip(_up: bool) -> None:  # noqa: FBT001 - likewise
        raise ZeroDivisionError("on the connection")

    link = Link(
        broker.url,
        "app",
        broker.password("app"),
        "app",
        filters=[TOPICS.game_event],
        on_message=stumble,
        on_link=trip,
    )
    link.start()
    try:
        assert link.wait_connected(10)
        for payload in (b"1", b"2", b"3"):
            link.publish(TOPICS.game_event, payload)
        wait_until(lambda: heard == [b"1", b"2", b"3"], f"all three, heard {heard}")
    finally:
        link.close()
    assert "on_message failed; the connection lives on" in caplog.text
    assert "on_link failed" in caplog.text


def test_what_is_published_before_the_first_connection_goes_out_with_it(broker: Broker) -> None:
    with ear(broker, "app", "ear", [TOPICS.all_game]) as listener:
        early = Ear(broker, "app", "early")
        early.publish(TOPICS.game_state, b"old", retain=True)
        early.publish(TOPICS.game_event, b"event")
        early.publish(TOPICS.game_state, b"new", retain=True)
        early.start()
        try:
            listener.wait_for(TOPICS.game_event, b"event")
            listener.wait_for(TOPICS.game_state, b"new")
            assert (TOPICS.game_state, b"old", False) not in listener.heard
        finally:
            early.close()


def test_a_payload_that_no_broker_takes_is_dropped_and_does_not_cost_the_connection(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    with ear(broker, "app", "app", [TOPICS.all_game]) as app:
        app.publish(TOPICS.game_state, b"x" * 1_000_001, retain=True)
        app.publish(TOPICS.game_event, b"y" * 1_000_000)
        app.wait_for(TOPICS.game_event)
        assert app.ups == [True]
        assert TOPICS.game_state not in app.state
    assert "1000001 bytes are too many" in caplog.text


def test_a_broken_connection_is_made_again_and_said(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    with ear(broker, "app", "ear", [TOPICS.game_event]) as listener:
        cut(listener.link)
        wait_until(lambda: listener.ups == [True, False, True], f"up again, {listener.ups}")
        listener.publish(TOPICS.game_event, b"still here")
        listener.wait_for(TOPICS.game_event, b"still here")
        assert listener.link.problem is None
    said = [
        r.getMessage() for r in caplog.records if r.name.endswith("link") and r.levelno >= logging.WARNING
    ]
    assert len(said) == 1
    assert "lost the broker" in said[0]


def test_a_broker_that_is_not_there_is_said_once_and_met_when_it_comes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broker = Mosquitto(tmp_path)
    client = Ear(broker, "app", "app")
    client.link.start()
    try:
        wait_until(lambda: client.link.problem is not None, "a problem")
        assert client.link.problem == (
            f"no broker answers at 127.0.0.1:{broker.port}: start it or correct its address"
        )
        assert not client.link.wait_connected(0.5)
        broker.start()
        assert client.link.wait_connected(10)
        assert client.link.problem is None
    finally:
        client.close()
        broker.stop()
    assert caplog.text.count("no broker answers") == 1
    assert "correct its address; trying again until it is there" in caplog.text


def test_after_a_broker_lost_everything_the_picture_is_back(mosquitto: Mosquitto) -> None:
    with ear(mosquitto, "app", "ear", [TOPICS.all_spaces]) as listener:
        speaker = Ear(mosquitto, "bridge", "node")
        state = {TOPICS.space("pad/1"): b"1", TOPICS.space("pad/2"): b"2"}

        def say_all(up: bool) -> None:  # noqa: FBT001 - likewise
            # The owner of the state says it again at each connection, as every owner must (F-82).
            for topic, payload in state.items() if up else ():
                speaker.publish(topic, payload, retain=True)

        speaker.link._on_link = say_all
        speaker.start()
        try:
            listener.wait_for(TOPICS.space("pad/2"), b"2")
            mosquitto.kill()
            wait_until(lambda: not speaker.link.connected, "the loss")
            state[TOPICS.space("pad/1")] = b"changed meanwhile"
            speaker.publish(TOPICS.space("pad/1"), b"changed meanwhile", retain=True)
            mosquitto.start()
            listener.wait_for(TOPICS.space("pad/1"), b"changed meanwhile")
            with ear(mosquitto, "app", "late", [TOPICS.all_spaces]) as late:
                late.wait_for(TOPICS.space("pad/1"))
                late.wait_for(TOPICS.space("pad/2"))
                assert late.state == state
            assert listener.state == state
        finally:
            speaker.close()


def test_older_state_never_overwrites_newer_over_restarts(mosquitto: Mosquitto) -> None:
    topic = TOPICS.space("pad/1")
    speaker = Ear(mosquitto, "bridge", "node").start()
    try:
        last = b""
        for restart in range(3):
            for n in range(50):
                last = f"{restart}.{n}".encode()
                speaker.publish(topic, last, retain=True)
            mosquitto.restart()
        assert speaker.link.wait_connected(10)
        with ear(mosquitto, "app", "ear", [TOPICS.all_spaces]) as listener:
            listener.wait_for(topic, last)
            assert listener.state[topic] == last
    finally:
        speaker.close()


def test_two_clients_with_one_id_do_not_fight_for_ever(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = Ear(broker, "bridge", "twin"), Ear(broker, "bridge", "twin")
    one.link.start()
    other.link.start()
    try:
        wait_until(lambda: contested(one.link) or contested(other.link), "one gives way")
        loser, winner = (one, other) if contested(one.link) else (other, one)
        wait_until(lambda: winner.link.connected, "the other stays")
        assert not loser.link.connected
        assert loser.ups.count(True) <= max(MAX_TAKE_OVERS, MAX_QUICK_LOSSES)
    finally:
        one.close()
        other.close()
    assert caplog.text.count("another table uses the id 'twin'") == 1


def contested(link: Link) -> bool:
    return "another table uses the id 'twin'" in (link.problem or "")


def test_closing_before_any_connection_takes_no_time() -> None:
    link = Link(f"mqtt://127.0.0.1:{free_port()}", "app", "x", "app")
    link.start()
    link.close()
    assert "paho-mqtt-client-app" not in {thread.name for thread in threading.enumerate()}


def test_closing_a_link_that_was_never_started_is_harmless() -> None:
    Link("mqtt://127.0.0.1:1", "app", "x", "app").close()


def test_the_login_of_the_url_is_used_unless_another_is_given() -> None:
    with EmbeddedBroker("home", passwords={"app": "p@ss/word"}) as broker:
        link = Link(broker.url_for("app"), None, None, "app")
        link.start()
        assert link.wait_connected(10)
        link.close()


def test_a_bad_address_is_refused_before_anything_starts() -> None:
    with pytest.raises(BrokerUrlError, match="host is missing"):
        Link("mqtt://", None, None, "app")
