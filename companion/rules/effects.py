"""The vocabulary of powers: what an Emotion, a Spirit or a side B can do to the rules, as values.

A power is data. `companion.content` reads it, `powers` finds the effects in force and carries them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeVar, get_args

Area = Literal["beside", "near", "realm", "triad", "anywhere"]
"""Slots around a card or figure.

`beside`: adjacent ones. `near`: those and the slots next to them. `realm`: the slots of the Realm it is in.
`triad`: the slots of every Triad it belongs to. `anywhere`: all.
"""

Whose = Literal["self", "team", "opponents", "any"]
"""As seen from the owner of the power; `self` is the Spirit that has it."""

Moment = Literal["enters", "action", "leaves", "absorb"]
"""The card enters play, an Action is finished, an Emotion leaves the board, an Absorb is done."""

Condition = Literal["no-ambition", "opponents-lead-essence"]
"""The own team has no Ambition available; more Essence lies on the other team's Emotions."""

Confidence = Literal["sure", "likely", "unsure"]

AREAS: Final[tuple[Area, ...]] = get_args(Area)
WHOSE: Final[tuple[Whose, ...]] = get_args(Whose)
MOMENTS: Final[tuple[Moment, ...]] = get_args(Moment)
CONDITIONS: Final[tuple[Condition, ...]] = get_args(Condition)


@dataclass(frozen=True, slots=True)
class Gain:
    """What a player or team receives, from the general supply throughout."""

    willpower: int = 0
    essence: int = 0
    ambition: int = 0
    """Tokens turned to available, as far as there are used ones (R-AMB-1)."""
    cards: int = 0
    """Emotions drawn."""
    actions: int = 0
    """Further Actions in this turn."""
    vibe_tokens: int = 0
    """0, or 1 for a Vibe token of any colour on any own row (R-VIBE-10)."""

    @property
    def name(self) -> str:
        """The name by which one of several is chosen: its kinds, as in `essence` or `cards-willpower`."""
        return "-".join(sorted(part.name for part in fields(self) if getattr(self, part.name)))


NO_GAIN: Final = Gain()


@dataclass(frozen=True, slots=True)
class Dearer:
    """A Spirit Action costs more, or less; several add up (R-POWER-4)."""

    actions: tuple[str, ...]
    payer: Whose = "opponents"
    area: Area = "anywhere"
    """Where the slot that the Action is aimed at must lie."""
    willpower: int = 0
    """Below 0: cheaper, down to nothing."""
    essence: int = 0
    """Off the own Spirit board to the supply, whoever pays for the Action itself."""
    ambition: int = 0


@dataclass(frozen=True, slots=True)
class Rewards:
    """Something happens, and somebody gets something for it (R-POWER-5)."""

    on: Moment
    gains: tuple[Gain, ...]
    """One, or several to choose from."""
    to: Literal["actor", "one-of-team"] = "actor"
    """Whoever acts, or a Spirit of the own team that the team names."""
    actions: tuple[str, ...] = ()
    """With `action`: which Actions count; none named: all."""
    whose: Whose = "team"
    """Whose Action, Absorb or leaving Emotion counts."""
    area: Area = "anywhere"
    """Where the slot of the Action, or of the leaving Emotion, must lie."""
    upgraded: bool = False
    """With `action`: whether only Actions with an upgrade count."""
    least: int = 0
    """With `absorb`: the least Willpower that it must bring."""
    condition: Condition | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class AddsEssence:
    """On entering, whoever brought it in may put Essence on an Emotion of the own team."""

    essence: int = 1
    area: Area = "anywhere"
    """Where that Emotion must lie; the card that enters is one of them wherever it lies."""
    supply: bool = False
    """Whether the Essence comes from the supply rather than from the own Spirit board."""


@dataclass(frozen=True, slots=True)
class TakesToken:
    """On entering it gets an Intensity token (R-INT-3)."""

    bonus: int = 1
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class LowersFortress:
    """On entering in a Realm slot, an opposing Fortress of that Realm goes down, as if razed (R-FORT-10)."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class AbsorbsMore:
    """An Absorb brings more, or less (R-ABS-5, R-ABS-14)."""

    sphere: int = 0
    """Willpower out of the Sphere, as far as it holds that much; below 0: less is taken."""
    supply: int = 0
    """Willpower from the supply."""
    whose: Whose = "team"
    area: Area = "anywhere"
    """How the card lies to the figure that absorbs; `realm`: in the Realm that the Sphere faces."""


@dataclass(frozen=True, slots=True)
class Reaches:
    """A Spirit's Action or Absorb reaches further (R-POWER-6)."""

    action: str
    """`invoke`, `quell`, `empower`, `land` or `absorb`."""
    area: Area = "near"
    """Slots around the figure; of `absorb` the Spheres next to the adjacent ones."""
    fortress: bool = True
    """Of `absorb`: whether the Fortress beside a Sphere emptied that way joins the Identity (R-REV-6)."""


