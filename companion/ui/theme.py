"""The one place for colours, type, spacing, radii and durations.

Free of Kivy. Sizes are at 160 dpi on a 1280x800 screen (a 10-inch one); `companion.ui.layout.Scale` turns
them into pixels of the screen at hand.
"""

from dataclasses import dataclass
from typing import Final, Literal

Rgba = tuple[float, float, float, float]

TypeRole = Literal["tiny", "small", "body", "lead", "number", "hero"]

TYPE: Final[dict[TypeRole, float]] = {
    "tiny": 10,
    "small": 12,
    "body": 15,
    "lead": 17,
    "number": 28,
    "hero": 44,
}
"""Type scale in sp: one family (Roboto, which comes with Kivy), two weights."""

SMALLEST_TYPE_SP: Final = 9.5
"""No text is set smaller: on a 7-inch screen of 800x480 (133 dpi) that is 1.8 mm."""

TOUCH_DP: Final = 57.0
"""9 mm at 160 dpi, the least that a finger hits (journeys, "What it must feel like")."""

SMALLEST_TOUCH_DP: Final = 48.0
"""9 mm on a 7-inch screen of 800x480, which has 133 dpi."""

RADIUS_PANEL: Final = 18.0
RADIUS_BUTTON: Final = 12.0
RADIUS_CARD: Final = 10.0

MARGIN: Final = 14.0
GAP: Final = 10.0

ANSWER_S: Final = 0.18
"""An answer to a touch."""
MOVE_S: Final = 0.32
"""Something that moves on the board."""
EASE: Final = "out_cubic"


def rgba(code: str, alpha: float = 1.0) -> Rgba:
    """Return a colour written `#RRGGBB` as four numbers from 0 to 1."""
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue, alpha


def mixed(first: Rgba, second: Rgba, share: float) -> Rgba:
    """Return `first` with `share` (0 to 1) of `second` in it."""
    a, b, c, d = (x + (y - x) * share for x, y in zip(first, second, strict=True))
    return a, b, c, d


def faded(colour: Rgba, alpha: float) -> Rgba:
    """Return `colour` with its alpha multiplied by `alpha`."""
    red, green, blue, own = colour
    return red, green, blue, own * alpha


def contrast(first: Rgba, second: Rgba) -> float:
    """Return the contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, 1.4.3)."""
    bright, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: Rgba) -> float:
    # WCAG 2.1, "relative luminance".
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@dataclass(frozen=True, slots=True)
class TeamColours:
    """One team's light."""

    light: Rgba
    flat: Rgba
    deep: Rgba
    text: Rgba
    """The flat colour where it is read: on panels and on the ground."""
    card: Rgba
    """The ground of its cards, upper end."""
    card_low: Rgba
    edge: Rgba
    """The bright edge of a Strong card."""


@dataclass(frozen=True, slots=True)
class Tone:
    """What a verdict looks like."""

    bright: Rgba
    ground: Rgba


@dataclass(frozen=True, slots=True)
class Theme:
    """Every colour by its role."""

    name: Literal["night", "day"]
    ground: tuple[Rgba, Rgba, Rgba]
    """Radial: middle, half way, rim."""
    surface: Rgba
    raised: Rgba
    line: Rgba
    text: Rgba
    dim: Rgba
    faint: Rgba
    """For what is not available; still readable."""
    on_bright: Rgba
    """Text on a bright fill."""
    accepted: Tone
    question: Tone
    refused: Tone
    quiet: Tone
    bliss: TeamColours
    gloom: TeamColours
    nobody: Rgba
    """The light of a Realm that nobody has."""
    vibes: dict[str, Rgba]
    well: Rgba
    """Dark rounds: Spheres, Vibe spaces, Spirit spaces."""
    board: Rgba
    """The board below its light."""
    gap: Rgba
    """The lines between Realms."""
    card_text: Rgba
    light_alpha: float
    """Strength of the light of control."""
    shadow: Rgba

    def team(self, name: str) -> TeamColours:
        """Return a team's colours."""
        return self.bliss if name == "bliss" else self.gloom

    def tone(self, kind: str) -> Tone:
        """Return the tone of `accepted`, `question`, `refused`, or the quiet one."""
        return {"accepted": self.accepted, "question": self.question, "refused": self.refused}.get(
            kind, self.quiet
        )


