"""The forms that a refused deed could take: each with its price, the cheapest first."""

from typing import Any

import pytest

from companion.rules.actions import SpiritActionDone
from companion.rules.derived import Derived
from companion.rules.forms import Form, forms
from companion.scenario.notation import action_from, action_to
from tests.rules.tables import CARDS, table

FEAR = {"valley.1": {"emotion": "fear"}}


def _manner(form: Form) -> str:
    """Say how it is done: upgrades, the card shown, the token placed."""
    action = form.action
    if not isinstance(action, SpiritActionDone):
        said = action_to(action).items()
        asked = {key: value for key, value in said if key not in ("action", "slot", "sphere")}
        return " ".join(f"{key}={value}" for key, value in asked.items()) + f" lost={form.lost}"
    parts = ["+".join(action.upgrades) or "plain"]
    reveal = getattr(action, "reveal", None)
    if reveal is not None:
        parts.append(f"shows {reveal}")
    if action.place is not None:
        parts.append(f"{action.place.discard} on {action.place.space}")
    return ", ".join(parts)


def _price(form: Form) -> str:
    if not isinstance(form.action, SpiritActionDone):
        return ""
    paid = f"{form.cost.willpower} W {form.cost.ambition} A"
    return f": {paid} {form.cards} cards {form.guesses} guessed"


def told(form: Form) -> str:
    """One form in a line: how, its Willpower, Ambition and cards, cards guessed at, what is different."""
    missing = "" if form.at_hand else ", not there"
    return f"{_manner(form)}{_price(form)}{missing}, {form.changes} changes"


