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
NEW_GAME_NOTE: Final = "How many play? Or look at an example."
PLAYERS: Final = {2: "Two players", 3: "Three players", 4: "Four players"}
PLAYERS_NOTES: Final = {
    2: "One Spirit against one.",
    3: "One Spirit alone against a team of two.",
    4: "Two teams of two.",
}
EXAMPLES: Final = "EXAMPLES"
GAME_FOR: Final = {2: "New game for two", 3: "New game for three", 4: "New game for four"}
PLAN_NOTE: Final = "Tap what should be otherwise."
START: Final = "Start"
FULL_GAME: Final = "Full game"
BASIC_GAME: Final = "Basic game"
GAME_NOTES: Final = {
    "full": "With Empower and Intentions.",
    "basic": "Easier: no Empower, no Intentions.",
}
SPIRIT_BOARDS: Final = "Spirit boards"
SIDES: Final = {False: "side A", True: "side B"}
EMOTION_DECKS: Final = "Emotion decks"
DECKS: Final = {False: "your own", True: "beginners'"}
VALLEY_FACED: Final = "Facing the Valley"
COMMON: Final = "Common Aspirations"
COMMON_UNKNOWN: Final = "not told"
COMMON_TOLD: Final = "told"
COMMON_NOTE: Final = "Tap them in the order in which they lie, the current one first."
COMMON_FORGET: Final = "Not told"
COMMON_DONE: Final = "Done"
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
PLACE_ZONE: Final = "TO BE PLACED"
HAND_HINT: Final = "Lay lifted pieces here"
PAD_HINT: Final = "Cards and Vibes to show or discard"
STOCKS: Final = {"strong": "Strong", "mild": "Mild", "vibe": "Vibes"}
ABSORB_YES: Final = "Absorb free"
ABSORB_NO: Final = "Absorb used"
SHOW_WHERE: Final = "Show where"
BY_TOUCH: Final = "By touch"
CHOOSE: Final = "Choose"
TO_CHOOSE: Final = "Choose one"
SETTING_UP: Final = "sets up"
ALL_ACTIONS: Final = "All actions"
NOT_NOW: Final = "not now"
WHY_NOT: Final = "Tap to see why."
GROUPS: Final = {
    "now": "To be done now",
    "power": "Powers",
    "move": "Move",
    "invoke": "Invoke",
    "quell": "Quell",
    "fortify": "Fortify",
    "empower": "Empower",
    "realm": "Realm Actions",
    "absorb": "Absorb",
    "ambition": "Ambition Abilities",
    "score": "Intentions",
    "end-turn": "End turn",
}
"""Headings of what a player can do, in their order."""
PUT_RIGHT: Final = "Put right"
PUT_RIGHT_NOTE: Final = "Each tap is a line of the history, and can be taken back."
REASONS: Final = {"Mistake": "a mistake", "Power": "a card's power", "House rule": "a house rule"}
"""Why something is put right: on the switch, and in the history."""
NAMED_WILLPOWER: Final = "Willpower"
NAMED_ESSENCE: Final = "Essence"
NAMED_AMBITION: Final = "Ambition"
NAMED_POINTS: Final = "Points"
LAST_ESSENCE: Final = "Essence (without it the card goes)"
WHEEL_NOTE: Final = "On the Wheel 2 points give 1 Essence, 4 a card, 6 an Ambition."
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


def ways(count: int) -> str:
    """Say in how many ways something can be done."""
    return "1 way" if count == 1 else f"{count} ways"


def from_cost(cost: str) -> str:
    """Say what the cheapest way costs."""
    return f"from {cost}" if cost else FREE


def begins(team: str) -> str:
    """Say which team takes the first turn."""
    return f"{team} begins"


def picks_in_secret(team: str) -> str:
    """Say that a team may pick a card that nobody else sees."""
    return f"{team} may now pick its next Hidden Aspiration in secret."


def put_right(what: str) -> str:
    """Name the sheet on which something is put right."""
    return f"{PUT_RIGHT}: {what}"


def and_places(place: str, more: int) -> str:
    """Name several places by the first one."""
    return f"{place} and {'1 more' if more == 1 else f'{more} more'}"


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