NIGHT: Final = Theme(
    name="night",
    ground=(rgba("#221C3C"), rgba("#161226"), rgba("#0D0B16")),
    surface=rgba("#1A172B"),
    raised=rgba("#242039"),
    line=rgba("#2F2A49"),
    text=rgba("#F2EFFA"),
    dim=rgba("#A7A1C4"),
    faint=rgba("#8F88B2"),
    on_bright=rgba("#1B1408"),
    accepted=Tone(rgba("#5FD6A2"), rgba("#15302A")),
    question=Tone(rgba("#FFC857"), rgba("#2E2617")),
    refused=Tone(rgba("#FF6B7A"), rgba("#2E1620")),
    quiet=Tone(rgba("#A7A1C4"), rgba("#1A172B")),
    bliss=TeamColours(
        rgba("#FFD08A"),
        rgba("#FFB25A"),
        rgba("#FF8A5C"),
        rgba("#FFB25A"),
        rgba("#4A3222"),
        rgba("#2C1D1A"),
        rgba("#FFD08A"),
    ),
    gloom=TeamColours(
        rgba("#A9C5FF"),
        rgba("#6FA0FF"),
        rgba("#7A7BFF"),
        rgba("#85AEFF"),
        rgba("#263560"),
        rgba("#171D3C"),
        rgba("#A9C5FF"),
    ),
    nobody=rgba("#6B6590"),
    vibes={
        "red": rgba("#FF6B6B"),
        "yellow": rgba("#FFD166"),
        "green": rgba("#6BD68A"),
        "blue": rgba("#5AB0FF"),
        "wild": rgba("#D9D4F2"),
    },
    well=rgba("#100D1C"),
    board=rgba("#1D1931"),
    gap=rgba("#0F0C1A"),
    card_text=rgba("#FBF9FF"),
    light_alpha=0.62,
    shadow=rgba("#000000", 0.5),
)
"""Night room: a deep indigo ground, one bright thing at a time."""

DAY: Final = Theme(
    name="day",
    ground=(rgba("#FBF9FF"), rgba("#EFEBF8"), rgba("#DFD9EE")),
    surface=rgba("#FFFFFF"),
    raised=rgba("#F1EDFA"),
    line=rgba("#CFC7E4"),
    text=rgba("#1E1836"),
    dim=rgba("#4F4772"),
    faint=rgba("#5F5882"),
    on_bright=rgba("#FFFFFF"),
    accepted=Tone(rgba("#0B7A4B"), rgba("#DDF5E8")),
    question=Tone(rgba("#8A5A00"), rgba("#FFF1CF")),
    refused=Tone(rgba("#B3213A"), rgba("#FFE3E6")),
    quiet=Tone(rgba("#4F4772"), rgba("#FFFFFF")),
    bliss=TeamColours(
        rgba("#FFC27A"),
        rgba("#E8862B"),
        rgba("#F06B3C"),
        rgba("#994500"),
        rgba("#FFF1DE"),
        rgba("#FFDDB8"),
        rgba("#D9560B"),
    ),
    gloom=TeamColours(
        rgba("#9DB8FF"),
        rgba("#4F78E8"),
        rgba("#6A5CF0"),
        rgba("#3450C0"),
        rgba("#E9EEFF"),
        rgba("#CBD6FF"),
        rgba("#2F4FD0"),
    ),
    nobody=rgba("#A49CC2"),
    vibes={
        "red": rgba("#D93A3A"),
        "yellow": rgba("#A87400"),
        "green": rgba("#1F8F4A"),
        "blue": rgba("#1C74CC"),
        "wild": rgba("#5E5585"),
    },
    well=rgba("#FFFFFF"),
    board=rgba("#E6E0F3"),
    gap=rgba("#F8F6FD"),
    card_text=rgba("#1E1836"),
    light_alpha=0.7,
    shadow=rgba("#3A2E66", 0.22),
)
"""Day room, for bright shops: the same roles on a light ground."""

THEMES: Final = {"night": NIGHT, "day": DAY}


@dataclass(frozen=True, slots=True)
class Look:
    """What people choose about the screen."""

    theme: Theme = NIGHT
    flat: bool = False
    """It lies between the players: cards are read from outside, far panels from the far side."""
