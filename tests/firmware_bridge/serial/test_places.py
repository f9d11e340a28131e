"""Where to look for a node: devices here are plain files and links."""

from pathlib import Path

import pytest

from firmware_bridge.serial.places import ASK_STRANGERS_EVERY_S, ASK_WRONG_NODE_EVERY_S, Places, usb_ports


class Machine:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports: list[str] = []

    def device(self, name: str) -> str:
        path = self.folder / name
        path.touch()
        if str(path) not in self.ports:
            self.ports.append(str(path))
        return str(path)

    def gone(self, name: str) -> None:
        (self.folder / name).unlink()
        self.ports.remove(str(self.folder / name))

    def link(self, name: str, device: str) -> str:
        link = self.folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(device)
        return str(link)

    def places(self, **table: str) -> Places:
        return Places(table, lambda: list(self.ports))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_port_that_is_there_and_not_in_doubt_is_the_only_one_asked(machine: Machine) -> None:
    own, _other = machine.device("USB0"), machine.device("USB1")
    assert machine.places(realm=own).candidates("realm", 0) == [own]


def test_a_port_that_is_not_there_comes_after_the_others_of_the_machine(machine: Machine) -> None:
    """F-54: it was ttyUSB0 and came back as ttyUSB1."""
    own = machine.device("USB0")
    machine.gone("USB0")
    new = machine.device("USB1")
    assert machine.places(realm=own).candidates("realm", 0) == [new, own]


def test_a_port_that_the_table_file_has_for_another_node_is_left_to_it(machine: Machine) -> None:
    other = machine.device("USB1")
    places = machine.places(realm="/nowhere/USB0", other=machine.link("by-id", other))
    assert places.candidates("realm", 0) == ["/nowhere/USB0"]
    places.stranger(machine.link("by-id", other), "realm", 0)
    assert places.candidates("realm", 0)[0] == machine.link("by-id", other), "but what was seen there counts"


def test_two_boards_that_share_one_link_are_told_apart(machine: Machine) -> None:
    """F-55: the link leads to whichever came last; the first one is found by looking."""
    first, second = machine.device("USB0"), machine.device("USB1")
    link = machine.link("usb-1a86_USB2.0-Serial-if00-port0", second)
    places = machine.places(a=link)
    assert places.candidates("a", 0) == [link]
    places.stranger(link, "b", 0)
    assert places.candidates("a", 0.1) == [first]


def test_a_port_that_leads_to_another_nodes_device_is_in_doubt(machine: Machine) -> None:
    """F-55."""
    first, second = machine.device("USB0"), machine.device("USB1")
    places = machine.places(a=machine.link("by-id", second), b=second)
    assert places.take(second) is not None
    assert places.candidates("a", 0) == [first]


def test_of_one_device_with_two_names_only_one_is_asked(machine: Machine) -> None:
    own = machine.device("USB0")
    link = machine.link("by-id", own)
    places = machine.places(realm=link)
    places.met(own, "realm")
    places.silent(link, 0)
    assert places.candidates("realm", 0) == [own]


def test_a_port_in_use_is_nobody_elses_under_any_name(machine: Machine) -> None:
    own = machine.device("USB0")
    link = machine.link("by-id", own)
    places = machine.places(realm=own, other=link)
    device = places.take(link)
    assert device is not None
    assert places.take(own) is None
    assert places.candidates("realm", 0) == []
    machine.link("by-id", machine.device("USB1"))
    places.give_back(device)
    assert places.candidates("realm", 0) == [own]


def test_a_stranger_that_is_silent_is_left_alone_for_a_while(machine: Machine) -> None:
    printer = machine.device("ACM0")
    places = machine.places(realm="/nowhere/USB0")
    assert printer in places.candidates("realm", 0)
    places.silent(printer, 0)
    assert printer not in places.candidates("realm", ASK_STRANGERS_EVERY_S - 1)
    assert printer in places.candidates("realm", ASK_STRANGERS_EVERY_S)


def test_a_port_with_another_node_is_asked_again_soon_as_cables_get_swapped_back(machine: Machine) -> None:
    own = machine.device("USB0")
    places = machine.places(realm=own)
    places.stranger(own, "other", 0)
    assert places.candidates("realm", ASK_WRONG_NODE_EVERY_S - 1) == []
    assert places.candidates("realm", ASK_WRONG_NODE_EVERY_S) == [own]
    places.met(own, "realm")
    assert places.candidates("realm", 0) == [own]


def test_swapped_nodes_find_each_other(machine: Machine) -> None:
    a, b = machine.device("USB0"), machine.device("USB1")
    places = machine.places(a=a, b=b)
    places.stranger(a, "b", 0)
    places.stranger(b, "a", 0)
    assert places.candidates("a", 0) == [b]
    assert places.candidates("b", 0) == [a]


def test_an_address_in_the_network_is_looked_for_nowhere_else(machine: Machine) -> None:
    machine.device("USB0")
    places = machine.places(realm="socket://127.0.0.1:4000")
    assert places.candidates("realm", 0) == ["socket://127.0.0.1:4000"]


def test_the_machines_own_list_can_be_asked() -> None:
    assert all(port.startswith("/dev/") for port in usb_ports())
