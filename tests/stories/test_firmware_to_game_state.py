"""From chips to the game: the node's firmware on a real MicroPython over simulated chips, its USB line
through a real pseudo-terminal to the bridge, over a real Mosquitto to the headless app, and lights back."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hardware.firmware import manifest
from tests.firmware_bridge.test_command import running
from tests.stories.driver import Bus, Companion, run_companion
from tests.stories.test_empower_over_mosquitto import BENEVOLENCE, DIANA, KINDNESS, POSITION
from tests.support.bus import wait_until
from tests.support.micropython import SimulatedPico, needs_micropython
from tests.support.mosquitto import running_mosquitto

pytestmark = needs_micropython

SLOT, SPIRIT, NEXT = "slot/valley.1", "spirit/valley", "spirit/valley-cradle"
LAND = "spirit/land"
OTTO = "04B00100000002"
SPACES = (SLOT, "slot/valley.2", "slot/valley-cradle", SPIRIT, NEXT)


class Story:
    def __init__(self, bus: Bus, pico: SimulatedPico, companion: Companion) -> None:
        self.bus, self.pico, self.companion = bus, pico, companion

    def lay(self, space: str, *tags: str) -> None:
        self.pico.fields[space].lay(tags)

    def say_that_it_counts(self) -> None:
        """Answer the question after a time in which the table was not watched."""
        ask = self.bus.wait_for("game/ask", lambda ask: "not watched" in ask.get("text", ""))
        move = next(choice for choice in ask["choices"] if choice["do"].get("action") == "move")
        reply = self.bus.command("counts", answer={"ask": ask["id"], "choice": move["id"]})
        assert reply["verdict"] == "legal", reply

    def set_up(self) -> None:
        reply = self.bus.command("setup", setup=POSITION)
        assert reply["verdict"] == "legal", reply
        self.bus.wait_for("game/state", lambda s: len(s["problems"]) == len((SLOT, SPIRIT, LAND)))
        self.lay(SLOT, KINDNESS)
        self.lay(SPIRIT, DIANA)
        self.bus.lay(LAND, OTTO)
        self.bus.wait_for("space/" + SLOT, lambda m: m["tags"] == [KINDNESS] and m["node"] == "realm-valley")
        self.bus.wait_for("space/" + SPIRIT, lambda m: m["tags"] == [DIANA] and m["node"] == "realm-valley")
        self.bus.wait_for("game/state", lambda s: s["table_ok"])


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    tags = tmp_path / "tags.csv"
    tags.write_text(
        "uid,component\n"
        f"{KINDNESS},emotion/bliss/kindness/1\n{BENEVOLENCE},emotion/bliss/benevolence/1\n{DIANA},spirit/harmony\n"
        f"{OTTO},spirit/hatred\n"
    )
    data, flash, port = tmp_path / "data", tmp_path / "flash", tmp_path / "usb-node"
    imported = run_companion("tags", "import", str(tags), "--data", str(data))
    assert imported.returncode == 0, imported.stderr
    flash.mkdir()
    manifest.stage(flash)
    table = tmp_path / "table.toml"
    table.write_text(
        'table = "home"\n'
        f'[[node]]\nname = "realm-valley"\nkind = "serial"\nport = "{port}"\n'
        '[[node]]\nname = "virtual"\nkind = "virtual"\n'
    )
    with running_mosquitto(tmp_path / "broker") as broker:
        pico = SimulatedPico(flash, SPACES)
        pico.cable.plug([port])
        pico.start()
        bus = Bus(broker.port, broker.password("app"))
        companion = Companion(data, "--broker", broker.url_for("app"), "--table", str(table))
        bridge = running(tmp_path / "bridge.log", "--table", str(table), "--broker", broker.url_for("bridge"))
        try:
            with bridge:
                bus.wait_for("node/realm-valley", lambda node: node["state"] == "online", within_s=60)
                bus.wait_for("game/state", lambda state: "seq" in state, within_s=60)
                yield Story(bus, pico, companion)
        finally:
            text = companion.stop()
            bus.close()
            pico.stop()
            assert "Traceback" not in text, text


def test_a_card_exchanged_on_a_real_reader_s_slot_is_an_empower_in_the_game(story: Story) -> None:
    story.set_up()
    story.lay(SLOT)
    story.lay(SLOT, BENEVOLENCE)

    state = story.bus.wait_for(
        "game/state", lambda s: s["slots"].get("valley.1", {}).get("emotion") == "benevolence"
    )
    assert state["slots"]["valley.1"]["essence"] == 2
    assert state["players"]["diana"]["willpower"] == 2
    assert state["turn"]["actions_left"] == 2


def test_a_node_that_browns_out_is_there_again_and_plays_on(story: Story) -> None:
    story.set_up()

    story.pico.brown_out()
    wait_until(lambda: story.pico.starts == 2 and story.pico.sweeps > 10, "a second start", 20)
    story.lay(SPIRIT)
    story.lay(NEXT, DIANA)

    # Where the start took over three seconds the node was offline, and the app asks whether it counts.
    story.bus.wait_for("space/" + NEXT, lambda m: m["tags"] == [DIANA])
    with suppress(AssertionError):
        story.bus.wait_for("game/state", _diana_walked, within_s=2)
        return
    story.say_that_it_counts()
    story.bus.wait_for("game/state", _diana_walked)


def test_what_moves_while_a_node_is_unplugged_is_asked_and_never_taken_for_empty(
    story: Story, tmp_path: Path
) -> None:
    story.set_up()

    story.pico.cable.unplug()
    story.bus.wait_for("space/" + SPIRIT, lambda m: m["state"] == "fault" and m["tags"] == [DIANA])
    story.lay(SPIRIT)
    story.lay(NEXT, DIANA)
    sweeps = story.pico.sweeps
    wait_until(lambda: story.pico.sweeps > sweeps + 10, "that the node sees it")
    story.pico.cable.plug([tmp_path / "usb-node"])

    story.say_that_it_counts()
    state = story.bus.wait_for("game/state", _diana_walked)
    assert state["players"]["diana"]["willpower"] == 4
    assert story.pico.starts == 1


def _diana_walked(state: dict[str, Any]) -> bool:
    return bool(state["players"]["diana"]["at"] == "valley-cradle")


def test_lights_on_the_bus_are_lights_on_the_strip(story: Story) -> None:
    story.set_up()
    story.bus.publish("node/realm-valley/lights", {SLOT: "green"}, retain=True)
    story.bus.wait_for("node/realm-valley/lights", lambda lights: lights.get(SLOT) == "green")
    wait_until(lambda: story.pico.lights[:6] == bytes([0, 63, 0] * 2), "two green lights")
