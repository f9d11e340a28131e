"""Wiring as data: which pin of a board goes where. Firmware, drivers and documents read it from here."""
