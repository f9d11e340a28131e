"""After an undo the pieces go back: listed, ticked off one by one, and play goes on by itself."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.scenario.notation import position_to
from tests.session.desk import BENEVOLENCE, KINDNESS, Desk
from tests.session.test_steps import START_POSITION, two

COURAGE, ANGER = "emotion/bliss/courage/1", "emotion/gloom/anger/1"
COMFORT = "emotion/bliss/comfort/1"
WILD = {row: ["wild", "", "", ""] for row in ("move", "invoke", "quell", "fortify", "empower")}

Laid = Mapping[str, tuple[str, ...]]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Diana in the valley with everything unlocked, Kindness beside her."""
    desk = Desk(tmp_path)
    desk.connect()
    data = position_to(START_POSITION)
    data["players"]["diana"] |= {"willpower": 9, "essence": 3, "hand": ["courage", "*"], "vibes": WILD}
    data["players"]["otto"]["at"] = "land"
    data["slots"] = {
        "valley.1": {"emotion": "kindness", "essence": 2},
        "network.2": {"emotion": "comfort", "essence": 1},
    }
    data["teams"]["bliss"]["ambition"] = 3
    assert desk.ask_for(id="new", setup=data)["verdict"] == "legal"
    desk.see_fields()
    yield desk
    desk.close()


def lay(desk: Desk, laid: Laid) -> None:
    for space, pieces in laid.items():
        desk.lies(space, *pieces)
    desk.advance(3)


EMPTY: tuple[str, ...] = ()

KINDS: dict[str, tuple[dict[str, Any], Laid, Laid]] = {
    "move": (
        {"action": "move", "to": "valley-cradle"},
        {"spirit/valley": EMPTY, "spirit/valley-cradle": ("spirit/harmony",)},
        {"spirit/valley-cradle": EMPTY, "spirit/valley": ("spirit/harmony",)},
    ),
    "invoke": (
        {"action": "invoke", "emotion": "courage", "slot": "valley.2"},
        {"slot/valley.2": (COURAGE,)},
        {"slot/valley.2": EMPTY},
    ),
    "quell": (
        {"action": "quell", "slot": "valley.2", "reveal": "courage"},
        {"slot/valley.2": EMPTY},
        {"slot/valley.2": (ANGER,)},
    ),
    "empower": (
        {"action": "empower", "slot": "valley.1"},
        {"slot/valley.1": (BENEVOLENCE,)},
        {"slot/valley.1": (KINDNESS,)},
    ),
    "network": (
        {"action": "network", "slot": "network.2", "to": "network.1", "player": "diana"},
        {"slot/network.2": EMPTY, "slot/network.1": (COMFORT,)},
        {"slot/network.1": EMPTY, "slot/network.2": (COMFORT,)},
    ),
}
"""By kind: the action, the pieces after it, and how they go back."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_pieces_of_an_undone_action_are_listed_and_ticked_off(desk: Desk, kind: str) -> None:
    do, there, back = KINDS[kind]
    if kind == "network":  # A Realm Action is taken in its Realm.
        stated = {"players": {"diana": {"at": "network"}}}
        desk.ask_for(id="at", do={"action": "adjust", "set": stated})
        lay(desk, {"spirit/valley": EMPTY, "spirit/network": ("spirit/harmony",)})
    if kind == "quell":
        stated = {"slots": {"valley.2": {"emotion": "anger"}}}
        desk.ask_for(id="anger", do={"action": "adjust", "set": stated})
        lay(desk, {"slot/valley.2": (ANGER,)})
    assert desk.ask_for(id="do", do=do)["verdict"] == "legal"
    lay(desk, there)
    assert (desk.state["table_ok"], desk.state["problems"]) == (True, [])
    seq = desk.state["seq"]

    assert desk.ask_for(id="undo", undo=1)["verdict"] == "legal"
    problems = desk.state["problems"]
    assert desk.state["table_ok"] is False
    assert all("back" in problem["mend"] or "off" in problem["mend"] for problem in problems)
    desk.advance(60)
    # Nothing of it is taken for play, however long it lies there.
    assert (desk.state["seq"], desk.ask) == (seq + 1, {})

    left = {problem["space"] for problem in problems}
    assert left == set(back)
    for space, pieces in back.items():
        desk.lies(space, *pieces)
        left.discard(space)
        listed = {problem["space"] for problem in desk.state["problems"] if problem["expected"]}
        assert space not in listed
    desk.advance(1)
    assert (desk.state["table_ok"], desk.state["problems"], desk.ask) == (True, [], {})
    assert desk.state["seq"] == seq + 1

    lay(desk, there)  # Play goes on by itself: the same pieces are the same action again.
    asked = [choice["do"] for choice in desk.ask.get("choices", ())]
    seen = desk.last("event")["do"] if desk.state["seq"] > seq + 1 else asked[0]
    assert seen["action"] == do["action"]


def test_several_undone_actions_are_put_back_in_any_order(desk: Desk) -> None:
    desk.lies("slot/valley.2", COURAGE)
    desk.advance(3)
    desk.lies("slot/valley.1", BENEVOLENCE)
    desk.advance(3)
    assert desk.state["seq"] == 4
    desk.ask_for(id="u", undo=2)
    assert {problem["space"] for problem in desk.state["problems"]} == {"slot/valley.1", "slot/valley.2"}
    desk.lies("slot/valley.2")
    assert [problem["space"] for problem in desk.state["problems"]] == ["slot/valley.1"]
    desk.lies("slot/valley.1", KINDNESS)
    assert (desk.state["table_ok"], desk.state["problems"]) == (True, [])


def test_an_undone_step_of_the_set_up_goes_back_too(desk: Desk) -> None:
    """R-SETUP-19."""
    desk.ask_for(id="setup", setup=two())
    desk.see_fields()
    lay(desk, {"spirit/valley-cradle": ("spirit/harmony",), "slot/valley.2": ("emotion/bliss/brightness/1",)})
    assert desk.ask["text"].startswith("Otto")
    desk.ask_for(id="u", undo=1)
    assert desk.ask["text"].startswith("Diana")
    assert {problem["space"] for problem in desk.state["problems"]} == {
        "spirit/valley-cradle",
        "slot/valley.2",
    }
    lay(desk, {"spirit/valley-cradle": (), "slot/valley.2": ()})
    assert (desk.state["table_ok"], desk.state["problems"]) == (True, [])
    lay(
        desk, {"spirit/cradle-network": ("spirit/harmony",), "slot/cradle.2": ("emotion/bliss/brightness/1",)}
    )
    assert desk.state["players"]["diana"]["at"] == "cradle-network"


def test_pieces_left_as_they_are_can_be_done_again(desk: Desk) -> None:
    desk.lies("slot/valley.1", BENEVOLENCE)
    desk.advance(3)
    desk.ask_for(id="u", undo=1)
    assert desk.state["table_ok"] is False
    desk.ask_for(id="r", redo=1)
    assert (desk.state["table_ok"], desk.state["problems"]) == (True, [])
