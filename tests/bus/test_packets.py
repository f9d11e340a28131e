import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.bus import packets, wire
from companion.bus.errors import PacketError
from companion.bus.packets import (
    Ack,
    Connect,
    Decoder,
    Disconnect,
    Message,
    Ping,
    Publish,
    Subscribe,
    Unsubscribe,
)
from companion.bus.wire import Cursor, Properties

# Written by hand from the standard's figures: fixed header, variable header, payload.
CONNECT_311 = bytes.fromhex("10 15 0004 4D515454 04 C2 0005 0001 61 0003 617070 0001 70")
CONNECT_5 = bytes.fromhex("10 16 0004 4D515454 05 C2 0005 00 0001 61 0003 617070 0001 70")

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
topics = texts.filter(packets.is_topic)
messages = st.builds(
    Message,
    topics,
    st.binary(max_size=300),
    st.sampled_from((0, 1)),
    st.booleans(),
    st.sampled_from(((), ((wire.USER_PROPERTY, ("a", "b")),), ((0x03, "text/json"), (0x09, b"\0\1")))),
)


def connected(version: int = packets.V5) -> Decoder:
    decoder = Decoder()
    list(decoder.feed(CONNECT_5 if version == packets.V5 else CONNECT_311))
    return decoder


@pytest.mark.parametrize(("data", "version"), [(CONNECT_311, 4), (CONNECT_5, 5)])
def test_a_connect_is_read(data: bytes, version: int) -> None:
    assert list(Decoder().feed(data)) == [Connect(version, "a", True, 5, "app", b"p")]


@given(messages, st.integers(1, 65_535), st.sampled_from((packets.V311, packets.V5)))
def test_a_message_comes_back_as_it_went(message: Message, packet_id: int, version: int) -> None:
    data = packets.publish(version, message, packet_id, dup=False, now_s=0)
    (packet,) = connected(version).feed(data)
    assert isinstance(packet, Publish)
    assert packet.packet_id == (packet_id if message.qos else 0)
    expected = message.properties if version == packets.V5 else ()
    assert packet.message == Message(message.topic, message.payload, message.qos, message.retain, expected)


@given(st.lists(messages, max_size=5), st.integers(1, 40))
def test_packets_may_come_in_pieces_of_any_size(sent: list[Message], size: int) -> None:
    stream = CONNECT_5 + b"".join(
        packets.publish(packets.V5, message, i + 1, dup=False, now_s=0) for i, message in enumerate(sent)
    )
    decoder = Decoder()
    found = [packet for at in range(0, len(stream), size) for packet in decoder.feed(stream[at : at + size])]
    assert [packet.message for packet in found if isinstance(packet, Publish)] == sent


@given(st.binary(max_size=200))
def test_any_bytes_are_packets_or_refused_and_nothing_else(data: bytes) -> None:
    for decoder in (Decoder(), connected(packets.V311), connected(packets.V5)):
        try:
            for packet in decoder.feed(data):
                assert packet is not None
        except PacketError as error:
            assert 0x80 <= error.reason <= 0xFF  # noqa: PT017 - some bytes are packets


@given(st.integers(0, 268_435_455))
def test_a_length_comes_back_as_it_went(value: int) -> None:
    assert Cursor(wire.varint(value)).varint() == value


@pytest.mark.parametrize(
    ("value", "text"), [(0, "00"), (127, "7f"), (128, "8001"), (16_383, "ff7f"), (16_384, "808001")]
)
def test_a_length_is_written_as_in_the_standard(value: int, text: str) -> None:
    assert wire.varint(value).hex() == text


