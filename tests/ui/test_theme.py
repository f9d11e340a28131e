import pytest

from companion.ui import theme
from companion.ui.theme import Rgba, Theme, contrast

AA = 4.5
"""WCAG 2.1, 1.4.3, for text of any size."""

AA_SHAPE = 3.0
"""WCAG 2.1, 1.4.11, for shapes that carry meaning."""


def grounds(look: Theme) -> list[Rgba]:
    return [*look.ground, look.surface, look.raised]


@pytest.mark.parametrize("look", theme.THEMES.values(), ids=theme.THEMES)
def test_text_is_readable_on_every_ground(look: Theme) -> None:
    for colour in (look.text, look.dim, look.faint, look.bliss.text, look.gloom.text):
        for ground in grounds(look):
            assert contrast(colour, ground) >= AA, (colour, ground)


@pytest.mark.parametrize("look", theme.THEMES.values(), ids=theme.THEMES)
def test_what_the_band_says_is_readable_in_every_tone(look: Theme) -> None:
    for tone in (look.accepted, look.question, look.refused, look.quiet):
        assert contrast(look.text, tone.ground) >= AA
        assert contrast(look.dim, tone.ground) >= AA
        assert contrast(tone.bright, look.raised) >= AA
        assert contrast(tone.bright, tone.ground) >= AA


@pytest.mark.parametrize("look", theme.THEMES.values(), ids=theme.THEMES)
def test_cards_are_readable_over_their_whole_height(look: Theme) -> None:
    for team in (look.bliss, look.gloom):
        for ground in (team.card, team.card_low):
            assert contrast(look.card_text, ground) >= AA


@pytest.mark.parametrize("look", theme.THEMES.values(), ids=theme.THEMES)
def test_vibes_stand_out_from_their_wells_and_cards(look: Theme) -> None:
    for vibe in look.vibes.values():
        assert contrast(vibe, look.well) >= AA_SHAPE
        for team in (look.bliss, look.gloom):
            assert contrast(vibe, theme.mixed(team.card, team.card_low, 0.6)) >= AA_SHAPE


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast(theme.rgba("#000000"), theme.rgba("#FFFFFF")) == pytest.approx(21)
    assert contrast(theme.rgba("#777777"), theme.rgba("#FFFFFF")) == pytest.approx(4.48, abs=0.01)
