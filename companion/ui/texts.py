"""Every word that the screens add to what the rules and the session say: one place, ready for a second language."""

from typing import Final

WILLPOWER: Final = "WILLPOWER"
ESSENCE: Final = "ESSENCE"
AMBITION: Final = "AMBITION"
POINTS: Final = "POINTS"
IDENTITY: Final = "IDENTITY"
UNDO: Final = "Undo"
REDO: Final = "Redo"
CLOSE: Final = "Close"
HISTORY: Final = "What happened"
NO_HISTORY: Final = "Nothing yet. Each action is listed here as it is taken, and can be taken back."
NEW_GAME: Final = "New game"
NEW_GAME_NOTE: Final = "The game on the table is kept in the history."
DIFFERS: Final = "The table differs"
DIFFERS_NOTE: Final = "The game goes on when the board is right. Nothing has been spent."
ALL_RIGHT: Final = "The table is right again."
NOTHING_TO_DO: Final = "Nothing can be done here."
COULD: Final = "What could be done"
READY: Final = "Move a piece, or tap a card, a space or a row to ask what it can do."
NOT_LINKED: Final = "No connection to the table: going on by touch"
WAITING: Final = "Waiting for the game"
HAND_ZONE: Final = "OFF THE BOARD"
HAND_HINT: Final = "Lay lifted pieces here"
PAD_HINT: Final = "Cards and Vibes to show or discard"
STOCKS: Final = {"strong": "Strong", "mild": "Mild", "vibe": "Vibes"}
ABSORB_YES: Final = "Absorb open"
ABSORB_NO: Final = "Absorbed"
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


def and_more(count: int) -> str:
    """Say how many more pieces are not in their place."""
    return "and 1 more piece" if count == 1 else f"and {count} more pieces"


def cards_in_hand(count: int) -> str:
    """Say how many cards a hand holds, as a label."""
    return "1 CARD" if count == 1 else f"{count} CARDS"


def pad_title(person: str) -> str:
    """Name the pad of a seat."""
    return f"{person.upper()}'S PAD"


def fragments(minor: int, major: int) -> str:
    """Say how many Fragments a team has left."""
    return f"Fragments {minor} Minor · {major} Major"


def spaced(capitals: str) -> str:
    """Set a label in spaced capitals (a hair space between letters)."""
    return "\u200a".join(capitals)
