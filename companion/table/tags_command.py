"""`companion tags`: the registry from the command line."""

from pathlib import Path
from typing import TextIO

from companion.table.errors import RegistryError, TagListError
from companion.table.registry import Registry, from_csv, load, save, to_csv


def run(verb: str, file: Path | None, *, data: Path, out: TextIO, err: TextIO) -> int:
    """Carry out `companion tags VERB [FILE] --data DIR`.

    Args:
        verb: list, export or import; enrol and write are `companion.tags_at_table`'s.
        file: the CSV file of import and export; export without one writes to `out`.
        data: the data folder.
        out: for what was asked for.
        err: for one clear line per fault.

    Returns:
        The exit status: 0 done, 2 the input or the arguments can't be used.
    """
    try:
        if verb == "import":
            return _import(file, data, out, err)
        registry, notices = load(data)
        for notice in notices:
            print(f"companion: {notice}", file=err)
        return _list(registry, out, err) if verb == "list" else _export(registry, file, out, err)
    except TagListError as error:
        for problem in error.problems:
            print(f"companion: {problem}", file=err)
    except RegistryError as error:
        print(f"companion: {error}", file=err)
    return 2


def _list(registry: Registry, out: TextIO, err: TextIO) -> int:
    for line in to_csv(registry).splitlines()[1:]:
        uid, component = line.split(",")
        print(f"{uid:<20}  {component}", file=out)
    if not registry.components:
        print("companion: no tags are registered yet: companion tags import FILE", file=err)
    return 0


def _export(registry: Registry, file: Path | None, out: TextIO, err: TextIO) -> int:
    text = to_csv(registry)
    if file is None:
        out.write(text)
        return 0
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"companion: {file}: can't be written ({error.strerror}): choose another file", file=err)
        return 2
    print(f"{file}: {text.count(chr(10)) - 1} tags", file=out)
    return 0


def _import(file: Path | None, data: Path, out: TextIO, err: TextIO) -> int:
    if file is None:
        print("companion: tags import needs a CSV file: companion tags import FILE", file=err)
        return 2
    try:
        new = from_csv(file.read_bytes().decode("utf-8"), str(file))
    except OSError as error:
        print(f"companion: {file}: can't be read ({error.strerror}): check the name", file=err)
        return 2
    except UnicodeDecodeError as error:
        print(f"companion: {file}: not UTF-8 at byte {error.start}: save it as UTF-8", file=err)
        return 2
    old, notices = load(data)
    for notice in notices:
        print(f"companion: {notice}", file=err)
    both = new.over(old)
    save(data, both)
    dropped = len(old.components.items() - both.components.items())
    print(f"{file}: {len(new.components)} tags imported, {dropped} older ones replaced", file=out)
    return 0
