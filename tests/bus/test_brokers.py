"""The contract of the bus, over each broker that the product runs on."""

import shutil
import socket
import subprocess
import time

import pytest

from companion.bus.roles import ROLES, may_read, may_write
from firmware_bridge.contract.link import Link, Will
from firmware_bridge.contract.topics import Topics
from tests.support.bus import Broker, Ear, cut, ear, wait_until

TOPICS = Topics("home")
ELSEWHERE = Topics("elsewhere")

PROBES = (
    TOPICS.space("slot/valley.1"),
    TOPICS.space("vibe/1/move/1"),
    TOPICS.node("pads"),
    TOPICS.lights("pads"),
    TOPICS.game_state,
    TOPICS.game_event,
    TOPICS.game_ask,
    TOPICS.command("tablet"),
    TOPICS.reply("tablet"),
    TOPICS.sim_field("pad/1"),
)
"""Each kind of topic that the contract knows."""

RIGHTS = {
    # Contracts, section 4, written out once more: topic → who may read it, who may write it.
    TOPICS.space("slot/valley.1"): ({"app", "staff"}, {"app", "bridge"}),
    TOPICS.space("vibe/1/move/1"): ({"app", "staff"}, {"app", "bridge"}),
    TOPICS.node("pads"): ({"app", "staff", "bridge"}, {"app", "bridge"}),
    TOPICS.lights("pads"): ({"app", "staff", "bridge"}, {"app", "bridge"}),
    TOPICS.game_state: ({"app", "staff", "display"}, {"app"}),
    TOPICS.game_event: ({"app", "staff", "display"}, {"app"}),
    TOPICS.game_ask: ({"app", "staff", "display"}, {"app"}),
    TOPICS.command("tablet"): ({"app", "staff"}, {"app", "staff"}),
    TOPICS.reply("tablet"): ({"app", "staff"}, {"app"}),
    TOPICS.sim_field("pad/1"): ({"app", "staff", "bridge"}, {"app"}),
}


def settle(speaker: Ear, listener: Ear) -> None:
    """Return when all that `speaker` has published has passed the broker and `listener` has had its share."""
    mark = f"mark {len(speaker.heard)}".encode()
    topic = TOPICS.game_event
    speaker.publish(topic, mark)
    listener.wait_for(topic, mark)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_reads_through_a_wildcard_what_it_may_and_nothing_else(broker: Broker, role: str) -> None:
    with ear(broker, "app", "app") as app:
        for topic in PROBES:
            app.publish(topic, b"stored", retain=True)
        with ear(broker, "app", "watch", [TOPICS.game_event]) as watch:
            settle(app, watch)
        with ear(broker, role, "reader", ["#"]) as reader:
            for topic in PROBES:
                app.publish(topic, b"live")
            readable = {topic for topic in PROBES if role in RIGHTS[topic][0]}
            for topic in readable:
                reader.wait_for(topic, b"stored")
                reader.wait_for(topic, b"live")
            with ear(broker, "app", "watch", [TOPICS.game_event]) as watch:
                settle(app, watch)
            assert {topic for topic in reader.state if topic in PROBES} == readable


@pytest.mark.parametrize("role", ROLES)
def test_a_role_writes_what_it_may_and_nothing_else(broker: Broker, role: str) -> None:
    with ear(broker, "app", "watch", ["#"]) as watch, ear(broker, role, "writer") as writer:
        for topic in PROBES:
            writer.publish(topic, b"hello", retain=True)
            writer.publish(ELSEWHERE.root + "game/state", b"hello", retain=True)
        writable = {topic for topic in PROBES if role in RIGHTS[topic][1]}
        for topic in writable:
            watch.wait_for(topic, b"hello")
        with ear(broker, "app", "app") as app:
            settle(app, watch)
        heard = {topic for topic, payload, _ in watch.heard if payload == b"hello"}
        assert heard == writable
    with ear(broker, "app", "late", ["#"]) as late:
        for topic in writable:
            late.wait_for(topic, b"hello")
        assert {topic for topic, payload, _ in late.heard if payload == b"hello"} == writable


