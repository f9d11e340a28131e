"""The simulated siblings of the real parts: register-level chips and fields with tags."""
