"""Topics of one table: built and taken apart here and nowhere else."""

import re
from dataclasses import dataclass
from typing import Final

from firmware_bridge.contract.errors import TopicError

CONTRACT_VERSION: Final = 1
"""Stands in every topic; a new number is a new public interface."""

_TABLE: Final = re.compile(r"[a-z0-9-]{1,64}")
_NAME: Final = r"[^/+#\x00]{1,64}"
_LEVEL: Final = re.compile(_NAME)

_KINDS_BY_DEPTH: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("space", re.compile(r"space/(.+/.+)")),
    ("lights", re.compile(rf"node/({_NAME})/lights")),
    ("write", re.compile(rf"node/({_NAME})/write")),
    ("written", re.compile(rf"node/({_NAME})/written")),
    ("node", re.compile(rf"node/({_NAME})")),
    ("game", re.compile(r"game/(state|event|ask)")),
    ("command", re.compile(rf"command/({_NAME})")),
    ("reply", re.compile(rf"reply/({_NAME})")),
    ("sim_field", re.compile(r"sim/field/(.+/.+)")),
)


def is_table_id(name: str) -> bool:
    """Tell whether `name` may be a table's id: a to z, 0 to 9 and hyphens."""
    return _TABLE.fullmatch(name) is not None


def is_level(name: str) -> bool:
    """Tell whether `name` may stand as one level of a topic, such as a node's or a client's name."""
    return _LEVEL.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table.

    Args:
        table: the table's id.

    Raises:
        TopicError: `table` is no table id, or a name given to a method can't be one level of a topic.
    """

    table: str

    def __post_init__(self) -> None:
        if not is_table_id(self.table):
            raise TopicError(f"table id {self.table!r}: use 1 to 64 of a-z, 0-9 and -")

    @property
    def root(self) -> str:
        """What every topic of the table begins with, the slash included."""
        return f"companion/{CONTRACT_VERSION}/{self.table}/"

    def space(self, space: str) -> str:
        """What lies on `space` (like `slot/valley.1`)."""
        return f"{self.root}space/{space}"

    def node(self, node: str) -> str:
        """Whether a node is there, and its readers' health; also the topic of its will."""
        return f"{self.root}node/{_level(node)}"

    def lights(self, node: str) -> str:
        """The lights that a node should show."""
        return f"{self.node(node)}/lights"

    def write(self, node: str) -> str:
        """A tag on that node's readers that should be written."""
        return f"{self.node(node)}/write"

    def written(self, node: str) -> str:
        """What came of it."""
        return f"{self.node(node)}/written"

    @property
    def all_written(self) -> str:
        """Filter for what came of writing on every node."""
        return f"{self.root}node/+/written"

    @property
    def game_state(self) -> str:
        """The public position."""
        return f"{self.root}game/state"

    @property
    def game_event(self) -> str:
        """Each action, accepted or refused."""
        return f"{self.root}game/event"

    @property
    def game_ask(self) -> str:
        """The question that is open on the screen."""
        return f"{self.root}game/ask"

    def command(self, client: str) -> str:
        """What another screen, a script or staff asks for."""
        return f"{self.root}command/{_level(client)}"

    def reply(self, client: str) -> str:
        """The answers to that client's commands."""
        return f"{self.root}reply/{_level(client)}"

    def sim_field(self, space: str) -> str:
        """The tags in the field of the simulated reader of `space`."""
        return f"{self.root}sim/field/{space}"

    @property
    def all_spaces(self) -> str:
        """Filter for every `space` topic."""
        return f"{self.root}space/#"

    @property
    def all_nodes(self) -> str:
        """Filter for every `node` topic (lights are one level deeper)."""
        return f"{self.root}node/+"

    @property
    def all_lights(self) -> str:
        """Filter for the lights of every node."""
        return f"{self.root}node/+/lights"

    @property
    def all_commands(self) -> str:
        """Filter for every `command` topic."""
        return f"{self.root}command/+"

    @property
    def all_replies(self) -> str:
        """Filter for every `reply` topic."""
        return f"{self.root}reply/+"

    @property
    def all_game(self) -> str:
        """Filter for state, events and questions."""
        return f"{self.root}game/#"

    @property
    def all_sim_fields(self) -> str:
        """Filter for the fields of every simulated reader."""
        return f"{self.root}sim/field/#"

    def parse(self, topic: str) -> tuple[str, str] | None:
        """Take a topic apart.

        Args:
            topic: a whole topic, as it came.

        Returns:
            Kind and name, such as `("space", "slot/valley.1")`, `("node", "pads")`, `("lights", "pads")`,
            `("game", "state")`, `("command", "tablet")`, `("reply", "tablet")` or
            `("sim_field", "slot/valley.1")`; None if it is no topic of this table. Whether a space exists
            is not looked at.
        """
        if not topic.startswith(self.root):
            return None
        rest = topic.removeprefix(self.root)
        for kind, pattern in _KINDS_BY_DEPTH:
            if match := pattern.fullmatch(rest):
                return kind, match[1]
        return None


def _level(name: str) -> str:
    if not is_level(name):
        raise TopicError(f"{name!r} can't stand in a topic: use 1 to 64 characters without / + #")
    return name