def test_the_rights_of_the_tests_are_those_of_the_role_table() -> None:
    for topic, (readers, writers) in RIGHTS.items():
        assert {role for role in ROLES if may_read(role, "home", topic)} == readers
        assert {role for role in ROLES if may_write(role, "home", topic)} == writers


@pytest.mark.parametrize("role", ROLES)
def test_no_role_reaches_another_table(broker: Broker, role: str) -> None:
    with ear(broker, "app", "watch", ["#"]) as watch, ear(broker, role, "stray", ["#"]) as stray:
        for topic in (
            ELSEWHERE.game_state,
            ELSEWHERE.space("pad/1"),
            ELSEWHERE.command("x"),
            "other",
            "$SYS/x",
        ):
            stray.publish(topic, b"hello", retain=True)
        with ear(broker, "app", "app") as app:
            settle(app, watch)
        assert not any(payload == b"hello" for _, payload, _ in watch.heard + stray.heard)


@pytest.mark.parametrize(
    ("role", "password"), [("app", "wrong"), ("boss", "wrong"), ("", ""), (None, None), ("bridge", "")]
)
def test_nobody_connects_without_the_right_password(
    broker: Broker, role: str | None, password: str | None
) -> None:
    link = Link(broker.url, role, password, "stranger")
    link.start()
    try:
        wait_until(lambda: link.problem is not None, "a refusal")
        assert not link.connected
        assert f"the broker at 127.0.0.1:{broker.port} refuses" in (link.problem or "")
        assert "correct the user name and the password" in (link.problem or "")
    finally:
        link.close()


def test_a_password_of_one_role_is_none_for_another(broker: Broker) -> None:
    link = Link(broker.url, "app", broker.password("display"), "stranger")
    link.start()
    try:
        wait_until(lambda: link.problem is not None, "a refusal")
        assert not link.connected
    finally:
        link.close()


def test_whoever_comes_late_or_twice_has_the_same_picture(broker: Broker) -> None:
    with ear(broker, "app", "early", [TOPICS.all_spaces]) as early, ear(broker, "bridge", "node") as node:
        for n in range(20):
            node.publish(TOPICS.space("slot/valley.1"), str(n).encode(), retain=True)
            node.publish(TOPICS.space("pad/1"), str(n).encode(), retain=True)
        early.wait_for(TOPICS.space("pad/1"), b"19")
        for name in ("late", "later", "late"):
            with ear(broker, "app", name, [TOPICS.all_spaces]) as late:
                late.wait_for(TOPICS.space("pad/1"))
                late.wait_for(TOPICS.space("slot/valley.1"))
                assert late.state == early.state
                assert len(late.heard) == 2, "each stored message comes once (F-93)"
                assert all(retained for _, _, retained in late.heard)
        assert not any(retained for _, _, retained in early.heard), "a live copy is no stored one (F-77)"


def test_messages_of_one_client_keep_their_order(broker: Broker) -> None:
    with ear(broker, "app", "ear", [TOPICS.game_event]) as listener, ear(broker, "app", "mouth") as mouth:
        sent = [str(n).encode() for n in range(500)]
        for payload in sent:
            mouth.publish(TOPICS.game_event, payload)
        listener.wait_for(TOPICS.game_event, sent[-1])
        assert [payload for _, payload, _ in listener.heard] == sent


def test_a_zero_length_payload_deletes_a_stored_message(broker: Broker) -> None:
    with ear(broker, "app", "app") as app:
        app.publish(TOPICS.game_ask, b'{"id":"1"}', retain=True)
        app.publish(TOPICS.game_state, b"{}", retain=True)
        with ear(broker, "app", "early", [TOPICS.all_game]) as early:
            early.wait_for(TOPICS.game_ask, b'{"id":"1"}')
            app.publish(TOPICS.game_ask, b"", retain=True)
            early.wait_for(TOPICS.game_ask, b"")
        with ear(broker, "app", "late", [TOPICS.all_game]) as late:
            late.wait_for(TOPICS.game_state)
            assert TOPICS.game_ask not in late.state


