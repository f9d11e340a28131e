from pathlib import Path

import pytest

from firmware_bridge.contract.errors import TableFileError
from firmware_bridge.contract.spaces import VIRTUAL_SPACES
from firmware_bridge.contract.table_file import (
    ReaderEntry,
    SerialNode,
    SpiNode,
    TableFile,
    VirtualNode,
    load_table,
)

WHOLE = """\
table = "front-window"
profile = "slots"

[broker]
url = "mqtt://127.0.0.1:1883"
username = "app"
password_file = "app.password"

[[node]]
name = "realm-valley"
kind = "serial"
port = "/dev/serial/by-id/usb-1"

[[node]]
name = "pads"
kind = "spi"
[[node.reader]]
space = "pad/1"
bus = 0
device = 0
reset = 22
[[node.reader]]
space = "pad/2"
bus = 0
device = 1
reset = 18
gain = 6
[[node.reader]]
space = "pad/3"
bus = 0
device = 0
cs = 29
reset = 18

[[node]]
name = "virtual"
kind = "virtual"
"""

VIRTUAL = 'table = "home"\n[[node]]\nname = "a"\nkind = "virtual"\n'
SPI = 'table = "home"\n[[node]]\nname = "pads"\nkind = "spi"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, text: str) -> TableFile:
    return load_table(written(folder, text))


def refused(folder: Path, text: str) -> TableFileError:
    path = written(folder, text)
    with pytest.raises(TableFileError) as caught:
        load_table(path)
    message = str(caught.value)
    assert message.startswith(str(folder))
    assert "\n" not in message
    return caught.value


def test_the_example_of_the_contract_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "app.password").write_text("sesame\n", encoding="utf-8")
    table = loaded(tmp_path, WHOLE)
    assert (table.table, table.profile) == ("front-window", "slots")
    assert table.broker.address is not None
    assert table.broker.address.url == "mqtt://127.0.0.1:1883"
    assert (table.broker.username, table.broker.password) == ("app", "sesame")
    assert table.nodes == (
        SerialNode("realm-valley", "/dev/serial/by-id/usb-1"),
        SpiNode(
            "pads",
            (
                ReaderEntry("pad/1", 0, 0, 22),
                ReaderEntry("pad/2", 0, 1, 18, gain=6),
                ReaderEntry("pad/3", 0, 0, 18, cs=29),
            ),
        ),
        VirtualNode("virtual", tuple(s for s in VIRTUAL_SPACES if s not in ("pad/1", "pad/2", "pad/3"))),
    )


def test_passwords_are_in_no_printout(tmp_path: Path) -> None:
    (tmp_path / "app.password").write_text("sesame\n", encoding="utf-8")
    assert "sesame" not in repr(loaded(tmp_path, WHOLE))


def test_the_least_table_file_has_the_embedded_broker_and_no_nodes(tmp_path: Path) -> None:
    table = loaded(tmp_path, 'table = "home"\n')
    assert (table.broker.address, table.broker.port, table.nodes) == (None, 0, ())
    assert table.profile == "full"


def test_a_table_of_virtual_readers_has_29_spaces_and_that_profile(tmp_path: Path) -> None:
    table = loaded(tmp_path, 'table = "home"\n[[node]]\nname = "virtual"\nkind = "virtual"\n')
    assert table.profile == "virtual"
    assert table.nodes == (VirtualNode("virtual"),)
    assert len(VirtualNode("virtual").spaces) == 29


def test_the_embedded_broker_can_have_a_port_and_known_passwords(tmp_path: Path) -> None:
    (tmp_path / "roles.toml").write_text('staff = "open"\nbridge = "wide"\n', encoding="utf-8")
    table = loaded(tmp_path, 'table = "home"\n[broker]\nport = 1884\npasswords = "roles.toml"\n')
    assert table.broker.port == 1884
    assert dict(table.broker.passwords) == {"staff": "open", "bridge": "wide"}


def test_a_password_in_the_url_needs_no_file(tmp_path: Path) -> None:
    table = loaded(tmp_path, 'table = "home"\n[broker]\nurl = "mqtt://app:sesame@10.0.0.2"\n')
    assert (table.broker.username, table.broker.password) == ("app", "sesame")


