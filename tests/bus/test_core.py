"""The embedded broker's mind, without sockets and in moved time."""

import random

import pytest

from companion.bus import packets, wire
from companion.bus.core import CONNECT_WITHIN_S, MAX_RETAINED, MAX_SESSIONS, BrokerCore, Client, Rights
from companion.bus.packets import V5, V311, Message
from companion.bus.sessions import MAX_BACKLOG_BYTES, MAX_QUEUED, WINDOW
from companion.bus.wire import Properties

EVERYTHING = Rights(lambda _user, _password: True, lambda _role, _topic: True, lambda _role, _topic: True)


class Wire:
    """The client's end of a connection: what it was sent, as packet types and messages."""

    def __init__(self) -> None:
        self.sent = bytearray()
        self.closed = False
        self.backlog = 0

    def send(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True

    def backlog_bytes(self) -> int:
        return self.backlog

    def take(self) -> list[tuple[int, int, bytes]]:
        """Type, flags and body of each packet sent since the last look."""
        found = []
        data = bytes(self.sent)
        self.sent.clear()
        while data:
            cursor = wire.Cursor(data, 1)
            length = cursor.varint()
            found.append((data[0] >> 4, data[0] & 0x0F, cursor.take(length)))
            data = cursor.rest()
        return found


class Table:
    """A broker and its clients, at a time that the test moves."""

    def __init__(self, rights: Rights = EVERYTHING) -> None:
        self.core = BrokerCore(rights)
        self.now_s = 1_000.0

    def connect(
        self,
        client_id: str,
        *,
        role: str = "app",
        version: int = V5,
        clean: bool = True,
        keepalive_s: int = 0,
        will: str = "",
        will_delay_s: int = 0,
        properties: Properties = (),
    ) -> "Peer":
        peer = Peer(self, Wire(), version)
        flags = 0x80 | (0x02 if clean else 0) | (0x04 | 0x20 | 0x08 if will else 0)
        body = wire.text("MQTT") + bytes((version, flags)) + wire.u16(keepalive_s)
        if version == V5:
            body += wire.properties(properties)
        body += wire.text(client_id)
        if will:
            delay: Properties = ((wire.WILL_DELAY, will_delay_s),)
            body += (
                (wire.properties(delay) if version == V5 else b"") + wire.text(will) + wire.binary(b"gone")
            )
        peer.send(packets.CONNECT, 0, body + wire.text(role))
        return peer

    def pass_time(self, duration_s: float) -> None:
        for _ in range(round(duration_s * 2)):
            self.now_s += 0.5
            self.core.tick(self.now_s)


class Peer:
    """One client."""

    def __init__(self, table: Table, end: Wire, version: int) -> None:
        self.table = table
        self.end = end
        self.version = version
        self.client: Client = table.core.opened(end, table.now_s)

    def send(self, kind: int, flags: int, body: bytes) -> None:
        data = bytes((kind << 4 | flags,)) + wire.varint(len(body)) + body
        self.table.core.received(self.client, data, self.table.now_s)

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, expiry_s: int | None = None
    ) -> None:
        properties: Properties = () if expiry_s is None else ((wire.MESSAGE_EXPIRY, expiry_s),)
        data = packets.publish(
            self.version, Message(topic, payload, 1, retain, properties), 1, dup=False, now_s=0
        )
        self.table.core.received(self.client, data, self.table.now_s)

    def subscribe(self, topic_filter: str, options: int = 1) -> None:
        tail = b"\0" if self.version == V5 else b""
        body = wire.u16(1) + tail + wire.text(topic_filter) + bytes((options,))
        self.send(packets.SUBSCRIBE, 2, body)

    def vanish(self) -> None:
        self.table.core.lost(self.client, self.table.now_s)

    def leave(self) -> None:
        self.send(packets.DISCONNECT, 0, b"")

    def kinds(self) -> list[int]:
        return [kind for kind, _, _ in self.end.take()]

    def heard(self, *, acknowledge: bool = True) -> list[bytes]:
        """Payloads that came since the last look."""
        found: list[bytes] = []
        while True:
            came = [(flags, body) for kind, flags, body in self.end.take() if kind == packets.PUBLISH]
            if not came:
                return found
            for flags, body in came:
                cursor = wire.Cursor(body)
                cursor.text()
                packet_id = cursor.u16() if flags & 0x06 else 0
                if self.version == V5:
                    cursor.properties()
                found.append(cursor.rest())
                if packet_id and acknowledge:
                    self.send(packets.PUBACK, 0, wire.u16(packet_id))


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_connection_without_a_connect_is_closed_in_time(table: Table) -> None:
    peer = Peer(table, Wire(), V5)
    table.pass_time(CONNECT_WITHIN_S - 0.5)
    assert not peer.end.closed
    table.pass_time(0.5)
    assert peer.end.closed
    assert table.core.client_count == 0


