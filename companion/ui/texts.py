"""Every word that the screens add to what the rules and the session say, in one place."""

from typing import Final

WILLPOWER: Final = "WILLPOWER"
ESSENCE: Final = "ESSENCE"
AMBITION: Final = "AMBITION"
POINTS: Final = "POINTS"
IDENTITY: Final = "IDENTITY"
UNDO: Final = "Undo"
UNDONE: Final = "taken back"
TAKE_BACK: Final = "Take it back"
PUT_ALL: Final = "Put it right"
END_TURN: Final = "End turn"
END_GAINS: Final = {"ambition": "End the turn: 1 Ambition", "cards": "End the turn: draw cards"}
"""By what a turn ends with (R-EOT-1)."""
END_NOTE: Final = "What does the turn end with?"
REDO: Final = "Redo"
HISTORY: Final = "What happened"
NO_HISTORY: Final = "Nothing yet. Each action is listed here as it is taken, and can be taken back."
NEW_GAME: Final = "New game"
NEW_GAME_NOTE: Final = "Where would you like to begin?"
LEAVE: Final = "Leave this game"
LEAVE_NOTE: Final = "A game is being played. This version can't open it again once another one has begun."
LEAVE_STAY: Final = "Go on playing"
DIFFERS: Final = "The table differs"
DIFFERS_NOTE: Final = "The game goes on when the board is right."
LOOKS: Final = "This screen"
DAY: Final = "Day colours"
DAY_NOTE: Final = "For a bright room."
NIGHT: Final = "Night colours"
NIGHT_NOTE: Final = "For an evening."
FLAT: Final = "It lies flat"
FLAT_NOTE: Final = "Cards and panels face those who sit around it."
STANDS: Final = "It stands"
STANDS_NOTE: Final = "Everything is read from one side."
ALL_RIGHT: Final = "The table is right again."
TIDY_NOTE: Final = "The game goes on meanwhile."
FREE: Final = "free"
COSTS_NOTHING: Final = "costs nothing"
NOTHING_TO_DO: Final = "Nothing can be done here."
COULD: Final = "What could be done"
READY: Final = "Move a piece, or tap a card, a space or a row to ask what it can do."
NOT_LINKED: Final = "No connection to the table: going on by touch"
WAITING: Final = "Waiting for the game"
HAND_ZONE: Final = "LIFTED PIECES"
HAND_HINT: Final = "Lay lifted pieces here"
PAD_HINT: Final = "Cards and Vibes to show or discard"
STOCKS: Final = {"strong": "Strong", "mild": "Mild", "vibe": "Vibes"}
ABSORB_YES: Final = "Absorb free"
ABSORB_NO: Final = "Absorb used"
SHOW_WHERE: Final = "Show where"
NOTHING_SPENT: Final = "Nothing has been spent."
NOT_DONE: Final = "Not done; nothing was spent."

SPHERES: Final = {
    "commitment": "Commitment",
    "creativity": "Creativity",
    "humility": "Humility",
    "diligence": "Diligence",
    "knowledge": "Knowledge",
}


def actions_left(count: int) -> str:
    """Say how many Actions are left."""
    return "1 Action" if count == 1 else f"{count} Actions"


def turn_left(actions: int, *, absorbed: bool) -> str:
    """Say what is left of a turn."""
    return f"{actions_left(actions)} · {absorb(absorbed=absorbed)}"


def absorb(*, absorbed: bool) -> str:
    """Say whether Absorb is still to be had this turn."""
    return ABSORB_NO if absorbed else ABSORB_YES


def and_more(count: int) -> str:
    """Say how many more places are not as they should be."""
    return "and 1 more place" if count == 1 else f"and {count} more places"


def cards_in_hand(count: int) -> str:
    """Say how many cards a hand holds, as a label."""
    return "1 CARD" if count == 1 else f"{count} CARDS"


def page_of(page: int, pages: int) -> str:
    """Say which page of a list is shown."""
    return f"{page} of {pages}"


def copies(count: int) -> str:
    """Say how many pieces lie in a pile."""
    return f"\u00d7{count}" if count > 1 else ""


def pad_title(person: str) -> str:
    """Name the pad of a seat."""
    return f"{person.upper()}'S PAD"


def of_seat(person: str, row: str) -> str:
    """Name a pad, or with the name of a Spirit Action its row on the Spirit board."""
    return f"{person}'s {row} row" if row else f"{person}'s pad"


def leave_for(start: str) -> str:
    """Name the start that a game is left for."""
    return f"Start \u201c{start}\u201d"


def fragments(minor: int, major: int) -> str:
    """Say how many Fragments a team has left."""
    return f"Fragments {minor} Minor · {major} Major"


def spaced(capitals: str) -> str:
    """Set a label in spaced capitals (a hair space between letters)."""
    return "\u200a".join(capitals)