@pytest.mark.parametrize(
    ("text", "line", "where", "problem"),
    [
        ('table = "home\n', 1, "", "not TOML"),
        ("profile = 'full'\n", None, "", "table is missing: add it"),
        ("tabel = 'home'\n", None, "", "write it in place of tabel"),
        ('table = "Home"\n', 1, "table", "a-z, 0-9 and -"),
        ("table = 3\n", 1, "table", "must be a text in quotes"),
        ('table = "home"\nprofile = "half"\n', 2, "profile", "one of full, slots, pad, virtual"),
        ('table = "home"\ncolour = 1\n', 2, "colour", "is not known here"),
        ('table = "home"\nprofil = "full"\n', 2, "profil", "write profile"),
        ('table = "home"\nbroker = "me"\n', 2, "broker", "must be a table, written [broker]"),
        ('table = "home"\n[broker]\nurl = "http://h"\n', 3, "[broker]: url", "http:// is not known"),
        ('table = "home"\n[broker]\nusername = "a"\n', 3, "[broker]: username", "existing broker only"),
        ('table = "home"\n[broker]\nport = 70000\n', 3, "[broker]: port", "0 to 65535"),
        (
            'table = "home"\n[broker]\nurl = "mqtt://h"\nport = 1884\n',
            4,
            "[broker]: port",
            "embedded broker only",
        ),
        (
            'table = "home"\n[broker]\nurl = "mqtt://h"\nusername = "app"\n',
            2,
            "[broker]",
            "password_file is missing",
        ),
        (
            'table = "home"\n[broker]\nurl = "mqtt://h"\nusername = "app"\npassword_file = "none"\n',
            5,
            "[broker]: password_file",
            "can't be read",
        ),
        (
            'table = "home"\n[broker]\nurl = "mqtt://app:x@h"\nusername = "app"\n',
            4,
            "[broker]: username",
            "write it once",
        ),
        ('table = "home"\n[[node]]\nkind = "spi"\n', 2, "node 1", "name is missing"),
        ('table = "home"\n[[node]]\nname = "a/b"\n', 3, "node 1: name", "no node name"),
        ('table = "home"\n[[node]]\nname = "a"\n', 2, 'node "a"', "kind is missing"),
        (
            'table = "home"\n[[node]]\nname = "a"\nkind = "usb"\n',
            4,
            'node "a": kind',
            "serial, spi, virtual",
        ),
        ('table = "home"\n[[node]]\nname = "a"\nkind = "serial"\n', 2, 'node "a"', "port is missing"),
        ('table = "home"\n[node]\nname = "a"\n', 2, "node", "each written [[node]]"),
        (
            VIRTUAL + '[[node]]\nname = "a"\nkind = "virtual"\n',
            6,
            'node "a": name',
            "an earlier node has this name",
        ),
        (
            VIRTUAL + '[[node]]\nname = "b"\nkind = "virtual"\n',
            7,
            'node "b": kind',
            "is virtual too",
        ),
        (
            'table = "home"\n[[node]]\nname = "a"\nkind = "virtual"\nspeed = 3\n',
            5,
            'node "a": speed',
            "is not known",
        ),
        (SPI, 2, 'node "pads"', "no reader: add [[node.reader]]"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_the_mend(
    tmp_path: Path, text: str, line: int | None, where: str, problem: str
) -> None:
    error = refused(tmp_path, text)
    assert (error.line, error.where) == (line, where)
    assert problem in error.problem


def reader(**keys: object) -> str:
    values = {"space": '"pad/1"', "bus": 0, "device": 0, "reset": 22} | keys
    lines = [f"{key} = {value}" for key, value in values.items() if value is not None]
    return "[[node.reader]]\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("text", "key", "problem"),
    [
        (reader(space='"slot/nowhere"'), "space", "no such space"),
        (reader(bus=-1), "bus", "from 0 to 6"),
        (reader(bus="true"), "bus", "is true"),
        (reader(device=3), "device", "from 0 to 2"),
        (reader(gain=8), "gain", "from 0 to 7, is 8"),
        (reader(gain="4.5"), "gain", "is 4.5"),
        (reader(reset=39), "reset", "supply, ground or reserved"),
        (reader(reset=41), "reset", "from 1 to 40"),
        (reader(reset=23), "reset", "carries SPI bus 0"),
        (reader(cs=22), "cs", "own reset pin"),
        (reader() + reader(device=1), "space", 'node "pads" has a reader for it already'),
        (reader() + reader(space='"pad/2"'), "device", "pad/1 has the same bus and chip select"),
        (reader(cs=29) + reader(space='"pad/2"', cs=29, device=1), "cs", "same chip select"),
        (reader() + reader(space='"pad/2"', cs=22, reset=18), "cs", "the reset line of pad/1"),
        (reader(cs=29) + reader(space='"pad/2"', reset=29), "reset", "selects pad/1"),
        (reader(speed=3), "speed", "is not known"),
        (reader(field='"sometimes"'), "field", "polls"),
        (reader(spi_hz=20_000_000), "spi_hz", "from 10000 to 10000000"),
    ],
)
def test_a_reader_that_cannot_be_wired_so_is_refused(
    tmp_path: Path, text: str, key: str, problem: str
) -> None:
    error = refused(tmp_path, SPI + text)
    assert error.where.endswith(key)
    assert error.where.startswith('node "pads", reader "')
    assert problem in error.problem
    assert error.line is not None
    assert (SPI + text).splitlines()[error.line - 1].startswith(key)


def test_f_22_a_second_node_on_the_same_spi_bus_is_refused_since_each_bus_has_one_poller(
    tmp_path: Path,
) -> None:
    more = '[[node]]\nname = "more"\nkind = "spi"\n' + reader(space='"pad/2"', device=1, reset=18)
    error = refused(tmp_path, SPI + reader() + more)
    assert error.where == 'node "more", reader "pad/2": bus'
    assert "an earlier node polls SPI bus 0" in error.problem


def test_a_reader_has_a_clock_and_a_field_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(SPI + reader(field='"polls"', spi_hz=500_000, cs=29), encoding="utf-8")
    node = load_table(file).nodes[0]
    assert isinstance(node, SpiNode)
    assert (node.readers[0].field_off, node.readers[0].spi_hz, node.readers[0].cs) == (True, 500_000, 29)


def test_a_missing_key_of_a_reader_is_named_with_its_header(tmp_path: Path) -> None:
    error = refused(tmp_path, SPI + reader() + reader(space='"pad/2"', device=None))
    assert (error.line, error.where) == (10, 'node "pads", reader "pad/2"')
    assert error.problem == "device is missing: add it"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match=r"none\.toml: can't be read: No such file"):
        load_table(tmp_path / "none.toml")


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="can't be read: Is a directory"):
        load_table(tmp_path)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes(b"table = '\xff'")
    with pytest.raises(TableFileError, match="not UTF-8 at byte 9"):
        load_table(tmp_path / "table.toml")


