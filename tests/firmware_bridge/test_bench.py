"""The benchmark of the idle bridge: its rows, and the bounds they are kept for."""

import json
from collections.abc import Iterator

import pytest

from companion.bus.broker import EmbeddedBroker
from firmware_bridge import bench


@pytest.fixture
def broker() -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker("bench") as found:
        yield found


def test_an_idle_bridge_costs_about_what_a_bare_read_loop_does(
    broker: EmbeddedBroker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "SETTLE_S", 1.5)
    monkeypatch.setattr(bench, "WATCH_S", 1.0)
    assert bench.main(["--broker", broker.url_for("bridge"), "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert len(rows) == 4
    for name, row in rows.items():
        # The figures themselves are the benchmark's; here only a leak or a busy loop may show.
        assert 0 <= row["ours"] < row["theirs"] + {"MB": 15, "% of a core": 50}[row["unit"]], name


def test_without_a_broker_it_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main([])
    assert "--broker is missing" in capsys.readouterr().err
