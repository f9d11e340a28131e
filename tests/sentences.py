"""Every sentence that the case files bring about, as people read it.

`tests/vectors/sentences.txt` keeps them: whoever changes one, or a fact in it, sees where it is read.
`python -m tests.sentences` writes the list anew.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.content import catalogue
from companion.rules.accounts import describe
from companion.rules.attempt import Rule
from companion.rules.cards import Catalogue
from companion.rules.engine import PLAIN, PROCEDURES, check
from companion.rules.frame import EVERY_ACTION, no_actions_left
from companion.rules.remedy import remedy
from companion.rules.upgrades import CHOICE, PAYMENT
from companion.rules.vibes import PLACING
from companion.rules.words import cost_words, missing_words
from companion.scenario.files import Scenario, read_scenario

if TYPE_CHECKING:
    from companion.rules.position import Position

CASES: Final = Path(__file__).parent / "cases"
KEPT: Final = Path(__file__).parent / "vectors" / "sentences.txt"


def rules() -> list[Rule[Any]]:
    """Return every rule that can refuse an action."""
    found: list[Rule[Any]] = [*EVERY_ACTION, no_actions_left, *CHOICE, *PAYMENT, *PLACING]
    for _, procedure in PROCEDURES.values():
        found += [*procedure.mode, *procedure.target]
    for plain in PLAIN.values():
        found += plain.rules
    return found


def said(scenario: Scenario) -> Iterator[tuple[str, list[str]]]:
    """Yield by try what people are told: why not and what would help, or what it costs and what it did."""
    ends: dict[str | None, Position] = {None: scenario.position}
    for tried in scenario.tries:
        start = ends[tried.after_try]
        verdict = check(start, tried.do, scenario.cards)
        ends[tried.name] = verdict.after or start
        if verdict.after is not None:
            account = describe(start, tried.do, verdict.after, scenario.cards)
            yield tried.name, [f"{account} [{cost_words(verdict.cost)}]"]
            continue
        lines = [f"{refusal.rule}: {refusal.text}" for refusal in verdict.refusals]
        if verdict.missing:
            lines.append(missing_words(verdict.missing))
        way = remedy(start, tried.do, scenario.cards) if verdict.refusals else None
        yield tried.name, [*lines, *([f"> {way.text}"] if way is not None else [])]


def listed(file: Path, cards: Catalogue) -> str:
    """Return what the tries of a case file bring about, each sentence where it is said first."""
    seen: set[str] = set()
    lines = [f"= {file.stem}"]
    for name, sentences in said(read_scenario(str(file), cards)):
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in seen]
        seen.update(new)
        if new:
            lines += [name, *(f"  {sentence}" for sentence in new)]
    return "\n".join(lines) + "\n"


def kept() -> dict[str, str]:
    """Return the kept list by case file."""
    parts = re.split(r"^(?== )", KEPT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {part[2 : part.index("\n")]: part for part in parts}


if __name__ == "__main__":
    printed = catalogue()
    KEPT.write_text("".join(listed(file, printed) for file in sorted(CASES.glob("*.toml"))), encoding="utf-8")
