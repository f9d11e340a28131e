"""The Empower page's example on a headless table, over a real Mosquitto with its ordinary clients."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.stories.driver import Bus, Companion, run_companion
from tests.support.mosquitto import running_mosquitto

KINDNESS, BENEVOLENCE, DIANA = "04A3C6CAE26180", "04A3C611223344", "04B00100000001"

POSITION: dict[str, Any] = {
    "mode": "full",
    "teams": {"bliss": {"ambition": 1}, "gloom": {}},
    "players": {
        "diana": {
            "team": "bliss",
            "spirit": "harmony",
            "at": "valley",
            "willpower": 5,
            "vibes": {"empower": ["red", "", "", ""], "move": ["wild", "", "", ""]},
        },
        "otto": {"team": "gloom", "spirit": "hatred", "at": "land", "willpower": 3},
    },
    "slots": {"valley.1": {"emotion": "kindness", "essence": 2}},
    "turn": {"player": "diana"},
}

pytestmark = pytest.mark.skipif(shutil.which("mosquitto_pub") is None, reason="apt install mosquitto-clients")


class Table:
    def __init__(self, bus: Bus, companion: Companion) -> None:
        self.bus, self.companion = bus, companion

    def set_up(self, position: dict[str, Any]) -> int:
        reply = self.bus.command("setup", setup=position)
        assert reply["verdict"] == "legal", reply
        self.bus.lay("slot/valley.1", KINDNESS)
        self.bus.lay("spirit/valley", DIANA)
        self.bus.wait_for("space/slot/valley.1", lambda m: m["tags"] == [KINDNESS])
        self.bus.wait_for("space/spirit/valley", lambda m: m["tags"] == [DIANA])
        # The pieces of the first position leave the table.
        for space in ("slot/valley.2", "slot/cradle.2", "slot/willow.2", "spirit/cradle-network", "pad/4"):
            self.bus.wait_for(f"space/{space}", lambda m: m["tags"] == [])
        return int(reply["seq"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    tags = tmp_path / "tags.csv"
    tags.write_text(
        "uid,component\n"
        f"{KINDNESS},emotion/bliss/kindness/1\n{BENEVOLENCE},emotion/bliss/benevolence/1\n{DIANA},spirit/harmony\n"
    )
    data = tmp_path / "data"
    imported = run_companion("tags", "import", str(tags), "--data", str(data))
    assert imported.returncode == 0, imported.stderr
    with running_mosquitto(tmp_path / "broker") as broker:
        bus = Bus(broker.port, broker.password("app"))
        companion = Companion(data, "--broker", broker.url_for("app"))
        try:
            bus.wait_for("game/state", lambda state: "seq" in state)
            # A table that is just being swept for the first time holds its judgement back.
            bus.wait_for("space/pad/4", lambda message: message["state"] == "ok")
            bus.wait_for("game/state", lambda state: state["table_ok"])
            yield Table(bus, companion)
        finally:
            text = companion.stop()
            bus.close()
            assert "Traceback" not in text, text


def test_kindness_with_two_essence_becomes_benevolence_for_three_willpower_and_back(table: Table) -> None:
    table.set_up(POSITION)

    table.bus.lay("slot/valley.1")
    table.bus.lay("slot/valley.1", BENEVOLENCE)

    state = table.bus.wait_for(
        "game/state", lambda s: s["slots"].get("valley.1", {}).get("emotion") == "benevolence"
    )
    assert state["slots"]["valley.1"]["essence"] == 2
    assert state["players"]["diana"]["willpower"] == 2
    assert state["turn"]["actions_left"] == 2

    reply = table.bus.command("undo", undo=1)
    assert reply["verdict"] == "legal"
    state = table.bus.wait_for(
        "game/state",
        lambda s: s["slots"]["valley.1"]["emotion"] == "kindness" and not s["table_ok"],
    )
    assert state["players"]["diana"]["willpower"] == 5
    assert state["slots"]["valley.1"]["essence"] == 2
    assert [problem["space"] for problem in state["problems"]] == ["slot/valley.1"]

    table.bus.lay("slot/valley.1", KINDNESS)
    table.bus.wait_for("game/state", lambda s: s["table_ok"] and s["players"]["diana"]["willpower"] == 5)


def test_with_one_essence_it_is_refused_and_says_what_goes_back(table: Table) -> None:
    position = {
        **POSITION,
        "slots": {"valley.1": {"emotion": "kindness", "essence": 1}},
        "players": {
            **POSITION["players"],
            "diana": {**POSITION["players"]["diana"], "vibes": {"empower": ["red", "green", "", ""]}},
        },
    }
    table.set_up(position)

    table.bus.lay("slot/valley.1")
    table.bus.lay("slot/valley.1", BENEVOLENCE)

    event = table.bus.wait_for("game/event", lambda e: e["verdict"] == "illegal")
    assert "R-EMP-2" in event["rules"]
    ask = table.bus.wait_for("game/ask", lambda a: bool(a.get("choices")))
    way_out = next(c for c in ask["choices"] if c.get("do", {}).get("upgrades") == ["channeled-power"])
    state = table.bus.wait_for("game/state", lambda s: not s["table_ok"])
    assert "Kindness" in state["problems"][0]["mend"]

    table.bus.publish(
        "command/story", {"id": "choose", "answer": {"ask": ask["id"], "choice": way_out["id"]}}
    )
    state = table.bus.wait_for(
        "game/state", lambda s: s["slots"].get("valley.1", {}).get("emotion") == "benevolence"
    )
    assert state["slots"]["valley.1"]["essence"] == 2
    assert state["teams"]["bliss"]["ambition"] == 0


def test_garbage_on_every_topic_changes_nothing_and_the_table_plays_on(table: Table) -> None:
    table.set_up(POSITION)
    for topic in (
        "sim/field/slot/valley.1",
        "space/slot/valley.1",
        "command/story",
        "node/virtual",
        "sim/field/no/such",
    ):
        for payload in ("", "{", "[]", '{"tags": 7}', '{"tags": ["xyz"]}', "\u00ff" * 2000):
            table.bus.publish(topic, payload)
    table.bus.lay("slot/valley.1", KINDNESS)
    table.bus.wait_for("space/slot/valley.1", lambda m: m.get("tags") == [KINDNESS])

    table.bus.lay("spirit/valley")
    table.bus.lay("spirit/valley-cradle", DIANA)

    state = table.bus.wait_for("game/state", lambda s: s["players"]["diana"]["at"] == "valley-cradle")
    assert state["players"]["diana"]["willpower"] == 4


def test_a_killed_companion_comes_back_to_the_last_accepted_action(table: Table) -> None:
    table.set_up(POSITION)
    table.bus.lay("spirit/valley")
    table.bus.lay("spirit/valley-cradle", DIANA)
    before = table.bus.wait_for("game/state", lambda s: s["players"]["diana"]["at"] == "valley-cradle")

    table.companion.kill()
    table.companion.start()

    reply = table.bus.command_until_answered("again", do={"action": "move", "to": "valley"})
    assert reply["verdict"] == "legal"
    assert reply["seq"] == before["seq"] + 1
