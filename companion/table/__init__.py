"""From facts and position to the action meant, a question, or how to put the table right."""
