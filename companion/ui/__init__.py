"""The Kivy app: screens, widgets, theme, view models."""
