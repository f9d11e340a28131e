"""Configuration, access list and password file with which a Mosquitto enforces the roles of this table.

    python -m companion.bus.mosquitto FOLDER --table front-window

makes them with new passwords, each also in a file `ROLE.password` that a table file can name as
`password_file`.
"""

import argparse
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.bus.errors import BusError, MosquittoError, RoleError
from companion.bus.packets import MAX_PACKET_BYTES
from companion.bus.roles import ROLES
from companion.bus.sessions import MAX_QUEUED
from firmware_bridge.contract.errors import ContractError
from firmware_bridge.contract.topics import Topics

HOST: Final = "127.0.0.1"
"""Loopback, unless nodes on the network are to connect."""

_PASSWORD_BYTES: Final = 24  # 192 bits: not to be guessed
_HEADER: Final = "# Made by Cerebria Companion: roles of the table {table!r}.\n"


def configuration_text(folder: Path, *, port: int, host: str = HOST, user: str | None = None) -> str:
    """Return `mosquitto.conf`: passwords, the access list, no Nagle delay, nothing on disk.

    Nothing is persisted because bridge and app publish everything again at each connection, and the journal,
    not the broker, holds the game (F-86).
    """
    return (
        # Global in Mosquitto, so before any listener. Without it QoS 1 takes 40 ms (F-85).
        "set_tcp_nodelay true\n"
        "persistence false\n"
        "allow_anonymous false\n"
        f"password_file {folder / 'passwords'}\n"
        f"acl_file {folder / 'acl'}\n"
        f"max_packet_size {MAX_PACKET_BYTES}\n"
        f"max_queued_messages {MAX_QUEUED}\n"
        + (f"user {user}\n" if user is not None else "")
        + f"listener {port} {host}\n"
    )


def acl_text(table: str) -> str:
    """Return the access list of the roles for one table."""
    root = Topics(table).root
    lines: list[str] = []
    for name, role in ROLES.items():
        lines.append(f"user {name}")
        lines += [f"topic read {root}{below}" for below in role.read if below not in role.write]
        lines += [f"topic readwrite {root}{below}" for below in role.read if below in role.write]
        lines += [f"topic write {root}{below}" for below in role.write if below not in role.read]
        lines.append("")
    return "\n".join(lines)


def write_configuration(
    folder: Path,
    *,
    table: str,
    port: int,
    passwords: Mapping[str, str],
    host: str = HOST,
    user: str | None = None,
) -> Path:
    """Write `mosquitto.conf`, `acl` and `passwords` into `folder`.

    Args:
        folder: made if it is not there.
        table: the table's id.
        port: where Mosquitto listens.
        passwords: role to password, for every role that shall be able to connect.
        host: the address it listens on.
        user: the system user that Mosquitto changes to when root starts it; None: Mosquitto's own choice,
            which then must be able to read the folder.

    Returns:
        The path of `mosquitto.conf`.

    Raises:
        RoleError: a role that is not known, or a password that is empty or has a line break.
        MosquittoError: a file can't be written, or `mosquitto_passwd` is missing or fails.
    """
    for role, password in passwords.items():
        if role not in ROLES:
            raise RoleError(f"role {role!r} is not known: use {', '.join(ROLES)}")
        if not password or "\n" in password or "\r" in password:
            raise RoleError(f"the password of {role!r} is empty or has a line break: choose another one")
    folder = folder.absolute()
    header = _HEADER.format(table=table)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        configuration = folder / "mosquitto.conf"
        configuration.write_text(
            header + configuration_text(folder, port=port, host=host, user=user), encoding="utf-8"
        )
        _private(folder / "acl", header + acl_text(table))
        _private(folder / "passwords", "".join(f"{role}:{word}\n" for role, word in passwords.items()))
    except OSError as error:
        raise MosquittoError(f"{error.filename or folder}: can't be written: {error.strerror}") from error
    _hash(folder / "passwords")
    return configuration


def _private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _hash(path: Path) -> None:
    tool = shutil.which("mosquitto_passwd")
    if tool is None:
        path.unlink()
        raise MosquittoError("mosquitto_passwd is not there: apt install mosquitto")
    done = subprocess.run([tool, "-U", str(path)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        path.unlink()
        raise MosquittoError(f"{path}: mosquitto_passwd says: {done.stderr.strip() or done.stdout.strip()}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the files for one table with new passwords; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.bus.mosquitto",
        description="Make configuration, access list and passwords for a Mosquitto that serves one table.",
    )
    parser.add_argument("folder", type=Path, help="where to write; made if it is not there")
    parser.add_argument("--table", default="home", metavar="ID", help="the table's id (default: home)")
    parser.add_argument("--port", type=int, default=1883, help="where it listens (default: 1883)")
    parser.add_argument("--host", default=HOST, help=f"the address it listens on (default: {HOST})")
    parser.add_argument(
        "--user", metavar="NAME", help="system user that Mosquitto changes to, if root starts it"
    )
    options = parser.parse_args(arguments)
    passwords = {role: secrets.token_hex(_PASSWORD_BYTES) for role in ROLES}
    try:
        configuration = write_configuration(
            options.folder,
            table=options.table,
            port=options.port,
            passwords=passwords,
            host=options.host,
            user=options.user,
        )
        for role, password in passwords.items():
            _private(options.folder / f"{role}.password", password + "\n")
    except (BusError, ContractError, OSError) as error:
        sys.stderr.write(f"{parser.prog}: {error}\n")
        return 2
    sys.stdout.write(f"start it with: mosquitto -c {configuration}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
