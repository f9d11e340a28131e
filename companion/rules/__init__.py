"""The game, pure: values in, values out."""
