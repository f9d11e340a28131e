"""What is known of a node from what comes along its line. Bytes and time are passed in."""

from random import Random
from typing import Any

import pytest

from firmware_bridge.contract.spaces import VIBE_SPACES, VIRTUAL_SPACES
from firmware_bridge.serial.sayings import MAX_SPACES, Hello
from firmware_bridge.serial.session import (
    ASK_AT_MOST_EVERY_S,
    ASK_EVERY_S,
    LIGHTS_AGAIN_S,
    OFFLINE_AFTER_S,
    RESTART_AFTER_S,
    Session,
)
from hardware.firmware.frames import Splitter, decode, encode, next_seq
from tests.support.nodes import Notes, fact

KINDNESS = "04A3C6CAE26180"
COURAGE = "04A3C611223344"
SPACES = ("slot/valley.1", "spirit/valley")
EMPTY = {"tags": [], "state": "ok"}


class Table:
    """A session with a node whose frames the test writes."""

    def __init__(self) -> None:
        self.notes = Notes()
        self.refuse: str | None = None
        self.session = Session("realm", self.notes, lambda _hello: self.refuse)
        self.now_s = 100.0
        self.seq = 0
        self._splitter = Splitter()
        self.session.opened(self.now_s)

    def frame(self, verb: str, payload: dict[str, Any]) -> bytes:
        self.seq = next_seq(self.seq)
        return encode(verb, self.seq, payload)

    def hello(self, **more: Any) -> bytes:
        said = {"node": "realm", "boot": "1", "firmware": "1.0.0", "protocol": 1, "spaces": list(SPACES)}
        return self.frame("H", said | more)

    def states(self, *tags: str, state: str = "ok", spirit: Any = None) -> bytes:
        return self.frame(
            "S",
            {"slot/valley.1": {"tags": list(tags), "state": state}, "spirit/valley": spirit or EMPTY},
        )

    def hear(self, *data: bytes) -> None:
        self.session.received(b"".join(data), self.now_s)

    def advance(self, seconds: float, step_s: float = 0.25) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s = min(end_s, self.now_s + step_s)
            self.session.tick(self.now_s)

    def sent(self) -> list[tuple[str, dict[str, Any]]]:
        frames = [decode(line) for line in self._splitter.feed(self.session.take_outgoing())]
        return [(verb, payload) for verb, _, payload in frames]


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def online(table: Table) -> Table:
    table.hear(table.hello(), table.states(KINDNESS))
    assert table.session.online
    table.sent()
    return table


def test_whoever_is_there_is_asked_and_is_online_with_its_first_states(table: Table) -> None:
    assert table.sent() == [("Q", {})]
    table.hear(table.hello())
    assert table.notes.met == []
    assert not table.session.online
    table.hear(table.states(KINDNESS))
    assert table.notes.met == [("1.0.0", SPACES)]
    assert table.notes.facts == {"slot/valley.1": fact(KINDNESS), "spirit/valley": fact()}
    assert table.notes.states == dict.fromkeys(SPACES, "ok")


def test_nothing_is_believed_before_the_node_said_who_it_is(table: Table) -> None:
    """F-66: what comes in the middle of a start is nobody's."""
    table.hear(table.states(KINDNESS))
    assert table.notes.said == []
    assert table.session.counts["before the node's name"] == 1


def test_a_hello_that_a_disturbance_ate_is_asked_for_as_soon_as_states_come(table: Table) -> None:
    table.sent()
    table.advance(ASK_AT_MOST_EVERY_S)
    table.hear(table.states(KINDNESS))
    assert table.sent() == [("Q", {})]


def test_only_changes_are_said(online: Table) -> None:
    online.notes.said.clear()
    online.hear(online.states(KINDNESS), online.states(KINDNESS))
    assert online.notes.said == []
    online.hear(online.states(KINDNESS, COURAGE))
    online.hear(online.states())
    assert online.notes.said == [
        ("slot/valley.1", fact(COURAGE, KINDNESS)),
        ("slot/valley.1", fact()),
    ]


def test_a_removal_is_said_at_once_and_not_debounced_again(online: Table) -> None:
    online.advance(0.05)
    online.hear(online.states())
    assert online.session.facts["slot/valley.1"] == fact()


