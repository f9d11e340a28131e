"""From the public state of a game to what each widget shows: values in, values out, no Kivy.

A state is the payload of `game/state`: the keys of the contracts' section 3 with `hand_size` in place of
`hand`. What is left out has the default of that section.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.board import REALMS, SLOTS
from companion.rules.cards import Catalogue
from companion.rules.frame import SETUP
from companion.rules.position import EMPTY_ROW, ROWS
from companion.rules.words import person, title
from companion.ui.ring import sphere_at

SPHERE_WILLPOWER: Final = 7
"""Willpower of a full Sphere (R-ORIGIN-4)."""

AMBITION_TOKENS: Final = 3
"""Ambition tokens of a team (R-AMB-1)."""

State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CardFace:
    """What an Emotion card shows."""

    name: str
    title: str
    team: str
    vibe: str | None
    strong: bool
    essence: int
    """0 while it is not in play: its track is empty then."""
    spaces: int | None
    """Length of the Essence track; None where it is not known."""
    intensity: int | None
    """With an Intensity token; None where the printed value is not known."""


@dataclass(frozen=True, slots=True)
class SlotView:
    """One Emotion slot."""

    slot: str
    game: CardFace | None
    """What the game has there."""
    lying: tuple[CardFace, ...]
    """What lies there; the same as the game's where the table is a real one."""
    mark: str = ""
    """`accepted`, `refused`, `question`, or nothing."""

    @property
    def right(self) -> bool:
        """Whether the table agrees with the game."""
        names = () if self.game is None else (self.game.name,)
        return tuple(face.name for face in self.lying) == names

    @property
    def on_top(self) -> CardFace | None:
        """What to show: of several cards the one that has no business there, whatever order they lie in."""
        own = None if self.game is None else self.game.name
        return next((face for face in reversed(self.lying) if face.name != own), None) or (
            self.lying[-1] if self.lying else None
        )


@dataclass(frozen=True, slots=True)
class FigureView:
    """A Spirit figure."""

    spirit: str
    initial: str
    """Of the player, as people look for a person."""
    team: str
    space: str
    """Where it is drawn."""
    game_space: str
    """Where the game has it."""
    acting: bool


@dataclass(frozen=True, slots=True)
class SphereView:
    """A Sphere, and the Realm it faces."""

    sphere: str
    realm: str
    willpower: int


@dataclass(frozen=True, slots=True)
class FortressView:
    """A Fortress."""

    realm: str
    team: str
    bonus: int
    """1 for a Minor Fragment, 2 for a Major one (R-CTRL-R6)."""


@dataclass(frozen=True, slots=True)
class RowView:
    """One Spirit Action of a Spirit board."""

    action: str
    title: str
    vibes: tuple[str, str, str, str]
    locked: bool
    open: tuple[int, ...] = ()
    """Spaces, from 1, on which a wild Vibe token may be placed now (R-SETUP-23)."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player's panel."""

    name: str
    title: str
    initial: str
    spirit: str
    team: str
    willpower: int
    essence: int
    hand: int
    acting: bool
    actions_left: int
    absorbed: bool
    rows: tuple[RowView, ...]
    setting_up: bool = False
    """Whether the game is still being set up: then the player to act is whoever places something."""


@dataclass(frozen=True, slots=True)
class TeamView:
    """One team's box."""

    team: str
    title: str
    ambition: int
    points: int
    minor: int
    major: int


@dataclass(frozen=True, slots=True)
class BoardView:
    """The whole ring."""

    slots: tuple[SlotView, ...]
    figures: tuple[FigureView, ...]
    spheres: tuple[SphereView, ...]
    fortresses: tuple[FortressView, ...]
    identity: tuple[str, ...]
    control: Mapping[str, str]
    """Team by Realm or Frontier; an area that nobody has is left out."""


def face(name: str, cards: Catalogue, essence: int = 0, token: int = 0, team: str = "bliss") -> CardFace:
    """Return what a card shows.

    Args:
        name: the title, as in the contracts.
        cards: the printed values.
        essence: Essence on it, 0 while it is not in play.
        token: bonus of an Intensity token on it.
        team: used where the card is not in the catalogue.
    """
    card = cards.cards.get(name)
    if card is None:
        return CardFace(
            name, title(name), team, None, strong=False, essence=essence, spaces=None, intensity=None
        )
    return CardFace(
        name,
        title(name),
        card.team,
        card.vibe,
        card.strength == "strong",
        essence,
        card.spaces,
        _intensity(card.intensity, essence, token),
    )


def _intensity(printed: tuple[int, ...] | None, essence: int, token: int) -> int | None:
    # R-INT-1: the number on the rightmost space that holds Essence, plus the token.
    if not printed or not 1 <= essence <= len(printed):
        return None
    return printed[essence - 1] + token


def game_faces(state: State, cards: Catalogue) -> dict[str, CardFace]:
    """Return the cards that the game has on the board, by slot."""
    return {
        slot: face(str(on["emotion"]), cards, int(on.get("essence", 1)), int(on.get("intensity_token", 0)))
        for slot, on in state.get("slots", {}).items()
        if on.get("emotion")
    }


def slot_views(
    state: State, cards: Catalogue, lying: Mapping[str, tuple[str, ...]] | None, marks: Mapping[str, str]
) -> tuple[SlotView, ...]:
    """Return the fifteen slots.

    Args:
        state: the public state.
        cards: the printed values.
        lying: titles by slot that lie on the virtual table; None where the table is a real one.
        marks: what to point out, by bus space.
    """
    game = game_faces(state, cards)
    views = []
    for slot in SLOTS:
        has = game.get(slot)
        on_it: tuple[CardFace, ...]
        if lying is None:
            on_it = () if has is None else (has,)
        else:
            names = lying.get(slot, ())
            on_it = tuple(has if has and has.name == name else face(name, cards) for name in names)
        views.append(SlotView(slot, has, on_it, marks.get(f"slot/{slot}", "")))
    return tuple(views)


