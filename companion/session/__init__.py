"""One game at one table: journal, undo and redo, recovery."""
