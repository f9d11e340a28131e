"""Readers, chips and boards. Knows no MQTT and no game."""
