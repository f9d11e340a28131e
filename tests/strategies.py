"""Hypothesis strategies for the rules: positions that a table could show, and actions on them."""

from itertools import product
from typing import Any

from hypothesis import strategies as st

from companion.content import aspirations, catalogue
from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Cradle,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    KeepHidden,
    Land,
    Move,
    Network,
    Place,
    PlaceSpirit,
    PlaceWild,
    PlainDone,
    Quell,
    ReturnCommon,
    Reveal,
    Score,
    Token,
    UsePower,
    Valley,
    Willow,
)
from companion.rules.board import REALMS, SLOTS, SPACES, SPHERES, TEAMS, Team
from companion.rules.position import (
    HIDDEN,
    ROWS,
    Emotion,
    Fortress,
    Origin,
    Pending,
    Player,
    Position,
    Row,
    TeamState,
    Turn,
)

CARDS = catalogue()
COLOURS = ("red", "yellow", "green", "blue")
MILD = {
    team: tuple(c.name for c in CARDS.cards.values() if c.team == team and c.strength == "mild")
    for team in TEAMS
}
SPIRITS = {team: tuple(s.name for s in CARDS.spirits.values() if s.team == team) for team in TEAMS}
NAMES = ("diana", "otto", "pia", "nils")
OPEN_POWERS = (
    Pending("power", "bliss", power="trust"),
    Pending("power", "gloom", power="boredom"),
    Pending("power", "gloom", power="shame"),
)
"""Choices in powers: one that is a player's own, one that must be made, one with several gains."""
GAINS = ("actions", "ambition", "cards", "essence", "vibe_tokens", "willpower")
"""What a power can give, as one of several gains is named."""


def _all_rows() -> list[Row]:
    """Every Vibe row that play can make: locked and empty, or unlocked with no colour twice (R-VIBE-5)."""
    tokens = ("", "wild", *COLOURS)
    found = [("", "", "", "")]
    for row in product(("wild", *COLOURS), tokens, tokens, tokens):
        coloured = [token for token in row if token in COLOURS]
        if len(set(coloured)) == len(coloured):
            found.append(row)
    return found


rows = st.sampled_from(_all_rows()) | st.just(("", "", "", ""))


@st.composite
def players(draw: st.DrawFn, name: str, team: Team) -> Player:
    vibes = {row: draw(rows) for row in ROWS}
    hand = draw(st.lists(st.sampled_from((*MILD[team], HIDDEN)), max_size=3))
    return Player(
        name=name,
        team=team,
        spirit=draw(st.sampled_from(SPIRITS[team])),
        at=draw(st.sampled_from((*SPACES, None))),
        willpower=draw(st.integers(0, 8)),
        essence=draw(st.integers(0, 3)),
        hand=tuple(sorted(hand)),
        top=draw(st.none() | st.sampled_from(MILD[team])),
        vibes={row: tokens for row, tokens in vibes.items() if any(tokens)},
    )


@st.composite
def emotions(draw: st.DrawFn) -> Emotion:
    card = CARDS.cards[draw(st.sampled_from(sorted(CARDS.cards)))]
    return Emotion(
        card.name,
        draw(st.integers(1, card.spaces or 3)),
        draw(st.sampled_from((0, 0, 0, 1, 2))),
    )


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """Slots and Fortresses."""
    slots = draw(st.dictionaries(st.sampled_from(SLOTS), emotions(), max_size=15))
    fortress = st.builds(Fortress, st.sampled_from(TEAMS), st.sampled_from(("minor", "major")), st.booleans())
    return {
        "slots": slots,
        "fortresses": draw(st.dictionaries(st.sampled_from(REALMS), fortress, max_size=5)),
    }


