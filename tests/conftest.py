"""Shared by every test: in CI a skipped test is a failed one."""

import os

import pytest
from hypothesis import settings

# Absolute times vary with what else the machine does; speed is `companion bench`'s matter.
settings.register_profile("table", deadline=None)
settings.load_profile("table")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.write_line(
            "Some tests need system packages that are not here: "
            "apt install mosquitto mosquitto-clients libegl1 libgles2 libgl1 libgl1-mesa-dri nodejs npm"
        )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = exitstatus or pytest.ExitCode.TESTS_FAILED