def test_an_empty_password_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "app.password").write_text("\n", encoding="utf-8")
    error = refused(tmp_path, WHOLE)
    assert "has no password in its first line" in error.problem


def test_a_role_that_is_none_is_named_without_its_password(tmp_path: Path) -> None:
    text = 'table = "home"\n[broker]\npasswords = "roles.toml"\n'
    (tmp_path / "roles.toml").write_text('boss = "sesame"\n', encoding="utf-8")
    assert "roles are app, bridge, display, staff" in str(refused(tmp_path, text))
    (tmp_path / "roles.toml").write_text("app = 12345\n", encoding="utf-8")
    assert "12345" not in str(refused(tmp_path, text))


def test_single_waits_of_the_table_can_be_stated(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('table = "home"\n[patience]\nsettle = 0.25\nhold = 12\n', encoding="utf-8")
    assert load_table(path).patience == {"settle": 0.25, "hold": 12.0}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("settle = -1", "must be seconds from 0 to 600, is -1"),
        ("settle = true", "must be seconds from 0 to 600, is true"),
        ("setle = 1", "is not known here"),
    ],
)
def test_a_wait_that_is_none_is_named(tmp_path: Path, line: str, problem: str) -> None:
    error = refused(tmp_path, f'table = "home"\n[patience]\n{line}\n')
    assert problem in str(error)
