from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bus.broker import EmbeddedBroker
from tests.support.bus import Broker
from tests.support.mosquitto import running_mosquitto


@pytest.fixture(params=["embedded", "mosquitto"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    """Both brokers that the product knows; one suite for both."""
    if request.param == "embedded":
        with EmbeddedBroker("home") as embedded:
            yield embedded
    else:
        with running_mosquitto(tmp_path) as mosquitto:
            yield mosquitto
