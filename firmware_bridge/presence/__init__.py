"""From sightings to presence: debounce and the map from readers to spaces."""