def test_of_a_backlog_the_newest_states_count(online: Table) -> None:
    """F-59: values must not lag further and further behind."""
    online.notes.said.clear()
    online.hear(*(online.states(*([KINDNESS] if i % 2 else [])) for i in range(200)), online.states(COURAGE))
    assert online.notes.said == [("slot/valley.1", fact(COURAGE))]


def test_a_node_that_is_silent_for_three_seconds_is_offline_and_keeps_its_last_tags(online: Table) -> None:
    """F-51: a lost reader is never an empty space."""
    online.advance(OFFLINE_AFTER_S - 0.01)
    assert online.notes.online
    online.advance(0.01)
    assert not online.notes.online
    assert online.session.facts == {
        "slot/valley.1": fact(KINDNESS, state="fault"),
        "spirit/valley": fact(state="fault"),
    }
    assert online.notes.facts == online.session.facts
    assert set(online.notes.states.values()) == {"silent"}


def test_the_next_states_heal_a_node_that_was_offline(online: Table) -> None:
    online.advance(60)
    online.hear(online.states(COURAGE))
    assert online.notes.online
    assert online.notes.facts == {"slot/valley.1": fact(COURAGE), "spirit/valley": fact()}


def test_frames_that_say_nothing_of_the_spaces_keep_no_node_online(online: Table) -> None:
    for _ in range(13):
        online.advance(0.25)
        online.hear(online.hello(), b"noise\n", online.frame("Q", {}))
    assert not online.notes.online


def test_a_lost_frame_is_counted_and_healed_by_the_next(online: Table) -> None:
    online.states()
    online.states()
    online.hear(online.states(COURAGE))
    assert online.session.counts["lost"] == 2
    assert online.session.facts["slot/valley.1"] == fact(COURAGE)


def test_a_frame_in_pieces_over_two_seconds_is_whole(online: Table) -> None:
    """F-50: what a timeout cuts is not lost."""
    whole = online.states(COURAGE)
    online.hear(whole[:20])
    online.advance(2)
    online.hear(whole[20:-1])
    assert online.session.facts["slot/valley.1"] == fact(KINDNESS)
    online.hear(whole[-1:])
    assert online.session.facts["slot/valley.1"] == fact(COURAGE)


@pytest.mark.parametrize(
    "noise",
    [
        b"p0: \x95\xedbumper_front_top.change=0;bumper_front_top.in\xf6I (12) boot: ESP-IDF\r\n",
        bytes(range(256)) + b"\n",
        b"AT\r\nAT+CGMI\r\n~\x00\x78\xf0~\n",
        b"\xc3\x28" * 3000 + b"\n",
        b"S 2 {} *00000000\n",
    ],
    ids=["F-57 reset in mid-line", "F-58 every byte", "F-62 ModemManager", "F-49 no end", "bad checksum"],
)
def test_noise_is_counted_and_dropped_to_the_next_newline(online: Table, noise: bytes) -> None:
    online.notes.said.clear()
    online.hear(noise)
    assert online.notes.said == []
    assert sum(online.session.counts.values()) > 3
    online.hear(online.states(COURAGE))
    assert online.notes.said == [("slot/valley.1", fact(COURAGE))]


def test_a_node_that_resets_in_mid_line_is_heard_again_after_its_hello(online: Table) -> None:
    """F-57."""
    online.hear(online.states(COURAGE)[:30])
    online.seq = 0
    online.hear(b"\xff\xfeMPY: soft reboot\r\n", online.hello(boot="2"), online.states(COURAGE))
    assert online.session.facts["slot/valley.1"] == fact(COURAGE)
    assert online.session.counts["starts"] == 2


def test_states_of_a_node_that_started_again_unheard_wait_for_its_name(online: Table) -> None:
    online.advance(ASK_AT_MOST_EVERY_S)
    online.seq = 0
    online.hear(online.states())
    assert online.session.facts["slot/valley.1"] == fact(KINDNESS)
    assert online.sent() == [("Q", {})]
    online.hear(online.hello(boot="2"), online.states(COURAGE))
    assert online.session.facts["slot/valley.1"] == fact(COURAGE)


def test_a_node_that_resets_when_its_port_opens_is_asked_until_it_is_up(table: Table) -> None:
    assert table.sent() == [("Q", {})]
    table.advance(2 * ASK_EVERY_S)
    assert table.sent() == [("Q", {})], "one question at a time waits"
    table.hear(b"\x00\x80 boot\r\n", table.hello(), table.states(KINDNESS))
    assert table.notes.online


