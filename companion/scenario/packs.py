"""What a file states about Spirits: a power or a side B that our data lacks, or puts otherwise."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.content.boards import side_b_from
from companion.content.powers import power_from
from companion.content.stated import PowerError
from companion.rules.cards import Catalogue, Spirit
from companion.rules.effects import InvokesFromSupply, Power
from companion.scenario.errors import NotationError, Path, shown
from companion.scenario.schema import Keys, Leaf

SPIRIT_PACK: Final = Keys(
    {
        "power": Leaf(lambda value: isinstance(value, str | dict), "a text or a table"),
        "side_b": Leaf(lambda value: isinstance(value, dict), "a table"),
    }
)
"""What a file may state about a Spirit."""


def with_spirits(cards: Catalogue, pack: Mapping[str, Mapping[str, Any]]) -> Catalogue:
    """Lay what a file says about Spirits over the printed values.

    Args:
        cards: the printed values.
        pack: by Spirit, `power` and `side_b`; names and keys are checked already.

    Raises:
        NotationError: a power or a board does not say what it should; the path begins with `spirits`.
    """
    if not pack:
        return cards
    told = {name: _told(cards.spirits[name], values, cards) for name, values in pack.items()}
    return replace(cards, spirits={**cards.spirits, **told})


def _told(spirit: Spirit, values: Mapping[str, Any], cards: Catalogue) -> Spirit:
    where: Path = ("spirits", spirit.name)
    if "power" in values:
        spirit = replace(spirit, power=_power(values["power"], cards, (*where, "power")))
    if "side_b" in values:
        try:
            rows = side_b_from(values["side_b"], cards.rows)
        except PowerError as e:
            raise NotationError((*where, "side_b", *e.path), e.problem) from e
        spirit = replace(spirit, side_b={**spirit.side_b, **rows})
    return spirit


def _power(stated: object, cards: Catalogue, where: Path) -> Power:
    try:
        power = power_from(stated, "spirit")
    except PowerError as e:
        raise NotationError((*where, *e.path), e.problem) from e
    for i, effect in enumerate(power.effects):
        if isinstance(effect, InvokesFromSupply) and effect.emotion not in cards.cards:
            problem = f"{shown(effect.emotion)} is not the title of an Emotion"
            raise NotationError((*where, "effects", i, "emotion"), problem)
    return power
