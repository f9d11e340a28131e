"""Which files a node needs, and a folder with them as they lie on the node. CPython only."""

import re
import shutil
from pathlib import Path
from typing import Final

import hardware

_ROOT: Final = Path(hardware.__file__).parent.parent

FILES: Final = (
    "hardware/__init__.py",
    "hardware/boards/__init__.py",
    "hardware/boards/pico.py",
    "hardware/firmware/__init__.py",
    "hardware/firmware/config.py",
    "hardware/firmware/frames.py",
    "hardware/firmware/lights.py",
    "hardware/firmware/line.py",
    "hardware/firmware/node.py",
    "hardware/firmware/pico.py",
    "hardware/firmware/settings.py",
    "hardware/presence.py",
    "hardware/reading.py",
    "hardware/rfid/__init__.py",
    "hardware/rfid/crc_a.py",
    "hardware/rfid/iso14443.py",
    "hardware/rfid/mfrc522.py",
    "hardware/rfid/ndef.py",
    "hardware/rfid/radio.py",
    "hardware/rfid/registers.py",
    "hardware/rfid/type2.py",
)
"""Below the node's root as below this project's."""

MAIN: Final = "hardware/firmware/main.py"
"""Lies on the node as /main.py, which MicroPython runs when it starts."""

CONFIG: Final = "hardware/firmware/config.py"

FRONTIERS: Final = {
    "valley": "valley-cradle",
    "cradle": "cradle-network",
    "network": "network-land",
    "land": "land-willow",
    "willow": "willow-valley",
}
"""The Realms along their ring, each with the Frontier after it: one node each."""


def config_for(realm: str) -> str:
    """The configuration file of this project with another Realm in it.

    Raises:
        KeyError: there is no such Realm.
    """
    text = (_ROOT / CONFIG).read_text(encoding="utf-8")
    for name, value in (("REALM", realm), ("FRONTIER", FRONTIERS[realm])):
        text = re.sub(rf'^{name} = ".*"$', f'{name} = "{value}"', text, count=1, flags=re.MULTILINE)
    return text


def stage(folder: Path, config: str | None = None) -> None:
    """Lay everything that a node needs into a folder, as it lies on the node.

    Args:
        folder: there already, and empty.
        config: text of the configuration file; this project's own by default.
    """
    for name in FILES:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_ROOT / name, target)
    shutil.copyfile(_ROOT / MAIN, folder / "main.py")
    if config is not None:
        (folder / CONFIG).write_text(config, encoding="utf-8")
