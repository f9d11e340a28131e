"""Rehearsals: whole games played through simulated pieces by careless people, in moved time.

Above all other packages: it plays the people, the air and the cables around the real debounce, table and
session, and looks at what the app says on its bus.
"""
