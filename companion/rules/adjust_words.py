"""What the table put right, in words (`adjust`)."""

from collections.abc import Iterator

from companion.rules.actions import Adjust
from companion.rules.parts import Part, PlayerPart, TeamPart, TurnPart
from companion.rules.position import HIDDEN, Player, Position, Row
from companion.rules.words import (
    ACTION_TITLES,
    cards_words,
    person,
    result_words,
    slot_words,
    space_words,
    standing_words,
    title,
)


def _player_adjusted(part: PlayerPart) -> str:
    """Say what was stated about a player, but for the cards in the hand: the log is for everybody's eyes."""
    said = [
        f"{amount} {what}"
        for amount, what in ((part.willpower, "Willpower"), (part.essence, "Essence"))
        if amount is not None
    ]
    if part.hand is not None:
        said.append(f"{cards_words(len(part.hand))} in the hand")
    if part.top is not None:
        said.append("the top card " + ("not known" if part.top == HIDDEN else title(part.top)))
    if part.at is not None:
        said.append(f"the figure {standing_words(part.at)}")
    if part.spirit is not None:
        said.append(f"the Spirit {title(part.spirit)}")
    if part.side is not None:
        said.append(f"side {part.side.upper()} of the Spirit board")
    said += [f"the {ACTION_TITLES[row]} row {_row_words(tokens)}" for row, tokens in part.vibes.items()]
    return ", ".join([*said, *(["the Emotion deck"] if part.deck is not None else [])])


def _row_words(tokens: Row) -> str:
    return "/".join(token or "-" for token in tokens)


def _several(amount: int | None, what: str) -> str:
    return what if amount == 1 else f"{what}s"


def _team_adjusted(part: TeamPart) -> str:
    amounts = (
        (part.ambition, "Ambition"),
        (part.points, "on the Wheel"),
        (part.minor, f"Minor {_several(part.minor, 'Fragment')} left"),
        (part.major, f"Major {_several(part.major, 'Fragment')} left"),
    )
    said = [f"{amount} {what}" for amount, what in amounts if amount is not None]
    return ", ".join([*said, *(["the Hidden Aspiration"] if part.aspiration is not None else [])])


def _turn_adjusted(part: TurnPart) -> str:
    said = [] if part.player is None else [f"{person(part.player)}'s"]
    said += [] if part.number is None else [f"number {part.number}"]
    said += (
        []
        if part.actions_left is None
        else [f"{part.actions_left} {_several(part.actions_left, 'Action')} left"]
    )
    said += [] if part.absorbed is None else ["Absorb used" if part.absorbed else "Absorb not used"]
    said += [] if part.ambition_used is None else [f"{len(part.ambition_used)} Ambition Abilities used"]
    said += [] if part.intentions is None else [f"{part.intentions} Intentions scored"]
    said += [] if part.pending is None else [f"{len(part.pending)} open steps"]
    return ", ".join(said)


def _adjustments(part: Part, after: Position) -> Iterator[str]:
    yield from (f"{person(name)}: {_player_adjusted(player)}" for name, player in part.players.items())
    yield from (f"{title(team)}: {_team_adjusted(state)}" for team, state in part.teams.items())
    yield from _board_adjusted(part, after)
    if turn := _turn_adjusted(part.turn):
        yield f"turn: {turn}"
    yield from _frame_adjusted(part)


def _board_adjusted(part: Part, after: Position) -> Iterator[str]:
    for slot in part.slots:
        lying = after.slots.get(slot)
        what = f"{title(lying.name)} with {lying.essence} Essence" if lying else "nothing"
        if lying is not None and lying.intensity_token:
            what += f" and a +{lying.intensity_token} Intensity token"
        yield f"{slot_words(slot)}: {what}"
    for realm in part.fortresses:
        stands = after.fortresses.get(realm)
        what = f"a {title(stands.fragment)} Fragment of {title(stands.team)}" if stands else "nothing"
        yield f"Fortress in the {space_words(realm)}: {what}"
    if part.facing is not None:
        yield f"{title(part.facing)} faces the Valley"
    for sphere, inside in part.willpower.items():
        yield f"{title(sphere)}: {inside} Willpower"
    if part.common is not None:
        yield "Common Aspirations: " + (", ".join(title(name) for name in part.common) or "none")
    if part.identity is not None:
        yield "Identity: " + (", ".join(title(name.replace(" ", "-")) for name in part.identity) or "empty")


def _frame_adjusted(part: Part) -> Iterator[str]:
    if part.mode is not None:
        yield f"the {part.mode} game"
    yield from (f"{name.replace('-', ' ')}: {value}" for name, value in part.rulings.items())
    if part.goes_on:
        yield "the game goes on"
    elif part.result is not None:
        yield result_words(part.result)


def adjusted_words(who: Player, action: Adjust, after: Position) -> str:
    """Say who put what right, and why."""
    stated = "; ".join(_adjustments(action.part, after))
    reason = f" ({action.reason})" if action.reason else ""
    return f"{person(who.name)} puts the table right{reason}{': ' if stated else ''}{stated}"
