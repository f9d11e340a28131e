"""What can go wrong on the way to a picture.

UiError
├── NoDisplayError (RuntimeError)   no window can be opened on this machine
└── WrongThreadError (RuntimeError) a widget was touched from another thread than Kivy's
"""


class UiError(Exception):
    """Base of all errors of the screens."""


class NoDisplayError(UiError, RuntimeError):
    """No window can be opened; the message names the mend."""


class WrongThreadError(UiError, RuntimeError):
    """A widget was touched from another thread than Kivy's, which Kivy itself lets pass (F-97)."""
