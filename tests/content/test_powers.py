"""Powers out of data: what is read, and what is refused with the key at fault."""

from typing import Any

import pytest

from companion.content import catalogue
from companion.content.powers import power_from
from companion.content.stated import PowerError
from companion.rules.effects import (
    AbsorbsMore,
    AddsEssence,
    Dearer,
    Gain,
    LowersFortress,
    PowerIndex,
    Protects,
    Rewards,
    TakesToken,
)

ACTIONS = ("move", "invoke", "quell", "fortify", "empower")


def effect(owner: Any = "card", **keys: Any) -> Any:
    [read] = power_from({"effects": [keys]}, owner).effects
    return read


def fault(owner: Any = "card", **keys: Any) -> tuple[str, str]:
    with pytest.raises(PowerError) as caught:
        effect(owner, **keys)
    return ".".join(str(part) for part in caught.value.path), caught.value.problem


def test_a_text_alone_is_a_power_without_effects() -> None:
    power = power_from("Draw a card.")
    assert (power.text, power.effects, power.confidence) == ("Draw a card.", (), "sure")


def test_what_is_left_out_has_its_default() -> None:
    assert effect(kind="cost", actions=["move"], willpower=1) == Dearer(("move",), willpower=1)
    assert effect(kind="gain", on="enters", gain={"cards": 1}) == Rewards("enters", (Gain(cards=1),))
    assert effect(kind="add-essence") == AddsEssence(1, "anywhere", supply=False)
    assert effect(kind="intensity-token") == TakesToken(1)
    assert effect(kind="fortress-down") == LowersFortress(1)
    assert effect(kind="absorb", supply=1) == AbsorbsMore(supply=1)
    assert effect(kind="protect") == Protects(("quell",), "near")


def test_who_receives_follows_from_whose_it_is() -> None:
    gain = {"willpower": 1}
    assert effect(kind="gain", on="action", gain=gain).to == "actor"
    assert effect(kind="gain", on="action", whose="opponents", gain=gain).to == "one-of-team"
    leaving = effect(kind="gain", on="leaves", gain=gain)
    assert (leaving.whose, leaving.to) == ("any", "one-of-team")


def test_gains_are_named_by_their_kinds() -> None:
    rewards = effect(kind="gain", on="enters", choose=[{"willpower": 2, "cards": 1}, {"essence": 1}])
    assert [gain.name for gain in rewards.gains] == ["cards-willpower", "essence"]


GAIN = {"cards": 1}
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "no such kind": ({"kind": "cheaper"}, "kind"),
    "no kind": ({}, "kind"),
    "an unknown key": ({"kind": "fortress-down", "levels": 1}, "levels"),
    "no such Action": ({"kind": "cost", "actions": ["absorb"], "willpower": 1}, "actions"),
    "no Action": ({"kind": "cost", "actions": [], "willpower": 1}, "actions"),
    "an Action twice": ({"kind": "cost", "actions": ["move", "move"], "willpower": 1}, "actions"),
    "an Action that is aimed at no slot": (
        {"kind": "cost", "actions": ["move"], "area": "beside", "willpower": 1},
        "actions",
    ),
    "a cost of nothing": ({"kind": "cost", "actions": ["move"]}, "willpower"),
    "too much": ({"kind": "cost", "actions": ["move"], "willpower": 100}, "willpower"),
    "true is no number": ({"kind": "cost", "actions": ["move"], "essence": True}, "essence"),
    "a card is no Spirit": ({"kind": "cost", "actions": ["move"], "payer": "self", "willpower": 1}, "payer"),
    "nor acts itself": ({"kind": "gain", "on": "action", "whose": "self", "gain": GAIN}, "whose"),
    "no such moment": ({"kind": "gain", "on": "sleeps", "gain": GAIN}, "on"),
    "no gain": ({"kind": "gain", "on": "enters"}, "gain"),
    "gain and choice": ({"kind": "gain", "on": "enters", "gain": GAIN, "choose": [GAIN]}, "gain"),
    "an empty gain": ({"kind": "gain", "on": "enters", "gain": {}}, "gain"),
    "a Vibe token": ({"kind": "gain", "on": "enters", "gain": {"vibe_tokens": 1}}, "gain.vibe_tokens"),
    "one to choose from": ({"kind": "gain", "on": "enters", "choose": [GAIN]}, "choose"),
    "two of the same kind": ({"kind": "gain", "on": "enters", "choose": [GAIN, {"cards": 2}]}, "choose"),
    "an opponent receives": (
        {"kind": "gain", "on": "action", "whose": "opponents", "to": "actor", "gain": GAIN},
        "to",
    ),
    "upgrades of what is no Action": (
        {"kind": "gain", "on": "enters", "upgraded": True, "gain": GAIN},
        "upgraded",
    ),
    "an amount without an Absorb": ({"kind": "gain", "on": "action", "least": 4, "gain": GAIN}, "least"),
    "whose on entering": ({"kind": "gain", "on": "enters", "whose": "any", "gain": GAIN}, "whose"),
    "no such condition": ({"kind": "gain", "on": "enters", "if": "rain", "gain": GAIN}, "if"),
    "a token past 6": ({"kind": "intensity-token", "bonus": 7}, "bonus"),
    "three steps": ({"kind": "fortress-down", "steps": 3}, "steps"),
    "no Essence": ({"kind": "add-essence", "essence": 0}, "essence"),
    "an Absorb as ever": ({"kind": "absorb"}, "sphere"),
    "protection from a Move": ({"kind": "protect", "actions": ["move"]}, "actions"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_by_its_key(name: str) -> None:
    keys, key = FAULTS[name]
    assert fault(**keys)[0] == f"effects.0.{key}"


def test_what_a_spirit_does_is_not_for_a_card() -> None:
    reach = {"kind": "reach", "action": "quell"}
    assert fault(**reach) == ("effects.0.kind", "reach is only for the power of a spirit")
    assert effect("spirit", **reach).area == "near"
    assert fault("spirit", kind="add-essence")[0] == "effects.0.kind"
    assert fault("spirit", kind="absorb", sphere=1, area="realm")[0] == "effects.0.area"


@pytest.mark.parametrize("stated", ["", 3, [], {}, {"effects": []}, {"text": ""}, {"effects": "none"}])
def test_what_is_no_power_is_refused(stated: object) -> None:
    with pytest.raises(PowerError):
        power_from(stated)


def test_the_index_leaves_out_what_is_unsure() -> None:
    effects = [{"kind": "cost", "actions": ["quell", "move"], "willpower": 1}]
    sure, unsure = power_from({"effects": effects}), power_from({"effects": effects, "confidence": "unsure"})
    index = PowerIndex({"safety": sure, "fear": unsure, "courage": None})
    assert [name for name in ACTIONS if index.dearer(name)] == ["move", "quell"]
    assert list(index.dearer("quell")) == ["safety"]


def test_no_card_shares_its_name_with_a_spirit() -> None:
    assert not set(catalogue().cards) & set(catalogue().spirits)


def test_the_five_known_spirits_have_their_power() -> None:
    known = [spirit.name for spirit in catalogue().spirits.values() if spirit.power is not None]
    assert sorted(known) == ["anxiety", "delight", "empathy", "malice", "misery"]
    assert all(catalogue().spirits[name].power.is_applied for name in known)  # type: ignore[union-attr]
