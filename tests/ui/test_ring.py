from itertools import combinations, pairwise
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.board import REALMS, SLOTS, SPACES, SPHERES
from companion.ui.layout import Rect
from companion.ui.ring import OUTER, Ring, angle_of_slot, areas, span_of, sphere_at

RING = Ring(400.0, 300.0, 200.0)


def card(ring: Ring, slot: str) -> Rect:
    wide, high = ring.card()
    x, y = ring.slot(slot)
    return Rect(x - wide / 2, y - high / 2, wide, high)


def test_the_valley_is_at_the_top_and_the_ring_runs_clockwise() -> None:
    assert RING.slot("valley.1")[0] < RING.x < RING.slot("valley.2")[0]
    assert RING.slot("valley.1")[1] == pytest.approx(RING.slot("valley.2")[1])
    assert RING.space("valley") == pytest.approx((RING.x, RING.space("valley")[1]))
    assert RING.space("cradle")[0] > RING.x > RING.space("willow")[0]


def test_realms_and_frontiers_fill_the_ring_without_gaps() -> None:
    spans = [span_of(area) for area in areas()]
    assert sum(last - first for first, last in spans) == 360
    assert all(a[1] == b[0] for a, b in pairwise(spans))


def test_every_slot_lies_within_its_own_area() -> None:
    for slot in SLOTS:
        first, last = span_of(slot.partition(".")[0])
        assert first < angle_of_slot(slot) < last or first < angle_of_slot(slot) + 360 < last


@given(st.floats(min_value=100, max_value=1000))
def test_no_two_cards_overlap_and_none_leaves_the_board(radius: float) -> None:
    ring = Ring(0.0, 0.0, radius)
    cards = {slot: card(ring, slot) for slot in SLOTS}
    for one, other in combinations(SLOTS, 2):
        assert not cards[one].meets(cards[other]), (one, other)
    for rect in cards.values():
        for x in (rect.x, rect.right):
            for y in (rect.y, rect.top):
                assert hypot(x, y) <= radius * OUTER


def test_a_finger_on_a_card_or_a_figure_finds_its_space() -> None:
    for slot in SLOTS:
        assert RING.target(*RING.slot(slot)) == f"slot/{slot}"
    for space in SPACES:
        assert RING.target(*RING.space(space)) == f"spirit/{space}"
        assert RING.target(*RING.figure(space, 0, 2)) == f"spirit/{space}"


def test_a_finger_beside_the_ring_or_on_the_origin_finds_nothing() -> None:
    assert RING.target(RING.x, RING.y) is None
    assert RING.target(RING.x + RING.radius * 1.2, RING.y) is None


def test_a_card_falls_into_a_slot_and_a_figure_onto_the_path() -> None:
    assert RING.target(*RING.space("valley-cradle"), card=True) == "slot/valley-cradle"
    assert RING.target(*RING.slot("cradle.2"), figure=True) == "spirit/cradle"


def test_the_spheres_turn_with_the_origin() -> None:
    assert [sphere_at("commitment", realm) for realm in REALMS] == list(SPHERES)
    # One step clockwise: each Sphere faces the next Realm (R-ORIGIN-5).
    assert sphere_at("knowledge", "cradle") == "commitment"
