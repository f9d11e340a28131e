import socket
import threading

import pytest

from companion.bus.broker import EmbeddedBroker
from companion.bus.errors import BrokerStartError, RoleError
from companion.bus.roles import ROLES
from firmware_bridge.contract.errors import TopicError
from firmware_bridge.contract.topics import Topics
from tests.support.bus import ear, wait_until
from tests.support.mosquitto import free_port

TOPICS = Topics("home")


def test_a_free_port_is_found_and_given_back() -> None:
    broker = EmbeddedBroker().start()
    port = broker.port
    assert broker.url == f"mqtt://127.0.0.1:{port}"
    broker.stop()
    broker.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=2)
    assert "embedded-broker" not in {thread.name for thread in threading.enumerate()}


def test_a_busy_port_is_one_clear_error() -> None:
    with EmbeddedBroker() as first, pytest.raises(BrokerStartError) as caught:
        EmbeddedBroker(port=first.port).start()
    assert str(caught.value) == (
        f"port {first.port} of 127.0.0.1 is taken by another program: stop it, or set another `port`"
        " in [broker] of the table file"
    )


def test_a_port_that_is_none_is_one_clear_error() -> None:
    with pytest.raises(BrokerStartError, match=r"port 70000 of 127\.0\.0\.1 can't be listened on"):
        EmbeddedBroker(port=70_000).start()


def test_a_broker_can_be_started_again_on_its_port_at_once() -> None:
    port = free_port()
    for _ in range(3):
        with EmbeddedBroker(port=port) as broker, ear(broker, "app", "app", [TOPICS.game_state]) as app:
            app.publish(TOPICS.game_state, b"x", retain=True)
            app.wait_for(TOPICS.game_state)


def test_stopping_with_clients_connected_closes_them() -> None:
    broker = EmbeddedBroker().start()
    with ear(broker, "app", "app") as app:
        broker.stop()
        wait_until(lambda: app.ups == [True, False], "the client notices")


def test_each_start_has_its_own_passwords_and_each_role_too() -> None:
    first, second = EmbeddedBroker(), EmbeddedBroker()
    passwords = [broker.password(role) for broker in (first, second) for role in ROLES]
    assert len(set(passwords)) == 2 * len(ROLES)
    assert all(len(password) >= 32 for password in passwords)


def test_passwords_from_outside_are_used() -> None:
    with EmbeddedBroker(passwords={"staff": "open"}) as broker:
        assert broker.password("staff") == "open"
        assert broker.url_for("staff") == f"mqtt://staff:open@127.0.0.1:{broker.port}"
        with ear(broker, "staff", "staff") as staff:
            assert staff.link.connected


def test_a_role_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(RoleError, match="'boss' is not known: use bridge, app, display, staff"):
        EmbeddedBroker(passwords={"boss": "x"})
    with pytest.raises(RoleError, match="'boss' is not known"):
        EmbeddedBroker().password("boss")
    with pytest.raises(RoleError, match="password of 'app' is empty"):
        EmbeddedBroker(passwords={"app": ""})


def test_a_table_id_that_is_none_is_refused() -> None:
    with pytest.raises(TopicError, match="table id"):
        EmbeddedBroker("My table")


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\n\r\n", b"\x10\xff\xff\xff\xff", b"\0" * 100, b"\x10\x02\0"]
)
def test_whatever_a_stranger_sends_the_broker_lives_on(data: bytes) -> None:
    with EmbeddedBroker() as broker:
        with socket.create_connection(("127.0.0.1", broker.port), timeout=10) as stranger:
            stranger.sendall(data)
            if data != b"\x10\x02\0":
                assert stranger.recv(100) == b""
        with ear(broker, "app", "app") as app:
            assert app.link.connected


def test_a_refused_login_is_logged_once_without_the_password(caplog: pytest.LogCaptureFixture) -> None:
    with EmbeddedBroker() as broker:
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", broker.port), timeout=10) as stranger:
                stranger.sendall(
                    bytes.fromhex("101A 0004 4D515454 04 C2 0005 0001 61 0003 617070 0006 736573616D65")
                )
                assert stranger.recv(100) == bytes.fromhex("20020005")
    assert caplog.text.count("a client was refused") == 1
    assert "sesame" not in caplog.text
