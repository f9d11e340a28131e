"""Topics, messages, table file and link of the bus: the only part of the bridge that others may import."""
