"""Cards, Spirits, components and starting positions as data files with sources."""

from companion.content.catalogue import aspirations, catalogue
from companion.content.components import components
from companion.content.errors import ContentError
from companion.content.starts import Start, starts

__all__ = ["ContentError", "Start", "aspirations", "catalogue", "components", "starts"]
