"""When pieces count as put down: what comes rests for a moment, and a card that has gone may come back."""

from companion.table.game import Table


def at_rest_s(table: Table) -> float:
    """Return from when on what lies there may be taken for an action; 0 where nothing has to rest."""
    patience = table.game.patience
    if all(space.startswith("vibe/") for space in table.open):
        return table.newest_s(table.open) + patience.odd_s
    return max((settled_s(table), *(_slot_s(space, table) for space in table.open)))


def laid_s(table: Table) -> float:
    """Return from when on what is placed at set-up counts as put down; Vibe tokens at once."""
    came = [space for space in table.open if table.gained(space) and not space.startswith("vibe/")]
    return table.newest_s(came) + table.game.patience.placed_s if came else 0.0


def settled_s(table: Table) -> float:
    """Return from when on the figures count as put down; 0 where no figure is concerned.

    A space that was left tells nothing of the figure's rest: it is known to be empty only after the debounce.
    """
    if not any(space.startswith("spirit/") for space in table.open):
        return 0.0
    seen = table.seen
    arrivals = (
        since_s
        for space, since_s in seen.since_s.items()
        if space.startswith("spirit/") and seen.content(space)
    )
    return max(arrivals, default=0.0) + table.game.patience.settle_s


def exchanged(table: Table) -> bool:
    """Tell whether all that differs are slots whose card lies exchanged for a Strong one of its team."""
    return all(_is_exchange(space, table) for space in table.open)


def _is_exchange(space: str, table: Table) -> bool:
    gained, lost = table.gained(space), table.lost(space)
    if not space.startswith("slot/") or len(gained) != 1 or len(lost) != 1:
        return False
    card = table.game.cards.cards.get(gained[0].name)
    return card is not None and card.strength == "strong" and gained[0].team == lost[0].team


def _slot_s(space: str, table: Table) -> float:
    """Return when what came into a slot counts as laid down, and what left it as gone."""
    if not space.startswith("slot/") or _is_exchange(space, table):
        return 0.0
    patience, since_s = table.game.patience, table.seen.since_s[space]
    if table.gained(space) or table.shown is not None:
        return since_s + patience.card_s
    return 0.0 if table.moved_on(space) else since_s + patience.gone_s
