"""`companion scan`: what every reader of a table says, and how it does, as the bus has it."""
