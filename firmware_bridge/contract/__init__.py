"""Topics and messages of the bus: the only part of the bridge that others may import."""