def test_after_a_new_connection_the_name_comes_first_and_nothing_flickers(online: Table) -> None:
    online.session.closed()
    online.advance(1)
    online.session.opened(online.now_s)
    online.hear(online.states(COURAGE))
    assert online.notes.facts["slot/valley.1"] == fact(KINDNESS)
    online.hear(online.hello(), online.states(COURAGE))
    assert online.notes.met == [("1.0.0", SPACES)], "three seconds were not over: it was online all the time"
    assert online.notes.facts["slot/valley.1"] == fact(COURAGE)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"protocol": 2}, 'node "realm" speaks version 2 of the protocol, this bridge speaks 1'),
        ({"protocol": "1"}, "speaks version none that is a number"),
        ({"protocol": True}, "speaks version none that is a number"),
        ({"protocol": 2, "node": "a/b"}, "a node without a good name speaks version 2"),
        ({"node": ""}, "a node without a good name says no good `node`"),
        ({"boot": 3}, 'node "realm" says no good `boot`'),
        ({"firmware": "x" * 65}, "says no good `firmware`"),
        ({"spaces": []}, "says no spaces"),
        ({"spaces": "pad/1"}, "says no spaces"),
        ({"spaces": ["pad/9"]}, 'says a space "pad/9", which there is not'),
        ({"spaces": [3]}, "says a space that is no text"),
        ({"spaces": ["pad/1", "pad/1"]}, "says a space twice"),
        ({"spaces": list(VIRTUAL_SPACES)}, "says 29 spaces, at most 20 are served: use more nodes"),
    ],
)
def test_a_node_that_can_not_be_served_is_refused_by_name(
    online: Table, said: dict[str, Any], problem: str
) -> None:
    online.hear(online.hello(**said))
    assert problem in (online.session.refusal or "")
    assert not online.notes.online
    online.hear(online.states(COURAGE))
    assert online.session.facts["slot/valley.1"] == fact(KINDNESS, state="fault")


def test_a_refused_node_is_asked_each_second_and_served_when_it_may_be(table: Table) -> None:
    table.refuse = "another node has its name"
    table.hear(table.hello())
    table.sent()
    table.advance(ASK_EVERY_S - 0.25)
    assert table.sent() == []
    table.advance(0.25)
    assert table.sent() == [("Q", {})]
    table.refuse = None
    table.hear(table.hello(), table.states(KINDNESS))
    assert table.notes.online


@pytest.mark.parametrize(
    "states",
    [
        {"slot/valley.1": EMPTY},
        {"slot/valley.1": EMPTY, "spirit/valley": EMPTY, "pad/1": EMPTY},
        {"slot/valley.1": EMPTY, "spirit/valley": []},
        {"slot/valley.1": EMPTY, "spirit/valley": {"tags": []}},
        {"slot/valley.1": EMPTY, "spirit/valley": {"tags": [], "state": "fine"}},
        {"slot/valley.1": EMPTY, "spirit/valley": {"tags": [], "state": ["ok"]}},
        {"slot/valley.1": EMPTY, "spirit/valley": {"tags": ["04A3C6"], "state": "ok"}},
        {"slot/valley.1": EMPTY, "spirit/valley": {"tags": ["8804A3C6"], "state": "ok"}},
        {"slot/valley.1": EMPTY, "spirit/valley": {"tags": "04A3C6CAE26180", "state": "ok"}},
        {},
    ],
)
def test_states_that_can_not_be_right_change_nothing_even_with_a_good_checksum(
    online: Table, states: dict[str, Any]
) -> None:
    before = dict(online.session.facts)
    online.hear(online.frame("S", states))
    assert online.session.facts == before
    assert online.session.counts["unusable states"] == 1


def test_a_question_follows_states_that_can_not_be_used_but_not_one_each(online: Table) -> None:
    online.advance(ASK_AT_MOST_EVERY_S)
    for _ in range(100):
        online.hear(online.frame("S", {}))
    assert online.sent() == [("Q", {})]


