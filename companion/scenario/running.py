"""Running the tries of a scenario: verdict by verdict, each held against what the file says."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.remedy import remedy
from companion.rules.verdict import Verdict
from companion.rules.words import cost_words
from companion.scenario.compare import differences
from companion.scenario.errors import shown
from companion.scenario.files import Scenario, Try
from companion.scenario.notation import cost_to, verdict_to


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one try."""

    tried: Try
    verdict: Verdict | None
    """None where the try that it follows on was not legal."""
    message: str
    """Why not, with the way out where there is one; "" for a legal action."""
    faults: tuple[str, ...]
    """Where it differs from what the file says; empty where all agrees."""

    @property
    def ok(self) -> bool:
        """Whether the try came out as the file says."""
        return not self.faults


def outcomes(scenario: Scenario) -> Iterator[Outcome]:
    """Run the tries of a scenario in their order."""
    ends: dict[str, Position] = {}
    for tried in scenario.tries:
        start = scenario.position if tried.after_try is None else ends.get(tried.after_try)
        if start is None:
            fault = f"can't be run: {shown(tried.after_try)}, which it follows on, was not legal"
            yield Outcome(tried, None, "", (fault,))
            continue
        verdict = check(start, tried.do, scenario.cards)
        if verdict.after is not None:
            ends[tried.name] = verdict.after
        elif tried.expect != "legal":
            # What is refused changes nothing.
            ends[tried.name] = start
        yield Outcome(
            tried, verdict, _message(scenario, start, tried, verdict), _faults(tried, verdict, start)
        )


def _message(scenario: Scenario, start: Position, tried: Try, verdict: Verdict) -> str:
    message = str(verdict_to(verdict)["message"])
    way = remedy(start, tried.do, scenario.cards) if verdict.status == "illegal" else None
    return message if way is None else f"{message} {way.text}"


def _faults(tried: Try, verdict: Verdict, start: Position) -> tuple[str, ...]:
    if verdict.status != tried.expect:
        because = f" ({', '.join(verdict.rules)})" if verdict.rules else ""
        return (f"{tried.expect} expected, {verdict.status} found{because}",)
    faults = []
    if tried.rule is not None and tried.rule not in verdict.rules:
        faults.append(f"{tried.rule} expected, {', '.join(verdict.rules) or 'no rule'} found")
    if tried.cost is not None and {k: n for k, n in tried.cost.items() if n} != cost_to(verdict.cost):
        stated = ", ".join(f"{n} {name.capitalize()}" for name, n in tried.cost.items() if n) or "nothing"
        faults.append(f"a cost of {stated} expected, {cost_words(verdict.cost)} found")
    names = [missing.name for missing in verdict.missing]
    faults += [f"{name} expected to be missing" for name in tried.missing if name not in names]
    if tried.after is not None:
        faults += differences(tried.after, verdict.after or start)
    return tuple(faults)
