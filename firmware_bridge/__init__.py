"""Turns sightings of tags into facts on the bus: tag T lies on space S."""
