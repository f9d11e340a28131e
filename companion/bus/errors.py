"""What can go wrong on the companion's side of the bus.

BusError
├── BrokerStartError   (OSError)     the embedded broker can't listen
├── RoleError          (ValueError)  a role or its password can't be used
├── MosquittoError     (OSError)     Mosquitto's files can't be written
└── PacketError        (ValueError)  a client sends what is no MQTT
"""


class BusError(Exception):
    """Base of all errors of this package; its text is one line for people."""


class BrokerStartError(BusError, OSError):
    """The embedded broker can't listen."""


class RoleError(BusError, ValueError):
    """A role or its password can't be used."""


class MosquittoError(BusError, OSError):
    """Mosquitto's files can't be written."""


class PacketError(BusError, ValueError):
    """A client sends what is no MQTT.

    Args:
        problem: what is wrong.
        reason: the reason code of MQTT 5 that tells the client (2.4); 0x81 is Malformed Packet.
    """

    def __init__(self, problem: str, reason: int = 0x81) -> None:
        super().__init__(problem)
        self.reason = reason
