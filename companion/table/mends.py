"""What is wrong on the table, each thing named for what it is, with the way to put it right."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.rules.words import title
from companion.table.layout import (
    NOTHING,
    Content,
    Fact,
    Layout,
    Seen,
    belongs,
    board_order,
    place_words,
    surplus,
    words_of,
)
from companion.table.pads import Pads, discard_for, pad_of_actor, vibe_of
from companion.table.patience import Patience
from companion.table.pieces import Piece
from companion.table.setting_up import awaited, only_awaited


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to put right, or to know."""

    space: str
    found: Content
    expected: Content
    mend: str
    """A sentence for people: what to do."""
    blocking: bool = True
    """Whether the table is out of step with the game because of it."""


def is_foreign(piece: Piece, space: str, spirits: Container[str | None]) -> bool:
    """Tell whether a piece can never lie on this space in a game of these Spirits."""
    return not belongs(piece, space) or (piece.kind == "spirit" and piece.name not in spirits)


def spirits_of(position: Position) -> tuple[str | None, ...]:
    """Return the Spirits in the game."""
    return tuple(player.spirit for player in position.players.values())


@lru_cache(maxsize=1024)  # Each look asks for the same few dozen.
def _own(content: Content, space: str, spirits: tuple[str | None, ...]) -> Content:
    return tuple(piece for piece in content if not is_foreign(piece, space, spirits))


def board_only(seen: Seen, position: Position) -> Seen:
    """Return what is seen without foreign pieces: they are named, but are never the cause of anything."""
    spirits = spirits_of(position)
    layout = {
        space: _own(content, space, spirits) if content else content for space, content in seen.layout.items()
    }
    return Seen(layout, seen.since_s, seen.trouble, seen.twice)


def mend_words(
    space: str, found: Content, expected: Content, *, players: Sequence[str] = (), back: bool = True
) -> str:
    """Say how to make a space match.

    Args:
        space: as on the bus.
        found: what lies there.
        expected: what should lie there.
        players: their names in player order.
        back: whether it lay there before, so that it is put back.
    """
    extra, missing = surplus(found, expected), surplus(expected, found)
    where = place_words(space, players)
    if extra and missing:
        return f"Put {words_of(missing)}{' back' * back} on {where} in place of {words_of(extra)}."
    if missing:
        return f"Put {words_of(missing)}{' back' * back} on {where}."
    return f"Take {words_of(extra)} off {where}."


@dataclass(frozen=True, slots=True)
class Scene:
    """What is seen beside what should be."""

    seen: Seen
    """Foreign pieces included."""
    clean: Seen
    """Without them."""
    wrong: tuple[str, ...]
    """Known spaces that differ, foreign pieces left out."""
    laid: tuple[str, Piece] | None
    """A Vibe token that newly lies on the Spirit board of the player to act."""
    expected: Layout
    position: Position
    cards: Catalogue
    pads: Pads
    patience: Patience

    def place(self, space: str) -> str:
        """Name a space for people, with the name of whose pad or Spirit board it is."""
        return place_words(space, tuple(self.position.players))

    def wanted(self, space: str) -> Content:
        """Return what should lie on a space."""
        return self.expected.get(space, NOTHING)


def problems(
    scene: Scene, *, waits_s: Mapping[str, float], fresh: Container[str], since_s: float
) -> Iterator[tuple[float, Problem]]:
    """Yield everything that is wrong, each with the time from which people hear of it.

    Args:
        scene: the table.
        waits_s: by space, how long its difference waits to be told where that is not the usual patience.
        fresh: spaces where the game went ahead of the pieces, so nothing is put back.
        since_s: when the position last changed: a difference is no older than that.
    """
    yield from _differences(scene, waits_s, fresh, since_s)
    yield from _foreign(scene)
    yield from _trouble(scene)
    yield from _used(scene)
    yield from _unfinished(scene)


def _differences(
    scene: Scene, waits_s: Mapping[str, float], fresh: Container[str], since_s: float
) -> Iterator[tuple[float, Problem]]:
    clean = scene.clean
    laid = scene.laid
    to_come = awaited(scene.position, scene.cards)
    for space in scene.wrong:
        if laid is not None and space == laid[0] and space not in waits_s:
            continue  # It waits for the Action that it is placed with.
        found = clean.content(space)
        if space not in waits_s and only_awaited(found, scene.wanted(space), to_come):
            continue  # A step of the set-up brings it.
        wait_s = waits_s.get(space, _patience(space, found, scene.patience))
        problem = _difference(space, found, scene, back=space not in fresh)
        yield max(clean.since_s[space], since_s) + wait_s, problem


