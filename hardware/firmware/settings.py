"""A node's configuration, checked: what is wrong is said in one line that names the setting.

Also runs on the MicroPython of the nodes.
"""

from hardware.boards.pico import BOARDS
from hardware.firmware.frames import MAX_LINE_BYTES, MAX_SEQ, PROTOCOL, FrameError, encode
from hardware.rfid.iso14443 import MAX_TAGS
from hardware.rfid.registers import MAX_SPI_HZ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hardware.boards.pico import Plug

_MAX_NAME = 64
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"
_LONGEST_UID = "00" * 10
MAX_LEDS = 200
"""Three bytes of memory each; 30 us each to send, in which nothing else happens."""


class SettingError(ValueError):
    """A setting that can't be used; the text names it and the mend."""


class ReaderSetting:
    """One reader: its space, its plug, its gain (RxGain, 0 to 7)."""

    __slots__ = ("gain", "plug", "space")

    def __init__(self, space: str, plug: "Plug", gain: int) -> None:
        self.space = space
        self.plug = plug
        self.gain = gain


class Settings:
    """What a configuration says.

    Args:
        config: a module, or anything else with the names of `config.py`.

    Attributes:
        node: the node's name.
        board: its wiring.
        readers: in the order of their plugs.
        field_off: whether a reader's field is off between its polls.
        spi_hz: SPI clock.
        leds: how many lights there are.
        lights: the first light and how many, by space.
        brightness: in percent.

    Raises:
        SettingError: the first setting that can't be used.
    """

    def __init__(self, config: "Any") -> None:
        self.node = _name(config)
        board = _get(config, "BOARD")
        if board not in BOARDS:
            raise SettingError(f"BOARD: {board!r} is none of {', '.join(sorted(BOARDS))}")
        self.board = BOARDS[board]
        self.readers = tuple(self._readers(config))
        field = _get(config, "FIELD")
        if field not in ("always", "polls"):
            raise SettingError(f"FIELD: {field!r} is none of always, polls")
        self.field_off = field == "polls"
        self.spi_hz = _int(_get(config, "SPI_HZ"), "SPI_HZ", 10_000, MAX_SPI_HZ)
        self.leds = _int(_get(config, "LEDS"), "LEDS", 0, MAX_LEDS)
        self.lights = self._lights(config)
        self.brightness = _int(_get(config, "BRIGHTNESS"), "BRIGHTNESS", 1, 100)
        self._check_frames()

    @property
    def spaces(self) -> "list[str]":
        """What its readers stand below, in the order of their plugs."""
        return [reader.space for reader in self.readers]

    def hello(self, boot: str, firmware: str) -> "dict[str, object]":
        """Who the node is, as it says in `H`."""
        return {
            "node": self.node,
            "boot": boot,
            "firmware": firmware,
            "protocol": PROTOCOL,
            "spaces": self.spaces,
        }

    def _readers(self, config: "Any") -> "list[ReaderSetting]":
        spaces, gains = _dict(config, "SPACES"), _dict(config, "GAINS")
        gain = _int(_get(config, "GAIN"), "GAIN", 0, 7)
        plugs = {plug.name: plug for plug in self.board.plugs}
        for name, space in spaces.items():
            if name not in plugs:
                known = ", ".join([plug.name for plug in self.board.plugs])
                raise SettingError(f"SPACES: {self.board.name} has no plug {name!r}, but {known}")
            if not isinstance(space, str) or not space:
                raise SettingError(f"SPACES: {name}: a space is text, like slot/valley.1")
        found = [spaces[plug.name] for plug in self.board.plugs if plug.name in spaces]
        _check_spaces(found, gains)
        return [
            ReaderSetting(
                spaces[plug.name], plug, _int(gains.get(spaces[plug.name], gain), "GAINS: a gain", 0, 7)
            )
            for plug in self.board.plugs
            if plug.name in spaces
        ]

    def _lights(self, config: "Any") -> "dict[str, tuple[int, int]]":
        places = {}
        for space, place in _dict(config, "LIGHTS").items():
            if space not in self.spaces:
                raise SettingError(f"LIGHTS: {space} is none of this node's spaces")
            if not isinstance(place, tuple) or len(place) != 2:
                raise SettingError(f"LIGHTS: {space}: write the first light and how many, like (0, 2)")
            first = _int(place[0], f"LIGHTS: {space}: the first light", 0, MAX_LEDS)
            count = _int(place[1], f"LIGHTS: {space}: how many", 0, MAX_LEDS)
            if self.leds and first + count > self.leds:
                raise SettingError(f"LIGHTS: {space}: LEDS says that the strip has {self.leds}")
            places[space] = (first, count)
        return places

    def _check_frames(self) -> None:
        """Check that what this node may have to say fits in a line."""
        full = {"tags": [_LONGEST_UID] * MAX_TAGS, "state": "unreadable"}
        try:
            encode("S", MAX_SEQ, dict.fromkeys(self.spaces, full))
            encode("H", MAX_SEQ, self.hello("00000000", "000.000.000"))
        except FrameError as error:
            raise SettingError(
                f"SPACES: {error} for a line of {MAX_LINE_BYTES} bytes: fewer readers, or another node"
            ) from error


def _check_spaces(spaces: "list[str]", gains: "dict[Any, Any]") -> None:
    if not spaces:
        raise SettingError("SPACES: names no plug: a node without readers feels nothing")
    for space in spaces:
        if spaces.count(space) > 1:
            raise SettingError(f"SPACES: {space} is named by two plugs")
    for space in gains:
        if space not in spaces:
            raise SettingError(f"GAINS: {space} is none of this node's spaces")


def _name(config: "Any") -> str:
    node = _get(config, "NODE")
    if not isinstance(node, str) or not 0 < len(node) <= _MAX_NAME:
        raise SettingError(f"NODE: a name of 1 to {_MAX_NAME} letters")
    for letter in node:
        if letter not in _NAME_LETTERS:
            raise SettingError(f"NODE: {node}: a name has a-z, 0-9 and - only")
    return node


def _get(config: "Any", name: str) -> "Any":
    if not hasattr(config, name):
        raise SettingError(f"{name}: is missing")
    return getattr(config, name)


def _dict(config: "Any", name: str) -> "dict[Any, Any]":
    found = _get(config, name)
    if not isinstance(found, dict):
        raise SettingError(f"{name}: write it in braces, like {{...}}")
    return found


def _int(value: "Any", name: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SettingError(f"{name}: {value!r} is no whole number from {low} to {high}")
    return value
