"""Powers out of plain data: the tables of the data files and of card packs (docs/reference/effects.md)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from companion.content.stated import MOST, PowerError, Stated
from companion.rules.board import REALMS
from companion.rules.effects import (
    AREAS,
    CONDITIONS,
    MOMENTS,
    WHOSE,
    AbsorbsMore,
    AddsEssence,
    Confidence,
    Dearer,
    Effect,
    Gain,
    InvokesFromSupply,
    LowersFortress,
    Power,
    Protects,
    Reaches,
    Rewards,
    TakesToken,
    Whose,
)
from companion.rules.position import ROWS

ACTIONS: Final = (*ROWS, *REALMS)
"""All ten Actions (R-TURN-2)."""

TARGETED: Final = ("invoke", "quell", "empower")
"""Spirit Actions that are aimed at a slot."""

REACHING: Final = ("invoke", "quell", "empower", "land", "absorb")
CONFIDENCES: Final[tuple[Confidence, ...]] = ("sure", "likely", "unsure")
MOST_TOKEN: Final = 6
"""The highest bonus of an Intensity token (R-INT-3)."""

Owner = Literal["card", "spirit"]
_RECEIVED: Final = ("willpower", "essence", "ambition", "cards", "actions")
"""What a power can give; a Vibe token asks where it goes, so the table adds that one by itself."""


def power_from(data: object, owner: Owner = "card") -> Power:
    """Make a power out of a text or a table.

    Args:
        data: a text alone, which the table applies by itself; or `text`, `effects`, `confidence`, `source`.
        owner: whose power it is: some effects are for Spirits only, some for cards only.

    Raises:
        PowerError: it does not say what it should.
    """
    if isinstance(data, str) and data:
        return Power(text=data)
    if not isinstance(data, Mapping):
        raise PowerError((), "must be a text or a table")
    part = Stated(data, ())
    part.only("text", "effects", "confidence", "source")
    effects = tuple(_effect(item, owner) for item in part.tables("effects")) if "effects" in data else ()
    if not effects and part.text("text") is None:
        raise PowerError((), "must have a text or effects")
    return Power(effects, part.text("text"), part.one("confidence", CONFIDENCES, "sure"), part.text("source"))


def _effect(part: Stated, owner: Owner) -> Effect:
    kind = part.one("kind", KINDS)
    if owner not in KINDS[kind].owners:
        whose = " or ".join(KINDS[kind].owners)
        raise part.wrong("kind", f"{kind} is only for the power of a {whose}")
    effect = KINDS[kind].read(part)
    whose_power = getattr(effect, "whose", None) or getattr(effect, "payer", None)
    if owner == "spirit" and isinstance(effect, AbsorbsMore) and effect.area != "anywhere":
        raise part.wrong("area", "is only for the power of a card")
    if owner == "card" and whose_power == "self":
        raise part.wrong("payer" if isinstance(effect, Dearer) else "whose", "a card is no Spirit: say team")
    return effect


def _dearer(part: Stated) -> Effect:
    part.only("kind", "actions", "payer", "area", "willpower", "essence", "ambition")
    area = part.one("area", AREAS, "anywhere")
    effect = Dearer(
        actions=part.many("actions", ROWS if area == "anywhere" else TARGETED),
        payer=part.one("payer", WHOSE, "opponents"),
        area=area,
        willpower=part.number("willpower", -MOST),
        essence=part.number("essence"),
        ambition=part.number("ambition"),
    )
    if not (effect.willpower or effect.essence or effect.ambition):
        raise part.wrong("willpower", "the cost must change by something: willpower, essence or ambition")
    return effect


def gain_from(part: Stated) -> Gain:
    """Return what a table of kinds and amounts gives.

    Raises:
        PowerError: it gives nothing, or what no power can give.
    """
    part.only(*_RECEIVED)
    gain = Gain(**{kind: part.number(kind) for kind in _RECEIVED})
    if gain == Gain():
        raise PowerError(part.path, f"must give some of {', '.join(_RECEIVED)}")
    return gain


def _gains(part: Stated) -> tuple[Gain, ...]:
    if ("gain" in part.data) == ("choose" in part.data):
        raise part.wrong("gain", "say gain, a table, or choose, a list of them")
    if "gain" in part.data:
        if not isinstance(part.data["gain"], Mapping):
            raise part.wrong("gain", "must be a table")
        return (gain_from(Stated(part.data["gain"], (*part.path, "gain"))),)
    gains = tuple(gain_from(item) for item in part.tables("choose"))
    if len({gain.name for gain in gains}) < len(gains) or len(gains) < 2:
        raise part.wrong("choose", "must be two gains or more, no two of the same kind")
    return gains


def _rewards(part: Stated) -> Effect:
    part.only("kind", "on", "gain", "choose", "to", "if", "optional", *_ONLY_ON)
    on = part.one("on", MOMENTS)
    for key, moments in _ONLY_ON.items():
        if key in part.data and on not in moments:
            raise part.wrong(key, f"is only for on = {' or '.join(moments)}")
    whose = part.one("whose", WHOSE, _usual_whose(on))
    to = part.one("to", _TO, "actor" if whose in ("self", "team") else "one-of-team")
    if to == "actor" and whose not in ("self", "team"):
        raise part.wrong("to", "must be one-of-team: whoever acts may be an opponent")
    area = part.one("area", AREAS, "anywhere")
    actions = ACTIONS if area == "anywhere" else (*TARGETED, "land")
    return Rewards(
        on=on,
        gains=_gains(part),
        to=to,
        actions=part.many("actions", actions, () if area == "anywhere" else actions),
        whose=whose,
        area=area,
        upgraded=part.flag("upgraded", default=False),
        least=part.number("least"),
        condition=part.one("if", CONDITIONS) if "if" in part.data else None,
        optional=part.flag("optional", default=False),
    )


_TO: Final[tuple[Literal["actor", "one-of-team"], ...]] = ("actor", "one-of-team")
_ONLY_ON: Final = {
    "actions": ("action",),
    "upgraded": ("action",),
    "least": ("absorb",),
    "whose": ("action", "leaves", "absorb"),
    "area": ("action", "leaves"),
}
"""Keys of a gain that mean something at some moments only."""


def _usual_whose(on: str) -> Whose:
    return "any" if on == "leaves" else "team"


def _adds_essence(part: Stated) -> Effect:
    part.only("kind", "essence", "area", "from")
    return AddsEssence(
        part.number("essence", 1, default=1),
        part.one("area", AREAS, "anywhere"),
        part.one("from", ("board", "supply"), "board") == "supply",
    )


def _takes_token(part: Stated) -> Effect:
    part.only("kind", "bonus", "if")
    condition = part.one("if", CONDITIONS) if "if" in part.data else None
    return TakesToken(part.number("bonus", 1, MOST_TOKEN, 1), condition)


def _lowers_fortress(part: Stated) -> Effect:
    part.only("kind", "steps")
    return LowersFortress(part.number("steps", 1, 2, 1))


def _absorbs_more(part: Stated) -> Effect:
    part.only("kind", "sphere", "supply", "whose", "area")
    effect = AbsorbsMore(
        part.number("sphere", -MOST),
        part.number("supply"),
        part.one("whose", WHOSE, "team"),
        part.one("area", AREAS, "anywhere"),
    )
    if not (effect.sphere or effect.supply):
        raise part.wrong("sphere", "the amount must change by something: sphere or supply")
    return effect


def _reaches(part: Stated) -> Effect:
    part.only("kind", "action", "area", "fortress")
    action = part.one("action", REACHING)
    if "fortress" in part.data and action != "absorb":
        raise part.wrong("fortress", "is only for action = absorb")
    area = part.one("area", ("near",) if action == "absorb" else AREAS, "near")
    return Reaches(action, area, part.flag("fortress", default=True))


def _protects(part: Stated) -> Effect:
    part.only("kind", "actions", "area")
    return Protects(part.many("actions", ("quell",), ("quell",)), part.one("area", AREAS, "near"))


def _invokes_from_supply(part: Stated) -> Effect:
    part.only("kind", "emotion", "most")
    emotion = part.text("emotion")
    if emotion is None:
        raise part.wrong("emotion", "must be the title of an Emotion")
    return InvokesFromSupply(emotion, part.number("most", 1, default=None))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of effect: how it is read, and in whose powers it can stand."""

    read: Callable[[Stated], Effect]
    owners: tuple[Owner, ...] = ("card", "spirit")


KINDS: Final[Mapping[str, Kind]] = {
    "cost": Kind(_dearer),
    "gain": Kind(_rewards),
    "add-essence": Kind(_adds_essence, ("card",)),
    "intensity-token": Kind(_takes_token, ("card",)),
    "fortress-down": Kind(_lowers_fortress, ("card",)),
    "absorb": Kind(_absorbs_more),
    "protect": Kind(_protects),
    "reach": Kind(_reaches, ("spirit",)),
    "invoke-from-supply": Kind(_invokes_from_supply, ("spirit",)),
}
"""By the name in the data."""
