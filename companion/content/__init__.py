"""Cards, Spirits and the map as data files with their sources."""
