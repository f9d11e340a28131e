"""What can go wrong when the bridge starts.

BridgeError
└── NoBrokerError   (ValueError)  nothing says where the broker is
"""


class BridgeError(Exception):
    """Base of all errors of this package; its text is one line for people."""


class NoBrokerError(BridgeError, ValueError):
    """Nothing says where the broker is."""
