"""The answers of the official FAQ, each as a small case (R-FAQ-1 to R-FAQ-12, R-INTENT-2)."""

import pytest

from companion.rules.actions import EndTurn, Score
from companion.rules.board import FRONTIERS, SPACES, realms_of
from companion.rules.engine import check, legal_actions
from companion.scenario.errors import NotationError
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, FULL_ROW, OTTO, PIA, after, judge, table


@pytest.mark.parametrize("deeds", [("exalt", "raze"), ("exalt", "raze", "determination")])
@pytest.mark.parametrize("team", ["bliss", "gloom", None])
def test_r_faq_1_never_two_of_fortify_exalt_and_raze(deeds: tuple[str, ...], team: str | None) -> None:
    standing = {} if team is None else {"valley": {"team": team, "fragment": "minor"}}
    position = table(fortresses=standing)
    assert "R-FORT-1" in judge(position, "fortify", realm="valley", upgrades=list(deeds)).rules


def test_r_faq_1_what_was_fortified_is_exalted_by_another_action() -> None:
    position = table()
    built = after(position, "fortify", realm="valley")
    assert (built.fortresses["valley"].fragment, built.turn.actions_left) == ("minor", 2)
    exalted = after(built, "fortify", realm="valley", upgrades=["exalt"])
    assert (exalted.fortresses["valley"].fragment, exalted.turn.actions_left) == ("major", 1)


def test_r_faq_2_neither_willpower_nor_essence_runs_out() -> None:
    # The printed box has 60 Willpower and 20 Essence of a colour (R-COMP-4, R-COMP-5).
    position = table({"willpower": 200, "essence": 90})
    richer = after(position, "valley")
    assert richer.actor.willpower == 203
    assert after(richer, "willow", amount=150).actor.essence == 240


def test_r_faq_3_hidden_aspirations_are_shown_before_anything_else_of_a_revelation() -> None:
    origin = {"willpower": {"commitment": 1}}
    position = table(
        players={"otto": OTTO}, origin=origin, aspirations={"common": ["attitude", "unity", "openness"]}
    )
    begun = after(position, "absorb", sphere="commitment", bonus=False)
    assert [(p.action, p.team) for p in begun.turn.pending] == [("reveal", "bliss"), ("reveal", "gloom")]
    assert (begun.identity, begun.common, begun.origin.willpower["commitment"]) == ((), position.common, 0)
    assert judge(begun, "valley").rules == ("R-TURN-7",)
    one = after(begun, "reveal", team="gloom", aspiration="unity")
    assert one.common == position.common
    assert after(one, "reveal", team="bliss", aspiration="openness").common == ("unity", "openness")


def test_r_faq_4_intentions_alone_score_points_and_fragments_count_at_the_end() -> None:
    position = table(
        {"hand": ["desire"]},
        players={"otto": OTTO},
        teams={"bliss": {"ambition": 2, "aspiration": "unity"}, "gloom": {"aspiration": "openness"}},
        slots={"valley.1": {"emotion": "kindness", "essence": 2}},
        origin={"willpower": {"commitment": 1}},
        aspirations={"common": ["attitude"]},
        identity={"fragments": ["gloom major", "bliss minor"]},
    )
    kinds = set()
    for action, verdict in legal_actions(position, CARDS):
        assert verdict.after is not None
        kinds.add(type(action))
        points = [team.points for team in verdict.after.teams.values()]
        assert points == ([1, 0] if isinstance(action, Score) else [0, 0]), action
    assert len(kinds) > 9
    last = after(position, "absorb", sphere="commitment", bonus=False)
    ended = after(last, "end-turn", gain="cards").result
    assert ended is not None
    # Bliss: 3, and 5 for Unity and Attitude together; Gloom: 5.
    assert (ended.score, ended.winner) == ({"bliss": 8, "gloom": 5}, "bliss")


@pytest.mark.parametrize("name", ["diana", "otto"])
def test_r_faq_5_and_r_intent_2_nothing_but_intentions_hangs_on_the_side_of_a_team_board(name: str) -> None:
    # Which Intentions a side shows nobody knows (OQ-4), so a position states no side, and Score names none.
    with pytest.raises(NotationError, match="side: unknown key"):
        table(teams={"bliss": {"side": "b"}})
    with pytest.raises(NotationError, match="intention: unknown key"):
        action_from({"action": "score", "intention": "any"}, CARDS)
    position = table(players={"otto": OTTO}, turn={"player": name})
    once = after(position, "score")
    assert [team.points for team in once.teams.values()] == ([1, 0] if name == "diana" else [0, 1])
    assert judge(table(mode="basic"), "score").rules == ("R-INTENT-1",)


def test_r_faq_6_the_side_of_the_spirit_boards_has_nothing_to_do_with_the_team_boards() -> None:
    sides = [table({"side": side}, slots={"valley.1": {"emotion": "dislike"}}) for side in ("a", "b")]
    for action, keys in (
        ("score", {}),
        ("move", {"to": "valley-cradle"}),
        ("ambition", {"ability": "third"}),
    ):
        verdicts = [judge(position, action, **keys) for position in sides]
        assert [verdict.status for verdict in verdicts] == ["legal", "legal"]
        assert verdicts[0].cost == verdicts[1].cost


