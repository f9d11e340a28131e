"""English words for players: titles, places, costs and what an action did."""

from collections.abc import Iterable, Iterator
from typing import Final

from companion.rules.actions import (
    Absorb,
    Action,
    Adjust,
    Ambition,
    Cradle,
    EndTurn,
    Fortify,
    Invoke,
    KeepHidden,
    Land,
    Move,
    PlaceSpirit,
    PlaceWild,
    PlainDone,
    Quell,
    RealmActionDone,
    ReturnCommon,
    Reveal,
    RevelationStep,
    Score,
    SetupStep,
    SpiritActionDone,
    Token,
    UsePower,
    Valley,
    Willow,
)
from companion.rules.board import FRONTIERS
from companion.rules.cards import Catalogue
from companion.rules.effects import Gain
from companion.rules.parts import Part, PlayerPart, TeamPart, TurnPart
from companion.rules.position import HIDDEN, Player, Position, Result, Row
from companion.rules.verdict import Cost, Missing

_HYPHENATED: Final = "Self"
"""The one word that stays joined to the next: Self-Esteem, Self-Respect."""

_DEEDS: Final = ("exalt", "raze")
"""Upgrades that are said by the verb."""

_PRINTED: Final = {
    "empower_threshold": "the Empower threshold printed on {}",
    "intensity": "the Intensity printed on {}",
    "strong": "the Strong Emotion named on {}",
    "side_b": "the upgrades on side B of {}'s Spirit board",
    "common": "the Common Aspirations that lie open",
}
"""Values that the card data may lack, by their key in a card pack."""

ACTION_TITLES: Final = {
    "move": "Move",
    "invoke": "Invoke",
    "quell": "Quell",
    "fortify": "Fortify",
    "empower": "Empower",
}
"""The Spirit Actions as players say them."""

REALM_TITLES: Final = {
    "valley": "Valley of Motives",
    "cradle": "Cradle of Senses",
    "network": "Network of Thoughts",
    "land": "Land of Desires",
    "willow": "Willow of Values",
}
"""The Realms with their printed names, by which their Actions are called."""

_ABILITIES: Final = {
    "extra-action": "The extra Action",
    "vibe": "The Vibe token",
    "third": "The third Ability",
}
"""The Ambition Abilities at the beginning of a sentence; their printed names were not found."""


def title(name: str) -> str:
    """Return a name of the contracts as it is printed: `self-esteem` is `Self-Esteem`."""
    words = [word.capitalize() for word in name.split("-")]
    if words[0] == _HYPHENATED:
        return "-".join(words)
    return " ".join(words)


def person(name: str) -> str:
    """Return a player's name with a capital letter, otherwise as it was typed."""
    return name[:1].upper() + name[1:]


def space_words(name: str) -> str:
    """Name a Spirit space or an Emotion slot for players.

    Args:
        name: `valley`, `valley-cradle` or a Realm's slot such as `valley.1`. A Frontier and its slot have the
            same name; `slot_words` says "slot" for both kinds.

    Returns:
        "Valley", "Valley-Cradle Frontier" or "left Valley slot": left and right as seen from the Origin,
        where the ring runs to the right, so `.1` is left.
    """
    realm, dot, number = name.partition(".")
    if dot:
        return f"{'left' if number == '1' else 'right'} {realm.capitalize()} slot"
    if name in FRONTIERS:
        return "-".join(word.capitalize() for word in name.split("-")) + " Frontier"
    return name.capitalize()


def standing_words(space: str) -> str:
    """Say where a figure stands: "in the Valley", "on the Valley-Cradle Frontier"."""
    return f"{'on' if space in FRONTIERS else 'in'} the {space_words(space)}"


def slot_words(slot: str) -> str:
    """Name an Emotion slot for players: "left Valley slot", "Valley-Cradle Frontier slot"."""
    words = space_words(slot)
    return words if words.endswith("slot") else f"{words} slot"


def cost_words(cost: Cost) -> str:
    """Return a cost as "3 Willpower, 1 Ambition", or "nothing"."""
    parts = [
        f"{amount} {word}"
        for amount, word in (
            (cost.willpower, "Willpower"),
            (cost.essence, "Essence"),
            (cost.ambition, "Ambition"),
        )
        if amount
    ]
    return ", ".join(parts) or "nothing"


