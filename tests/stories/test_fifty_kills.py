"""The real app is killed fifty times in the middle of a game: what it accepted is there, once."""

import json
import queue
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.content import catalogue
from companion.rules.board import neighbours
from companion.rules.engine import check
from companion.rules.position import Position
from companion.scenario.notation import action_from, position_from, position_to
from firmware_bridge.contract.link import Link
from tests.stories.driver import WAIT_S, Companion
from tests.support.mosquitto import Mosquitto, running_mosquitto

KILLS = 50
ROOT = "companion/1/home/"
PLAYER = {"vibes": {"move": ["wild", "", "", ""]}, "willpower": 5000}
START = {
    "players": {
        "diana": {"team": "bliss", "spirit": "harmony", "at": "valley", **PLAYER},
        "otto": {"team": "gloom", "spirit": "hatred", "at": "land", **PLAYER},
    }
}


class Client:
    """A script on the bus that plays whatever game is on."""

    def __init__(self, broker: Mosquitto) -> None:
        self._heard: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        self._link = Link(
            broker.url_for("app"),
            None,
            None,
            "script",
            filters=(ROOT + "game/state", ROOT + "reply/script"),
            on_message=self._hear,
        )
        self._link.start()
        assert self._link.wait_connected(WAIT_S)

    def _hear(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001 - the signature of Link
        if payload and not retained:
            self._heard.put((topic.removeprefix(ROOT), json.loads(payload)))

    def close(self) -> None:
        self._link.close()

    def say(self, command: dict[str, Any]) -> None:
        self._link.publish(ROOT + "command/script", json.dumps(command).encode())

    def hear(self, topic: str, within_s: float) -> dict[str, Any] | None:
        deadline = time.monotonic() + within_s
        while (left_s := deadline - time.monotonic()) > 0:
            try:
                name, payload = self._heard.get(timeout=left_s)
            except queue.Empty:
                return None
            if name == topic:
                return payload
        return None

    def forget(self) -> None:
        while not self._heard.empty():
            self._heard.get()

    def insist(self, command: dict[str, Any]) -> dict[str, Any]:
        """Say a command until it is answered, as after a start of which nobody knows when it is over."""
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            self.say(command)
            if (reply := self.hear("reply/script", 0.2)) is not None and reply["id"] == command["id"]:
                return reply
        raise AssertionError(f"never answered: {command}")


def next_do(position: Position) -> dict[str, Any]:
    if position.turn.actions_left == 0:
        return {"action": "end-turn", "gain": "cards"}
    at = position.actor.at
    assert at is not None
    taken = {player.at for player in position.players.values()}
    return {"action": "move", "to": next(space for space in neighbours(at) if space not in taken)}


def played(position: Position, do: dict[str, Any]) -> Position:
    after = check(position, action_from(do), catalogue()).after
    assert after is not None
    return after


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with running_mosquitto(tmp_path / "broker") as running:
        yield running


@pytest.mark.timeout(400)
def test_fifty_kills_at_random_points_lose_nothing_and_double_nothing(
    broker: Mosquitto, tmp_path: Path
) -> None:
    chance = random.Random(2)  # noqa: S311 - not for secrets
    client = Client(broker)
    companion = Companion(tmp_path / "data", "--broker", broker.url_for("app"))
    position = position_from(START, catalogue())
    reply = client.insist({"id": "setup", "setup": START})
    assert reply["verdict"] == "legal"
    seq, number, slowest_s = reply["seq"], 0, 0.0
    try:
        for _ in range(KILLS):
            kill_at = time.monotonic() + chance.uniform(0, 0.15)
            open_command: dict[str, Any] | None = None
            while time.monotonic() < kill_at:
                number += 1
                open_command = {"id": f"c{number}", "do": next_do(position)}
                client.say(open_command)
                answer = client.hear("reply/script", kill_at - time.monotonic())
                if answer is None:
                    break
                assert answer["verdict"] == "legal", answer
                assert answer["seq"] == seq + 1
                seq, position, open_command = seq + 1, played(position, open_command["do"]), None
            companion.kill()
            client.forget()

            started_s = time.monotonic()
            companion.start()
            if open_command is None:
                number += 1
                open_command = {"id": f"c{number}", "do": next_do(position)}
            # Accepted just before the end or not at all: said again it counts exactly once.
            answer = client.insist(open_command)
            slowest_s = max(slowest_s, time.monotonic() - started_s)
            assert answer["verdict"] == "legal", answer
            assert answer["seq"] == seq + 1
            seq, position = seq + 1, played(position, open_command["do"])
        client.forget()
        number += 1
        client.say({"id": f"c{number}", "do": next_do(position)})
        state = client.hear("game/state", WAIT_S)
        assert state is not None
        expected = position_to(played(position, next_do(position)), public=True)
        assert {key: state[key] for key in expected} == expected
    finally:
        client.close()
        assert "Traceback" not in companion.stop()
    print(  # noqa: T201 - the figure of the report
        f"{KILLS} kills, {seq} accepted changes, slowest restart to the first answer {slowest_s:.2f} s"
    )
