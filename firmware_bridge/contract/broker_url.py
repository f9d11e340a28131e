"""Addresses of brokers as people write them: `mqtt://[USER:PASSWORD@]HOST[:PORT]`."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

from firmware_bridge.contract.errors import BrokerUrlError

_DEFAULT_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
_SHAPE: Final = "write mqtt://[USER:PASSWORD@]HOST[:PORT], or mqtts:// for TLS"


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where a broker listens, and who connects.

    Args:
        host: name or address, an IPv6 address without brackets.
        port: 1 to 65535.
        tls: whether to speak TLS, with the system's certificates.
        username: None to connect without a name.
        password: never shown.
    """

    host: str
    port: int
    tls: bool = False
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    @property
    def place(self) -> str:
        """`HOST:PORT`, for messages."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """The address without name and password."""
        return f"{'mqtts' if self.tls else 'mqtt'}://{self.place}"

    def url_for(self, username: str, password: str | None = None) -> str:
        """Return the address as `username` would write it, with the password where one is given."""
        login = quote(username, safe="") + (f":{quote(password, safe='')}" if password is not None else "")
        return f"{'mqtts' if self.tls else 'mqtt'}://{login}@{self.place}"


def parse_broker_url(url: str) -> BrokerAddress:
    """Take the address of a broker apart; user name and password may be percent-encoded.

    Args:
        url: what a person wrote.

    Returns:
        The address; the port is 1883, or 8883 with TLS, where none is written.

    Raises:
        BrokerUrlError: it can't be used; the text says why and never repeats the password.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise BrokerUrlError(f"broker address: the port is no number from 1 to 65535; {_SHAPE}") from None
    _check(parts, port)
    return BrokerAddress(
        host=parts.hostname or "",
        port=port or _DEFAULT_PORTS[parts.scheme],
        tls=parts.scheme == "mqtts",
        username=unquote(parts.username) if parts.username is not None else None,
        password=unquote(parts.password) if parts.password is not None else None,
    )


def _check(parts: SplitResult, port: int | None) -> None:
    if parts.scheme not in _DEFAULT_PORTS:
        found = f"{parts.scheme}://" if parts.scheme and parts.netloc else "no scheme"
        raise BrokerUrlError(f"broker address: {found} is not known here; {_SHAPE}")
    if not parts.hostname:
        raise BrokerUrlError(f"broker address: the host is missing; {_SHAPE}")
    if port == 0:
        raise BrokerUrlError(f"broker address: port 0 is none to connect to; {_SHAPE}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise BrokerUrlError(
            f"broker address: nothing may follow the port; {_SHAPE}"
            " (in a password write / as %2F, ? as %3F, # as %23, @ as %40)"
        )
    if parts.username == "" or (parts.username is None and parts.password is not None):
        raise BrokerUrlError(f"broker address: the user name is empty; {_SHAPE}")
