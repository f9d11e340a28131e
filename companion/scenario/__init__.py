"""Scenario files: positions and tries, read, checked and explained."""