def missing_words(missing: Iterable[Missing]) -> str:
    """Ask in one sentence for the printed values on which a verdict hangs."""
    names = " and ".join(_PRINTED.get(item.key, item.key).format(title(item.card)) for item in missing)
    return f"This hangs on {names}: look it up and tell the table."


def vibe_words(vibe: str) -> str:
    """Name a Vibe token: "red Vibe token", "wild Vibe token"."""
    return f"{vibe} Vibe token"


def ability_words(ability: str) -> str:
    """Name an Ambition Ability at the beginning of a sentence."""
    return _ABILITIES.get(ability, title(ability))


def _manner(action: SpiritActionDone, cards: Catalogue) -> str:
    """Say which upgrades were used and which token was placed, "" for neither."""
    used = [title(name) for name in action.upgrades if name not in _DEEDS]
    words = f" with {' and '.join(used)}" if used else ""
    if action.place is None:
        return words
    card = cards.cards[action.place.discard]
    return f"{words} after discarding {title(card.name)} for a {vibe_words(card.vibe or '')}"


def _moved(who: Player, action: Move) -> str:
    return f"{person(who.name)} moves to the {space_words(action.to)}"


def _invoked(who: Player, action: Invoke, after: Position) -> str:
    essence = after.slots[action.slot].essence
    return (
        f"{person(who.name)} invokes {title(action.emotion)} into the {slot_words(action.slot)} "
        f"with {essence} Essence"
    )


def _quelled(who: Player, action: Quell, before: Position, after: Position, manner: str) -> str:
    name = title(before.slots[action.slot].name)
    left = after.slots.get(action.slot)
    outcome = f"{left.essence} Essence left" if left else "it leaves the board"
    return f"{person(who.name)} quells {name} in the {slot_words(action.slot)}{manner}: {outcome}"


def _fortified(who: Player, action: Fortify, after: Position, manner: str) -> str:
    realm = space_words(action.realm)
    if "raze" in action.upgrades:
        stands = after.fortresses.get(action.realm)
        outcome = "a Minor Fragment is left" if stands else "nothing is left of it"
        return f"{person(who.name)} razes the Fortress in the {realm}{manner}: {outcome}"
    if "exalt" in action.upgrades:
        return f"{person(who.name)} exalts the Fortress in the {realm}{manner}"
    return f"{person(who.name)} fortifies the {realm}{manner}"


