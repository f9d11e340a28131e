"""What an answer hangs on where nobody knows a printed value: that one is asked for, and nothing else."""

from dataclasses import replace
from typing import Any

import pytest

from companion.rules.cards import Catalogue
from companion.rules.control import Control, frontier_control, realm_control
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.verdict import Missing
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, OTTO, table

KINDNESS: dict[str, Any] = {"valley.1": {"emotion": "kindness", "essence": 2}}
EMPOWER = {"action": "empower", "slot": "valley.1"}
CHANNELED = EMPOWER | {"upgrades": ["channeled-power"]}
FORTIFY = {"action": "fortify", "realm": "valley"}


def unknown(*values: str) -> Catalogue:
    """The printed values without some: `kindness.intensity`."""
    cards = dict(CARDS.cards)
    for value in values:
        name, key = value.split(".")
        cards[name] = replace(cards[name], **{key: None})  # type: ignore[arg-type]
    return replace(CARDS, cards=cards)


def hangs_on(position: Position, do: dict[str, Any], *values: str) -> tuple[Missing, ...]:
    verdict = check(position, action_from(do), unknown(*values))
    assert (verdict.status, verdict.refusals, verdict.after) == ("unknown", (), None)
    return verdict.missing


@pytest.mark.parametrize(
    ("do", "values", "missing"),
    [
        (EMPOWER, ["kindness.empower_threshold"], [("kindness", "empower_threshold")]),
        (EMPOWER, ["kindness.strong"], [("kindness", "strong")]),
        (CHANNELED, ["kindness.intensity"], [("kindness", "intensity")]),
        (
            CHANNELED,
            ["kindness.intensity", "kindness.strong", "kindness.empower_threshold"],
            [("kindness", "empower_threshold"), ("kindness", "strong"), ("kindness", "intensity")],
        ),
    ],
)
def test_an_empower(do: dict[str, Any], values: list[str], missing: list[tuple[str, str]]) -> None:
    """R-EMP-2, R-EMP-3, R-EMP-6."""
    assert hangs_on(table(slots=KINDNESS), do, *values) == tuple(Missing(*item) for item in missing)


def test_an_empower_without_channeled_power_needs_no_spaces() -> None:
    assert check(table(slots=KINDNESS), action_from(EMPOWER), unknown("kindness.intensity")).status == "legal"


def test_a_threshold_the_table_agreed_on_is_held_against_every_card_that_has_none() -> None:
    cards = unknown("kindness.empower_threshold")
    for assumed, status in ((2, "legal"), (3, "illegal")):
        position = table(slots=KINDNESS, rulings={"assumed-threshold": assumed})
        assert check(position, action_from(EMPOWER), cards).status == status
        assert check(position, action_from(EMPOWER), CARDS).status == "legal"


@pytest.mark.parametrize(
    ("upgrades", "status"), [([], "legal"), (["bolster"], "unknown"), (["inner-force"], "legal")]
)
def test_an_invoke_needs_the_spaces_only_for_more_essence(upgrades: list[str], status: str) -> None:
    """R-INVOKE-3, R-INVOKE-6."""
    do = {"action": "invoke", "emotion": "kindness", "slot": "valley.1", "upgrades": upgrades}
    verdict = check(table({"hand": ["kindness"]}), action_from(do), unknown("kindness.intensity"))
    assert verdict.status == status
    assert verdict.missing == (() if status == "legal" else (Missing("kindness", "intensity"),))


def test_a_land_of_desires_needs_the_spaces_of_its_target_alone() -> None:
    """R-DESIRE-3."""
    position = table(slots=KINDNESS | {"land.1": {"emotion": "trust"}})
    do = {"action": "land", "slot": "valley.1", "essence": 1}
    assert hangs_on(position, do, "kindness.intensity") == (Missing("kindness", "intensity"),)
    assert check(position, action_from(do), unknown("courage.intensity")).status == "legal"


def test_a_fortify_hangs_on_what_could_give_the_realm_to_the_others() -> None:
    """R-FORT-3, R-CTRL-R9."""
    foe = KINDNESS | {"valley.2": {"emotion": "fear", "essence": 1}}
    assert hangs_on(table(slots=foe), FORTIFY, "fear.intensity") == (Missing("fear", "intensity"),)
    raze = FORTIFY | {"upgrades": ["raze"]}
    held = table(slots=foe, fortresses={"valley": {"team": "gloom", "fragment": "minor"}})
    assert check(held, action_from(raze), unknown("fear.intensity")).status == "legal"
    exalt = FORTIFY | {"upgrades": ["exalt"]}
    own = table(slots=foe, fortresses={"valley": {"team": "bliss", "fragment": "minor"}})
    assert hangs_on(own, exalt, "fear.intensity") == (Missing("fear", "intensity"),)
    assert check(table(slots=foe), action_from(FORTIFY), unknown("kindness.intensity")).status == "unknown"


