"""A whole table over the bus's messages in moved time: facts and commands in; state, events, replies out."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import content
from companion.scenario.notation import action_from
from companion.table.registry import Registry, save, virtual_registry
from tests.session.desk import BENEVOLENCE, KINDNESS, TOPICS, UIDS, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.connect()
    yield desk
    desk.close()


@pytest.fixture
def short(tmp_path: Path) -> Iterator[Desk]:
    """Kindness is one Essence short, and Channeled Power has its token."""
    desk = Desk(tmp_path, "empower-refused")
    desk.connect()
    yield desk
    desk.close()


def test_a_connection_hears_the_whole_state_and_no_question(desk: Desk) -> None:
    assert desk.state["seq"] == 1
    assert desk.state["table_ok"] is True
    assert desk.state["problems"] == []
    assert desk.emotion("valley.1") == ("kindness", 2)
    assert "hand" not in desk.state["players"]["diana"]
    assert desk.state["players"]["diana"]["hand_size"] == 3
    assert desk.ask == {}
    assert desk.all("event") == []


def test_the_example_of_the_empower_page_plays_from_the_tags_and_can_be_undone(desk: Desk) -> None:
    desk.lies("slot/valley.1")
    desk.lies("slot/valley.1", BENEVOLENCE)

    event = desk.last("event")
    assert event["verdict"] == "legal"
    assert event["do"] == {"action": "empower", "slot": "valley.1"}
    assert event["cost"] == {"willpower": 3}
    assert event["player"] == "diana"
    assert event["seq"] == desk.state["seq"] == 2
    assert desk.emotion("valley.1") == ("benevolence", 2)
    assert desk.state["players"]["diana"]["willpower"] == 2
    assert desk.state["history"][-1]["message"] == event["message"]

    reply = desk.ask_for(id="u1", undo=1)
    assert reply["verdict"] == "legal"
    assert reply["seq"] == 3
    assert desk.emotion("valley.1") == ("kindness", 2)
    assert desk.mends == ["Put Kindness back on the left Valley slot in place of Benevolence."]
    assert desk.state["table_ok"] is False

    desk.lies("slot/valley.1", KINDNESS)
    assert desk.state["problems"] == []
    assert desk.state["table_ok"] is True
    assert desk.state["seq"] == 3


def test_one_essence_short_is_refused_with_the_way_out_as_a_choice(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    event = short.last("event")
    assert (event["verdict"], event["rules"]) == ("illegal", ["R-EMP-2"])
    assert event["message"].startswith("Kindness has 1 Essence; its Empower threshold is 2. Channeled Power")
    assert short.state["problems"] == [
        {
            "space": "slot/valley.1",
            "found": ["benevolence"],
            "expected": ["kindness"],
            "mend": "Put Kindness back on the left Valley slot in place of Benevolence.",
        }
    ]
    assert [choice["text"] for choice in short.ask["choices"]] == [
        "Use Channeled Power: 3 Willpower, 1 Ambition",
        "Put Kindness back on the left Valley slot in place of Benevolence.",
        "We do it all the same",
    ]

    answer = {"ask": short.ask["id"], "choice": short.ask["choices"][0]["id"]}
    assert short.ask_for(id=1, answer=answer)["verdict"] == "legal"
    assert short.emotion("valley.1") == ("benevolence", 2)
    assert short.state["teams"]["bliss"]["ambition"] == 1
    assert short.ask == {}
    assert short.state["table_ok"] is True


def test_a_refusal_and_its_question_go_when_the_card_goes_back(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    short.lies("slot/valley.1", KINDNESS)
    assert short.ask == {}
    assert short.state["table_ok"] is True
    assert len(short.all("event")) == 1


def test_choosing_to_put_it_back_closes_the_question_and_asks_no_second_time(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    answer = {"ask": short.ask["id"], "choice": "put-back"}
    assert short.ask_for(id=1, answer=answer)["verdict"] == "legal"
    short.advance(15)
    assert short.ask == {}
    assert short.state["seq"] == 1
    assert short.mends


def test_an_answer_to_a_question_that_is_gone_is_refused(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    old = short.ask
    short.lies("slot/valley.1", KINDNESS)
    reply = short.ask_for(id=1, answer={"ask": old["id"], "choice": "1"})
    assert reply["verdict"] == "error"
    assert reply["message"] == "That question is no longer open."
    assert short.state["seq"] == 1


def test_an_answer_given_twice_counts_once(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    answer = {"ask": short.ask["id"], "choice": "1"}
    one = short.ask_for(id=1, answer=answer)
    two = short.ask_for(id=1, answer=answer)
    assert one == two
    assert short.state["seq"] == 2
    assert len(short.all("event")) == 2  # The refusal, and the one action.


def test_a_message_heard_twice_is_heard_once(desk: Desk) -> None:
    for _ in range(3):
        desk.lies("slot/valley.1", BENEVOLENCE)
    assert len(desk.all("event")) == 1
    for _ in range(3):
        desk.ask_for(id="same", do={"action": "end-turn", "gain": "cards"})
    assert desk.state["seq"] == 3
    assert len(desk.all("reply")) == 3
    assert desk.all("reply")[0] == desk.all("reply")[2]
    assert len(desk.all("event")) == 2


def test_commands_of_screens_are_judged_like_pieces(desk: Desk) -> None:
    refused = desk.ask_for(id=1, do={"action": "move", "to": "land"})
    assert refused["verdict"] == "illegal"
    assert refused["rules"]
    assert desk.last("event")["verdict"] == "illegal"
    done = desk.ask_for(id=2, do={"action": "move", "to": "valley-cradle"}, base=1)
    assert done == {
        "id": 2,
        "verdict": "legal",
        "rules": [],
        "message": "Diana moves to the Valley-Cradle Frontier",
        "seq": 2,
    }
    assert desk.ask_for(id=3, do={"action": "move", "to": "valley"}, base=1)["message"].startswith("Stale")
    assert desk.ask_for(id=4, undo=1, at=1)["message"].startswith("Stale")
    assert desk.state["seq"] == 2


def test_a_set_up_lays_the_virtual_table_anew(desk: Desk) -> None:
    start = content.starts()["opening"]
    reply = desk.ask_for(id=1, setup=json.loads(json.dumps(dict(start.data), default=dict)))
    assert reply["verdict"] == "legal"
    assert desk.state["slots"].keys() == {"valley.2", "cradle.2", "land.1", "willow.1"}
    assert desk.mends == []
    desk.see_fields()
    desk.advance(20)
    assert desk.mends == []
    assert desk.state["table_ok"] is True
    assert desk.state["seq"] == 2
    assert len(desk.all("event")) == 1


def test_a_position_that_no_box_holds_the_pieces_for_is_refused(desk: Desk) -> None:
    benevolence = {"emotion": "benevolence"}
    setup = {
        "players": {
            "ann": {"team": "bliss", "spirit": "harmony", "at": "land"},
            "bo": {"team": "bliss", "spirit": "harmony", "at": "valley"},
        },
        "slots": {"valley.1": benevolence, "valley.2": benevolence, "land.1": benevolence},
    }
    reply = desk.ask_for(id="s", setup=setup)
    assert reply["verdict"] == "error"
    assert reply["message"].endswith("than the game: Benevolence and the figure of Harmony")
    assert desk.session.seq == 1


def test_redo_while_the_pieces_lie_there_matches(desk: Desk) -> None:
    desk.lies("slot/valley.1", BENEVOLENCE)
    desk.ask_for(id=1, undo=1)
    desk.ask_for(id=2, redo=1)
    assert desk.state["table_ok"] is True
    assert desk.state["problems"] == []
    assert [line["undone"] for line in desk.state["history"]] == [False]


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({"id": 1}, "exactly one of"),
        ({"id": 1, "do": {"action": "move", "to": "valley"}, "undo": 1}, "exactly one of"),
        ({"id": 1, "do": {"action": "fly"}}, "do"),
        ({"id": 1, "do": {"action": "empower", "slot": "moon"}}, "do.slot"),
        ({"id": 1, "do": {"action": "invoke", "emotion": "joyfulness", "slot": "valley.1"}}, "do.emotion"),
        ({"id": 1, "undo": 0}, "undo: must be"),
        ({"id": 1, "undo": True}, "undo: must be"),
        ({"id": 1, "setup": {"players": {}}}, "setup"),
        ({"id": 1, "answer": {"ask": 3, "choice": "1"}}, "answer.ask"),
        ({"id": 1, "undo": 1, "base": "one"}, "base: must be"),
    ],
)
def test_a_command_that_is_not_understood_is_answered_with_what_is_wrong(
    desk: Desk, payload: dict[str, Any], said: str
) -> None:
    reply = desk.ask_for(**payload)
    assert reply["id"] == 1
    assert reply["verdict"] == "error"
    assert said in reply["message"]
    assert "\n" not in reply["message"]
    assert reply["seq"] == 1


def test_garbage_is_logged_once_counted_and_dropped(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            desk.hear(TOPICS.space("slot/valley.1"), b"\xff{")
            desk.hear(TOPICS.command("tablet"), b"not json")
        desk.hear(TOPICS.space("slot/moon"), b"{}")
        desk.hear("somebody/elses/topic", b"\x00")
    assert len(caplog.records) == 4
    assert desk.referee.bad_payloads == 8
    assert desk.all("reply") == []
    desk.lies("slot/valley.1", BENEVOLENCE)
    assert desk.state["seq"] == 2


@pytest.mark.parametrize(
    ("client", "payload"),
    [
        pytest.param(
            "tablet", r'{"id": "\ud800", "do": {"action": "move", "to": "valley-cradle"}}', id="half"
        ),
        pytest.param("c" * 65, '{"id": 1, "do": {"action": "move", "to": "valley-cradle"}}', id="long"),
    ],
)
def test_whoever_can_not_be_answered_is_not_obeyed_either(desk: Desk, client: str, payload: str) -> None:
    desk.hear(f"{TOPICS.root}command/{client}", payload.encode())
    assert desk.state["seq"] == desk.session.seq == 1
    assert desk.referee.bad_payloads == 1


def test_a_command_that_the_broker_has_kept_is_not_obeyed_for_it_may_be_old(desk: Desk) -> None:
    move = {"id": 1, "do": {"action": "move", "to": "valley-cradle"}}
    desk.hear(TOPICS.command("old"), json.dumps(move).encode(), retained=True)
    assert desk.last("reply")["verdict"] == "illegal"
    assert "retained" in desk.last("reply")["message"]
    assert desk.state["seq"] == 1

    # Carried out when it came, and heard again at the next connection: answered as it was then.
    assert desk.ask_for("tablet", **move)["verdict"] == "legal"
    desk.hear(TOPICS.command("tablet"), json.dumps(move).encode(), retained=True)
    assert desk.last("reply") == {"id": 1, "verdict": "legal", "rules": [], "seq": 2} | {
        "message": desk.last("reply")["message"]
    }
    assert desk.state["seq"] == 2


def test_an_answer_meant_for_a_question_of_before_a_restart_fits_none_of_now(tmp_path: Path) -> None:
    asks: list[str] = []
    for _ in range(2):
        desk = Desk(tmp_path, "empower-refused")
        desk.s += len(asks)
        desk.connect()
        desk.lies("slot/valley.1", BENEVOLENCE)
        asks.append(desk.ask["id"])
        desk.close()
    assert asks[0] != asks[1]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    topic=st.sampled_from(["space/slot/valley.1", "node/virtual", "command/x", "sim/field/slot/valley.1"]),
    payload=st.one_of(
        st.binary(max_size=60),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["id", "do", "undo", "setup", "answer", "tags", "state", "at", "base", "x"]
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=8,
        ).map(lambda value: json.dumps(value).encode()),
    ),
)
def test_no_payload_whatever_stops_the_table(desk: Desk, topic: str, payload: bytes) -> None:
    desk.hear(TOPICS.root + topic, payload)
    assert desk.session.position.players


def test_nothing_is_missing_just_because_it_has_not_come_yet(tmp_path: Path) -> None:
    desk = Desk(tmp_path, virtual=False)
    desk.referee.link(desk.now, up=True)
    desk.lies("spirit/valley", retained=True)
    desk.lies("spirit/valley-cradle", "spirit/harmony", retained=True)
    assert desk.state["problems"] == []
    desk.lies("spirit/valley-cradle", retained=True)
    desk.lies("spirit/valley", "spirit/harmony", retained=True)
    desk.advance(30)
    assert desk.state["problems"] == []
    assert desk.session.seq == 1
    desk.close()


def test_after_a_restart_the_table_is_compared_before_going_on(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.connect()
    desk.lies("slot/valley.1", BENEVOLENCE)
    fields = {topic: payload for topic, payload in desk.retained.items() if "/sim/" in topic}
    desk.close()

    desk = Desk(tmp_path)  # Somebody moved a figure and took a card while the power was off.
    desk.retained.update(fields)
    desk.referee.link(desk.now, up=True)
    for topic, payload in fields.items():
        desk.hear(topic, payload, retained=True)
    desk.see_fields()
    desk.lies("slot/valley.1", retained=True)
    desk.advance(3)
    assert desk.state["seq"] == 2
    assert desk.state["slots"]["valley.1"]["emotion"] == "benevolence"
    assert desk.mends == ["Put Benevolence back on the left Valley slot."]
    desk.lies("slot/valley.1", BENEVOLENCE)
    assert desk.state["table_ok"] is True
    desk.close()


def test_only_fields_that_the_broker_does_not_retain_are_laid_at_the_start(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.referee.link(desk.now, up=True)
    desk.hear(TOPICS.sim_field("slot/valley.1"), b'{"tags": []}', retained=True)
    kind = UIDS["emotion/bliss/courage/1"]
    desk.hear(TOPICS.sim_field("pad/1"), json.dumps({"tags": [kind]}).encode(), retained=True)
    desk.advance(1)
    laid = {topic for topic in desk.retained if "/sim/" in topic}
    assert len(laid) == 27
    assert TOPICS.sim_field("slot/valley.1") not in laid
    # A card that lies on a pad is not laid a second time.
    assert kind not in json.loads(desk.retained[TOPICS.sim_field("slot/valley.2")])["tags"]
    desk.close()


def test_a_broker_that_forgot_everything_gets_the_fields_as_they_lay(desk: Desk) -> None:
    desk.hear(TOPICS.sim_field("slot/valley.1"), b'{"tags": []}')
    desk.referee.link(desk.now, up=False)
    desk.retained.clear()
    desk.referee.link(desk.now, up=True)
    desk.advance(1)
    assert json.loads(desk.retained[TOPICS.sim_field("slot/valley.1")]) == {"tags": []}
    assert desk.state["seq"] == 1


def test_what_was_moved_while_the_broker_was_away_is_offered_not_assumed(desk: Desk) -> None:
    desk.referee.link(desk.now, up=False)
    desk.referee.link(desk.now, up=True)
    desk.lies("slot/valley.1", BENEVOLENCE, retained=True)
    desk.advance(3)
    assert desk.state["seq"] == 1
    assert [choice["id"] for choice in desk.ask["choices"]] == ["1", "put-back"]
    assert desk.ask_for(id=1, answer={"ask": desk.ask["id"], "choice": "1"})["verdict"] == "legal"
    assert desk.emotion("valley.1") == ("benevolence", 2)
    assert desk.state["table_ok"] is True


def test_a_table_that_lies_as_before_goes_on_after_the_broker_was_away(desk: Desk) -> None:
    desk.referee.link(desk.now, up=False)
    assert desk.ask_for(id=1, do={"action": "end-turn", "gain": "cards"})["verdict"] == "legal"
    desk.referee.link(desk.now, up=True)
    desk.advance(3)
    assert desk.state["seq"] == 2
    assert desk.state["table_ok"] is True
    assert desk.mends == []


def test_a_node_that_is_gone_takes_its_word_with_it(desk: Desk) -> None:
    desk.node("offline")
    desk.advance(30)
    assert desk.session.seq == 1
    assert desk.state["table_ok"] is True
    [mend] = {*desk.mends}
    assert mend.startswith('Node "virtual" is not heard: check its cable and its power')
    assert len(desk.mends) == 29
    desk.node("online")
    assert desk.mends == []


def test_tags_imported_while_playing_are_known_at_the_next_reading(desk: Desk, tmp_path: Path) -> None:
    stranger = "04C0FFEEC0FFEE"
    desk.lies("slot/valley.1", stranger)
    desk.advance(2)
    assert any(stranger in mend for mend in desk.mends)
    save(tmp_path, Registry({stranger: BENEVOLENCE}).over(virtual_registry()))
    desk.lies("slot/valley.1")
    desk.lies("slot/valley.1", stranger)
    assert desk.state["seq"] == 2


def test_a_vibe_token_that_waits_is_told_and_can_be_taken_back(desk: Desk) -> None:
    desk.lies("pad/1", "emotion/bliss/courage/3")
    desk.lies("pad/1", "emotion/bliss/courage/3", "vibe/red/1")
    assert desk.state["waiting"]["discard"] == "courage"
    assert "red Vibe token" in desk.state["waiting"]["text"]
    reply = desk.ask_for(id=1, answer={"ask": "waiting", "choice": "cancel"})
    assert reply["verdict"] == "legal"
    assert "waiting" not in desk.state


def test_an_action_by_touch_leaves_a_waiting_token_for_the_next_one(desk: Desk) -> None:
    desk.lies("pad/1", "emotion/bliss/courage/3", "vibe/red/1")
    desk.lies("pad/1", "vibe/red/1")
    desk.lies("pad/1", "emotion/bliss/courage/3", "vibe/red/1")
    desk.ask_for(id=1, do={"action": "move", "to": "valley-cradle"})
    assert desk.state["waiting"]["discard"] == "courage"
    desk.ask_for(id=2, do={"action": "end-turn", "gain": "cards"})
    assert "waiting" not in desk.state


def test_what_cannot_be_stored_does_not_count_is_said_and_can_be_tried_again(desk: Desk) -> None:
    db = desk.journal._db
    pages = int(db.execute("PRAGMA page_count").fetchone()[0])
    db.execute(f"PRAGMA max_page_count = {pages}")
    there = action_from({"action": "move", "to": "valley-cradle"})
    while desk.session.do(there, at_ms=1).changed:  # Until the free room of the last pages is used up.
        while not desk.session.undo(at_ms=1).changed:
            pages += 1
            db.execute(f"PRAGMA max_page_count = {pages}")
    seq = desk.session.seq
    desk.lies("slot/valley.1", BENEVOLENCE)
    assert desk.session.seq == seq
    event = desk.last("event")
    assert event["verdict"] == "error"
    assert "the storage is full" in event["message"]
    assert "does not count" in event["message"]
    assert desk.state["table_ok"] is False
    desk.advance(10)
    assert [choice["text"] for choice in desk.ask["choices"]] == ["Try again"]

    db.execute("PRAGMA max_page_count = 100000")
    answer = {"ask": desk.ask["id"], "choice": desk.ask["choices"][0]["id"]}
    assert desk.ask_for(id="again", answer=answer)["verdict"] == "legal"
    assert desk.state["slots"]["valley.1"]["emotion"] == "benevolence"
    assert desk.state["table_ok"] is True
