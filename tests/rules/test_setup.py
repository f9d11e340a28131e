"""A new game: what lies ready, what people place, and what a set-up must not be (R-SETUP-1 to R-SETUP-25)."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.content import aspirations, catalogue, decks
from companion.rules.accounts import describe
from companion.rules.actions import Absorb, Action, PlaceSpirit, PlaceWild, Valley
from companion.rules.board import FRONTIERS, SLOTS, SPACES, TEAMS, Team, triad
from companion.rules.control import frontier_control, realm_control
from companion.rules.engine import check, legal_actions
from companion.rules.hands import possible_titles
from companion.rules.position import ROWS, Emotion, Mode, Position, order_of_turns
from companion.rules.setup import Laid, Seat, SetupError, new_game
from companion.rules.words import naming
from companion.scenario.notation import action_from, action_to, position_from, position_to

CARDS = catalogue()
NAMES = ("ada", "ben", "cleo", "dan")
SPIRITS = {"bliss": ("love", "delight"), "gloom": ("malice", "misery")}
COMMON = aspirations()
BASIC = tuple(name for name in COMMON if CARDS.aspirations[name].basic_game)


def seats(players: int = 4, first: Team = "bliss") -> list[Seat]:
    order: tuple[Team, ...] = ("bliss", "gloom") * 2 if first == "bliss" else ("gloom", "bliss") * 2
    return [Seat(NAMES[i], order[i], SPIRITS[order[i]][i // 2]) for i in range(players)]


def placed(position: Position, dice: random.Random) -> Position:
    """Take every step of the set-up by chance."""
    while position.turn.pending:
        after = dice.choice(list(legal_actions(position, CARDS)))[1].after
        assert after is not None
        position = after
    return position


@pytest.mark.parametrize("mode", ["full", "basic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_new_game_has_the_counters_of_the_rules(players: int, mode: Mode) -> None:
    """R-SETUP-1, R-SETUP-2, R-SETUP-4, R-SETUP-5, R-SETUP-16, R-SETUP-18, R-SETUP-22, R-SHAPER-2."""
    game = new_game(seats(players), CARDS, mode=mode, laid=Laid("humility"))
    assert game.origin.facing == "humility"
    assert set(game.origin.willpower.values()) == {7}
    for team in game.teams.values():
        assert (team.ambition, team.points, team.minor, team.major) == (0, 0, 6, 3)
    for player in game.players.values():
        assert (player.willpower, player.essence, player.hand) == (4, 2, ("*", "*"))
        assert player.at is None
    assert (game.turn.player, game.turn.number, game.turn.actions_left) == ("ada", 1, 3)
    assert game.turn.absorbed
    assert game.identity == ()
    assert position_from(position_to(game), CARDS) == game


def test_the_ruling_on_fragments_counts_at_set_up() -> None:
    """R-SETUP-5: each team takes all of its Fragments; how many is a ruling (OQ-8)."""
    game = new_game(seats(2), CARDS, rulings={"fragments": (5, 2)})
    assert {(team.minor, team.major) for team in game.teams.values()} == {(5, 2)}


@pytest.mark.parametrize(
    ("players", "order"),
    [
        (4, ["ada", "ben", "cleo", "dan"]),
        (3, ["ada", "ben", "cleo", "ben"]),
        (2, ["ada", "ben"]),
    ],
)
def test_players_place_in_their_order(players: int, order: list[str]) -> None:
    """R-SETUP-19, R-SETUP-23; R-SHAPER-3: a Shaper among three is second and fourth; R-SHAPER-4."""
    game = new_game(seats(players), CARDS)
    steps = [(step.action, step.player) for step in game.turn.pending]
    assert steps[: len(order)] == [("place-spirit", name) for name in order]
    assert steps[len(order) :] == [("place-wild", name) for name in NAMES[:players] for _ in range(4)]
    assert list(order_of_turns(game)) == order


def test_the_basic_game_has_its_tokens_on_the_four_rows_it_uses() -> None:
    """R-SETUP-24, R-BASIC-4, R-BASIC-6: only the positions of a picture are left to enter."""
    game = new_game(seats(), CARDS, mode="basic")
    assert {step.action for step in game.turn.pending} == {"place-spirit"}
    for player in game.players.values():
        assert {row: player.row(row) for row in ROWS if any(player.row(row))} == dict.fromkeys(
            ("move", "invoke", "quell", "fortify"), ("wild", "", "", "")
        )
    assert check(placed(game, random.Random(1)), Valley(), CARDS).status == "legal"  # noqa: S311


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(2, 4), st.sampled_from(TEAMS), st.sampled_from(("full", "basic")), st.randoms())
def test_each_step_of_a_set_up_is_legal_exactly_if_it_is_in_the_list(
    players: int, first: Team, mode: Mode, dice: random.Random
) -> None:
    """R-SETUP-19 to R-SETUP-24, R-VIBE-6: over everything that could be placed anywhere."""
    space = [PlaceSpirit(slot, at) for slot in SLOTS for at in (None, *SPACES)]
    tokens = [PlaceWild(row, n) for row in ROWS for n in range(6)]
    position = new_game(seats(players, first), CARDS, mode=mode)
    while position.turn.pending:
        legal = {repr(action): verdict for action, verdict in legal_actions(position, CARDS)}
        whole: list[Action] = [*space, *tokens, Valley()]
        for action in whole:
            assert (check(position, action, CARDS).status == "legal") == (repr(action) in legal)
        step = position.turn.pending[0]
        chosen = action_from(action_to(dice.choice([a for a, _ in legal_actions(position, CARDS)])))
        after = legal[repr(chosen)].after
        assert after is not None
        assert after.turn.pending == position.turn.pending[1:]
        assert [p for n, p in after.players.items() if n != step.player] == [
            p for n, p in position.players.items() if n != step.player
        ]
        assert step.player is not None
        assert describe(position, chosen, after, CARDS).startswith(step.player.capitalize())
        assert position_from(position_to(after), CARDS) == after
        position = after
    assert len(position.slots) == len(order_of_turns(position))
    assert all(sum(row.count("wild") for row in p.vibes.values()) == 4 for p in position.players.values())


@pytest.mark.parametrize("players", [2, 4])
def test_in_the_full_game_each_figure_has_its_starting_emotion_in_its_triad(players: int) -> None:
    """R-SETUP-19, R-SETUP-20, R-SETUP-25: the only card of a Triad holds its Frontier at once."""
    ready = placed(new_game(seats(players), CARDS), random.Random(3))  # noqa: S311
    for player in ready.players.values():
        assert player.at in FRONTIERS
        before, own, after = triad(str(player.at))
        assert own not in ready.slots
        [slot] = [slot for slot in (before, after) if slot in ready.slots]
        emotion = ready.slots[slot]
        assert (emotion.name, emotion.essence) == (
            "brightness" if player.team == "bliss" else "bleakness",
            1,
        )
        assert frontier_control(ready, str(player.at), CARDS).team == player.team
        others = [s for s in ready.slots if s != slot and s.split(".")[0] == slot.split(".")[0]]
        if not others:
            assert realm_control(ready, slot.split(".")[0], CARDS).team == player.team


def test_the_first_player_can_not_absorb_in_the_first_turn() -> None:
    """R-SETUP-18, R-SHAPER-3, R-SHAPER-4."""
    for players in (2, 3, 4):
        ready = placed(new_game(seats(players), CARDS), random.Random(5))  # noqa: S311
        for sphere in CARDS.spheres:
            verdict = check(ready, Absorb(sphere), CARDS)
            assert {"R-ABS-1", "R-ABS-2"} <= set(verdict.rules)


def test_two_spirits_of_one_player_are_two_seats() -> None:
    """R-SHAPER-6: the full set-up, whoever moves the figures."""
    names = ("ada-1", "ben", "ada-2", "ben-2")
    four = [replace(seat, name=name) for seat, name in zip(seats(), names, strict=True)]
    game = new_game(four, CARDS)
    assert [step.player for step in game.turn.pending[:4]] == list(names)


def _seats(**changes: Any) -> list[Seat]:
    return [replace(seats(2)[0], **changes), seats(2)[1]]


@pytest.mark.parametrize(
    ("rule", "who", "more"),
    [
        ("R-SHAPER-1", seats()[:1], {}),
        ("R-SHAPER-1", [*seats(), Seat("eve", "bliss")], {}),
        ("R-SETUP-17", [seats()[0], seats()[2]], {}),
        ("R-SETUP-17", [seats()[0], seats()[1], seats()[3]], {}),
        ("R-SETUP-17", _seats(name="ben"), {}),
        ("R-SETUP-3", _seats(side="b"), {}),
        ("R-BASIC-4", [replace(seat, side="b") for seat in seats(2)], {"mode": "basic"}),
        ("R-SETUP-6", _seats(spirit="malice"), {}),
        ("R-SETUP-6", [replace(seat, spirit=SPIRITS[seat.team][0]) for seat in seats()], {}),
        ("R-SETUP-22", _seats(hand=("*",)), {}),
        ("R-SETUP-7", _seats(hand=("*", "anger")), {}),
        ("R-SETUP-7", _seats(hand=("courage", "courage"), top="courage"), {}),
        ("R-SETUP-7", _seats(top="comfort", deck=decks()["beginners-bliss"].titles), {}),
        ("R-SETUP-7", _seats(deck=decks()["beginners-bliss"].titles[:7]), {}),
        ("R-SETUP-7", _seats(deck=decks()["beginners-gloom"].titles), {}),
        ("R-SETUP-7", _seats(deck=("valor", *decks()["beginners-bliss"].titles[1:])), {}),
        ("R-SETUP-7", _seats(deck=("desire", *decks()["beginners-bliss"].titles[:7])), {}),
        ("R-SETUP-1", seats(), {"laid": Laid("valley")}),
        ("R-SETUP-13", seats(), {"laid": Laid(common=COMMON[:8])}),
        ("R-SETUP-13", seats(), {"laid": Laid(common=(*COMMON[:8], COMMON[0]))}),
        ("R-BASIC-3", seats(), {"laid": Laid(common=COMMON), "mode": "basic"}),
        ("R-BASIC-3", seats(), {"laid": Laid(hidden={"bliss": "reflection"}), "mode": "basic"}),
        ("R-SETUP-14", seats(), {"laid": Laid(hidden={"bliss": "courage"})}),
        ("R-SETUP-15", seats(), {"laid": Laid(common=COMMON, hidden={"gloom": COMMON[0]})}),
    ],
)
def test_a_set_up_that_can_not_be_is_refused_with_its_rule(
    rule: str, who: list[Seat], more: dict[str, Any]
) -> None:
    with pytest.raises(SetupError) as raised:
        new_game(who, CARDS, **more)
    assert raised.value.rule == rule
    assert str(raised.value).endswith(f"({rule})")
    assert "\n" not in str(raised.value)


def test_the_rows_of_aspirations_that_fit_are_taken() -> None:
    """R-SETUP-13, R-SETUP-14, R-BASIC-3: nine titles, in the basic game seven."""
    full = new_game(seats(), CARDS, laid=Laid(common=COMMON, hidden={"bliss": COMMON[1]}))
    assert full.common == COMMON
    assert full.teams["bliss"].aspiration == COMMON[1]
    assert full.teams["gloom"].aspiration is None
    assert new_game(seats(), CARDS, mode="basic", laid=Laid(common=BASIC)).common == BASIC


# Decks


@pytest.mark.parametrize("team", TEAMS)
def test_a_card_of_a_known_deck_is_one_of_its_titles(team: Team) -> None:
    """R-SETUP-7, R-SETUP-8, R-SETUP-9, R-BASIC-5: the beginners' decks; what has been seen twice is gone."""
    deck = decks()[f"beginners-{team}"].titles
    who = [replace(seat, deck=deck) if seat.team == team else seat for seat in seats(2)]
    game = new_game(who, CARDS)
    player = next(p for p in game.players.values() if p.team == team)
    assert set(possible_titles(game, player, CARDS)) == set(deck)
    shown = replace(player, hand=tuple(sorted(("*", deck[0]))), top=deck[0])
    known = possible_titles(game.with_player(shown), shown, CARDS)
    assert set(known) == set(deck)
    played = replace(player, hand=("*",), top=None)
    board = game.with_player(played)
    for slot in ("valley.1", "valley.2"):
        board = board.with_slot(slot, Emotion(deck[0]))
    mate = replace(played, name="mate", deck=tuple(sorted(set(_mild(team)) - {deck[0]}))[:8])
    board = replace(board, players={**board.players, "mate": mate})
    assert deck[0] not in possible_titles(board, played, CARDS)
    any_deck = replace(player, deck=None)
    assert set(possible_titles(game.with_player(any_deck), any_deck, CARDS)) == set(_mild(team))


def _mild(team: Team) -> list[str]:
    return [card.name for card in CARDS.cards.values() if card.team == team and card.strength == "mild"]


@pytest.mark.parametrize("team", TEAMS)
def test_the_beginners_deck_has_two_titles_of_each_vibe(team: Team) -> None:
    """R-SETUP-7: as all ready-made decks have."""
    vibes = [CARDS.cards[name].vibe for name in decks()[f"beginners-{team}"].titles]
    assert sorted(map(str, vibes)) == sorted(["red", "yellow", "green", "blue"] * 2)


def test_the_steps_have_names_for_buttons() -> None:
    game = new_game(seats(2), CARDS)
    assert naming(PlaceSpirit("cradle.1", "valley-cradle"), game) == (
        "Start on the Valley-Cradle Frontier: Starting Emotion into the left Cradle slot"
    )
    assert naming(PlaceSpirit("cradle.1"), game) == "Starting Emotion into the left Cradle slot"
    assert naming(PlaceWild("move", 2), game) == "Wild Vibe token on space 2 of Move"
