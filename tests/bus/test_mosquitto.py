import stat
from pathlib import Path

import pytest

from companion.bus.errors import MosquittoError, RoleError
from companion.bus.mosquitto import acl_text, configuration_text, main, write_configuration
from companion.bus.roles import ROLES
from tests.support.mosquitto import PASSWORDS, find_mosquitto


def test_the_configuration_is_loopback_with_passwords_and_without_delay(tmp_path: Path) -> None:
    text = configuration_text(tmp_path, port=1884)
    assert "listener 1884 127.0.0.1\n" in text
    assert "allow_anonymous false\n" in text
    assert "set_tcp_nodelay true\n" in text
    assert text.index("set_tcp_nodelay") < text.index("listener")


def test_the_access_list_names_every_role_and_the_table() -> None:
    text = acl_text("front-window")
    assert "user display\ntopic read companion/1/front-window/game/#\n" in text
    assert "user app\ntopic readwrite companion/1/front-window/#\n" in text
    assert (
        "user staff\ntopic read companion/1/front-window/#\ntopic write companion/1/front-window/command/#\n"
        in text
    )


def test_passwords_are_stored_as_hashes_that_only_their_owner_can_read(tmp_path: Path) -> None:
    find_mosquitto()
    write_configuration(tmp_path / "new", table="home", port=1884, passwords=PASSWORDS)
    stored = tmp_path / "new" / "passwords"
    text = stored.read_text()
    assert all(f"{role}:$" in text and password not in text for role, password in PASSWORDS.items())
    assert stat.S_IMODE(stored.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("password", ["", "two\nlines"])
def test_a_password_that_mosquitto_can_not_store_is_refused(tmp_path: Path, password: str) -> None:
    with pytest.raises(RoleError, match="the password of 'app' is empty or has a line break"):
        write_configuration(tmp_path, table="home", port=1884, passwords={"app": password})
    assert list(tmp_path.iterdir()) == []


def test_a_role_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RoleError, match="role 'boss' is not known"):
        write_configuration(tmp_path, table="home", port=1884, passwords={"boss": "x"})


def test_a_folder_that_can_not_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MosquittoError, match=r"file.*can't be written"):
        write_configuration(tmp_path / "file" / "x", table="home", port=1884, passwords=PASSWORDS)


def test_without_its_tool_no_password_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MosquittoError, match="apt install mosquitto"):
        write_configuration(tmp_path / "new", table="home", port=1884, passwords=PASSWORDS)
    assert not (tmp_path / "new" / "passwords").exists()


def test_the_command_makes_files_with_new_passwords_for_every_role(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find_mosquitto()
    assert main([str(tmp_path / "new"), "--table", "front-window", "--port", "1884"]) == 0
    assert capsys.readouterr().out == f"start it with: mosquitto -c {tmp_path / 'new' / 'mosquitto.conf'}\n"
    words = {(tmp_path / "new" / f"{role}.password").read_text() for role in ROLES}
    assert len(words) == len(ROLES)
    assert "companion/1/front-window/#" in (tmp_path / "new" / "acl").read_text()


@pytest.mark.parametrize("arguments", [["--table", "My table"], ["--port", "1883"]])
def test_the_command_says_in_one_line_what_it_can_not_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main([str(tmp_path / "file" / "x"), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("python -m companion.bus.mosquitto: ")
    assert error.count("\n") == 1
