"""What people must still place, show or choose (`turn.pending`), as a question in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.rules.actions import Action, PlainDone, ReturnCommon, Reveal, UsePower
from companion.rules.cards import Catalogue
from companion.rules.choices import pending_choices
from companion.rules.derived import Derived
from companion.rules.engine import check
from companion.rules.frame import MUST
from companion.rules.position import Pending, Position
from companion.rules.starting import placer, setup_step, starting_emotion
from companion.rules.words import cost_words, naming, person, title
from companion.session.secrets import is_secret
from companion.table.decisions import Choice

MOST_CHOICES: Final = 20
"""A question with more choices than this names none: a piece, or a place that is tapped, says it."""


@dataclass(frozen=True, slots=True)
class StepQuestion:
    """The step that is open, in words."""

    kind: str
    """As in `turn.pending`."""
    text: str
    detail: str
    choices: tuple[Choice, ...]
    """All of them, or none where there are too many."""


def open_step(position: Position) -> Pending | None:
    """Return what is asked next: what comes before anything else, then what a power leaves to choose.

    A team picks its next Hidden Aspiration in secret, so nobody is asked for it.
    """
    if position.result is not None and position.result.ended:
        return None
    pending = position.turn.pending
    if step := setup_step(position):
        return step
    must = next((item for item in pending if item.action in MUST), None)
    return must or next((item for item in pending if item.action == "power"), None)


def step_tries(position: Position, cards: Catalogue) -> Iterator[Action]:
    """Yield the actions that settle the open step, some of which may be refused."""
    step = open_step(position)
    if step is None:
        return
    for action in pending_choices(Derived(position, cards)):
        if not is_secret(action) and _settles(action, step):
            yield action


def _settles(action: Action, step: Pending) -> bool:
    if isinstance(action, Reveal | ReturnCommon):
        kind = "reveal" if isinstance(action, Reveal) else "return-common"
        return (kind, action.team) == (step.action, step.team)
    if isinstance(action, UsePower):
        return step.action == "power" and action.power == step.power
    return step.action in ("place-spirit", "place-wild")


def step_question(position: Position, cards: Catalogue) -> StepQuestion | None:
    """Return the question for what people must still place, show or choose, None where nothing is open."""
    step = open_step(position)
    if step is None:
        return None
    text, detail = _words(step, position, cards)
    choices: list[Choice] = []
    for action in step_tries(position, cards):
        verdict = check(position, action, cards)
        if verdict.status != "illegal":
            words = step_label(action, position)
            if any((verdict.cost.willpower, verdict.cost.essence, verdict.cost.ambition)):
                words += f": {cost_words(verdict.cost)}"
            choices.append(Choice(str(len(choices) + 1), words, action))
    if step.action == "power" and not choices:
        return None
    return StepQuestion(step.action, text, detail, tuple(choices) if len(choices) <= MOST_CHOICES else ())


def step_label(action: Action, position: Position) -> str:
    """Name a choice under its question: what the question has said already is left out."""
    if isinstance(action, Reveal | ReturnCommon):
        return title(action.aspiration)
    words = naming(action, position) if isinstance(action, PlainDone) else ""
    if isinstance(action, UsePower):
        words = words.removeprefix(f"{title(action.power)}: ")
    words = words.replace(": ", ", ")
    return words[:1].upper() + words[1:]


def _words(step: Pending, position: Position, cards: Catalogue) -> tuple[str, str]:
    team = title(step.team)
    if step.action == "place-spirit":
        return _figure_words(step, position, cards)
    if step.action == "place-wild":
        who = placer(position, step).name
        left = position.turn.pending.count(step)
        tokens = "the last wild Vibe token" if left == 1 else f"{left} wild Vibe tokens"
        return (
            f"{person(who)}: place {tokens} on your Spirit board",
            "The first space of a row unlocks its Action, the others are upgrades.",
        )
    if step.action == "reveal":
        return f"Revelation: which Hidden Aspiration does {team} show?", "Turn the card over."
    if step.action == "return-common":
        return f"Revelation: which Common Aspiration does {team} take out?", "It goes back into the box."
    owner = cards.cards.get(step.power or "") or cards.spirits.get(step.power or "")
    said = None if owner is None or owner.power is None else owner.power.text
    return f"{team} uses the power of {title(step.power or '')}", said or ""


def _figure_words(step: Pending, position: Position, cards: Catalogue) -> tuple[str, str]:
    player = placer(position, step)
    who, emotion = person(player.name), title(starting_emotion(player.team, cards).name)
    if player.at is not None:
        return f"{who}: put another {emotion} into a free slot", "Any slot of a Realm will do."
    if position.mode == "basic":
        return (
            f"{who}: put your figure and {emotion} where the rule book shows them",
            "Its picture has the places of the basic game.",
        )
    return (
        f"{who}: put your figure on a free Frontier, and {emotion} beside it",
        f"{emotion} goes into one of the two Realm slots next to the Frontier's own slot.",
    )
