import subprocess
import sys

FREE = "link errors theme ring layout views pieces model texts shapes taps derived window shots"


def test_what_others_import_brings_no_kivy_and_opens_nothing() -> None:
    modules = ", ".join(f"companion.ui.{name}" for name in FREE.split())
    code = (
        f"import {modules}, companion.ui, sys; sys.exit(any(m.split('.')[0] == 'kivy' for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