@pytest.mark.parametrize("version", [V311, V5])
def test_a_silent_client_is_closed_after_one_and_a_half_keepalives_and_its_will_said(
    table: Table, version: int
) -> None:
    watch = table.connect("watch")
    watch.subscribe("#")
    silent = table.connect("silent", version=version, keepalive_s=4, will="node/x")
    for _ in range(10):
        table.pass_time(5.5)
        silent.send(packets.PINGREQ, 0, b"")
    assert watch.heard() == []
    table.pass_time(6)
    assert silent.end.closed
    assert watch.heard() == [b"gone"]


def test_a_client_without_keepalive_may_be_silent(table: Table) -> None:
    peer = table.connect("a", keepalive_s=0)
    table.pass_time(3_600)
    assert not peer.end.closed


def test_a_client_that_leaves_says_no_will(table: Table) -> None:
    watch = table.connect("watch")
    watch.subscribe("#")
    table.connect("a", will="node/x").leave()
    table.pass_time(10)
    assert watch.heard() == []


def test_a_client_of_mqtt_5_may_ask_for_its_will_on_leaving(table: Table) -> None:
    watch = table.connect("watch")
    watch.subscribe("#")
    table.connect("a", will="node/x").send(packets.DISCONNECT, 0, b"\x04")
    assert watch.heard() == [b"gone"]


def test_a_delayed_will_is_not_said_when_the_client_is_back_in_time(table: Table) -> None:
    watch = table.connect("watch")
    watch.subscribe("#")
    keep: Properties = ((wire.SESSION_EXPIRY, 60),)
    for back_after_s, wills in ((3, []), (6, [b"gone"])):
        table.connect("a", clean=False, will="node/x", will_delay_s=5, properties=keep).vanish()
        table.pass_time(back_after_s)
        back = table.connect("a", clean=False, properties=keep)
        table.pass_time(60)
        assert watch.heard() == wills
        back.leave()


def test_a_clean_return_says_a_delayed_will_before_the_birth(table: Table) -> None:
    watch = table.connect("watch")
    watch.subscribe("#")
    keep: Properties = ((wire.SESSION_EXPIRY, 60),)
    table.connect("a", will="node/x", will_delay_s=30, properties=keep).vanish()
    table.connect("a").publish("node/x", b"online")
    table.pass_time(60)
    assert watch.heard() == [b"gone", b"online"]


@pytest.mark.parametrize("version", [V311, V5])
def test_a_kept_session_gets_what_came_while_it_was_away(table: Table, version: int) -> None:
    keep: Properties = ((wire.SESSION_EXPIRY, 60),)
    away = table.connect("away", version=version, clean=False, properties=keep)
    away.subscribe("#")
    away.vanish()
    table.connect("b").publish("a", b"meanwhile")
    table.pass_time(30)
    back = table.connect("away", version=version, clean=False, properties=keep)
    assert back.end.take()[0][2][0] == 1, "session present"
    back = table.connect("away", version=version, clean=False, properties=keep)
    assert back.heard() == [b"meanwhile"], "sent again, since it was not acknowledged"


def test_a_session_ends_when_its_time_is_over(table: Table) -> None:
    keep: Properties = ((wire.SESSION_EXPIRY, 60),)
    away = table.connect("away", clean=False, properties=keep)
    away.subscribe("#")
    away.vanish()
    table.pass_time(61)
    table.connect("b").publish("a", b"meanwhile")
    back = table.connect("away", clean=False, properties=keep)
    assert back.end.take()[0][2][0] == 0
    assert back.heard() == []