@dataclass(frozen=True, slots=True)
class Protects:
    """The own team's Emotions in an area can't be the target of an Action of the opponents (R-POWER-6)."""

    actions: tuple[str, ...] = ("quell",)
    area: Area = "near"


@dataclass(frozen=True, slots=True)
class InvokesFromSupply:
    """An Invoke may bring in a card from the supply in place of one from the hand (R-POWER-6)."""

    emotion: str
    most: int
    """Copies on the board at most."""


@dataclass(frozen=True, slots=True)
class Swaps:
    """Of a Move upgrade: the figure and another Spirit's trade spaces in place of the move (R-COMP-2)."""


@dataclass(frozen=True, slots=True)
class StartsWith:
    """Of an Invoke upgrade: the card enters play with more Essence than usual (R-COMP-2, R-INVOKE-3)."""

    essence: int = 1
    supply: bool = False
    """Whether it comes from the supply rather than from the own Spirit board."""


@dataclass(frozen=True, slots=True)
class Earns:
    """Of any upgrade: whoever used it gets something once the Action is done (R-COMP-2)."""

    gain: Gain
    leaving: bool = False
    """Whether only where the Action took an Emotion off the board."""


Effect = (
    Dearer
    | Rewards
    | AddsEssence
    | TakesToken
    | LowersFortress
    | AbsorbsMore
    | Reaches
    | Protects
    | InvokesFromSupply
)


UpgradeEffect = Swaps | StartsWith | Earns | Reaches
"""What an upgrade of a side B can do beside what the standard ones do by their names."""


@dataclass(frozen=True, slots=True)
class Power:
    """What a card or a Spirit can do (R-POWER-1, R-POWER-6)."""

    effects: tuple[Effect, ...] = ()
    """Empty: nobody has put it into effects, so the table applies it by itself."""
    text: str | None = None
    """In words, for people."""
    confidence: Confidence = "sure"
    source: str | None = None

    @property
    def is_applied(self) -> bool:
        """Whether the rules act on it: what is only guessed at is left to the table."""
        return self.confidence != "unsure"


Chosen = TypeVar("Chosen", bound=Effect)

Found = Mapping[str, tuple[tuple[int, Chosen], ...]]
"""By the name of the card or Spirit: its effects of one kind, each with its number among all, from 1."""


class PowerIndex:
    """Which cards and Spirits have which effects: so that a board without any costs next to nothing."""

    __slots__ = ("_dearer", "_kinds", "_moments")

    def __init__(self, powers: Mapping[str, Power | None]) -> None:
        applied = {name: p.effects for name, p in powers.items() if p is not None and p.is_applied}
        kinds: dict[type, dict[str, tuple[tuple[int, Any], ...]]] = {}
        dearer: dict[str, dict[str, tuple[tuple[int, Dearer], ...]]] = {}
        moments: dict[str, dict[str, tuple[tuple[int, Rewards], ...]]] = {}
        for name, effects in applied.items():
            for number, effect in enumerate(effects, 1):
                _file(kinds, type(effect), name, (number, effect))
                if isinstance(effect, Dearer):
                    for action in effect.actions:
                        _file(dearer, action, name, (number, effect))
                elif isinstance(effect, Rewards):
                    _file(moments, effect.on, name, (number, effect))
        self._kinds, self._dearer, self._moments = kinds, dearer, moments

    def of(self, kind: type[Chosen]) -> Found[Chosen]:
        """Return all effects of one kind."""
        return self._kinds.get(kind, {})

    def dearer(self, action: str) -> Found[Dearer]:
        """Return what makes a Spirit Action dearer."""
        return self._dearer.get(action, {})

    def rewards(self, moment: Moment) -> Found[Rewards]:
        """Return what is given at a moment."""
        return self._moments.get(moment, {})


Key = TypeVar("Key")
Filed = TypeVar("Filed")


def _file(shelf: dict[Key, dict[str, tuple[Filed, ...]]], key: Key, name: str, item: Filed) -> None:
    named = shelf.setdefault(key, {})
    named[name] = (*named.get(name, ()), item)