def _cards_words(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _drawn(who: Player, after: Position) -> str:
    return _cards_words(len(after.players[who.name].hand) - len(who.hand))


def _turn_ended(who: Player, action: EndTurn, after: Position) -> str:
    gain = f"draws {_drawn(who, after)}" if action.gain == "cards" else "takes 1 Ambition"
    ended = f"{person(who.name)} ends the turn and {gain}"
    if after.result is not None:
        return f"{ended}; {result_words(after.result)}"
    return f"{ended}; {person(after.turn.player)} is next"


def result_words(result: Result) -> str:
    """Say how a game ended: "the game is over: Bliss wins, 20 to 17"."""
    first, second = result.score.get("bliss", 0), result.score.get("gloom", 0)
    if result.winner in (None, "draw"):
        return f"the game is over: a draw, {first} to {second}"
    higher, lower = (first, second) if result.winner == "bliss" else (second, first)
    return f"the game is over: {title(str(result.winner))} wins, {higher} to {lower}"


def _realm_used(who: Player, action: RealmActionDone, before: Position, after: Position) -> str:
    name = person(who.name)
    if isinstance(action, Valley):
        has = after.players[who.name].willpower
        return f"{name} takes Willpower in the Valley of Motives and has {has} now"
    if isinstance(action, Cradle):
        return f"{name} draws {_drawn(who, after)} in the Cradle of Senses"
    if isinstance(action, Willow):
        return f"{name} turns {action.amount} Willpower into Essence in the Willow of Values"
    if isinstance(action, Land):
        emotion = after.slots[action.slot]
        where = f"{title(emotion.name)} in the {slot_words(action.slot)}"
        return f"{name} puts {action.essence} Essence on {where}: {emotion.essence} on it now"
    moved = title(before.slots[action.slot].name)
    return f"{name} moves {moved} from the {slot_words(action.slot)} to the {slot_words(action.to)}"


def token_words(token: Token) -> str:
    """Say which Vibe token goes where: "a red Vibe token on space 2 of Move"."""
    return f"a {vibe_words(token.vibe)} on space {token.space} of {ACTION_TITLES[token.row]}"


def _absorbed(who: Player, action: Absorb, before: Position, after: Position, cards: Catalogue) -> str:
    sphere = cards.spheres[action.sphere]
    bonus = sphere.gain if action.bonus else Gain()
    paid = sphere.willpower if action.bonus else 0
    taken = after.players[who.name].willpower - who.willpower + paid - bonus.willpower
    words = f"{person(who.name)} absorbs {taken} Willpower from {title(action.sphere)}"
    gifts = [
        f"{amount} {kind}"
        for amount, kind in (
            (bonus.willpower, "Willpower more"),
            (bonus.essence, "Essence"),
            (bonus.ambition, "Ambition"),
        )
        if amount
    ]
    if bonus.cards:
        gifts.append(_drawn(who, after))
    if action.token is not None:
        gifts.append(token_words(action.token))
    if gifts:
        words += f", {'pays ' + str(paid) + ' and ' if paid else 'and '}gets {' and '.join(gifts)}"
    if len(before.turn.pending) == len(after.turn.pending) and before.common == after.common:
        return words
    return f"{words}: a Revelation{_revealed(before, after)}"


def _revealed(before: Position, after: Position) -> str:
    """Say what a Revelation brought into the Identity, or what it still waits for."""
    waiting = [title(item.team) for item in after.turn.pending if item.action == "reveal"]
    if waiting:
        return f"; {' and '.join(waiting)} must show the Hidden Aspiration"
    new = [_fragment_words(fragment) for fragment in after.identity[len(before.identity) :]]
    return f"; into the Identity: {', '.join(new)}" if new else "; nothing comes into the Identity"


def _fragment_words(fragment: str) -> str:
    team, _, kind = fragment.partition(" ")
    return f"a {title(kind)} Fragment of {title(team)}"


def _ability_used(who: Player, action: Ambition) -> str:
    name = person(who.name)
    if action.token is not None:
        return f"{name} adds {token_words(action.token)} for Ambition"
    if action.ability == "extra-action":
        return f"{name} gains an Action for Ambition"
    return f"{name} uses an Ambition Ability: {_ABILITIES.get(action.ability, title(action.ability)).lower()}"


def _step_taken(action: RevelationStep, before: Position, after: Position) -> str:
    team, aspiration = title(action.team), title(action.aspiration)
    if isinstance(action, Reveal):
        words = f"{team} shows its Hidden Aspiration {aspiration}"
        more = any(item.action == "reveal" for item in after.turn.pending)
        return words if more else words + _revealed(before, after)
    if isinstance(action, ReturnCommon):
        return f"{team} takes {aspiration} out of the Common Aspirations"
    # The log is for everybody's eyes, and this card is not.
    return f"{team} has chosen its next Hidden Aspiration"


def _set_up(action: SetupStep, before: Position, after: Position) -> str:
    """Say what was placed at set-up; the step that was due tells whose it is."""
    who = before.players[before.turn.pending[0].player or before.turn.player]
    name = person(who.name)
    if isinstance(action, PlaceWild):
        return f"{name} places a {vibe_words('wild')} on space {action.space} of {ACTION_TITLES[action.row]}"
    emotion, slot = title(after.slots[action.slot].name), slot_words(action.slot)
    if action.at is None:
        return f"{name} puts another {emotion} into the {slot}"
    return f"{name} starts {standing_words(action.at)} and puts {emotion} into the {slot}"


def intentions_words(count: int) -> str:
    """Say how many Intentions: "an Intention", "2 Intentions"."""
    return "an Intention" if count == 1 else f"{count} Intentions"


def _scored(action: Score, before: Position, after: Position) -> str:
    """Say how many points a team got, and what the Wheel gave the active player."""
    was, who = before.actor, after.actor
    team = was.team
    points = after.teams[team].points
    more = points - before.teams[team].points
    words = (
        f"{title(team)} scores {intentions_words(action.intentions)}: "
        f"{more} point{'' if more == 1 else 's'}, {points} on the Wheel"
    )
    ambition = after.teams[team].ambition - before.teams[team].ambition
    gifts = [
        f"{n} {what}" for n, what in ((who.essence - was.essence, "Essence"), (ambition, "Ambition")) if n
    ]
    if len(who.hand) > len(was.hand):
        gifts.append(_drawn(was, after))
    return f"{words}; {person(who.name)} gets {' and '.join(gifts)}" if gifts else words


def _player_adjusted(part: PlayerPart) -> str:
    """Say what was stated about a player, but for the cards in the hand: the log is for everybody's eyes."""
    said = [
        f"{amount} {what}"
        for amount, what in ((part.willpower, "Willpower"), (part.essence, "Essence"))
        if amount is not None
    ]
    if part.hand is not None:
        said.append(f"{_cards_words(len(part.hand))} in the hand")
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


def _team_adjusted(part: TeamPart) -> str:
    amounts = (
        (part.ambition, "Ambition"),
        (part.points, "on the Wheel"),
        (part.minor, "Minor Fragments left"),
        (part.major, "Major Fragments left"),
    )
    said = [f"{amount} {what}" for amount, what in amounts if amount is not None]
    return ", ".join([*said, *(["the Hidden Aspiration"] if part.aspiration is not None else [])])


def _turn_adjusted(part: TurnPart) -> str:
    said = [] if part.player is None else [f"{person(part.player)}'s"]
    said += [] if part.number is None else [f"number {part.number}"]
    said += [] if part.actions_left is None else [f"{part.actions_left} Actions left"]
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


def _adjusted(who: Player, action: Adjust, after: Position) -> str:
    stated = "; ".join(_adjustments(action.part, after))
    reason = f" ({action.reason})" if action.reason else ""
    return f"{person(who.name)} puts the table right{reason}{': ' if stated else ''}{stated}"


def _plain_words(action: PlainDone, before: Position, after: Position, cards: Catalogue) -> str:
    if isinstance(action, SetupStep):
        return _set_up(action, before, after)
    if isinstance(action, UsePower):
        return _power_used(action, before, after)
    if isinstance(action, Score):
        return _scored(action, before, after)
    who = before.players[action.player or before.turn.player]
    if isinstance(action, Adjust):
        return _adjusted(who, action, after)
    if isinstance(action, EndTurn):
        return _turn_ended(who, action, after)
    if isinstance(action, Absorb):
        return _absorbed(who, action, before, after, cards)
    if isinstance(action, Ambition):
        return _ability_used(who, action)
    if isinstance(action, RealmActionDone):
        return _realm_used(who, action, before, after)
    return _step_taken(action, before, after)


def naming(action: PlainDone, position: Position) -> str:
    """Name an action that is no Spirit Action, before it is taken: for a button, or a way out."""
    if isinstance(action, EndTurn):
        return "End the turn: " + ("1 Ambition" if action.gain == "ambition" else "draw cards")
    if isinstance(action, Absorb):
        bonus = f", with {token_words(action.token)}" if action.token else ""
        return f"Absorb from {title(action.sphere)}{bonus if action.bonus else ', without the bonus'}"
    if isinstance(action, Ambition):
        if action.token is not None:
            return f"Ambition: add {token_words(action.token)}"
        return f"Ambition: {ability_words(action.ability).removeprefix('The ')}"
    if isinstance(action, Reveal):
        return f"{title(action.team)} shows {title(action.aspiration)}"
    if isinstance(action, ReturnCommon):
        return f"{title(action.team)} takes {title(action.aspiration)} out"
    if isinstance(action, KeepHidden):
        return f"{title(action.team)} chooses {title(action.aspiration)}"
    return _other_naming(action, position)


def _other_naming(action: SetupStep | Score | Adjust | UsePower | RealmActionDone, position: Position) -> str:
    if isinstance(action, PlaceSpirit):
        where = "" if action.at is None else f"Start {standing_words(action.at)}: "
        return f"{where}Starting Emotion into the {slot_words(action.slot)}"
    if isinstance(action, PlaceWild):
        return f"Wild Vibe token on space {action.space} of {ACTION_TITLES[action.row]}"
    if isinstance(action, UsePower):
        return _power_naming(action, position)
    if isinstance(action, Score):
        return f"Score {intentions_words(action.intentions)}"
    if isinstance(action, Adjust):
        return f"Put the table right{': ' if action.reason else ''}{action.reason}"
    return _realm_naming(action, position)


def gain_words(gain: Gain) -> str:
    """Return a gain as "2 Willpower", "1 card" or "1 more Action"."""
    parts = [
        f"{amount} {word}"
        for amount, word in (
            (gain.willpower, "Willpower"),
            (gain.essence, "Essence"),
            (gain.ambition, "Ambition"),
            (gain.actions, "more Action" if gain.actions == 1 else "more Actions"),
        )
        if amount
    ]
    if gain.cards:
        parts.append(_cards_words(gain.cards))
    return " and ".join(parts) or "nothing"


def _power_naming(action: UsePower, position: Position) -> str:
    words = f"{title(action.power)}: "
    if action.decline:
        return f"{words}leave it"
    if action.slot is not None:
        lying = position.slots.get(action.slot)
        what = title(lying.name) if lying else f"the {slot_words(action.slot)}"
        return f"{words}Essence on {what} in the {slot_words(action.slot)}"
    chosen = [part for part in (_kinds_words(action.gain), person(action.to) if action.to else "") if part]
    return words + (" for ".join(chosen) or "take it")


def _kinds_words(gain: str | None) -> str:
    """Name a gain by its kinds, as `UsePower.gain` states it: "Willpower and a card"."""
    return " and ".join(_KINDS.get(kind, kind) for kind in gain.split("-")) if gain else ""


_KINDS: Final = {
    "willpower": "Willpower",
    "essence": "Essence",
    "ambition": "Ambition",
    "cards": "cards",
    "actions": "an Action",
}


def _power_used(action: UsePower, before: Position, after: Position) -> str:
    """Say what was chosen in a power, from what it changed."""
    name = title(action.power)
    if action.decline:
        return f"{name} is left unused"
    if action.slot is not None and action.slot in after.slots:
        emotion = after.slots[action.slot]
        more = emotion.essence - before.slots[action.slot].essence
        where = f"{title(emotion.name)} in the {slot_words(action.slot)}"
        return f"{name} puts {more} Essence on {where}: {emotion.essence} on it now"
    who = action.to or before.turn.player
    was, now = before.players[who], after.players[who]
    gain = Gain(
        now.willpower - was.willpower,
        now.essence - was.essence,
        after.teams[was.team].ambition - before.teams[was.team].ambition,
        len(now.hand) - len(was.hand),
        after.turn.actions_left - before.turn.actions_left,
    )
    return f"{name} gives {person(who)} {gain_words(gain)}"


def _realm_naming(action: RealmActionDone, position: Position) -> str:
    if isinstance(action, Valley):
        return f"{REALM_TITLES['valley']}: take Willpower"
    if isinstance(action, Cradle):
        return f"{REALM_TITLES['cradle']}: draw cards"
    if isinstance(action, Willow):
        return f"{REALM_TITLES['willow']}: turn {action.amount} Willpower into Essence"
    lying = position.slots.get(action.slot)
    emotion = title(lying.name) if lying else f"the {slot_words(action.slot)}"
    if isinstance(action, Land):
        return f"{REALM_TITLES['land']}: {action.essence} Essence on {emotion}"
    return f"{REALM_TITLES['network']}: {emotion} to the {slot_words(action.to)}"


def describe(before: Position, action: Action, after: Position, cards: Catalogue) -> str:
    """Say in one line what a legal action did, without a full stop.

    Args:
        before: the position in which it was taken.
        action: a legal action.
        after: the position after it.
        cards: the printed values of the game at hand.
    """
    if not isinstance(action, SpiritActionDone):
        return _plain_words(action, before, after, cards)
    who = before.players[action.player or before.turn.player]
    manner = _manner(action, cards)
    if isinstance(action, Move):
        return _moved(who, action) + manner
    if isinstance(action, Invoke):
        return _invoked(who, action, after) + manner
    if isinstance(action, Quell):
        return _quelled(who, action, before, after, manner)
    if isinstance(action, Fortify):
        return _fortified(who, action, after, manner)
    mild, strong = before.slots[action.slot], after.slots[action.slot]
    return (
        f"{person(who.name)} empowers {title(mild.name)}{manner}: "
        f"it becomes {title(strong.name)} with {strong.essence} Essence"
    )
