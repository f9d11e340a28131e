from companion.ui.taps import TapFilter


def test_one_finger_reported_twice_counts_once() -> None:
    taps = TapFilter(6)
    assert not taps.is_echo("mouse", 100, 100, 1.000)
    assert taps.is_echo("mtdev", 102, 99, 1.030)


def test_two_quick_taps_of_one_provider_are_two() -> None:
    taps = TapFilter(6)
    assert not taps.is_echo("mouse", 100, 100, 1.000)
    assert not taps.is_echo("mouse", 100, 100, 1.040)


def test_later_or_elsewhere_it_is_another_finger() -> None:
    taps = TapFilter(6)
    assert not taps.is_echo("mouse", 100, 100, 1.000)
    assert not taps.is_echo("mtdev", 100, 100, 1.051)
    assert not taps.is_echo("mouse", 300, 100, 1.060)
