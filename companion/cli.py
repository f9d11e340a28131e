"""The `companion` command: reads the arguments, and hands over to the part that does the work."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from companion.errors import CompanionError, StartError

MOST_COUNTED: Final = 1_000_000
"""Games, actions in a line: more is a slip of the finger."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the arguments after the program's name; None takes those of the process.

    Returns:
        The exit status: 0 done, 1 a check failed, 2 the input or the arguments can't be used.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "play")
    args = parser.parse_args(words)
    try:
        return int(args.run(args))
    except CompanionError as error:
        print(f"companion: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone (`companion legal FILE | head`); nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """End with status 2 and one line that names the mend."""
        self.exit(2, f"companion: {message}: see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="companion",
        description="The table companion for Cerebria (unofficial). Without a command it plays.",
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="the touchscreen app (the default)")
    play.add_argument("--table", type=Path, metavar="FILE", help="a real table; without it a virtual one")
    _add_data(play)
    play.add_argument(
        "--broker",
        metavar="URL",
        help="an existing broker: mqtt://[USER:PASSWORD@]HOST:PORT; else an embedded one",
    )
    play.add_argument("--headless", action="store_true", help="no window; everything else runs")
    play.set_defaults(run=_play)

    check = commands.add_parser("check", help="run scenario files, or every *.toml below a folder")
    check.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    check.add_argument("--json", action="store_true", help="one JSON object a line for each try")
    check.set_defaults(run=_check)

    legal = commands.add_parser("legal", help="every legal action of the player to act, with its cost")
    legal.add_argument("file", type=Path, metavar="FILE")
    legal.add_argument("--json", action="store_true", help="one JSON object a line for each action")
    legal.set_defaults(run=_legal)

    _add_games(commands)

    tags = commands.add_parser("tags", help="the tag registry: list, enrol, write, export, import")
    tags.add_argument("verb", choices=("list", "enrol", "write", "export", "import"))
    tags.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the CSV file of import and export")
    tags.add_argument("--table", type=Path, metavar="FILE", help="whose readers, for enrol and write")
    _add_data(tags)
    tags.set_defaults(run=_tags)

    games = commands.add_parser("games", help="the games that are kept: list, export, import, delete")
    games.add_argument("verb", choices=("list", "export", "import", "delete"))
    games.add_argument("what", nargs="*", metavar="ARG", help="GAME [FILE] of export, FILE of import, GAME")
    games.add_argument("--yes", action="store_true", help="delete: yes, for good")
    _add_data(games)
    games.set_defaults(run=_games)

    _add_hardware(commands)

    shots = commands.add_parser(
        "shots", help="draw every screen of the app into PNG files, without a display"
    )
    shots.add_argument("--out", required=True, type=Path, metavar="DIR")
    shots.add_argument("--size", default=(1280, 800), type=_size, metavar="WxH", help="default 1280x800")
    shots.set_defaults(run=_shots)

    bench = commands.add_parser("bench", help="the benchmarks, each beside what it is measured against")
    bench.add_argument("--json", action="store_true", help="one JSON object a line for each figure")
    bench.set_defaults(run=_bench)
    return parser


def _add_games(commands: "argparse._SubParsersAction[_Parser]") -> None:
    """Add the commands that play through actions by themselves."""
    perft = commands.add_parser("perft", help="count the tree of legal actions, by first action and in all")
    perft.add_argument("file", type=Path, metavar="FILE")
    perft.add_argument("--depth", required=True, type=_counted, metavar="N", help="actions in a line")
    perft.add_argument("--json", action="store_true", help="one JSON object a line for each first action")
    perft.set_defaults(run=_perft)

    simulate = commands.add_parser("simulate", help="play whole games with random legal actions")
    simulate.add_argument("--games", required=True, type=_counted, metavar="N", help="how many")
    simulate.add_argument(
        "--seed", required=True, type=int, metavar="S", help="the same seed plays the same games"
    )
    simulate.add_argument("--mode", choices=("full", "basic"), default="full", help="default full")
    simulate.add_argument("--players", choices=(2, 3, 4), type=int, default=4, help="default 4")
    simulate.add_argument("--json", action="store_true", help="the figures as one JSON object")
    simulate.add_argument("--save", type=Path, metavar="DIR", help="write each game there, for replay")
    simulate.set_defaults(run=_simulate)

    replay = commands.add_parser("replay", help="a saved game move by move, and the final position")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.set_defaults(run=_replay)


def _add_hardware(commands: "argparse._SubParsersAction[_Parser]") -> None:
    """Add the commands that look at readers and machine."""
    scan = commands.add_parser("scan", help="what lies on each space, and how each reader does")
    scan.add_argument("--table", required=True, type=Path, metavar="FILE", help="whose readers")
    scan.add_argument("--once", action="store_true", help="one sweep; else on until Ctrl+C, with changes")
    scan.add_argument("--json", action="store_true", help="one JSON object a line for each space")
    _add_data(scan)
    scan.set_defaults(run=_scan)

    doctor = commands.add_parser(
        "doctor", help="check this machine and table, with the mend of what is found"
    )
    doctor.add_argument("--table", type=Path, metavar="FILE", help="also its broker, ports and readers")
    doctor.add_argument("--json", action="store_true", help="one JSON object a line for each finding")
    _add_data(doctor)
    doctor.set_defaults(run=_doctor)


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where games and the tag registry are kept",
        default=default_data_dir(),
    )


def default_data_dir() -> Path:
    """Return the folder for games and tags of this user (XDG Base Directory Specification)."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "cerebria-companion"


def _version() -> str:
    from importlib.metadata import version

    return f"companion {version('cerebria-companion')}"


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isascii() and width.isdigit() and height.isascii() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not WxH, such as 1280x800")
    if not (320 <= int(width) <= 8192 and 240 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(f"{text} is out of range: 320x240 to 8192x8192")
    return int(width), int(height)


def _counted(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:10]) <= MOST_COUNTED and len(text) <= 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MOST_COUNTED}")
    return int(text)