def test_a_client_that_does_not_acknowledge_gets_a_window_and_the_rest_afterwards(table: Table) -> None:
    slow = table.connect("slow")
    slow.subscribe("#")
    slow.end.take()
    mouth = table.connect("mouth")
    sent = [str(n).encode() for n in range(100)]
    for payload in sent:
        mouth.publish("a", payload)
    first = [kind for kind, _, _ in slow.end.take()]
    assert first == [packets.PUBLISH] * WINDOW
    for packet_id in range(1, WINDOW + 1):
        slow.send(packets.PUBACK, 0, wire.u16(packet_id))
    assert slow.heard() == sent[WINDOW:]


def test_the_receive_maximum_of_a_client_is_kept(table: Table) -> None:
    slow = table.connect("slow", properties=((wire.RECEIVE_MAXIMUM, 2),))
    slow.subscribe("#")
    slow.end.take()
    for n in range(5):
        table.connect("mouth").publish("a", str(n).encode())
    assert slow.kinds() == [packets.PUBLISH] * 2


def test_what_waits_for_a_client_is_bounded_and_the_newest_stays(table: Table) -> None:
    away = table.connect("away", version=V311, clean=False)
    away.subscribe("#")
    away.vanish()
    mouth = table.connect("mouth")
    for n in range(MAX_QUEUED + 50):
        mouth.publish("a", str(n).encode())
    heard = table.connect("away", version=V311, clean=False).heard()
    assert len(heard) == MAX_QUEUED
    assert heard[-1] == str(MAX_QUEUED + 49).encode()


def test_a_client_that_does_not_read_loses_qos_0_and_nothing_grows(table: Table) -> None:
    stuck = table.connect("stuck")
    stuck.subscribe("#", 0)
    stuck.end.take()
    stuck.end.backlog = MAX_BACKLOG_BYTES
    table.connect("mouth").publish("a", b"x")
    assert stuck.end.take() == []


def test_a_message_expires(table: Table) -> None:
    table.connect("mouth").publish("a", b"short", retain=True, expiry_s=5)
    early = table.connect("early")
    early.subscribe("#")
    assert early.heard() == [b"short"]
    table.pass_time(6)
    late = table.connect("late")
    late.subscribe("#")
    assert late.heard() == []
    assert table.core.retained_count == 0


def test_retained_topics_are_bounded_and_known_ones_still_change(table: Table) -> None:
    mouth = table.connect("mouth")
    for n in range(MAX_RETAINED + 10):
        mouth.publish(f"a/{n}", b"x", retain=True)
    assert table.core.retained_count == MAX_RETAINED
    mouth.publish("a/0", b"y", retain=True)
    late = table.connect("late")
    late.subscribe("#")
    heard = late.heard()
    assert len(heard) == MAX_RETAINED
    assert b"y" in heard


def test_subscriptions_that_overlap_deliver_once(table: Table) -> None:
    peer = table.connect("a")
    peer.subscribe("a/#")
    peer.subscribe("a/+")
    table.connect("b").publish("a/b", b"x")
    assert peer.heard() == [b"x"]


def test_a_subscription_without_local_messages_hears_only_others(table: Table) -> None:
    peer = table.connect("a")
    peer.subscribe("#", 0x05)
    peer.publish("x", b"own")
    table.connect("b").publish("x", b"other's")
    assert peer.heard() == [b"other's"]


@pytest.mark.parametrize(("handling", "first", "again"), [(0x00, 1, 1), (0x10, 1, 0), (0x20, 0, 0)])
def test_retained_messages_come_as_the_subscriber_asks(
    table: Table, handling: int, first: int, again: int
) -> None:
    table.connect("b").publish("a", b"x", retain=True)
    peer = table.connect("a")
    for expected in (first, again):
        peer.subscribe("#", 0x01 | handling)
        assert len(peer.heard()) == expected


