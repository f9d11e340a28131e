"""The keys of a position and of an action, as the contracts' section 3 lists them."""

from typing import Final

from companion.content import aspirations
from companion.rules.board import REALMS, SLOTS, SPACES, SPHERES, TEAMS
from companion.rules.cards import Catalogue
from companion.rules.position import HIDDEN, ROWS
from companion.scenario.schema import FLAG, MOST, TEXT, Keys, Leaf, ListOf, Named, Node, a, one_of, whole

VIBES: Final = ("red", "yellow", "green", "blue")
TOKENS: Final = ("", *VIBES, "wild")
PLAYER_NAME: Final = Leaf(
    lambda value: isinstance(value, str) and value.strip() != "" and value.isprintable(), "a player's name"
)
FRAGMENTS: Final = tuple(f"{team} {kind}" for team in TEAMS for kind in ("minor", "major", "capping"))
ABILITIES: Final = Leaf(
    lambda value: isinstance(value, str) and value != "", "the name of an Ambition Ability"
)

PENDING: Final = ("reveal", "return-common", "keep-hidden", "place-spirit", "place-wild", "power")
"""What people may still have to show, choose or do."""

_THRESHOLD: Final = whole(1)
RULINGS: Final = Keys(
    {
        "fortress-to-identity": one_of(("always", "if-accomplished")),
        "fortress-counts-as-major": FLAG,
        "origin-turns": one_of(("every-absorb", "after-revelation")),
        "cradle-draw": whole(),
        "network-from": one_of(("anywhere", "adjacent")),
        "wheel-bonuses-repeat": FLAG,
        "fragments": ListOf(whole(), length=2),
        "raze-major": one_of(("to-minor", "remove")),
        "spirit-powers-in-basic": FLAG,
        "starting-emotions-show-vibe": FLAG,
        "assumed-threshold": Leaf(
            lambda value: value == "ask" or _THRESHOLD.fits(value), f'"ask" or {_THRESHOLD.expected}'
        ),
    }
)
"""Section 8 of the contracts."""

CARD_PACK: Final = Keys(
    {
        "empower_threshold": _THRESHOLD,
        "intensity": ListOf(whole(), least=1),
        "vibe": one_of(VIBES),
        "power": Leaf(lambda value: isinstance(value, str | dict), "a text or a table"),
    }
)
"""The printed values that a file may state for itself."""

TABLE: Final = Leaf(lambda value: isinstance(value, dict), "a table")
_TEAM: Final = one_of(TEAMS)
_MINOR_OR_MAJOR: Final = one_of(("minor", "major"))


def _team_keys() -> Keys:
    return Keys(
        {
            "ambition": whole(0, 3),
            "points": whole(),
            "minor": whole(),
            "major": whole(),
            "aspiration": a('the name of an Aspiration, or "*"', (*aspirations(), HIDDEN)),
        }
    )


def _player_keys(cards: Catalogue) -> Keys:
    row = ListOf(one_of(TOKENS), length=4)
    return Keys(
        {
            "team": _TEAM,
            "spirit": a("the name of a Spirit", cards.spirits),
            "side": one_of(("a", "b")),
            "at": one_of(SPACES),
            "willpower": whole(),
            "essence": whole(),
            "hand": ListOf(a('the title of an Emotion, or "*"', (*cards.cards, HIDDEN))),
            "top": a('the title of an Emotion, or "*"', (*cards.cards, HIDDEN)),
            "vibes": Named(row, ROWS, "row"),
            "deck": ListOf(a("the title of an Emotion", cards.cards)),
        },
        required=("team",),
    )


def _slot_keys(cards: Catalogue) -> Keys:
    return Keys(
        {
            "emotion": a("the title of an Emotion", cards.cards),
            "essence": whole(1),
            "intensity_token": whole(0, 6),
        },
        required=("emotion",),
    )


_FORTRESS: Final = Keys(
    {"team": _TEAM, "fragment": _MINOR_OR_MAJOR, "this_turn": FLAG}, required=("team", "fragment")
)


def _turn_keys(cards: Catalogue) -> Keys:
    return Keys(
        {
            "player": PLAYER_NAME,
            "number": whole(1),
            "actions_left": whole(),
            "absorbed": FLAG,
            "ambition_used": ListOf(ABILITIES),
            "intentions": whole(),
            "pending": ListOf(
                Keys(
                    {
                        "action": one_of(PENDING),
                        "team": _TEAM,
                        "aspiration": TEXT,
                        "player": PLAYER_NAME,
                        "power": _power_owner(cards),
                        "effect": whole(1),
                        "slot": one_of(SLOTS),
                    },
                    required=("action", "team"),
                )
            ),
        }
    )


_RESULT: Final = Keys(
    {
        "ended": FLAG,
        "winner": one_of(("bliss", "gloom", "draw")),
        "score": Named(whole(), TEAMS, "team"),
    }
)


