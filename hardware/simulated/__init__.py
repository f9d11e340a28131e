"""The simulated siblings of the real parts: chips at register level, fields with tags, a board."""

from hardware.simulated.virtual import VirtualNode, virtual_node

__all__ = ["VirtualNode", "virtual_node"]
