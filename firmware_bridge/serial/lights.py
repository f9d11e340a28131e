"""The lights of a node, from the bus. Whatever else comes on that topic is dropped."""

import logging
from collections.abc import Callable, Mapping
from typing import Final

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import Colour, Lights

_LOG: Final = logging.getLogger(__name__)

_SHOWN_CHARACTERS: Final = 80


class NodeLights:
    """Takes in `node/<node>/lights`; garbage is logged once and counted.

    Args:
        show: shows these lights and no others.
    """

    def __init__(self, show: Callable[[Mapping[str, Colour]], None]) -> None:
        self._show = show
        self.dropped = 0
        """How many messages could not be used."""

    def arrived(self, topic: str, payload: bytes) -> None:
        """Take in one message; no bytes at all is a deleted topic: every light off (F-75)."""
        try:
            colours = Lights.from_json(payload).colours if payload else {}
        except MessageError as error:
            self.dropped += 1
            if self.dropped == 1:
                shown = topic[:_SHOWN_CHARACTERS]
                _LOG.warning("%s: %s; dropped, and more of the kind will only be counted", shown, error)
            return
        self._show(colours)
