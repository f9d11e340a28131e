"""From chips to the game: the node's firmware on a real MicroPython over simulated chips, its USB line
through a real pseudo-terminal to the bridge, over a real Mosquitto to the headless app, and lights back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.firmware import manifest
from tests.firmware_bridge.test_command import running
from tests.stories.driver import Bus, Companion, run_companion
from tests.stories.test_empower_over_mosquitto import BENEVOLENCE, DIANA, KINDNESS, POSITION
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
                bus.wait_for("node/realm-valley", lambda node: node["state"] == "online")
                bus.wait_for("game/state", lambda state: "seq" in state)
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


def test_a_figure_walks_while_the_node_browns_out_and_nothing_is_lost(story: Story) -> None:
    story.set_up()

    story.pico.brown_out()
    story.lay(SPIRIT)
    story.lay(NEXT, DIANA)

    state = story.bus.wait_for("game/state", lambda s: s["players"]["diana"]["at"] == "valley-cradle")
    assert state["players"]["diana"]["willpower"] == 4
    assert story.pico.starts == 2


def test_a_pulled_node_says_fault_never_empty_and_plays_on_when_it_is_back(
    story: Story, tmp_path: Path
) -> None:
    story.set_up()

    story.pico.cable.unplug()
    story.bus.wait_for("space/" + SLOT, lambda m: m["state"] == "fault" and m["tags"] == [KINDNESS])
    story.pico.cable.plug([tmp_path / "usb-node"])
    story.bus.wait_for("space/" + SLOT, lambda m: m["state"] == "ok" and m["tags"] == [KINDNESS])
    story.lay(SPIRIT)
    story.lay(NEXT, DIANA)

    story.bus.wait_for("game/state", lambda s: s["players"]["diana"]["at"] == "valley-cradle")
    assert story.pico.starts == 1


def test_lights_on_the_bus_are_lights_on_the_strip(story: Story) -> None:
    story.set_up()
    story.bus.publish("node/realm-valley/lights", {SLOT: "green"}, retain=True)
    story.bus.wait_for("node/realm-valley/lights", lambda lights: lights.get(SLOT) == "green")
    sweeps = story.pico.sweeps
    while story.pico.lights[:6] != bytes([0, 63, 0] * 2):
        assert story.pico.sweeps < sweeps + 200, story.pico.lights