FORMS: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "a move with a token that is not there": (
        {"vibes": {"move": ["wild", "red", "", ""]}, "hand": ["kindness", "*"], "willpower": 1},
        {"action": "move", "to": "cradle", "upgrades": ["surmount"]},
        [
            "determination: 0 W 0 A 0 cards 0 guessed, not there, 2 changes",
            "plain: 1 W 0 A 0 cards 0 guessed, 1 changes",
            "haste+determination: 1 W 0 A 0 cards 0 guessed, not there, 3 changes",
            "surmount: 2 W 0 A 0 cards 0 guessed, not there, 0 changes",
            "haste: 2 W 0 A 0 cards 0 guessed, not there, 2 changes",
            "haste+surmount: 3 W 0 A 0 cards 0 guessed, not there, 1 changes",
            "determination, kindness on 4: 0 W 0 A 1 cards 0 guessed, 3 changes",
            "determination, cheerfulness on 4: 0 W 0 A 1 cards 1 guessed, 3 changes",
            "haste+determination, kindness on 4: 1 W 0 A 1 cards 0 guessed, 4 changes",
            "haste+determination, cheerfulness on 4: 1 W 0 A 1 cards 1 guessed, 4 changes",
            "surmount, kindness on 3: 2 W 0 A 1 cards 0 guessed, not there, 1 changes",
            "surmount, cheerfulness on 3: 2 W 0 A 1 cards 1 guessed, not there, 1 changes",
            "haste+surmount, kindness on 3: 3 W 0 A 1 cards 0 guessed, not there, 2 changes",
            "haste+surmount, cheerfulness on 3: 3 W 0 A 1 cards 1 guessed, not there, 2 changes",
        ],
    ),
    "a move in a locked row": (
        {"vibes": {}, "hand": ["kindness", "*"]},
        {"action": "move", "to": "cradle"},
        [
            "plain: 1 W 0 A 0 cards 0 guessed, not there, 0 changes",
            "plain, kindness on 1: 1 W 0 A 1 cards 0 guessed, 1 changes",
            "plain, affection on 1: 1 W 0 A 1 cards 1 guessed, 1 changes",
        ],
    ),
    "a move with a card that is not in the hand": (
        {"vibes": {}},
        {"action": "move", "to": "cradle", "place": {"discard": "kindness", "space": 1}},
        [
            "plain: 1 W 0 A 0 cards 0 guessed, not there, 1 changes",
            "plain, kindness on 1: 1 W 0 A 1 cards 0 guessed, 0 changes",
            "plain, affection on 1: 1 W 0 A 1 cards 0 guessed, not there, 1 changes",
        ],
    ),
    "a move that places a token elsewhere": (
        {"vibes": {"move": ["wild", "", "", ""]}, "hand": ["kindness"]},
        {
            "action": "move",
            "to": "cradle",
            "upgrades": ["haste"],
            "place": {"discard": "kindness", "space": 3},
        },
        [
            "determination: 0 W 0 A 0 cards 0 guessed, not there, 3 changes",
            "plain: 1 W 0 A 0 cards 0 guessed, 2 changes",
            "haste: 2 W 0 A 0 cards 0 guessed, not there, 1 changes",
            "surmount: 2 W 0 A 0 cards 0 guessed, not there, 3 changes",
            "determination, kindness on 4: 0 W 0 A 1 cards 0 guessed, 3 changes",
            "haste, kindness on 2: 2 W 0 A 1 cards 0 guessed, 1 changes",
            "surmount, kindness on 3: 2 W 0 A 1 cards 0 guessed, 2 changes",
            "surmount, kindness on 3: 2 W 0 A 1 cards 0 guessed, 2 changes",
        ],
    ),
    "a quell with a card of another colour": (
        {"vibes": {"quell": ["wild", "", "wild", "wild"]}, "hand": ["kindness", "confidence"]},
        {"action": "quell", "slot": "valley.1", "reveal": "kindness"},
        [
            "determination, shows confidence: 1 W 1 A 0 cards 0 guessed, 2 changes",
            "plain, shows confidence: 2 W 1 A 0 cards 0 guessed, 1 changes",
            "extinguish+determination: 2 W 1 A 0 cards 0 guessed, 3 changes",
            "extinguish: 3 W 1 A 0 cards 0 guessed, 2 changes",
            "subdue+determination, shows confidence: 3 W 1 A 0 cards 0 guessed, not there, 3 changes",
            "subdue, shows confidence: 4 W 1 A 0 cards 0 guessed, not there, 2 changes",
            "subdue+extinguish+determination: 4 W 1 A 0 cards 0 guessed, not there, 4 changes",
            "subdue+extinguish: 5 W 1 A 0 cards 0 guessed, not there, 3 changes",
            "subdue+determination, shows confidence, kindness on 2: 3 W 1 A 1 cards 0 guessed, 4 changes",
            "subdue, shows confidence, kindness on 2: 4 W 1 A 1 cards 0 guessed, 3 changes",
            "subdue+extinguish+determination, confidence on 2: 4 W 1 A 1 cards 0 guessed, 5 changes",
            "subdue+extinguish, confidence on 2: 5 W 1 A 1 cards 0 guessed, 4 changes",
        ],
    ),
    "a quell with unknown cards": (
        {"vibes": {"quell": ["wild", "red", "wild", ""]}, "hand": ["kindness", "*"]},
        {"action": "quell", "slot": "valley.1", "reveal": "confidence"},
        [
            "determination, shows confidence: 1 W 1 A 0 cards 1 guessed, not there, 1 changes",
            "determination, shows optimism: 1 W 1 A 0 cards 1 guessed, not there, 2 changes",
            "extinguish+determination: 2 W 1 A 0 cards 0 guessed, not there, 3 changes",
            "plain, shows confidence: 2 W 1 A 0 cards 1 guessed, 0 changes",
            "plain, shows optimism: 2 W 1 A 0 cards 1 guessed, 1 changes",
            "extinguish: 3 W 1 A 0 cards 0 guessed, 2 changes",
            "subdue+determination, shows confidence: 3 W 1 A 0 cards 1 guessed, not there, 2 changes",
            "subdue+determination, shows optimism: 3 W 1 A 0 cards 1 guessed, not there, 3 changes",
            "subdue+extinguish+determination: 4 W 1 A 0 cards 0 guessed, not there, 4 changes",
            "subdue, shows confidence: 4 W 1 A 0 cards 1 guessed, 1 changes",
            "subdue, shows optimism: 4 W 1 A 0 cards 1 guessed, 2 changes",
            "subdue+extinguish: 5 W 1 A 0 cards 0 guessed, 3 changes",
            "determination, shows confidence, kindness on 4: 1 W 1 A 1 cards 1 guessed, 2 changes",
            "determination, shows optimism, kindness on 4: 1 W 1 A 1 cards 1 guessed, 3 changes",
            "determination, shows confidence, cheerfulness on 4: 1 W 1 A 1 cards 2 guessed, 2 changes",
            "determination, shows optimism, cheerfulness on 4: 1 W 1 A 1 cards 2 guessed, 3 changes",
            "extinguish+determination, kindness on 4: 2 W 1 A 1 cards 0 guessed, 4 changes",
            "extinguish+determination, cheerfulness on 4: 2 W 1 A 1 cards 1 guessed, 4 changes",
            "subdue+determination, shows confidence, kindness on 4: 3 W 1 A 1 cards 1 guessed, 3 changes",
            "subdue+determination, shows optimism, kindness on 4: 3 W 1 A 1 cards 1 guessed, 4 changes",
            "subdue+determination, shows confidence, cheerfulness on 4: 3 W 1 A 1 cards 2 guessed, 3 changes",
            "subdue+determination, shows optimism, cheerfulness on 4: 3 W 1 A 1 cards 2 guessed, 4 changes",
            "subdue+extinguish+determination, kindness on 4: 4 W 1 A 1 cards 0 guessed, 5 changes",
            "subdue+extinguish+determination, cheerfulness on 4: 4 W 1 A 1 cards 1 guessed, 5 changes",
        ],
    ),
    "a quell with one card for two things": (
        {"vibes": {}, "hand": ["confidence"]},
        {"action": "quell", "slot": "valley.1", "reveal": "confidence"},
        [
            "plain, shows confidence: 2 W 1 A 0 cards 0 guessed, not there, 0 changes",
            "plain, shows confidence, confidence on 1: 2 W 1 A 1 cards 0 guessed, 1 changes",
        ],
    ),
    "a quell with nothing to show": (
        {"vibes": {"quell": ["wild", "red", "green", "blue"]}},
        {"action": "quell", "slot": "valley.1", "reveal": "confidence"},
        [
            "determination, shows confidence: 1 W 1 A 0 cards 0 guessed, 1 changes",
            "plain, shows confidence: 2 W 1 A 0 cards 0 guessed, 0 changes",
            "extinguish+determination: 2 W 1 A 0 cards 0 guessed, 3 changes",
            "extinguish: 3 W 1 A 0 cards 0 guessed, 2 changes",
            "subdue+determination, shows confidence: 3 W 1 A 0 cards 0 guessed, 2 changes",
            "subdue, shows confidence: 4 W 1 A 0 cards 0 guessed, 1 changes",
            "subdue+extinguish+determination: 4 W 1 A 0 cards 0 guessed, 4 changes",
            "subdue+extinguish: 5 W 1 A 0 cards 0 guessed, 3 changes",
        ],
    ),
    "a quell of nothing": (
        {"vibes": {"quell": ["wild", "", "wild", ""]}, "hand": ["kindness"]},
        {"action": "quell", "slot": "valley.2", "reveal": "confidence"},
        [
            "determination, shows kindness: 1 W 1 A 0 cards 0 guessed, not there, 2 changes",
            "plain, shows kindness: 2 W 1 A 0 cards 0 guessed, 1 changes",
            "extinguish+determination: 2 W 1 A 0 cards 0 guessed, not there, 3 changes",
            "extinguish: 3 W 1 A 0 cards 0 guessed, 2 changes",
            "subdue, shows kindness: 4 W 1 A 0 cards 0 guessed, not there, 2 changes",
            "subdue+extinguish: 5 W 1 A 0 cards 0 guessed, not there, 3 changes",
            "determination, shows kindness, kindness on 4: 1 W 1 A 1 cards 0 guessed, 3 changes",
            "extinguish+determination, kindness on 4: 2 W 1 A 1 cards 0 guessed, 4 changes",
            "subdue, shows kindness, kindness on 2: 4 W 1 A 1 cards 0 guessed, 3 changes",
            "subdue+extinguish, kindness on 2: 5 W 1 A 1 cards 0 guessed, 4 changes",
        ],
    ),
    "an invoke of the card for the token": (
        {"vibes": {"invoke": ["wild", "", "", ""]}, "hand": ["desire", "kindness"]},
        {"action": "invoke", "emotion": "desire", "slot": "valley.2", "upgrades": ["bolster"]},
        [
            "determination: 1 W 0 A 0 cards 0 guessed, not there, 2 changes",
            "plain: 2 W 0 A 0 cards 0 guessed, 1 changes",
            "inner-force: 4 W 0 A 0 cards 0 guessed, not there, 2 changes",
            "determination, kindness on 4: 1 W 0 A 1 cards 0 guessed, 3 changes",
            "inner-force, kindness on 3: 4 W 0 A 1 cards 0 guessed, 3 changes",
            "bolster: 2 W 1 A 0 cards 0 guessed, not there, 0 changes",
            "bolster, kindness on 2: 2 W 1 A 1 cards 0 guessed, 1 changes",
        ],
    ),
    "a fortify": (
        {"vibes": {"fortify": ["wild", "wild", "wild", ""]}},
        {"action": "fortify", "realm": "valley"},
        [
            "determination: 2 W 0 A 0 cards 0 guessed, not there, 1 changes",
            "plain: 3 W 0 A 0 cards 0 guessed, 0 changes",
            "determination, affection on 4: 2 W 0 A 1 cards 0 guessed, not there, 2 changes",
        ],
    ),
    "an exalt": (
        {"vibes": {"fortify": ["wild", "wild", "wild", ""]}},
        {"action": "fortify", "realm": "valley", "upgrades": ["exalt"]},
        [
            "exalt+determination: 2 W 1 A 0 cards 0 guessed, not there, 1 changes",
            "exalt: 3 W 1 A 0 cards 0 guessed, 0 changes",
            "exalt+determination, affection on 4: 2 W 1 A 1 cards 0 guessed, not there, 2 changes",
        ],
    ),
    "an exalt and a raze": (
        {"vibes": {"fortify": ["wild", "wild", "wild", "wild"]}},
        {"action": "fortify", "realm": "valley", "upgrades": ["exalt", "raze"]},
        [
            "exalt+determination: 2 W 1 A 0 cards 0 guessed, 2 changes",
            "exalt: 3 W 1 A 0 cards 0 guessed, 1 changes",
            "raze+determination: 3 W 1 A 0 cards 0 guessed, 2 changes",
            "raze: 4 W 1 A 0 cards 0 guessed, 1 changes",
            "exalt+raze+determination: 3 W 2 A 0 cards 0 guessed, 1 changes",
            "exalt+raze: 4 W 2 A 0 cards 0 guessed, 0 changes",
        ],
    ),
    "an exalt in a locked row": (
        {"vibes": {}, "hand": ["kindness"]},
        {"action": "fortify", "realm": "valley", "upgrades": ["exalt"]},
        [
            "exalt: 0 W 0 A 0 cards 0 guessed, not there, 0 changes",
        ],
    ),
    "the end of the turn for cards": (
        {},
        {"action": "end-turn", "gain": "cards"},
        [
            "gain=cards lost=0, 0 changes",
            "gain=ambition lost=1, 0 changes",
        ],
    ),
    "the end of the turn for Ambition": (
        {},
        {"action": "end-turn", "gain": "ambition"},
        [
            "gain=ambition lost=0, 0 changes",
            "gain=cards lost=1, 0 changes",
        ],
    ),
    "the Willow for more than there is": (
        {"willpower": 3},
        {"action": "willow", "amount": 12},
        [
            "amount=12 lost=0, 0 changes",
            "amount=3 lost=9, 0 changes",
            "amount=2 lost=10, 0 changes",
            "amount=1 lost=11, 0 changes",
        ],
    ),
    "the Willow for much": (
        {"willpower": 20},
        {"action": "willow", "amount": 12},
        [
            "amount=12 lost=0, 0 changes",
            "amount=11 lost=1, 0 changes",
            "amount=10 lost=2, 0 changes",
            "amount=9 lost=3, 0 changes",
            "amount=8 lost=4, 0 changes",
            "amount=7 lost=5, 0 changes",
            "amount=6 lost=6, 0 changes",
            "amount=5 lost=7, 0 changes",
            "amount=4 lost=8, 0 changes",
        ],
    ),
    "the Willow without Willpower": (
        {"willpower": 0},
        {"action": "willow", "amount": 2},
        [
            "amount=2 lost=0, 0 changes",
            "amount=1 lost=1, 0 changes",
        ],
    ),
    "the Willow for the least": (
        {"willpower": 0},
        {"action": "willow", "amount": 1},
        [
            "amount=1 lost=0, 0 changes",
        ],
    ),
    "the Land for more than there is": (
        {"essence": 2},
        {"action": "land", "slot": "valley.1", "essence": 4},
        [
            "essence=4 lost=0, 0 changes",
            "essence=2 lost=2, 0 changes",
            "essence=1 lost=3, 0 changes",
        ],
    ),
    "the Land without Essence": (
        {"essence": 0},
        {"action": "land", "slot": "valley.1", "essence": 2},
        [
            "essence=2 lost=0, 0 changes",
            "essence=1 lost=1, 0 changes",
        ],
    ),
    "an absorb with a token": (
        {"vibes": {"move": ["wild", "red", "", ""]}},
        {"action": "absorb", "sphere": "knowledge", "row": "move", "space": 2, "vibe": "green"},
        [
            "row=move space=2 vibe=green lost=0, 0 changes",
            "row=move space=3 vibe=green lost=1, 0 changes",
            "row=move space=4 vibe=green lost=1, 0 changes",
            "row=move space=3 vibe=yellow lost=2, 0 changes",
            "row=move space=3 vibe=blue lost=2, 0 changes",
            "row=move space=4 vibe=yellow lost=2, 0 changes",
            "row=move space=4 vibe=blue lost=2, 0 changes",
            "bonus=False lost=3, 0 changes",
        ],
    ),
    "an absorb with its bonus": (
        {},
        {"action": "absorb", "sphere": "humility"},
        [
            " lost=0, 0 changes",
            "bonus=False lost=3, 0 changes",
        ],
    ),
    "an absorb without its bonus": (
        {},
        {"action": "absorb", "sphere": "humility", "bonus": False},
        [
            "bonus=False lost=0, 0 changes",
        ],
    ),
    "an Ability with a token": (
        {"vibes": {"move": ["wild", "red", "", ""]}},
        {"action": "ambition", "ability": "vibe", "row": "quell", "space": 2, "vibe": "green"},
        [
            "ability=vibe row=quell space=2 vibe=green lost=0, 0 changes",
            "ability=vibe row=quell space=1 vibe=green lost=1, 0 changes",
            "ability=vibe row=quell space=1 vibe=red lost=2, 0 changes",
            "ability=vibe row=quell space=1 vibe=yellow lost=2, 0 changes",
            "ability=vibe row=quell space=1 vibe=blue lost=2, 0 changes",
        ],
    ),
    "an Ability without one": (
        {},
        {"action": "ambition", "ability": "extra-action"},
        [
            "ability=extra-action lost=0, 0 changes",
        ],
    ),
    "the Valley": (
        {},
        {"action": "valley"},
        [
            " lost=0, 0 changes",
        ],
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_forms_of_a_deed(name: str) -> None:
    diana, do, lines = FORMS[name]
    position = table(diana, slots=FEAR)
    found = forms(Derived(position, CARDS), position.players["diana"], action_from(do))
    assert [told(form) for form in found] == lines