def test_the_same_id_of_another_role_is_another_client(table: Table) -> None:
    app = table.connect("x", role="app")
    display = table.connect("x", role="display")
    assert not app.end.closed
    assert not display.end.closed


def test_a_take_over_says_why(table: Table) -> None:
    first = table.connect("x")
    first.end.take()
    table.connect("x")
    assert first.end.take() == [(packets.DISCONNECT, 0, b"\x8e")]
    assert first.end.closed


def test_a_qos_2_message_that_comes_again_counts_once(table: Table) -> None:
    peer = table.connect("a")
    peer.subscribe("#")
    peer.end.take()
    body = wire.text("t") + wire.u16(9) + b"\0" + b"once"
    peer.send(packets.PUBLISH, 0x04, body)
    peer.send(packets.PUBLISH, 0x0C, body)
    peer.send(packets.PUBREL, 2, wire.u16(9))
    kinds = peer.kinds()
    assert kinds.count(packets.PUBREC) == 2
    assert kinds.count(packets.PUBCOMP) == 1
    assert kinds.count(packets.PUBLISH) == 1


def test_whoever_breaks_the_protocol_is_told_and_closed_and_its_will_said(table: Table) -> None:
    watch = table.connect("watch")
    watch.subscribe("#")
    bad = table.connect("bad", will="node/bad")
    bad.end.take()
    bad.send(packets.PUBLISH, 0x06, b"")
    assert bad.end.take() == [(packets.DISCONNECT, 0, b"\x81")]
    assert bad.end.closed
    assert watch.heard() == [b"gone"]


def test_a_bad_filter_a_shared_one_and_too_many_are_refused_one_by_one(table: Table) -> None:
    peer = table.connect("a")
    peer.end.take()
    for topic_filter, code in (("a#", 0x8F), ("$share/g/a", 0x9E), ("a/#", 1)):
        peer.subscribe(topic_filter)
        assert peer.end.take()[0][2][-1] == code
    for n in range(100):
        peer.subscribe(f"f/{n}")
    assert peer.end.take()[-1][2][-1] == 0x97


def test_more_clients_than_a_table_can_have_are_refused(table: Table) -> None:
    for n in range(MAX_SESSIONS):
        assert not table.connect(f"c{n}").end.closed
    assert table.connect("one more").end.closed
    assert not table.connect("c0").end.closed


def test_a_client_without_an_id_is_given_one(table: Table) -> None:
    peer = table.connect("")
    cursor = wire.Cursor(peer.end.take()[0][2], 2)
    assert dict(cursor.properties())[wire.ASSIGNED_CLIENT_ID]
    other = table.connect("")
    assert not peer.end.closed
    assert not other.end.closed
    assert table.connect("", version=V311, clean=False).end.closed


def test_bytes_after_the_end_of_a_connection_are_nothing(table: Table) -> None:
    watch = table.connect("watch")
    watch.subscribe("#")
    peer = table.connect("a")
    peer.leave()
    peer.vanish()
    peer.vanish()
    assert table.core.client_count == 1


def test_an_evening_of_coming_and_going_leaves_nothing_behind(table: Table) -> None:
    dice = random.Random(7)  # noqa: S311 - a walk, not a secret
    peers: list[Peer] = []
    for _ in range(5_000):
        if len(peers) < 5 or dice.random() < 0.3:
            peer = table.connect(f"c{dice.randrange(8)}", version=dice.choice((V311, V5)), will="w")
            peer.subscribe(dice.choice(("#", "a/+", "a/b")))
            peers.append(peer)
        speaker = dice.choice(peers)
        speaker.publish(dice.choice(("a/b", "a/c", "d")), b"x", retain=dice.random() < 0.5)
        for peer in peers:
            peer.heard()
        if dice.random() < 0.3:
            gone = peers.pop(dice.randrange(len(peers)))
            gone.leave() if dice.random() < 0.5 else gone.vanish()
        peers = [peer for peer in peers if not peer.end.closed]
    for peer in peers:
        peer.vanish()
    table.pass_time(1)
    assert table.core.client_count == 0
    assert table.core._sessions == {}
    assert table.core._late_wills == []
    assert table.core.retained_count <= 4
