"""What can go wrong with readers and their chips.

HardwareError
├── DriverMissingError (ImportError)      the mfrc522 package or what it stands on is not usable
├── ReaderConfigError (ValueError)        a reader entry that can't be wired like that
└── SimulationError (AssertionError)      a driver did what the real part refuses (simulated parts only)
"""


class HardwareError(Exception):
    """Base of everything this package raises."""


class DriverMissingError(HardwareError, ImportError):
    """The package that drives the chips can't be used here; the message names the package to install."""


class ReaderConfigError(HardwareError, ValueError):
    """A reader entry that can't be used.

    Attributes:
        key: the entry's key at fault, as in the table file.
    """

    def __init__(self, space: str, key: str, problem: str) -> None:
        super().__init__(f"reader of {space}: {key}: {problem}")
        self.key = key


class SimulationError(HardwareError, AssertionError):
    """The driver asked a simulated part for something that the real part refuses or leaves undefined."""