def test_lights_are_sent_for_every_space_and_again_after_a_start(online: Table) -> None:
    online.session.show({"slot/valley.1": "green", "pad/1": "red"}, online.now_s)
    wanted = ("L", {"slot/valley.1": "green", "spirit/valley": "off"})
    assert online.sent() == [wanted]
    online.hear(online.hello(boot="2"))
    assert online.sent() == [wanted]
    online.session.closed()
    online.session.opened(online.now_s)
    assert online.sent() == [("Q", {})]
    online.hear(online.hello(boot="2"))
    assert online.sent() == [wanted]


def test_lights_that_a_disturbance_ate_are_right_some_seconds_later(online: Table) -> None:
    online.session.show({}, online.now_s)
    wanted = ("L", {"slot/valley.1": "off", "spirit/valley": "off"})
    assert online.sent() == [wanted]
    for _ in range(round(LIGHTS_AGAIN_S)):
        online.advance(1)
        online.hear(online.states(KINDNESS))
    assert online.sent() == [wanted]


def test_lights_of_a_node_that_is_not_there_wait_for_it(table: Table) -> None:
    table.session.show({"slot/valley.1": "amber"}, table.now_s)
    assert table.sent() == [("Q", {})]
    table.hear(table.hello())
    assert table.sent() == [("L", {"slot/valley.1": "amber", "spirit/valley": "off"})]


def test_the_lights_of_the_largest_node_fit_into_a_line(table: Table) -> None:
    spaces = sorted(VIBE_SPACES, key=len)[-MAX_SPACES:]
    table.hear(table.hello(spaces=spaces))
    table.sent()
    table.session.show(dict.fromkeys(spaces, "amber"), table.now_s)
    assert table.sent() == [("L", dict.fromkeys(spaces, "amber"))]


def test_a_reader_that_stays_in_trouble_is_started_again_less_and_less_often(online: Table) -> None:
    asked_at = []
    begin_s = online.now_s
    for _ in range(60):
        online.hear(online.states(KINDNESS, state="fault"))
        online.advance(1)
        if ("R", {"space": "slot/valley.1"}) in online.sent():
            asked_at.append(online.now_s - begin_s)
    assert asked_at == [RESTART_AFTER_S, 3 * RESTART_AFTER_S, 7 * RESTART_AFTER_S]
    assert online.notes.states == {"slot/valley.1": "silent", "spirit/valley": "ok"}
    online.hear(online.states(KINDNESS))
    online.advance(1)
    assert ("R", {"space": "slot/valley.1"}) not in online.sent()


def test_a_node_that_has_fewer_readers_than_before_leaves_the_others_in_fault(online: Table) -> None:
    online.hear(online.hello(boot="2", spaces=["spirit/valley"]))
    online.hear(online.frame("S", {"spirit/valley": EMPTY}))
    assert online.notes.facts["slot/valley.1"] == fact(KINDNESS, state="fault")
    assert online.notes.met[-1] == ("1.0.0", ("spirit/valley",))
    assert online.session.facts == {"spirit/valley": fact()}


def test_a_new_firmware_is_known_from_its_first_states_on(online: Table) -> None:
    online.hear(online.hello(boot="2", firmware="1.1.0"), online.states(KINDNESS))
    assert online.notes.met[-1] == ("1.1.0", SPACES)


def test_numbers_come_round_without_a_stop(online: Table) -> None:
    online.seq = 65_534 - 1
    online.hear(online.hello())
    for tag in (KINDNESS, COURAGE, KINDNESS, COURAGE):
        online.hear(online.states(tag))
        assert online.session.facts["slot/valley.1"] == fact(tag)
    assert online.session.counts["starts"] == 1


def test_any_cut_of_the_stream_gives_the_same_picture() -> None:
    chance = Random(4)  # noqa: S311
    for _ in range(50):
        table = Table()
        stream = table.hello() + b"".join(
            table.states(*chance.sample([KINDNESS, COURAGE], chance.randint(0, 2))) for _ in range(10)
        )
        last = table.states(COURAGE)
        stream += last
        while stream:
            size = chance.randint(1, 200)
            table.hear(stream[:size])
            stream = stream[size:]
        assert table.notes.facts == {"slot/valley.1": fact(COURAGE), "spirit/valley": fact()}


def test_a_hello_keeps_the_order_of_its_spaces() -> None:
    said = {"node": "realm", "boot": "1", "firmware": "1", "protocol": 1, "spaces": ["pad/2", "pad/1"]}
    assert Hello.from_payload(said).spaces == ("pad/2", "pad/1")
