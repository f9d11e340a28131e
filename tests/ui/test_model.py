from typing import Any

import pytest

from companion.ui.model import AskAbout, OpenDiffers, PutBack, Send, Table, place_words
from companion.ui.stage import Stage

EMPOWER = {"action": "empower", "slot": "valley.1"}
MEND = "Put Kindness back on the left Valley slot in place of Benevolence."
PROBLEM = {"space": "slot/valley.1", "found": ["benevolence"], "expected": ["kindness"], "mend": MEND}


def told(stage: Stage) -> Table:
    table = Table()
    for kind, payload in stage.drain():
        table.take(kind, payload)
    return table


def hear(table: Table, stage: Stage) -> None:
    for kind, payload in stage.drain():
        table.take(kind, payload)


def test_before_the_first_state_it_waits() -> None:
    assert Table().say().tone == "quiet"


def test_an_accepted_action_says_what_it_cost_and_offers_undo() -> None:
    stage = Stage()
    stage.play(EMPOWER)
    say = told(stage).say()
    assert (say.tone, say.detail) == ("accepted", "3 Willpower")
    assert say.text == "Diana empowers Kindness: it becomes Benevolence with 2 Essence"
    assert [way.intent for way in say.ways] == [Send({"undo": 1}), AskAbout("player/diana", "end-turn")]


def test_a_refusal_names_the_rule_and_at_most_three_ways_on() -> None:
    stage = Stage("empower-refused")
    stage.play(EMPOWER, [PROBLEM])
    table = told(stage)
    say = table.say()
    assert (say.tone, say.rule) == ("refused", "R-EMP-2")
    assert [way.text for way in say.ways] == ["Use Channeled Power", MEND.removesuffix(".")]
    assert say.ways[0].detail == "3 Willpower, 1 Ambition"
    assert isinstance(say.ways[1].intent, PutBack)
    assert table.marks()["slot/valley.1"] == "refused"


def test_the_way_back_stays_among_many_ways() -> None:
    table = Table()
    choices = [{"id": str(i), "text": f"Way {i}: 1 Willpower", "do": EMPOWER} for i in range(6)]
    back = {"id": "put-back", "text": MEND, "do": None}
    table.take("game/state", {"players": {}, "seq": 1, "table_ok": False})
    table.take("game/event", {"seq": 1, "verdict": "illegal", "message": "No.", "do": EMPOWER, "rules": []})
    table.take("game/ask", {"id": "q", "text": "?", "choices": [*choices, back]})
    assert [way.text for way in table.say().ways] == ["Way 0", "Way 1", MEND.removesuffix(".")]


def test_people_can_do_it_all_the_same_and_are_asked_once_more() -> None:
    table = Table()
    ways = [{"id": str(i), "text": f"Way {i}: 1 Willpower", "do": EMPOWER} for i in range(2)]
    back = {"id": "put-back", "text": MEND, "do": {}}
    same = {"id": "overrule", "text": "We do it all the same", "do": {}, "opens": True}
    table.take("game/state", {"players": {}, "seq": 1, "table_ok": False})
    table.take("game/event", {"seq": 1, "verdict": "illegal", "message": "No.", "do": EMPOWER, "rules": []})
    table.take("game/ask", {"id": "q", "text": "No.", "choices": [*ways, back, same]})
    said = table.say().ways
    assert [way.text for way in said] == ["Way 0", MEND.removesuffix("."), "We do it all the same"]
    assert said[2].intent == Send({"answer": {"ask": "q", "choice": "overrule"}})
    yes = {"id": "yes", "text": "Yes, it counts: 3 Willpower", "do": {"action": "adjust", "set": {}}}
    sure = {
        "id": "r",
        "text": "Against the rules: Empower Kindness?",
        "detail": "Diana..",
        "choices": [yes, back],
    }
    table.take("game/ask", sure)
    say = table.say()
    assert (say.text, say.ways[0].text) == (sure["text"], "Yes, it counts")


def test_a_printed_value_is_answered_with_a_tap() -> None:
    table = Table()
    value = {"card": "trust", "key": "empower_threshold", "value": 2}
    choices = [
        {"id": "1", "text": "2 Essence", "do": {}, "value": value},
        {"id": "put-back", "text": MEND, "do": {}},
    ]
    table.take("game/state", {"players": {}, "seq": 1, "table_ok": False})
    table.take("game/ask", {"id": "q", "text": "What is it?", "detail": "Look.", "choices": choices})
    say = table.say()
    assert (say.text, say.detail) == ("What is it?", "Look.")
    assert say.ways[0].intent == Send({"answer": {"ask": "q", "choice": "1"}})
    assert isinstance(say.ways[1].intent, PutBack)


