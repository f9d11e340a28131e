"""The modules that Pi and nodes share use nothing that the nodes' MicroPython lacks.

A node's own tests run them on a real MicroPython; this one says in a second, and by line, what would stop it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SHARED = (
    "hardware.reading",
    "hardware.rfid.crc_a",
    "hardware.rfid.iso14443",
    "hardware.rfid.mfrc522",
    "hardware.rfid.ndef",
    "hardware.rfid.poller",
    "hardware.rfid.radio",
    "hardware.rfid.registers",
    "hardware.rfid.type2",
)
PACKAGES = ("hardware", "hardware.rfid")


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _run_time(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node but those below `if TYPE_CHECKING`, which MicroPython never enters."""
    for statement in nodes:
        if isinstance(statement, ast.If) and getattr(statement.test, "id", "") == "TYPE_CHECKING":
            continue
        yield from ast.walk(statement)


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if isinstance(node, ast.ImportFrom):
        found = [f"{node.module}.{name.name}" for name in node.names]
        return [name if name in SHARED else str(node.module) for name in found]
    return []


@pytest.mark.parametrize("module", [*SHARED, *PACKAGES])
def test_a_shared_module_imports_shared_modules_only(module: str) -> None:
    tree = ast.parse(_file(module).read_text(encoding="utf-8"))

    imported = {name for node in _run_time(tree.body) for name in _imports(node)}

    assert imported <= {*SHARED, "hardware.rfid"}


@pytest.mark.parametrize("module", SHARED)
def test_a_shared_module_holds_no_syntax_that_micropython_lacks(module: str) -> None:
    lacking: list[str] = []
    nodes = list(_run_time(ast.parse(_file(module).read_text(encoding="utf-8")).body))
    arguments = {id(argument) for node in nodes if isinstance(node, ast.Call) for argument in node.args}
    for node in nodes:
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Match):
            lacking.append(f"line {line}: match")
        if isinstance(node, ast.FunctionDef) and node.args.posonlyargs:
            lacking.append(f"line {line}: positional-only arguments")
        if isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load) and id(node) not in arguments:
            lacking.append(f"line {line}: unpacking in a display")
        if isinstance(node, ast.ClassDef):
            lacking += [f"line {line}: a decorated class" for _ in node.decorator_list]
            lacking += [f"line {line}: two bases" for _ in node.bases[1:]]
    assert lacking == []


@pytest.mark.parametrize("module", SHARED)
def test_a_shared_module_counts_time_in_whole_microseconds(module: str) -> None:
    source = _file(module).read_text(encoding="utf-8")
    numbers = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]

    # The floats of a microcontroller have 24 bits: after a day they can't tell 7 ms apart.
    assert not [node.lineno for node in numbers if isinstance(node.value, float)]
    assert "now_s" not in source