def test_a_client_that_vanishes_leaves_its_will(broker: Broker) -> None:
    will = Will(TOPICS.node("pads"), b"gone")
    with ear(broker, "app", "ear", [TOPICS.all_nodes]) as listener:
        lost = Ear(broker, "bridge", "node", will=will).start()
        try:
            cut(lost.link)
            listener.wait_for(TOPICS.node("pads"), b"gone")
        finally:
            lost.close()
    with ear(broker, "app", "late", [TOPICS.all_nodes]) as late:
        late.wait_for(TOPICS.node("pads"), b"gone")


def test_a_client_that_leaves_in_order_says_its_will_itself(broker: Broker) -> None:
    will = Will(TOPICS.node("pads"), b"gone")
    with ear(broker, "app", "ear", [TOPICS.all_nodes]) as listener:
        with ear(broker, "bridge", "node", will=will):
            pass
        listener.wait_for(TOPICS.node("pads"), b"gone")
        assert len(listener.heard) == 1


def test_a_second_client_with_the_same_id_takes_over_and_the_will_is_said(broker: Broker) -> None:
    will = Will(TOPICS.node("pads"), b"gone")
    with ear(broker, "app", "ear", [TOPICS.all_nodes]) as listener:
        first = Ear(broker, "bridge", "node", will=will).start()
        try:
            with ear(broker, "bridge", "node"):
                listener.wait_for(TOPICS.node("pads"), b"gone")
                wait_until(lambda: False in first.ups, "the first one notices")
        finally:
            first.close()


def test_a_round_trip_does_not_wait_for_delayed_acknowledgements(broker: Broker) -> None:
    # Nagle on either end costs 40 ms each way (F-85); without it some 1 ms.
    with ear(broker, "app", "echo", [TOPICS.game_event]) as echo:
        trips: list[float] = []
        for n in range(30):
            payload = str(n).encode()
            started_s = time.perf_counter()
            echo.publish(TOPICS.game_event, payload)
            wait_until(lambda: bool(echo.heard) and echo.heard[-1][1] == payload, "the echo")  # noqa: B023
            trips.append(time.perf_counter() - started_s)
        assert sorted(trips)[15] < 0.03


@pytest.mark.parametrize("version", ["311", "5"])
def test_the_ordinary_command_line_clients_work(broker: Broker, version: str) -> None:
    if shutil.which("mosquitto_pub") is None:
        pytest.skip("mosquitto-clients are not installed: apt install mosquitto-clients")
    login = [
        "-V",
        f"mqttv{version}" if version == "5" else "mqttv311",
        "-h",
        "127.0.0.1",
        "-p",
        str(broker.port),
    ]
    app = ["-u", "app", "-P", broker.password("app")]
    for qos in ("0", "1", "2"):
        subprocess.run(
            ["mosquitto_pub", *login, *app, "-t", TOPICS.game_state, "-m", qos, "-q", qos, "-r"],
            check=True,
            timeout=10,
        )
        display = ["-u", "display", "-P", broker.password("display"), "-t", TOPICS.all_game]
        heard = subprocess.run(
            ["mosquitto_sub", *login, *display, "-q", qos, "-C", "1", "-W", "5"],
            check=True,
            timeout=10,
            capture_output=True,
            text=True,
        )
        assert heard.stdout.strip() == qos


def test_the_broker_listens_on_loopback_only(broker: Broker) -> None:
    other = "127.0.0.2"  # a loopback address too, but not the one bound
    with pytest.raises(ConnectionRefusedError), socket.create_connection((other, broker.port), timeout=2):
        pass
