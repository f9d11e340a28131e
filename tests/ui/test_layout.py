from itertools import combinations

import pytest

from companion.ui.layout import Frame, Rect, frame
from companion.ui.theme import SMALLEST_TOUCH_DP

SIZES = [
    (800, 480),
    (1024, 600),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
    (3840, 2160),
    (1080, 1920),
    (720, 1280),
]
TABLES = [
    ("bliss", "gloom", "bliss", "gloom"),
    ("gloom", "bliss", "gloom", "bliss"),
    ("bliss", "gloom", "bliss"),
    ("gloom", "bliss"),
]


def whole(size: tuple[int, int]) -> Rect:
    return Rect(0, 0, *size)


def parts(place: Frame) -> list[Rect]:
    tray = [] if place.tray is None else [place.tray]
    return [*place.seats, *place.teams, place.band, *tray]


@pytest.mark.parametrize("virtual", [False, True], ids=["real", "virtual"])
@pytest.mark.parametrize("teams", TABLES, ids=len)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_overlaps_and_nothing_covers_the_board(
    size: tuple[int, int], teams: tuple[str, ...], *, virtual: bool
) -> None:
    place = frame(size, teams, virtual=virtual)
    assert len(place.seats) == len(teams)
    room = whole(size)
    for rect in parts(place):
        assert rect.w > 0
        assert rect.h > 0
        assert room.has(rect.x, rect.y)
        assert room.has(rect.right, rect.top)
    for one, other in combinations(parts(place), 2):
        assert not one.meets(other)
    for rect in (*parts(place), *place.sheets):
        assert not rect.meets(place.board)


@pytest.mark.parametrize("virtual", [False, True], ids=["real", "virtual"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_board_is_what_gets_most_of_the_screen(size: tuple[int, int], *, virtual: bool) -> None:
    place = frame(size, TABLES[0], virtual=virtual)
    across = 2 * place.ring.radius
    assert across >= 0.62 * min(size)
    assert place.board.has(place.ring.x - place.ring.radius, place.ring.y)
    assert place.board.has(place.ring.x, place.ring.y + place.ring.radius)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_round_buttons_stand_clear_of_the_ring_and_are_large_enough(size: tuple[int, int]) -> None:
    place = frame(size, TABLES[0], virtual=True)
    for corner in place.corners:
        assert min(corner.w, corner.h) >= min(SMALLEST_TOUCH_DP, place.scale.touch) - 0.5
        x, y = corner.middle
        apart = ((x - place.ring.x) ** 2 + (y - place.ring.y) ** 2) ** 0.5
        assert apart - corner.w / 2 > place.ring.radius


def test_a_dense_screen_has_the_same_layout_in_more_pixels() -> None:
    once, twice = frame((800, 480), TABLES[0]), frame((1600, 960), TABLES[0], density=2.0)
    assert twice.ring.radius == pytest.approx(2 * once.ring.radius, rel=0.01)
    assert twice.scale.touch == 2 * once.scale.touch


def test_a_small_screen_with_pieces_shows_the_acting_seat_in_full() -> None:
    place = frame((800, 480), TABLES[0], virtual=True, acting=2)
    assert place.kind == "small"
    assert max(place.seats, key=lambda seat: seat.h) is place.seats[2]


def test_text_shrinks_less_than_the_room() -> None:
    small, large = frame((800, 480), TABLES[0]).scale, frame((1920, 1080), TABLES[0]).scale
    assert small.sp("hero") / 44 > small.room
    assert large.sp("hero") == pytest.approx(44 * large.room, abs=0.1)
