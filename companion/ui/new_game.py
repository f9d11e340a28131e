"""A new game as people choose it, tap by tap, and the position that it begins with. Free of Kivy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.content import decks
from companion.rules.board import SPHERES, TEAMS, Team
from companion.rules.cards import Catalogue
from companion.rules.position import Mode
from companion.rules.setup import Laid, Seat, new_game
from companion.scenario.notation import position_to
from companion.ui.views import State

COUNTS: Final = (2, 3, 4)
"""How many can play (R-SHAPER-1)."""

NAMES: Final[Mapping[Team, tuple[str, str]]] = {"bliss": ("diana", "pia"), "gloom": ("otto", "nils")}
"""What players are called until they say otherwise."""

SPIRITS: Final[Mapping[Team, tuple[str, str]]] = {
    "bliss": ("harmony", "love"),
    "gloom": ("hatred", "malice"),
}
"""Who plays what until somebody chooses."""

_DECKS: Final[Mapping[Team, str]] = {"bliss": "beginners-bliss", "gloom": "beginners-gloom"}


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is chosen before a game."""

    count: int
    first: Team = "bliss"
    """The team that begins; the teams take turns (R-SETUP-17). Of three players it is the team of two."""
    names: Mapping[Team, tuple[str, str]] = field(default_factory=lambda: NAMES)
    spirits: Mapping[Team, tuple[str, str]] = field(default_factory=lambda: SPIRITS)
    mode: Mode = "full"
    side_b: bool = False
    beginners: bool = False
    """Whether everybody plays the beginners' deck; otherwise nobody has told what the decks are made of."""
    facing: str = "commitment"
    common: tuple[str, ...] = ()
    """The row of Common Aspirations as far as it was told, the current one first."""
    rulings: Mapping[str, Any] = field(default_factory=dict)
    """The table's answers to open questions go from game to game."""

    @property
    def order(self) -> tuple[tuple[Team, int], ...]:
        """Team, and the how-manieth of it, by seat in player order."""
        teams = (self.first, _other(self.first))
        return tuple((teams[seat % 2], seat // 2) for seat in range(self.count))


def _other(team: Team) -> Team:
    return TEAMS[1 - TEAMS.index(team)]


def plan_for(count: int, state: State) -> Plan:
    """Return what a new game begins with until people choose: the players of now, if they are as many."""
    plan = plain = Plan(count, rulings=state.get("rulings", {}))
    players: Mapping[str, Mapping[str, Any]] = state.get("players", {})
    if len(players) != count:
        return plain
    by_team = {team: [n for n, p in players.items() if p.get("team") == team] for team in TEAMS}
    first = next(iter(players.values())).get("team")
    plan = replace(plan, first=first if first in TEAMS else "bliss")
    if any(len(by_team[team]) != sum(t == team for t, _ in plan.order) for team in TEAMS):
        return plain
    names = {team: _filled(by_team[team], NAMES[team]) for team in TEAMS}
    played = {team: [str(players[n].get("spirit") or "") for n in by_team[team]] for team in TEAMS}
    spirits = {team: _filled([s for s in played[team] if s], SPIRITS[team]) for team in TEAMS}
    return replace(plan, names=names, spirits=spirits)


def _filled(own: Sequence[str], usual: tuple[str, str]) -> tuple[str, str]:
    """Return two different ones: what there is, then what is usual."""
    found = list(dict.fromkeys((*own, *usual)))
    return found[0], found[1]


def with_next_spirit(plan: Plan, seat: int, cards: Catalogue) -> Plan:
    """Return the plan with the next Spirit of the team that no teammate plays (R-SETUP-6)."""
    team, nth = plan.order[seat]
    own, mate = plan.spirits[team][nth], plan.spirits[team][1 - nth]
    there = [name for name, spirit in cards.spirits.items() if spirit.team == team]
    taken = mate if plan.count == len(TEAMS) * 2 or (plan.count == 3 and plan.first == team) else ""
    at = there.index(own) if own in there else -1
    following = next(name for name in (*there[at + 1 :], *there) if name != taken)
    pair = (following, mate) if nth == 0 else (mate, following)
    if pair[0] == pair[1]:
        # Nobody plays the second one, so it gives way.
        pair = (following, own)
    return replace(plan, spirits={**plan.spirits, team: pair})


def with_other_mode(plan: Plan) -> Plan:
    """Return the plan for the other game: basic has side A alone and fewer Aspirations (R-BASIC-3, -4)."""
    if plan.mode == "full":
        return replace(plan, mode="basic", side_b=False, common=())
    return replace(plan, mode="full", common=())


def with_next_sphere(plan: Plan) -> Plan:
    """Return the plan with the next Sphere facing the Valley (R-SETUP-1)."""
    return replace(plan, facing=SPHERES[(SPHERES.index(plan.facing) + 1) % len(SPHERES)])


def aspirations_used(plan: Plan, cards: Catalogue) -> tuple[str, ...]:
    """Return the titles of the Common Aspirations in this game (R-SETUP-13)."""
    return tuple(a.name for a in cards.aspirations.values() if a.basic_game or plan.mode == "full")


def with_common(plan: Plan, name: str, cards: Catalogue) -> Plan:
    """Return the plan with a Common Aspiration told next, or with it and all after it taken back.

    The last one follows from the others.
    """
    if name in plan.common:
        return replace(plan, common=plan.common[: plan.common.index(name)])
    common = (*plan.common, name)
    left = [other for other in aspirations_used(plan, cards) if other not in common]
    return replace(plan, common=(*common, *left) if len(left) == 1 else common)


def common_told(plan: Plan, cards: Catalogue) -> bool:
    """Tell whether the whole row of Common Aspirations is known; half of it is not used."""
    return len(plan.common) == len(aspirations_used(plan, cards))


def position_of(plan: Plan, cards: Catalogue) -> dict[str, Any]:
    """Return the position that the game begins with, as a set-up command takes it."""
    seats = tuple(
        Seat(
            plan.names[team][nth],
            team,
            plan.spirits[team][nth],
            "b" if plan.side_b else "a",
            decks()[_DECKS[team]].titles if plan.beginners else None,
        )
        for team, nth in plan.order
    )
    laid = Laid(plan.facing, plan.common if common_told(plan, cards) else None)
    return position_to(new_game(seats, cards, mode=plan.mode, laid=laid, rulings=plan.rulings))