def figure_views(state: State, lying: Mapping[str, str] | None) -> tuple[FigureView, ...]:
    """Return the figures on the board; `lying` gives the space of each Spirit on a virtual table."""
    acting = acting_player(state)
    views = []
    for name, player in state.get("players", {}).items():
        spirit, at = player.get("spirit") or name, player.get("at") or ""
        space = at if lying is None else lying.get(spirit, "")
        views.append(
            FigureView(
                spirit, person(name)[:1], player.get("team", "bliss"), space, at, acting=name == acting
            )
        )
    return tuple(views)


def sphere_views(state: State) -> tuple[SphereView, ...]:
    """Return the Spheres in the order of the Realms that they face."""
    origin = state.get("origin", {})
    facing, willpower = origin.get("facing", "commitment"), origin.get("willpower", {})
    views = []
    for realm in REALMS:
        sphere = sphere_at(facing, realm)
        views.append(SphereView(sphere, realm, int(willpower.get(sphere, SPHERE_WILLPOWER))))
    return tuple(views)


def fortress_views(state: State) -> tuple[FortressView, ...]:
    """Return the Fortresses."""
    return tuple(
        FortressView(realm, fort["team"], 2 if fort.get("fragment") == "major" else 1)
        for realm, fort in state.get("fortresses", {}).items()
        if fort.get("team")
    )


def seat_views(state: State) -> tuple[SeatView, ...]:
    """Return the players' panels, in player order."""
    turn, acting = state.get("turn", {}), acting_player(state)
    basic, step = state.get("mode") == "basic", setup_step(state)
    placing = step.get("player", acting) if step is not None and step["action"] == "place-wild" else None
    return tuple(
        SeatView(
            name=name,
            title=person(name),
            initial=person(name)[:1],
            spirit=title(player.get("spirit") or ""),
            team=player.get("team", "bliss"),
            willpower=int(player.get("willpower", 0)),
            essence=int(player.get("essence", 0)),
            hand=_hand(player),
            acting=name == acting,
            actions_left=int(turn.get("actions_left", 3)),
            absorbed=bool(turn.get("absorbed", False)),
            rows=_rows(player.get("vibes", {}), basic=basic, wild=placing == name),
            setting_up=step is not None,
        )
        for name, player in state.get("players", {}).items()
    )


def _hand(player: Mapping[str, Any]) -> int:
    return int(player.get("hand_size", len(player.get("hand", ()))))


def _rows(vibes: Mapping[str, Any], *, basic: bool, wild: bool) -> tuple[RowView, ...]:
    rows = []
    for action in ROWS:
        if basic and action == "empower":
            continue
        first, second, third, fourth = (*vibes.get(action, EMPTY_ROW), "", "", "", "")[:4]
        tokens = (first, second, third, fourth)
        free = tuple(space for space, token in enumerate(tokens, 1) if not token)
        spaces = (free if first else (1,)) if wild else ()
        rows.append(RowView(action, title(action), tokens, locked=not first, open=spaces))
    return tuple(rows)


def team_views(state: State) -> tuple[TeamView, TeamView]:
    """Return the two teams' boxes."""
    teams = state.get("teams", {})
    bliss, gloom = (
        TeamView(
            team,
            title(team),
            int(has.get("ambition", 0)),
            int(has.get("points", 0)),
            int(has.get("minor", 6)),
            int(has.get("major", 3)),
        )
        for team, has in ((team, teams.get(team, {})) for team in ("bliss", "gloom"))
    )
    return bliss, gloom


def acting_player(state: State) -> str:
    """Return the name of the player to act, at set-up of whoever is to place; empty without a game."""
    players = state.get("players", {})
    default = next(iter(players), "")
    player = str(state.get("turn", {}).get("player", default))
    step = setup_step(state)
    return player if step is None else str(step.get("player", player))


def setup_step(state: State) -> Mapping[str, Any] | None:
    """Return the step of the set-up that is due, None once the game is on."""
    pending = state.get("turn", {}).get("pending", ())
    return pending[0] if pending and pending[0].get("action") in SETUP else None


def board_view(
    state: State,
    cards: Catalogue,
    *,
    lying: Mapping[str, tuple[str, ...]] | None = None,
    standing: Mapping[str, str] | None = None,
    marks: Mapping[str, str] | None = None,
    control: Mapping[str, str] | None = None,
) -> BoardView:
    """Return the whole ring.

    Args:
        state: the public state.
        cards: the printed values.
        lying: titles by slot on a virtual table; None on a real one, where the game's cards are drawn.
        standing: Spirit space by Spirit on a virtual table; None on a real one.
        marks: what to point out, by bus space.
        control: team by Realm or Frontier, as the rules derive it.
    """
    return BoardView(
        slot_views(state, cards, lying, marks or {}),
        figure_views(state, standing),
        sphere_views(state),
        fortress_views(state),
        tuple(state.get("identity", {}).get("fragments", ())),
        control or {},
    )


def expected(state: State, space: str) -> int:
    """Return how many pieces the game has on a bus space of the board."""
    kind, _, name = space.partition("/")
    if kind == "slot":
        return 1 if state.get("slots", {}).get(name, {}).get("emotion") else 0
    return sum(1 for player in state.get("players", {}).values() if player.get("at") == name)
