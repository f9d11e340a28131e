"""What runs on a node: MicroPython, and importable here so that both ends share it."""