def test_a_fortify_that_only_the_own_unknown_card_speaks_for_is_legal() -> None:
    """R-FORT-3: with it or without it the Realm is nobody else's."""
    assert check(table(slots=KINDNESS), action_from(FORTIFY), unknown("kindness.intensity")).status == "legal"


# Control: the sums without what nobody knows, and who could hold the place


MATCH: dict[str, Any] = {
    "valley.1": {"emotion": "kindness", "essence": 1},
    "valley.2": {"emotion": "fear", "essence": 1},
}


def _sums(slots: dict[str, Any]) -> tuple[int, int]:
    control = realm_control(table(slots=slots), "valley", CARDS)
    return control.bliss, control.gloom


@pytest.mark.parametrize(
    ("lacking", "tokens", "possible"),
    [
        (["fear"], (0, 0), ("bliss", "gloom", None)),
        (["fear"], (0, 6), ("gloom",)),
        (["fear"], (0, 1), ("gloom", None)),
        (["kindness"], (0, 0), ("bliss", "gloom", None)),
        (["kindness"], (6, 0), ("bliss",)),
        (["kindness"], (1, 0), ("bliss", None)),
        (["kindness", "fear"], (0, 0), ("bliss", "gloom", None)),
        (["kindness", "fear"], (3, 0), ("bliss", "gloom", None)),
        (["kindness", "fear"], (0, 3), ("bliss", "gloom", None)),
    ],
)
def test_who_could_hold_a_realm(
    lacking: list[str], tokens: tuple[int, int], possible: tuple[str | None, ...]
) -> None:
    """R-CTRL-R1, R-INT-3: an unknown Intensity is 0 or more, a token on the card comes on top."""
    bliss, gloom = _sums(MATCH)
    assert bliss == gloom == 1
    slots = {
        slot: lying | ({"intensity_token": token} if token else {})
        for (slot, lying), token in zip(MATCH.items(), tokens, strict=True)
    }
    sums = [
        token + (0 if name in lacking else 1)
        for name, token in zip(("kindness", "fear"), tokens, strict=True)
    ]
    control = realm_control(table(slots=slots), "valley", unknown(*(f"{name}.intensity" for name in lacking)))
    sure = possible[0] if len(possible) == 1 else None
    missing = () if len(possible) == 1 else tuple(Missing(name, "intensity") for name in lacking)
    assert control == Control(sure, sums[0], sums[1], missing, possible)  # type: ignore[arg-type]


def test_the_only_team_in_a_triad_holds_the_frontier_whatever_nobody_knows() -> None:
    """R-CTRL-F1."""
    control = frontier_control(table(slots=KINDNESS), "willow-valley", unknown("kindness.intensity"))
    assert (control.team, control.missing, control.possible) == ("bliss", (), ("bliss",))


# A Revelation


def test_the_last_aspiration_shown_hangs_on_what_the_revelation_hangs_on() -> None:
    """R-REV-2: until all are shown nothing is compared."""
    slots = KINDNESS | {"valley.2": {"emotion": "fear"}}
    parts: dict[str, Any] = {
        "slots": slots,
        "players": {"otto": OTTO},
        "aspirations": {"common": ["fortitude", "unity"]},
    }
    cards = unknown("fear.intensity")
    last = table(
        turn={"pending": [{"action": "reveal", "team": "bliss"}]},
        teams={"gloom": {"aspiration": "openness"}},
        **parts,
    )
    both = [{"action": "reveal", "team": "bliss"}, {"action": "reveal", "team": "gloom"}]
    first = table(turn={"pending": both}, **parts)
    found = set()
    for name in CARDS.aspirations.keys() - {"fortitude"}:
        do = action_from({"action": "reveal", "team": "bliss", "aspiration": name})
        assert check(first, do, cards).status == "legal"
        verdict = check(last, do, cards)
        assert {item.name for item in verdict.missing} == (
            {"fear.intensity"} if verdict.status == "unknown" else set()
        )
        found.add(verdict.status)
    assert found == {"legal", "unknown"}
