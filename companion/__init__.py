"""Understands what happens on a Cerebria table and shows it: rules, session, bus client and app."""
