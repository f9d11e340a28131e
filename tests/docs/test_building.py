"""The pages on building say what the code says: pins, parts, currents."""

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from companion import content
from firmware_bridge.contract.spaces import PAD_SPACES, SLOT_SPACES, SPIRIT_SPACES
from firmware_bridge.contract.table_file import SpiNode, load_table
from hardware.boards import overview, pages, parts, pi, power
from hardware.boards.drawing import COLOURS
from hardware.boards.pico import BOARDS, POWER_PINS, PicoBoard
from hardware.boards.power import NODES
from hardware.firmware.manifest import FRONTIERS
from hardware.rfid.radio import _USUAL_VERSIONS
from tests.docs.test_docs import DOCS, fenced

BUILDING = DOCS / "building"
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in sorted(BUILDING.glob("*.md"))}


@pytest.mark.parametrize("name", TEXTS)
def test_every_table_on_a_page_is_what_the_code_says(name: str) -> None:
    assert pages.filled(TEXTS[name]) == TEXTS[name], "run python -m hardware.boards.pages"


@pytest.mark.parametrize("name", pages.drawings())
def test_every_drawing_is_what_the_pin_map_says(name: str) -> None:
    kept = (DOCS / "pictures" / name).read_text(encoding="utf-8")
    assert kept == pages.drawings()[name], "run python -m hardware.boards.pages"


def test_every_table_and_drawing_there_is_stands_on_one_page() -> None:
    shown = Counter(name for text in TEXTS.values() for name in pages.marks(text))
    assert shown == dict.fromkeys(pages.names(), 1)
    for name in pages.drawings():
        assert f"(../pictures/{name})" in TEXTS["README.md" if name == "board-and-nodes.svg" else "wiring.md"]


def test_a_changed_pin_is_noticed() -> None:
    changed = TEXTS["wiring.md"].replace("22 (GP17)", "21 (GP17)", 1)
    assert changed != TEXTS["wiring.md"]
    assert pages.filled(changed) == TEXTS["wiring.md"]


@pytest.mark.parametrize("name", [name for name in pages.drawings() if name.startswith("wiring-")])
def test_a_drawing_labels_every_pin_of_board_and_readers(name: str) -> None:
    root = ET.fromstring(pages.drawings()[name])  # noqa: S314 our own text
    words = _words(root)
    assert [words[f"{pin}"] for pin in range(1, 41)] == [1] * 40
    readers = len(pi.PADS) if "pads" in name else len(BOARDS["pico-a"].plugs)
    for label in ("SDA", "SCK", "MOSI", "MISO", "RST", "3.3V", "IRQ"):
        assert words[label] == readers + (label in COLOURS), "each reader's, and the legend's"


def test_the_overview_shows_every_reader_and_every_node() -> None:
    words = _words(ET.fromstring(overview.svg()))  # noqa: S314 our own text
    for plug in BOARDS["pico-a"].plugs:
        assert words[plug.name] == len(FRONTIERS)
    for name in (*(f"realm-{realm}" for realm in FRONTIERS), *PAD_SPACES):
        assert words[name] == 1
    spaces = [space for realm in FRONTIERS for space in overview.spaces_of(realm).values()]
    assert sorted(spaces) == sorted(SLOT_SPACES + SPIRIT_SPACES)
    slots = [space for space in spaces if space.startswith("slot/")]
    assert slots == list(SLOT_SPACES), "they are drawn in this order, clockwise"


def _words(root: ET.Element) -> Counter[str | None]:
    return Counter(text.text for text in root.iter("{http://www.w3.org/2000/svg}text"))


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
def test_the_tables_name_every_pin_that_a_board_uses(board: PicoBoard) -> None:
    text = TEXTS["wiring.md"]
    for plug in board.plugs:
        for gpio in (plug.cs, plug.reset, plug.sck, plug.mosi, plug.miso):
            assert f"(GP{gpio})" in text


def test_the_parts_are_enough_for_every_space_of_the_board() -> None:
    full, slots, pad = (sum(item.counts[place] for item in parts.ITEMS[:2]) for place in (0, 1, 2))
    assert full == len(SLOT_SPACES) + len(SPIRIT_SPACES) + len(PAD_SPACES)
    assert slots == len(SLOT_SPACES) + len(PAD_SPACES)
    assert pad == len(PAD_SPACES)
    for count in (full, slots, pad):
        assert f"{count} readers" in TEXTS["README.md"]


