from companion.ui import shapes

VIBES = ("red", "yellow", "green", "blue", "wild")


def test_vibes_are_told_by_shape_alone() -> None:
    corners = {vibe: len(shapes.vibe(vibe)) for vibe in VIBES}
    assert corners["red"] == 3
    assert corners["yellow"] == 4
    assert corners["green"] == 6
    assert corners["wild"] == 8
    assert corners["blue"] > 30


def test_shapes_and_icons_stay_near_the_unit_square() -> None:
    outlines = [shapes.vibe(vibe) for vibe in VIBES]
    outlines += [line for lines in shapes.ICONS.values() for line in lines]
    for outline in outlines:
        for x, y in outline:
            assert abs(x) <= 1.17
            assert abs(y) <= 1.17


def test_every_icon_line_can_be_drawn() -> None:
    assert all(len(line) >= 2 for lines in shapes.ICONS.values() for line in lines)
