"""Every physical component of the base game that can carry a tag, named as the contracts' section 6 says."""

from functools import cache

from companion.content.catalogue import VIBES, catalogue
from companion.content.tables import records
from companion.rules.board import TEAMS


def _supplies() -> dict[str, int]:
    counts = {}
    for name, record in records("supplies.toml"):
        record.only("count", "assumed", "source", "confidence")
        record.flag("assumed")
        counts[name] = record.number("count", least=1)
    return counts


@cache
def components() -> tuple[str, ...]:
    """Return the ids of all components: Emotions, Spirits, Vibe tokens, Fragments that can be a Fortress.

    Raises:
        ContentError: a data file is broken.
    """
    printed, supplies = catalogue(), _supplies()
    emotions = [
        f"emotion/{card.team}/{card.name}/{copy}"
        for card in printed.cards.values()
        for copy in range(1, (card.copies or 1) + 1)
    ]
    spirits = [f"spirit/{name}" for name in printed.spirits]
    vibes = [f"vibe/{colour}/{n}" for colour in VIBES for n in range(1, supplies["vibe"] + 1)]
    wild = [f"vibe/wild/{n}" for n in range(1, supplies["vibe-wild"] + 1)]
    fortresses = [
        f"fortress/{team}/{kind}/{n}"
        for team in TEAMS
        for kind in ("minor", "major")
        for n in range(1, supplies[f"fortress-{kind}"] + 1)
    ]
    return (*emotions, *spirits, *vibes, *wild, *fortresses)
