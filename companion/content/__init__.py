"""Cards, Spirits, components and starting positions as data files with sources."""

from companion.content.catalogue import aspirations, catalogue
from companion.content.components import components
from companion.content.decks import Deck, decks
from companion.content.errors import ContentError
from companion.content.starts import Start, starts

__all__ = ["ContentError", "Deck", "Start", "aspirations", "catalogue", "components", "decks", "starts"]
