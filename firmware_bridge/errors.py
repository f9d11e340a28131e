"""What can go wrong in the bridge.

BridgeError
├── NoBrokerError   (ValueError)  nothing says where the broker is
├── HelloError      (ValueError)  a node on a serial line that can't be served
└── PortError       (OSError)     a serial port that can't be opened, or is lost
"""


class BridgeError(Exception):
    """Base of all errors of this package; its text is one line for people."""


class NoBrokerError(BridgeError, ValueError):
    """Nothing says where the broker is."""


class HelloError(BridgeError, ValueError):
    """A node says who it is, and can't be served."""


class PortError(BridgeError, OSError):
    """A serial port can't be opened, or what was connected to it is gone."""