def test_properties_of_each_type_come_back_as_they_went() -> None:
    values: Properties = (
        (0x01, 1),
        (wire.RECEIVE_MAXIMUM, 20),
        (wire.SESSION_EXPIRY, 3_600),
        (wire.SUBSCRIPTION_ID, 200),
        (0x03, "text/json"),
        (0x09, b"\0\xff"),
        (wire.USER_PROPERTY, ("a", "b")),
        (wire.USER_PROPERTY, ("a", "c")),
    )
    assert Cursor(wire.properties(values)).properties() == values


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("0000", "must come first"),
        ("3004 0001 6161", "must come first"),
        ("1006 0004 4D515454", "ends early"),
        ("1007 0004 4D515458 04", "unknown protocol name"),
        ("100A 0004 4D515454 03 02 0005", "unknown protocol version"),
        ("100C 0004 4D515454 04 03 0005 0000", "bad connect flags"),
        ("100C 0004 4D515454 04 1A 0005 0000", "bad connect flags"),
        ("110C 0004 4D515454 04 02 0005 0000", "bad flags"),
        ("100D 0004 4D515454 04 02 0005 0000 00", "bytes too many"),
        ("100D 0004 4D515454 04 02 0005 0001 FF", "not UTF-8"),
        ("100D 0004 4D515454 04 02 0005 0001 00", "with a NUL"),
        ("10FFFFFF7F", "too large"),
        ("10FFFFFFFF", "more than four bytes"),
    ],
)
def test_what_is_no_connect_is_refused(data: str, problem: str) -> None:
    with pytest.raises(PacketError, match=problem):
        list(Decoder().feed(bytes.fromhex(data)))


@pytest.mark.parametrize(
    ("data", "reason", "problem"),
    [
        (CONNECT_5.hex(), 0x82, "and once"),
        ("2000", 0x82, "not for a broker"),
        ("F000", 0x82, "not for a broker"),
        ("3605 0001 61 0001", 0x81, "QoS 3"),
        ("3004 0001 23 00", 0x90, "not a topic"),
        ("3003 0000 00", 0x90, "not a topic"),
        ("3206 0001 61 0000 00", 0x82, "packet id 0"),
        ("3007 0001 61 03 23 0001", 0x94, "aliases"),
        ("8207 0001 00 0001 61 03", 0x81, "subscription options"),
        ("8007 0001 00 0001 61 00", 0x81, "bad flags"),
        ("8203 0001 00", 0x81, "ends early"),
        ("A203 0001 00", 0x81, "ends early"),
        ("3006 0001 61 02 7F 00", 0x81, "property 0x7f is none"),
        ("3008 0001 61 04 01 00 01 00", 0x82, "property 0x01 twice"),
        ("30FFFFFF7F", 0x95, "too large"),
    ],
)
def test_what_is_no_packet_is_refused_with_its_reason(data: str, reason: int, problem: str) -> None:
    with pytest.raises(PacketError, match=problem) as caught:
        list(connected().feed(bytes.fromhex(data)))
    assert caught.value.reason == reason


def test_the_short_packets_are_read() -> None:
    decoder = connected()
    stream = "C000 40020007 62020007 A207 0001 00 0002 6162 E000"
    found = list(decoder.feed(bytes.fromhex(stream)))
    assert found == [
        Ping(),
        Ack(packets.PUBACK, 7),
        Ack(packets.PUBREL, 7),
        Unsubscribe(1, ("ab",)),
        Disconnect(),
    ]


def test_a_subscription_of_mqtt_5_has_its_options() -> None:
    (packet,) = connected().feed(bytes.fromhex("82080002000002612329"))
    assert isinstance(packet, Subscribe)
    assert packet.subscriptions[0] == packets.Subscription("a#", 1, False, True, 2)


@pytest.mark.parametrize("name", ["#", "+", "a/#", "+/a/+", "a", "/", "a//b", "$SYS/#"])
def test_a_filter_may_be_subscribed_to(name: str) -> None:
    assert packets.is_filter(name)


@pytest.mark.parametrize("name", ["", "a#", "#/a", "a/#/b", "a+", "+a/b", "a/b+"])
def test_what_is_no_filter_may_not(name: str) -> None:
    assert not packets.is_filter(name)
