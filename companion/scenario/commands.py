"""The commands on scenario files: `companion check` and `companion legal`, as functions."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from stat import S_ISDIR
from typing import Any, TextIO

from companion.rules.accounts import describe
from companion.rules.engine import legal_actions
from companion.rules.words import cost_words
from companion.scenario.errors import ScenarioError, one_line
from companion.scenario.files import Scenario, read_scenario
from companion.scenario.notation import action_to, cost_to, verdict_to
from companion.scenario.running import Outcome, outcomes
from companion.scenario.telling import DONE, FAILED, UNUSABLE, counted, printed_values, say, usable_scenario


def check(paths: Iterable[str | Path], *, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Run scenario files and tell where a verdict is not what its file says.

    Args:
        paths: files, and folders whose *.toml are taken at any depth.
        as_json: one JSON object a line in place of words.
        out: where the outcomes go.
        err: where files that can't be used are named, a line each.

    Returns:
        0 all as the files say, 1 some try otherwise, 2 some file or path can't be used.
    """
    cards = printed_values(err)
    if cards is None:
        return UNUSABLE
    report = _Report(as_json, out)
    unusable = 0
    for found in _files(paths):
        try:
            if isinstance(found, ScenarioError):
                raise found
            report.add(read_scenario(found, cards))
        except ScenarioError as e:
            unusable += 1
            err.write(f"{e}\n")
    report.close(unusable)
    if unusable:
        return UNUSABLE
    return FAILED if report.failed else DONE


def _files(paths: Iterable[str | Path]) -> Iterator[str | ScenarioError]:
    """Yield the files that the paths name; for a path without any, what is wrong with it."""
    for given in paths:
        name = str(given)
        try:
            kind = Path(name).stat().st_mode
        except (OSError, ValueError) as e:
            missing = isinstance(e, FileNotFoundError)
            problem = "there is no such file or folder" if missing else f"can't be read: {_reason(e)}"
            yield ScenarioError(one_line(name), None, "", problem)
            continue
        if S_ISDIR(kind):
            yield from _below(name)
        else:
            yield name


def _below(folder: str) -> Iterator[str | ScenarioError]:
    """Yield every *.toml in and below a folder, then the folders that can't be looked into."""
    closed: list[OSError] = []
    found = [
        str(Path(where, name))
        for where, _, names in os.walk(folder, onerror=closed.append)
        for name in names
        if name.endswith(".toml")
    ]
    yield from sorted(found)
    for e in closed:
        yield ScenarioError(one_line(str(e.filename)), None, "", f"can't be read: {_reason(e)}")
    if not found and not closed:
        yield ScenarioError(one_line(folder), None, "", "has no *.toml file in it or below")


def _reason(error: OSError | ValueError) -> str:
    return str(getattr(error, "strerror", None) or error)


class _Report:
    """Writes outcomes, and counts them."""

    def __init__(self, as_json: bool, out: TextIO) -> None:  # noqa: FBT001
        self.as_json = as_json
        self.out = out
        self.files = 0
        self.tries = 0
        self.failed = 0

    def add(self, scenario: Scenario) -> None:
        self.files += 1
        for outcome in outcomes(scenario):
            self.tries += 1
            self.failed += not outcome.ok
            if self.as_json:
                self.out.write(json.dumps(_as_json(scenario, outcome)) + "\n")
            elif not outcome.ok:
                self._explain(scenario, outcome)

    def _explain(self, scenario: Scenario, outcome: Outcome) -> None:
        say(self.out, f"{scenario.file}: {one_line(outcome.tried.name)}")
        for fault in outcome.faults:
            say(self.out, f"    {fault}")
        if outcome.message:
            say(self.out, f"    verdict: {outcome.message}")

    def close(self, unusable: int) -> None:
        if self.as_json:
            return
        counts = f"{counted(self.tries, 'try', 'tries')} in {counted(self.files, 'file', 'files')}"
        outcome = f"{self.failed} failed" if self.failed else "all as expected"
        if not self.tries:
            outcome = "nothing was run"
        beside = f", {counted(unusable, 'file or path', 'files or paths')} not usable" if unusable else ""
        self.out.write(f"{counts}: {outcome}{beside}\n")


def _as_json(scenario: Scenario, outcome: Outcome) -> dict[str, Any]:
    verdict = (
        {"verdict": None, "rules": [], "message": "; ".join(outcome.faults), "cost": {}, "missing": []}
        if outcome.verdict is None
        else verdict_to(outcome.verdict) | {"message": outcome.message}
    )
    return {
        "file": scenario.file,
        "title": scenario.title,
        "try": outcome.tried.name,
        "expect": outcome.tried.expect,
        **verdict,
        "ok": outcome.ok,
    }


def legal(path: str | Path, *, as_json: bool, out: TextIO, err: TextIO) -> int:
    """List every legal action of the player to act in the position of a scenario file, with its cost.

    Args:
        path: the file.
        as_json: one JSON object a line, `{"do": {..}, "cost": {..}}`, in place of words.
        out: where the actions go.
        err: where it is said why the file can't be used.

    Returns:
        0, or 2 where the file can't be used.
    """
    scenario = usable_scenario(path, err)
    if scenario is None:
        return UNUSABLE
    count = 0
    for action, verdict in legal_actions(scenario.position, scenario.cards):
        count += 1
        if as_json:
            line = json.dumps({"do": action_to(action), "cost": cost_to(verdict.cost)})
        else:
            after = verdict.after or scenario.position
            line = (
                f"{describe(scenario.position, action, after, scenario.cards)} ({cost_words(verdict.cost)})"
            )
        say(out, line)
    if not as_json:
        out.write(f"{counted(count, 'legal action', 'legal actions')}\n")
    return DONE