# The parts are imported when they are asked for: `check` needs neither Kivy nor a broker, and starts at once.


def _play(args: argparse.Namespace) -> int:
    from companion.app import Settings, play

    return play(Settings(table=args.table, data=args.data, broker=args.broker, headless=args.headless))


def _check(args: argparse.Namespace) -> int:
    from companion.scenario.commands import check

    return check(args.paths, as_json=args.json, out=sys.stdout, err=sys.stderr)


def _legal(args: argparse.Namespace) -> int:
    from companion.scenario.commands import legal

    return legal(args.file, as_json=args.json, out=sys.stdout, err=sys.stderr)


def _perft(args: argparse.Namespace) -> int:
    from companion.scenario.perft import perft

    return perft(args.file, args.depth, as_json=args.json, out=sys.stdout, err=sys.stderr)


def _simulate(args: argparse.Namespace) -> int:
    from companion.scenario.simulate import simulate

    return simulate(
        args.games,
        args.seed,
        mode=args.mode,
        players=args.players,
        as_json=args.json,
        out=sys.stdout,
        err=sys.stderr,
        clock=time.perf_counter,
        save=args.save,
    )


def _replay(args: argparse.Namespace) -> int:
    from companion.scenario.replay import replay

    return replay(args.file, out=sys.stdout, err=sys.stderr)


def _tags(args: argparse.Namespace) -> int:
    from companion.table.tags_command import run

    if args.verb in ("enrol", "write"):
        return _tags_at_table(args)
    return run(args.verb, args.file, data=args.data, out=sys.stdout, err=sys.stderr)


def _tags_at_table(args: argparse.Namespace) -> int:
    import logging

    from companion.tags_at_table import enrol, write
    from firmware_bridge.contract.errors import ContractError

    if args.table is None:
        raise StartError(f"tags {args.verb} needs the table whose readers are used: add --table FILE")
    logging.basicConfig(format="companion: %(message)s", level=logging.ERROR, stream=sys.stderr)
    try:
        if args.verb == "enrol":
            return enrol(args.table, args.data, typed=sys.stdin, out=sys.stdout)
        return write(args.table, args.data, typed=sys.stdin, out=sys.stdout, err=sys.stderr)
    except KeyboardInterrupt:
        return 1
    except ContractError as error:
        raise StartError(str(error)) from error


def _games(args: argparse.Namespace) -> int:
    from companion.session.games_command import run

    return run(
        args.verb,
        args.what,
        data=args.data,
        yes=args.yes,
        now_ms=time.time_ns() // 1_000_000,
        out=sys.stdout,
        err=sys.stderr,
    )


def _scan(args: argparse.Namespace) -> int:
    import logging
    import signal
    import threading

    from companion.scan.command import scan
    from firmware_bridge.contract.errors import ContractError

    # What it has to say it says itself, once; connections tell their troubles as warnings too.
    logging.basicConfig(format="companion: %(message)s", level=logging.ERROR, stream=sys.stderr)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        return scan(
            args.table,
            once=args.once,
            as_json=args.json,
            data=args.data,
            out=sys.stdout,
            err=sys.stderr,
            stop=stop,
        )
    except ContractError as error:
        raise StartError(str(error)) from error


def _doctor(args: argparse.Namespace) -> int:
    import logging

    from companion.doctor.command import doctor
    from firmware_bridge.contract.errors import ContractError

    # Whatever connections and parts have to tell is told as findings.
    logging.basicConfig(level=logging.CRITICAL)
    try:
        return doctor(args.table, data=args.data, as_json=args.json, out=sys.stdout)
    except KeyboardInterrupt:
        return 1
    except ContractError as error:
        raise StartError(str(error)) from error


def _shots(args: argparse.Namespace) -> int:
    from companion.ui.errors import UiError
    from companion.ui.shots import draw

    try:
        for picture in draw(args.out, args.size):
            print(picture)
    except UiError as error:
        raise StartError(str(error)) from error
    except OSError as error:
        raise StartError(f"{args.out}: the pictures can't be written: {error.strerror}") from error
    return 0


def _bench(args: argparse.Namespace) -> int:
    from companion.bench import run

    return run(as_json=args.json, out=sys.stdout)


if __name__ == "__main__":
    sys.exit(main())