def position_keys(cards: Catalogue) -> Keys:
    """Return what a position may state, titles and Spirits out of `cards`."""
    aspiration = a("the name of an Aspiration", aspirations())
    return Keys(
        {
            "mode": one_of(("full", "basic")),
            "teams": Named(_team_keys(), TEAMS, "team"),
            "players": Named(_player_keys(cards)),
            "slots": Named(_slot_keys(cards), SLOTS, "slot"),
            "fortresses": Named(_FORTRESS, REALMS, "Realm"),
            "origin": Keys({"facing": one_of(SPHERES), "willpower": Named(whole(), SPHERES, "Sphere")}),
            "aspirations": Keys({"common": ListOf(aspiration)}),
            "identity": Keys({"fragments": ListOf(one_of(FRAGMENTS))}),
            "turn": _turn_keys(cards),
            "rulings": RULINGS,
            "result": _RESULT,
        },
        required=("players",),
    )


_OPTIONAL: Final = ("reveal", "with")
"""Keys of Spirit Actions that may be left out, beside the ones that all five share."""


def _spirit(keys: dict[str, Node], cards: Catalogue | None) -> Keys:
    upgrade = TEXT if cards is None else a("the name of an upgrade", cards.upgrade_names)
    place = Keys({"discard": _title(cards), "space": whole(-MOST)}, required=("discard", "space"))
    shared: dict[str, Node] = {
        "action": TEXT,
        "player": PLAYER_NAME,
        "upgrades": ListOf(upgrade),
        "place": place,
    }
    return Keys({**shared, **keys}, required=tuple(key for key in keys if key not in _OPTIONAL))


def _title(cards: Catalogue | None) -> Leaf:
    return TEXT if cards is None else a("the title of an Emotion", cards.cards)


def _power_owner(cards: Catalogue | None) -> Leaf:
    if cards is None:
        return TEXT
    return a("the name of an Emotion or a Spirit", (*cards.cards, *cards.spirits))


def _plain(required: dict[str, Node], optional: dict[str, Node] | None = None) -> Keys:
    keys: dict[str, Node] = {"action": TEXT, "player": PLAYER_NAME, **required, **(optional or {})}
    return Keys(keys, required=tuple(required))


_TOKEN: Final[dict[str, Node]] = {"row": one_of(ROWS), "space": whole(-MOST), "vibe": one_of(TOKENS[1:])}
"""A Vibe token added without a discard."""


def _plain_keys(name: str, cards: Catalogue | None) -> Keys | None:
    """Return the keys of whatever is no Spirit Action, None where `name` is none."""
    slot = one_of(SLOTS)
    step: dict[str, Node] = {"team": _TEAM, "aspiration": a("the name of an Aspiration", aspirations())}
    ability = ABILITIES if cards is None else one_of(cards.abilities)
    keys = {
        "valley": _plain({}),
        "cradle": _plain({}),
        "willow": _plain({"amount": whole()}),
        "land": _plain({"slot": slot, "essence": whole()}),
        "network": _plain({"slot": slot, "to": slot}),
        "absorb": _plain({"sphere": one_of(SPHERES)}, {"bonus": FLAG, **_TOKEN}),
        "ambition": _plain({"ability": ability}, _TOKEN),
        "reveal": _plain(step),
        "return-common": _plain(step),
        "keep-hidden": _plain(step),
        "place-spirit": _plain({"slot": slot}, {"at": one_of(SPACES)}),
        "place-wild": _plain({"row": one_of(ROWS), "space": whole(-MOST)}),
        "score": _plain({}, {"intentions": whole()}),
        "adjust": _plain({"set": TABLE}, {"reason": TEXT}),
        "power": _plain(
            {"power": _power_owner(cards)}, {"slot": slot, "to": PLAYER_NAME, "gain": TEXT, "decline": FLAG}
        ),
        "end-turn": _plain({"gain": one_of(("ambition", "cards"))}),
    }
    return keys.get(name)


def action_keys(name: str, cards: Catalogue | None) -> Keys | None:
    """Return what the `do` table of an action may state, or None where there is no such action.

    Args:
        name: the action.
        cards: the titles that may be named; None: any text.
    """
    slot, title = one_of(SLOTS), _title(cards)
    spirit_actions: dict[str, dict[str, Node]] = {
        "move": {"to": one_of(SPACES), "with": PLAYER_NAME},
        "invoke": {"emotion": title, "slot": slot},
        "quell": {"slot": slot, "reveal": title},
        "fortify": {"realm": one_of(REALMS)},
        "empower": {"slot": slot},
    }
    keys = spirit_actions.get(name)
    return _plain_keys(name, cards) if keys is None else _spirit(keys, cards)