def test_the_tags_are_enough_for_every_piece_of_the_game() -> None:
    kinds = Counter(component.partition("/")[0] for component in content.components())
    assert kinds.total() == parts.TAGS
    text = TEXTS["tags-and-table-top.md"]
    assert f"has {kinds.total()} pieces" in text
    for kind, words in (
        ("emotion", "Emotion cards"),
        ("vibe", "Vibe tokens"),
        ("fortress", "Fortresses"),
        ("spirit", "Spirits"),
    ):
        assert f"{kinds[kind]} {words}" in text


def test_the_sums_of_the_power_budget() -> None:
    """Added up by hand from the data sheet: 14 mA of logic, 60 mA of field, 100 mA at most."""
    sums = {(load.readers, load.fields): (load.typical_ma, load.most_ma) for load in power.LOADS}
    assert sums[25, 25] == (1850, 2850)
    assert sums[25, 5] == (650, 850)
    assert sums[5, 5] == (370, 570)
    assert sums[5, 1] == (130, 170)
    assert sums[4, 1] == (116, 156)
    assert power.node_5v_ma(power.NODE_ALWAYS, most=True) == 570 + 100 + power.lights_ma()


def test_what_the_power_page_concludes_from_the_sums() -> None:
    text = TEXTS["power.md"]
    assert power.NODE_ALWAYS.most_ma > power.PICO_PIN_MA, "hence the regulator"
    assert power.NODE_POLLING.most_ma < power.PICO_PIN_MA, "hence pin 36 in its place"
    assert f"pin {POWER_PINS['3V3'][0]} (3V3) in its place" in text
    assert NODES * power.node_5v_ma(power.NODE_POLLING, most=True) < 2500
    pads = [load for load in power.LOADS if load.what.startswith("pads on")]
    assert len(pads) == 2
    assert all(load.most_ma < power.PICO_PIN_MA for load in pads), "hence the Pi's own pin"
    assert 0.9 < power.regulator_heat_w(power.NODE_ALWAYS) < 1.0
    assert "almost 1 W" in text
    assert 3000 < NODES * power.node_5v_ma(power.NODE_ALWAYS, most=True) < 5000
    assert "5 V and 5 A" in text


def test_the_lights_draw_no_more_than_their_configuration_says() -> None:
    assert power.lights_ma(10, 25) <= 100
    assert power.lights_ma(0, 25) == 0
    assert power.lights_ma(10, 100) > power.lights_ma(10, 25)


def test_the_prices_add_up() -> None:
    low = sum(item.counts[0] * item.euro[0] for item in parts.ITEMS)
    assert abs(parts.cost_euro("full")[0] - low) <= 5
    for profile in parts.PROFILES:
        cheap, dear = parts.cost_euro(profile)
        assert 0 < cheap < dear


def test_the_table_files_on_the_pages_load(tmp_path: Path) -> None:
    [whole] = fenced(BUILDING / "nodes.md", "toml")
    (tmp_path / "table.toml").write_text(whole, encoding="utf-8")
    table = load_table(tmp_path / "table.toml")
    assert [node.name for node in table.nodes] == [*(f"realm-{realm}" for realm in FRONTIERS), "pads"]
    for pads, text in zip((pi.PADS, pi.PADS_TWO_BUSES), fenced(BUILDING / "wiring.md", "toml"), strict=True):
        (tmp_path / "pads.toml").write_text(f'table = "x"\n{text}', encoding="utf-8")
        [node] = load_table(tmp_path / "pads.toml").nodes
        assert isinstance(node, SpiNode)
        wired = [(r.space, r.bus, r.device, r.reset, r.cs, r.field_off) for r in node.readers]
        assert wired == [(p.space, p.bus, p.device, p.reset, p.cs, True) for p in pads]


def test_the_parts_page_names_the_versions_that_are_taken_without_a_warning() -> None:
    for version in _USUAL_VERSIONS:
        assert f"0x{version:02X}" in TEXTS["parts.md"]


@pytest.mark.parametrize(
    "said",
    ["may not be opened", "RPi.GPIO does not know this board", "the installed `mfrc522` is", "config.py: "],
)
def test_the_table_of_faults_quotes_what_the_programs_say(said: str) -> None:
    programs = (DOCS.parent / "hardware").rglob("*.py")
    assert said in TEXTS["first-power-on.md"]
    assert any(said in program.read_text(encoding="utf-8") for program in programs)
