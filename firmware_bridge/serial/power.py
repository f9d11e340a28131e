"""Whether the computer's own supply is too low: the commonest reason why USB devices drop out (F-67)."""

from pathlib import Path
from typing import Final

HWMON: Final = Path("/sys/class/hwmon")


def supply_warning(hwmon: Path = HWMON) -> str:
    """Return a sentence if a Raspberry Pi reports under-voltage since its start, else nothing.

    Args:
        hwmon: the kernel's sensors; the one named `rpi_volt` has the alarm `in0_lcrit_alarm`
            (Linux, drivers/hwmon/raspberrypi-hwmon.c).
    """
    try:
        for name in hwmon.glob("*/name"):
            if name.read_text(encoding="ascii").strip() == "rpi_volt":
                alarm = name.with_name("in0_lcrit_alarm").read_text(encoding="ascii").strip()
                if alarm == "1":
                    return "this Raspberry Pi reports under-voltage: use a stronger supply, or a powered hub"
    except (OSError, UnicodeDecodeError):
        return ""  # no such sensor is no news
    return ""
