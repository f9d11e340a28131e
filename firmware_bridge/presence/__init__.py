"""From readings to facts: what lies on a space, however badly single polls go. Pure; time is passed in."""
