"""Who has which name and which space."""

from firmware_bridge.serial.claims import Claims
from firmware_bridge.serial.sayings import Hello


def hello(node: str, *spaces: str) -> Hello:
    return Hello(node, "1", "1.0.0", spaces)


def admit(claims: Claims, expected: str, place: str, said: Hello) -> str | None:
    return claims.admit(expected, place, said, lambda _spaces: None)


def test_the_second_of_two_nodes_with_one_name_is_refused_and_both_are_named() -> None:
    """F-55."""
    claims = Claims(["realm", "other"])
    assert admit(claims, "realm", "/dev/a", hello("realm", "pad/1")) is None
    refusal = admit(claims, "other", "/dev/b", hello("realm", "pad/2"))
    assert refusal is not None
    assert refusal.startswith('two nodes say that they are "realm": /dev/a is served, /dev/b is refused')
    assert admit(claims, "realm", "/dev/a", hello("realm", "pad/1")) is None, "the first one goes on"


def test_the_second_of_two_nodes_with_one_space_is_refused_and_both_are_named() -> None:
    claims = Claims(["realm", "other"])
    assert admit(claims, "realm", "/dev/a", hello("realm", "pad/1")) is None
    refusal = admit(claims, "other", "/dev/b", hello("other", "pad/2", "pad/1"))
    assert refusal == (
        'two nodes have pad/1: "realm" (/dev/a) is served, "other" (/dev/b) is refused;'
        " correct the spaces of one of them"
    )
    assert admit(claims, "other", "/dev/b", hello("other", "pad/2")) is None


def test_a_reader_of_the_table_file_goes_before_a_node_that_says_its_space() -> None:
    claims = Claims(["pads", "realm"])
    claims.own("pads", ["pad/1"])
    refusal = admit(claims, "realm", "/dev/a", hello("realm", "pad/1"))
    assert refusal is not None
    assert '"pads" (the table file) is served' in refusal


def test_simulated_readers_give_up_what_a_real_node_has() -> None:
    released: list[str] = []
    claims = Claims(["virtual", "realm"])
    claims.own("virtual", ["pad/1", "pad/2", "pad/3"], yields=True, release=released.extend)
    assert admit(claims, "realm", "/dev/a", hello("realm", "pad/1", "pad/3")) is None
    assert released == ["pad/1", "pad/3"]


def test_a_node_that_is_gone_keeps_its_spaces_until_another_has_them() -> None:
    released: list[str] = []
    claims = Claims(["realm", "spare"])
    claims.admit("realm", "/dev/a", hello("realm", "pad/1"), released.extend)
    claims.leave("realm")
    assert admit(claims, "spare", "/dev/b", hello("spare", "pad/1")) is None
    assert released == ["pad/1"]
    refusal = admit(claims, "realm", "/dev/c", hello("realm", "pad/1"))
    assert refusal is not None
    assert '"spare" (/dev/b) is served, "realm" (/dev/c) is refused' in refusal


def test_a_node_that_came_back_elsewhere_is_itself() -> None:
    claims = Claims(["realm"])
    assert admit(claims, "realm", "/dev/a", hello("realm", "pad/1")) is None
    claims.leave("realm")
    assert admit(claims, "realm", "/dev/b", hello("realm", "pad/1")) is None


def test_a_space_that_a_node_gave_up_is_free() -> None:
    claims = Claims(["realm", "other"])
    assert admit(claims, "realm", "/dev/a", hello("realm", "pad/1", "pad/2")) is None
    assert admit(claims, "realm", "/dev/a", hello("realm", "pad/2")) is None
    assert admit(claims, "other", "/dev/b", hello("other", "pad/1")) is None


def test_another_node_than_the_table_file_has_is_told_apart_by_whether_it_knows_it() -> None:
    claims = Claims(["realm", "other"])
    known = admit(claims, "realm", "/dev/a", hello("other", "pad/1"))
    assert known == 'node "other" is at /dev/a, where "realm" was looked for'
    unknown = admit(claims, "realm", "/dev/a", hello("third", "pad/1"))
    assert unknown is not None
    assert unknown.endswith('"realm" was looked for; correct the name in the table file, or in the node')
