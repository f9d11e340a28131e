"""Nodes on serial lines: what they say (pure), and the ports that they come and go on (I/O)."""
