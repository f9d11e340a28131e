"""Tags and components: CSV with a line for each fault, kept whole or not at all."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import content
from companion.table.errors import ComponentError, RegistryNotSaved, TagListError
from companion.table.lay import FIELDS, lay_table
from companion.table.layout import Fact, see
from companion.table.pieces import Piece, piece
from companion.table.registry import FILE, Registry, from_csv, load, save, to_csv, uid_fault, virtual_registry
from companion.table.tags_command import run
from tests.table.story import EMPOWER, Story

KINDNESS = "emotion/bliss/kindness/1"
UID = "04A3C6CAE26180"


def test_the_virtual_set_has_a_right_tag_for_every_component_the_same_each_time() -> None:
    registry = virtual_registry()
    assert sorted(registry.components.values()) == sorted(content.components())
    assert registry == virtual_registry()
    for uid in registry.components:
        assert uid_fault(uid) is None
        assert uid.startswith("04")
        assert uid[6:8] != "88"


def test_what_is_written_reads_back_the_same() -> None:
    assert from_csv(to_csv(virtual_registry()), "tags.csv") == virtual_registry()


def test_a_file_saved_by_a_spreadsheet_reads_too() -> None:
    text = f'\ufeffuid,component\r\n{UID},"{KINDNESS}"\r\n\r\n'
    assert from_csv(text, "tags.csv").components == {UID: KINDNESS}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("04a3c6cae26180,spirit/love", "8, 14 or 20 hex digits in upper case"),
        ("04A3C6,spirit/love", "8, 14 or 20 hex digits"),
        ("04-A3-C6-CA-E2-61-80,spirit/love", "8, 14 or 20 hex digits"),
        ("8804A3C6,spirit/love", "cut-off id"),
        ("8804A3C6E9,spirit/love", "cut-off id"),
        (f"{UID}", "1 fields instead of two"),
        (f"{UID},spirit/love,x", "3 fields instead of two"),
        (f"{UID},spirit/joy", "there is no Spirit 'joy'"),
        (f"{UID},emotion/bliss/joy/1", "there is no Emotion 'joy'"),
        (f"{UID},emotion/gloom/kindness/1", "kindness belongs to bliss"),
        (f"{UID},emotion/bliss/kindness", "is no component"),
        (f"{UID},dragon/1", "is no component"),
    ],
)
def test_each_fault_is_told_with_file_and_line(line: str, fault: str) -> None:
    with pytest.raises(TagListError) as failed:
        from_csv(f"uid,component\n04AABBCCDDEE80,staff/1\n{line}\n", "tags.csv")
    (problem,) = failed.value.problems
    assert problem.startswith("tags.csv:3: ")
    assert fault in problem


def test_an_eight_digit_id_that_does_not_begin_with_88_is_right() -> None:
    assert uid_fault("0488A3C6") is None
    assert uid_fault("88A3C6CAE26180") is None


def test_tags_and_components_named_twice_are_told_with_the_first_line() -> None:
    text = f"uid,component\n{UID},staff/1\n{UID},staff/2\n04AABBCCDDEE80,staff/1\n"
    with pytest.raises(TagListError) as failed:
        from_csv(text, "tags.csv")
    assert failed.value.problems == (
        f"tags.csv:3: tag {UID} stands in line 2 already: a tag sticks to one component",
        "tags.csv:4: staff/1 has a tag in line 2 already: a component has one tag",
    )


def test_a_file_without_its_header_is_refused() -> None:
    with pytest.raises(TagListError, match=r"tags\.csv:1: the first line must be `uid,component`"):
        from_csv(f"{UID},{KINDNESS}\n", "tags.csv")


@given(st.text(max_size=200) | st.text(alphabet='uidcomponent,04AF8"\n/\r1', max_size=200))
def test_no_text_whatever_does_more_than_be_refused(text: str) -> None:
    for data in (text, f"uid,component\n{text}"):
        try:
            registry = from_csv(data, "tags.csv")
        except TagListError as error:
            problems = error.problems
        else:
            problems = ("tags.csv: none",)
            assert from_csv(to_csv(registry), "tags.csv") == registry
        assert problems
        assert all(problem.startswith("tags.csv:") for problem in problems)


def test_the_folders_own_registry_goes_before_the_virtual_one() -> None:
    virtual = virtual_registry()
    taken = next(iter(virtual.components))
    own = Registry({UID: KINDNESS, taken: "staff/1"})
    both = own.over(virtual)
    assert both.component(UID) == KINDNESS
    assert both.tags(KINDNESS) == (UID,)
    assert both.component(taken) == "staff/1"
    assert both.piece("04FFFFFFFFFFFF") == Piece("unknown", "04FFFFFFFFFFFF")


def test_what_was_saved_is_loaded_again(tmp_path: Path) -> None:
    save(tmp_path / "new", virtual_registry())
    assert load(tmp_path / "new") == (virtual_registry(), ())
    assert [path.name for path in (tmp_path / "new").iterdir()] == [FILE]


def test_a_folder_without_a_registry_knows_no_tags(tmp_path: Path) -> None:
    assert load(tmp_path / "nowhere") == (Registry(), ())


@pytest.mark.parametrize("damage", [b"", b"uid,comp", b"\xff\xfe\x00", b"uid,component\nrubbish\n"])
def test_a_damaged_registry_is_set_aside_not_fatal(tmp_path: Path, damage: bytes) -> None:
    for _ in range(2):
        (tmp_path / FILE).write_bytes(damage)
        registry, (notice,) = load(tmp_path)
        assert registry == Registry()
        assert "set aside as tags.damaged-" in notice
        assert "\n" not in notice
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == [damage, damage]


def test_a_registry_that_cannot_be_saved_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RegistryNotSaved, match="the tags can't be saved here"):
        save(tmp_path / "file", virtual_registry())


@pytest.mark.parametrize(
    "text", ["", "emotion", "emotion/bliss/kindness/0", "vibe/pink/1", "spirit/Love", "staff/x"]
)
def test_what_is_no_component_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(ComponentError, match="is no component: write emotion/bliss/kindness/1"):
        piece(text)


# The command


def tags(data: Path, verb: str, file: Path | None = None) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return run(verb, file, data=data, out=out, err=err), out.getvalue(), err.getvalue()


def test_import_list_and_export_go_round(tmp_path: Path) -> None:
    source, target, data = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "data"
    source.write_text(f"uid,component\n{UID},{KINDNESS}\n04AABBCCDDEE80,spirit/love\n")
    assert tags(data, "import", source) == (0, f"{source}: 2 tags imported, 0 older ones replaced\n", "")
    status, listed, _ = tags(data, "list")
    assert status == 0
    assert listed.splitlines() == [f"{UID}        {KINDNESS}", "04AABBCCDDEE80        spirit/love"]
    assert tags(data, "export", target)[0] == 0
    assert target.read_text() == source.read_text()
    assert tags(data, "export")[1] == source.read_text()

    source.write_text(f"uid,component\n04AABBCCDDEE80,{KINDNESS}\n")
    assert tags(data, "import", source)[1] == f"{source}: 1 tags imported, 2 older ones replaced\n"
    assert tags(data, "export")[1] == source.read_text()


def test_a_file_with_faults_imports_nothing_and_tells_them_all(tmp_path: Path) -> None:
    source, data = tmp_path / "in.csv", tmp_path / "data"
    source.write_text(f"uid,component\n{UID},{KINDNESS}\n8804A3C6,staff/1\nxyz,staff/2\n")
    status, out, err = tags(data, "import", source)
    assert (status, out) == (2, "")
    assert [line.split(": ")[1] for line in err.splitlines()] == [f"{source}:3", f"{source}:4"]
    assert load(data) == (Registry(), ())


def test_what_cannot_be_used_is_one_line_and_exit_2(tmp_path: Path) -> None:
    binary, taken = tmp_path / "binary.csv", tmp_path / "taken"
    binary.write_bytes(b"\xff\xff")
    taken.touch()
    good = tmp_path / "good.csv"
    good.write_text(f"uid,component\n{UID},{KINDNESS}\n")
    for answer in (
        tags(tmp_path, "import"),
        tags(tmp_path, "import", tmp_path / "nowhere.csv"),
        tags(tmp_path, "import", tmp_path),
        tags(tmp_path, "import", binary),
        tags(taken, "import", good),
        tags(tmp_path, "export", tmp_path / "no" / "folder.csv"),
    ):
        status, out, err = answer
        assert (status, out) == (2, "")
        assert err.startswith("companion: ")
        assert err.count("\n") == 1


def test_an_empty_registry_lists_nothing_and_says_how_to_fill_it(tmp_path: Path) -> None:
    assert tags(tmp_path, "list") == (
        0,
        "",
        "companion: no tags are registered yet: companion tags import FILE\n",
    )
    assert tags(tmp_path, "export") == (0, "uid,component\n", "")


# Laying a table


def test_a_table_laid_for_a_position_looks_like_it() -> None:
    story = Story()
    laid = lay_table(story.position, story.game.cards, story.game.registry)
    assert set(laid) == set(FIELDS)
    seen = see({space: Fact(tags, "ok", 0.0) for space, tags in laid.items()}, story.game.registry)
    lying = {space: content for space, content in seen.layout.items() if content}
    assert lying == {
        space: content for space, content in story.game.layout.items() if not space.startswith("vibe/")
    }


def test_two_copies_of_a_title_are_two_tags_and_tags_that_lie_elsewhere_are_not_used() -> None:
    slots = {slot: {"emotion": "kindness", "essence": 1} for slot in ("valley.1", "cradle.1", "land.2")}
    story = Story({**EMPOWER, "slots": slots})
    first = lay_table(story.position, story.game.cards, story.game.registry)
    used = [uid for slot in slots for uid in first[f"slot/{slot}"]]
    assert len(set(used)) == 3
    second = lay_table(story.position, story.game.cards, story.game.registry, lying=used)
    assert not {uid for slot in slots for uid in second[f"slot/{slot}"]} & set(used)
    assert sum(len(second[f"slot/{slot}"]) for slot in slots) == 1  # Of four copies one is left.


@pytest.mark.parametrize(
    "text",
    [
        f"uid;component\r\n{UID};{KINDNESS}\r\n;\r\n",
        f"\ufeffsep=;\r\nUID;Component\r\n{UID};{KINDNESS}\r\n",
        f"uid\tcomponent\n{UID}\t{KINDNESS}\n",
        f" uid , component \n {UID} , {KINDNESS} \n,\n",
    ],
)
def test_what_spreadsheets_of_other_countries_save_reads_too(text: str) -> None:
    assert from_csv(text, "tags.csv").components == {UID: KINDNESS}


@pytest.mark.parametrize("uid", ["4.12346E+12", "4,12346E+12", "4123456789012"])
def test_an_id_that_a_spreadsheet_made_a_number_of_is_named_for_that(uid: str) -> None:
    with pytest.raises(TagListError, match=r"tags\.csv:2: .*a spreadsheet took for a number"):
        from_csv(f"uid;component\n{uid};staff/1\n", "tags.csv")