def test_r_faq_7_realm_actions_work_from_everywhere_but_land_and_network_on_slots_beside_the_figure() -> None:
    slots = {"land.1": {"emotion": "kindness"}, "valley-cradle": {"emotion": "desire"}}
    for at in SPACES:
        position = table({"at": at}, slots=slots)
        for realm, keys in (("valley", {}), ("cradle", {}), ("willow", {"amount": 1})):
            assert judge(position, realm, **keys).status == "legal"
        land = judge(position, "land", slot="land.1", essence=1)
        assert (land.status, land.rules) == (("legal", ()) if at == "land" else ("illegal", ("R-DESIRE-4",)))
        network = judge(position, "network", slot="valley-cradle", to="land.2")
        assert (network.status == "legal") == (at == "land")


@pytest.mark.parametrize("at", FRONTIERS)
def test_r_faq_8_from_a_frontier_nothing_is_invoked_into_a_realm(at: str) -> None:
    position = table({"at": at, "hand": ["desire"]})
    assert judge(position, "invoke", emotion="desire", slot=at).status == "legal"
    for realm in realms_of(at):
        for slot in (f"{realm}.1", f"{realm}.2"):
            assert judge(position, "invoke", emotion="desire", slot=slot).rules == ("R-INVOKE-1",)


@pytest.mark.parametrize(
    ("action", "keys", "upgrades"),
    [
        ("move", {"to": "cradle"}, {"haste": (1, 0), "surmount": (1, 0)}),
        ("invoke", {"emotion": "desire", "slot": "valley.1"}, {"bolster": (0, 1), "inner-force": (2, 0)}),
        ("quell", {"slot": "valley.2"}, {"subdue": (2, 0), "extinguish": (1, 0)}),
        ("empower", {"slot": "land.1"}, {"channeled-power": (0, 1), "emotional-outburst": (1, 0)}),
    ],
)
def test_r_faq_9_determination_saves_1_in_an_action_not_1_for_each_upgrade(
    action: str, keys: dict[str, str], upgrades: dict[str, tuple[int, int]]
) -> None:
    position = table(
        {"hand": ["desire"], "willpower": 20},
        slots={"valley.2": {"emotion": "dislike"}, "land.1": {"emotion": "kindness", "essence": 2}},
    )
    base = CARDS.rows[action]
    cost = judge(position, action, **keys, upgrades=[*upgrades, "determination"]).cost
    assert cost.willpower == base.willpower + sum(wp for wp, _ in upgrades.values()) - 1
    assert cost.ambition == base.ambition + sum(ambition for _, ambition in upgrades.values())


@pytest.mark.parametrize("on_board", [0, 1, 2])
def test_r_faq_10_two_copies_of_the_strong_card_in_play_are_all_there_are(on_board: int) -> None:
    strong = {slot: {"emotion": "benevolence"} for slot in ("land.1", "network-land")[:on_board]}
    position = table(slots={"valley.1": {"emotion": "kindness", "essence": 2}, **strong})
    verdict = judge(position, "empower", slot="valley.1")
    assert (verdict.status, verdict.rules) == (("illegal", ("R-EMP-5",)) if on_board == 2 else ("legal", ()))


def test_r_faq_11_the_card_shown_for_a_quell_stays_in_the_hand() -> None:
    slots = {"valley.1": {"emotion": "dislike", "essence": 2}}
    known = after(
        table({"hand": ["desire", "optimism"]}, slots=slots), "quell", slot="valley.1", reveal="desire"
    )
    assert known.actor.hand == ("desire", "optimism")
    unknown = after(table({"hand": ["*", "*"]}, slots=slots), "quell", slot="valley.1", reveal="desire")
    assert unknown.actor.hand == ("*", "desire")


def test_r_faq_12_a_hidden_aspiration_is_never_the_current_common_one() -> None:
    position = table(
        players={"otto": OTTO, "pia": PIA},
        teams={"bliss": {"aspiration": "unity"}, "gloom": {}},
        origin={"willpower": {"commitment": 1}},
        aspirations={"common": ["attitude", "openness", "awareness"]},
    )
    begun = after(position, "absorb", sphere="commitment", bonus=False)
    assert judge(begun, "reveal", team="gloom", aspiration="attitude").rules == ("R-REV-19",)
    then = after(begun, "reveal", team="gloom", aspiration="unity")
    assert then.common == ("openness", "awareness")
    for team in ("bliss", "gloom"):
        refused = judge(then, "keep-hidden", team=team, aspiration="openness")
        assert refused.rules == ("R-REV-17", "R-REV-19")
        assert judge(then, "keep-hidden", team=team, aspiration="awareness").status == "legal"
    assert check(then, EndTurn("cards"), CARDS).status == "legal"


def test_r_faq_9_in_the_fortify_row() -> None:
    # Fortify, Exalt and Raze exclude each other (R-FAQ-1), so Determination meets one of them at a time.
    rows = {"fortify": FULL_ROW}
    standing = {"valley": {"team": "gloom", "fragment": "minor"}}
    position = table({"vibes": rows}, fortresses=standing)
    cost = judge(position, "fortify", realm="valley", upgrades=["raze", "determination"]).cost
    assert (cost.willpower, cost.ambition) == (3, 1)