def _foreign(scene: Scene) -> Iterator[tuple[float, Problem]]:
    spirits = spirits_of(scene.position)
    for space, content in scene.seen.layout.items():
        for piece in content if content != scene.clean.layout[space] else ():
            if is_foreign(piece, space, spirits):
                mend = f"{_capital(piece.words)} lies on {scene.place(space)}: {_foreign_mend(piece)}"
                problem = Problem(space, content, scene.wanted(space), mend, blocking=False)
                yield scene.seen.since_s[space] + scene.patience.odd_s, problem


def _trouble(scene: Scene) -> Iterator[tuple[float, Problem]]:
    for space, fact in scene.seen.trouble.items():
        problem = Problem(
            space, NOTHING, scene.wanted(space), _trouble_words(space, fact, scene), blocking=False
        )
        yield fact.since_s + scene.patience.trouble_s, problem


def _used(scene: Scene) -> Iterator[tuple[float, Problem]]:
    for space, content in scene.pads.used.items():
        mend = f"Take {words_of(content)} off {scene.place(space)}."
        problem = Problem(space, content, NOTHING, mend, blocking=False)
        yield scene.seen.since_s[space] + scene.patience.hold_s, problem


def _unfinished(scene: Scene) -> Iterator[tuple[float, Problem]]:
    """Yield what is missing for a Vibe token to wait for the next Spirit Action."""
    pad = pad_of_actor(scene.position)
    fresh = surplus(scene.seen.content(pad), scene.pads.used.get(pad, NOTHING))
    mend = _pad_mend(pad, fresh, scene)
    if mend:
        problem = Problem(pad, fresh, NOTHING, mend, blocking=False)
        yield scene.seen.since_s[pad] + scene.patience.odd_s, problem
    laid = scene.laid
    if laid is not None and discard_for(laid[1].name, scene.pads, scene.position, scene.cards) is None:
        mend = f"Show the {laid[1].name} card that is discarded for the Vibe token on {scene.place(pad)}."
        problem = Problem(laid[0], (laid[1],), NOTHING, mend, blocking=False)
        yield scene.seen.since_s[laid[0]] + scene.patience.odd_s, problem


def _patience(space: str, found: Content, patience: Patience) -> float:
    crowded = space.startswith("slot/") and len(found) > 1
    return patience.odd_s if crowded else patience.hold_s


def _difference(space: str, found: Content, scene: Scene, *, back: bool) -> Problem:
    wanted = scene.wanted(space)
    mend = mend_words(space, found, wanted, players=tuple(scene.position.players), back=back)
    if space.startswith("slot/") and len(found) > 1:
        mend = f"{_capital(words_of(found))} lie on one slot. {mend}"
    return Problem(space, found, wanted, mend)


def _pad_mend(pad: str, fresh: Content, scene: Scene) -> str:
    cards = [piece for piece in fresh if piece.kind == "emotion"]
    tokens = [piece for piece in fresh if piece.kind == "vibe"]
    shown, where = scene.pads.shown, scene.place(pad)
    if len(cards) > 1 or len(tokens) > 1:
        several = cards if len(cards) > 1 else tokens
        return f"{_capital(words_of(several))} lie on {where}: leave the one that is meant."
    if cards and cards[0].team != scene.position.actor.team:
        return f"{_capital(cards[0].words)} on {where} is a card of the other team: take it off."
    if not tokens or scene.pads.waiting is not None:
        return ""
    if shown is None:
        return f"Show the card that is discarded for the {tokens[0].name} Vibe token on {where}."
    colour = vibe_of(shown, scene.cards)
    if colour is None:
        return f"{title(shown)} has no Vibe: show another card on {where}."
    return f"{title(shown)} gives a {colour} Vibe token: take {words_of(tokens)} off {where}."


def _foreign_mend(piece: Piece) -> str:
    if piece.kind == "unknown":
        return "take it off, or register it with `companion tags import`."
    return "it has no place there, take it off."


def _trouble_words(space: str, fact: Fact, scene: Scene) -> str:
    if fact.lost_node:
        return (
            f'Node "{fact.lost_node}" is not heard: check its cable and its power; '
            "until it is back, say by touch what happens on its spaces."
        )
    where = scene.place(space)
    if fact.state == "unreadable":
        return (
            f"The reader of {where} can't make out what lies there: "
            "take away metal or a second tag, and lay the piece down again."
        )
    return (
        f"The reader of {where} doesn't answer: "
        "check its cable; until it is back, say by touch what happens there."
    )


def in_order(found: list[Problem]) -> tuple[Problem, ...]:
    """Return problems in board order, those that block first."""
    return tuple(sorted(found, key=lambda problem: (not problem.blocking, board_order(problem.space))))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