def test_a_refusal_is_over_when_the_table_is_right_again() -> None:
    stage = Stage("empower-refused")
    stage.play(EMPOWER, [PROBLEM])
    table = told(stage)
    stage.queue.append(("game/ask", {}))
    stage.tell()
    hear(table, stage)
    assert table.say().tone == "quiet"


def test_a_question_offers_its_choices_with_their_costs() -> None:
    stage = Stage()
    stage.ask("Which way?", stage.meanings("valley.1"))
    say = told(stage).say()
    assert say.tone == "question"
    assert len(say.ways) == 4
    assert all("Willpower" in way.detail for way in say.ways)
    assert say.ways[0].intent == Send({"answer": {"ask": "a1", "choice": "0"}})


def test_misplaced_pieces_are_named_with_the_mend() -> None:
    stage = Stage()
    stage.tell([PROBLEM, {**PROBLEM, "space": "slot/land.1", "mend": "Put Trust back."}])
    say = told(stage).say()
    assert say.text == MEND
    assert say.detail == "and 1 more place"
    assert isinstance(say.ways[0].intent, OpenDiffers)


def test_a_vibe_token_that_waits_can_be_taken_back() -> None:
    table = Table()
    waiting = {"text": "Courage for a red Vibe token: it is placed with the next Spirit Action"}
    table.take("game/state", {"players": {}, "waiting": waiting})
    say = table.say()
    assert say.text == "Courage for a red Vibe token"
    assert say.ways[0].intent == Send({"answer": {"ask": "waiting", "choice": "cancel"}})


def test_after_an_undo_it_can_be_done_again() -> None:
    table = Table()
    table.take("game/state", {"players": {}, "undo": 0, "redo": 1})
    table.take("game/event", {"seq": 3, "do": {"undo": 1}, "verdict": "legal", "message": "Taken back."})
    assert [way.intent for way in table.say().ways] == [Send({"redo": 1})]


def test_the_history_holds_what_was_done_and_what_was_refused() -> None:
    stage = Stage()
    stage.play({"action": "move", "to": "valley-cradle"})
    stage.play({"action": "move", "to": "network"})
    stage.play({"action": "move", "to": "valley"})
    lines = told(stage).history
    assert [line.verdict for line in lines] == ["legal", "illegal", "legal"]
    assert lines[1].rule == "R-MOVE-1"


def test_a_lost_connection_is_said_where_nothing_more_urgent_is() -> None:
    stage = Stage()
    stage.queue.append(("link", {"up": False}))
    assert "connection" in told(stage).say().text


def test_what_it_does_not_know_it_ignores() -> None:
    table = Table()
    table.take("weather", {"rain": True})
    odd: dict[str, Any] = {"players": {}, "history": [], "new-key": 1}
    table.take("game/state", odd)
    table.take("reply", {"id": "1", "verdict": "legal", "message": "", "seq": 1})
    assert table.say().tone == "quiet"


def test_an_error_reply_is_said() -> None:
    table = Table()
    table.take("game/state", {"players": {}})
    table.take(
        "reply", {"id": "1", "verdict": "error", "message": "That question is no longer open.", "seq": 1}
    )
    assert table.say().text == "That question is no longer open"


def test_on_a_virtual_table_misplaced_pieces_are_put_right_by_touch() -> None:
    stage = Stage()
    stage.tell([PROBLEM])
    table = told(stage)
    table.virtual = True
    assert [way.intent for way in table.say().ways] == [PutBack(), OpenDiffers()]


def test_a_token_left_on_a_pad_hides_neither_what_was_done_nor_its_undo() -> None:
    stage = Stage()
    stage.play(EMPOWER)
    stage.tell([{**PROBLEM, "space": "pad/1", "mend": "Take Courage off the pad."}], in_step=True)
    say = told(stage).say()
    assert say.text == "Take Courage off the pad."
    assert "Diana empowers Kindness" in say.detail
    assert Send({"undo": 1}) in [way.intent for way in say.ways]


def test_small_things_to_tidy_up_do_not_stop_the_game() -> None:
    stage = Stage()
    stage.tell([{**PROBLEM, "space": "pad/1"}], in_step=True)
    assert "goes on" in told(stage).say().detail


def test_a_move_onto_a_frontier_points_out_the_space_and_not_the_card_beside_it() -> None:
    stage = Stage()
    stage.play({"action": "move", "to": "valley-cradle"})
    assert told(stage).marks() == {"spirit/valley-cradle": "accepted"}


@pytest.mark.parametrize(
    ("space", "words"),
    [
        ("pad/2", "Otto's pad"),
        ("vibe/1/move/1", "Diana's Move row"),
        ("slot/valley.1", "left Valley slot"),
        ("pad/9", "9"),
    ],
)
def test_a_place_is_named_as_people_name_it(space: str, words: str) -> None:
    assert place_words(space, ("diana", "otto")) == words
