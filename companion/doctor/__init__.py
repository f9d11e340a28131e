"""`companion doctor`: checks this machine and table, and names the mend of what it finds."""