@st.composite
def turns(draw: st.DrawFn, seated: tuple[str, ...]) -> Turn:
    """Turns at any point, now and then with an open part of a Revelation or an open choice in a power."""
    step = st.builds(
        Pending, st.sampled_from(("reveal", "return-common", "keep-hidden")), st.sampled_from(TEAMS)
    ) | st.sampled_from(OPEN_POWERS)
    return Turn(
        draw(st.sampled_from(seated)),
        draw(st.integers(1, 30)),
        draw(st.integers(0, 4)),
        draw(st.booleans()),
        tuple(sorted(draw(st.sets(st.sampled_from(sorted(CARDS.abilities)), max_size=2)))),
        tuple(draw(st.just([]) | st.just([]) | st.lists(step, max_size=2, unique=True))),
    )


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions of one to four players, in the full or the basic game."""
    seated = NAMES[: draw(st.integers(1, 4))]
    table = {name: draw(players(name, "bliss" if i % 2 == 0 else "gloom")) for i, name in enumerate(seated)}
    aspiration = st.none() | st.sampled_from(aspirations())
    team = st.builds(
        TeamState, st.integers(0, 3), st.integers(0, 19), st.integers(0, 6), st.integers(0, 3), aspiration
    )
    return Position(
        players=table,
        turn=draw(turns(seated)),
        common=draw(
            st.none()
            | st.permutations(aspirations()).flatmap(
                lambda row: st.integers(0, 9).map(lambda left: tuple(row[:left]))
            )
        ),
        mode=draw(st.sampled_from(("full", "full", "full", "basic"))),
        teams={name: draw(team) for name in TEAMS},
        origin=Origin(
            draw(st.sampled_from(SPHERES)), {sphere: draw(st.integers(0, 7)) for sphere in SPHERES}
        ),
        **draw(boards()),
    )


def tokens() -> list[Token]:
    """Every Vibe token that could be named, sensible or not."""
    return [Token(row, space, vibe) for row in ROWS for space in range(6) for vibe in (*COLOURS, "wild")]


def powers_used(position: Position) -> list[UsePower]:
    """Every way to say what is chosen in a power that is open; of the others the shortest ways."""
    asked = {pending.power for pending in position.turn.pending if pending.power is not None}
    found = [
        UsePower(name, slot, to, gain, decline=decline)
        for name in sorted(asked)
        for slot, to in product((None, *SLOTS), (None, *position.players))
        for gain, decline in product((None, *GAINS), (False, True))
    ]
    named = [c.name for c in CARDS.cards.values() if c.power is not None]
    others = [name for name in (*named, *CARDS.spirits) if name not in asked]
    return found + [UsePower(name, decline=decline) for name in others for decline in (False, True)]


def plain_space(position: Position) -> list[PlainDone]:
    """Everything that the player to act could try but the Spirit Actions, legal or not.

    What has no end is left out: Intentions are scored one at a time, and nothing is put right (R-INTENT-4).
    """
    found: list[PlainDone] = [Valley(), Cradle(), Score(), EndTurn("ambition"), EndTurn("cards")]
    found += [Willow(amount) for amount in range(position.actor.willpower + 3)]
    found += [Land(slot, n) for slot in SLOTS for n in range(position.actor.essence + 3)]
    found += [Network(slot, to) for slot in SLOTS for to in SLOTS]
    found += [Absorb(sphere, bonus=bonus) for sphere in SPHERES for bonus in (True, False)]
    found += [Absorb("knowledge", token=token) for token in tokens()]
    found += [Ambition(name) for name in CARDS.abilities]
    found += [Ambition("vibe", token) for token in tokens()]
    for step in (Reveal, ReturnCommon, KeepHidden):
        found += [step(team, name) for team in TEAMS for name in aspirations()]
    found += [PlaceSpirit(slot, at) for slot in SLOTS for at in (None, *SPACES)]
    found += [PlaceWild(row, space) for row in ROWS for space in range(6)]
    return [*found, *powers_used(position)]


@st.composite
def actions(draw: st.DrawFn, position: Position) -> Action:
    """Actions of the player to act, legal or not: the whole space with its likelier part preferred."""
    if draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from(plain_space(position)))
    row = draw(st.sampled_from(ROWS))
    player = position.actor
    own = [card for card in player.hand if card != HIDDEN]
    titles = st.sampled_from((*own, *own, *own, *MILD[player.team]))
    chosen = draw(st.sets(st.sampled_from([u.name for u in CARDS.rows[row].upgrades])))
    upgrades = tuple(u.name for u in CARDS.rows[row].upgrades if u.name in chosen)
    place = draw(st.none() | st.builds(Place, titles, st.integers(1, 4)))
    slot = st.sampled_from(SLOTS)
    if row == "move":
        return Move(draw(st.sampled_from(SPACES)), upgrades=upgrades, place=place)
    if row == "invoke":
        return Invoke(draw(titles), draw(slot), upgrades=upgrades, place=place)
    if row == "quell":
        reveal = None if "extinguish" in upgrades else draw(st.none() | titles)
        return Quell(draw(slot), reveal, upgrades=upgrades, place=place)
    if row == "fortify":
        return Fortify(draw(st.sampled_from(REALMS)), upgrades=upgrades, place=place)
    return Empower(draw(slot), upgrades=upgrades, place=place)
