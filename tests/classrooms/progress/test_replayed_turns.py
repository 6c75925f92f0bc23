"""The turn of a chance, shown on the table."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.progress.child_page import replay
from classrooms.progress.models import Chance
from classrooms.progress.tasks import look_for_dirty
from games.models import Game
from games.play import services as play
from games.play.services import NotFound
from games.screen.replay import Scene
from tests.classrooms.people import client_of, text_on
from tests.classrooms.progress.playing import Hand, begin, begin_with_a_row
from tests.classrooms.questions.rounds import round_played
from tests.factories import AssignmentFactory
from tests.games.players import ends_of_turns

pytestmark = pytest.mark.django_db


def rows_of(scene: Scene) -> int:
    return sum(len(island.rows) for island in scene.islands)


def cards_of(scene: Scene) -> int:
    return sum(len(island.cards) for island in scene.islands)


def values_of(scene: Scene) -> set[str]:
    return {card.face.value for card in scene.hand}


def url_of(chance: Chance) -> str:
    ids = [chance.child.school_class_id, chance.child_id, chance.game_id, chance.entry]
    return reverse("classrooms:replay", args=ids)


def lit_on_table(scene: Scene) -> set[str]:
    return {card.face.value for island in scene.islands for card in island.cards if card.is_lit}


def test_a_laid_row_is_shown_where_it_was_laid(dora: Child, anything: Assignment) -> None:
    hand = begin_with_a_row(dora, anything)
    hand.draw()
    row = hand.lay()
    hand.end()
    look_for_dirty()
    chance = Chance.objects.get(child=dora, row=row)
    turn = replay(hand.attempt, chance.entry, row)
    before, scene = turn.scenes[turn.row_scene - 2 : turn.row_scene]
    assert [face.number for face in turn.row.faces] == list(map(str, chance.numbers))
    assert {card.face.value for card in before.hand if card.is_lit} == turn.row.hand_values
    assert scene.text.startswith("I laid")
    assert lit_on_table(scene) == turn.row.hand_values
    assert turn.row.hand_values.isdisjoint(values_of(scene))
    assert rows_of(scene) == rows_of(before) + 1


def test_a_missed_row_is_shown_before_the_turn_ends(dora: Child, anything: Assignment) -> None:
    hand = begin_with_a_row(dora, anything)
    hand.play_round(lays=False)
    look_for_dirty()
    assert Chance.objects.exists()
    for chance in Chance.objects.filter(child=dora, outcome="missed"):
        turn = replay(hand.attempt, chance.entry, chance.row)
        before, there, end = turn.scenes[-3:]
        assert turn.scenes[turn.row_scene - 1] == there
        assert [scene.number for scene in turn.scenes] == [*range(1, len(turn.scenes) + 1)]
        assert [scene.shows_missed_row for scene in turn.scenes[-3:]] == [False, True, False]
        assert {card.face.value for card in before.hand if card.is_lit} == turn.row.hand_values
        assert turn.row.hand_values.isdisjoint(values_of(there))
        assert ("in the row" in there.text) == (len(turn.row.hand_values) < len(turn.row.faces))
        assert lit_on_table(there) == turn.row.hand_values
        assert end.text.startswith("I put down")
        assert not lit_on_table(end)
        assert [face.number for face in turn.row.faces] == list(map(str, chance.numbers))


def test_each_step_of_a_missed_row_has_a_picture(
    alice: User, dora: Child, anything: Assignment
) -> None:
    begin_with_a_row(dora, anything).play_round(lays=False)
    look_for_dirty()
    chance = Chance.objects.filter(child=dora, outcome="missed").first()
    url = f"{url_of(chance)}?row={chance.row}"
    for at, shows_missed_row in (("", True), ("&at=1", False)):
        page = text_on(client_of(alice).get(f"{url}{at}"))
        assert page.count('aria-current="step"') == 1
        assert (
            "<q>" in page[page.index('id="scene-text') :]
        ) != shows_missed_row  # a player speaks
        assert ("scene-missed" in page) == shows_missed_row


def test_a_step_shows_what_its_sentence_says(
    alice: User, dora: Child, anything: Assignment
) -> None:
    hand = Hand(begin(dora, anything, seed=5))
    hand.play_turn(lays=False)
    (end,) = ends_of_turns(hand.attempt.game_id, seat=0)
    draw, discard = replay(hand.attempt, end, "").scenes
    (value,) = draw.drawn_values
    assert draw.text == f"I took the {value} from the pile."
    assert value in values_of(draw)
    (put_down,) = values_of(draw) - values_of(discard)
    assert discard.open_card.value == put_down
    assert discard.text == f"I put down the {discard.open_card.number or 'joker'}."
    ids = [dora.school_class_id, dora.pk, hand.attempt.game_id, end]
    page = text_on(client_of(alice).get(reverse("classrooms:replay", args=ids), {"at": 1}))
    assert page.count('class="drawn-tag"') == 1


def test_the_last_step_shows_no_card_of_the_next_turn(
    dora: Child, school_class: SchoolClass
) -> None:
    filled_up = {"offers": False, "market": 3, "refill": True, "piles": 1}
    hand = begin_with_a_row(
        dora, AssignmentFactory.create(school_class=school_class, options=filled_up)
    )
    hand.play_turn()
    (end,) = ends_of_turns(hand.attempt.game_id, seat=0)
    *_, before, last = replay(hand.attempt, end, "").scenes
    assert values_of(last) < values_of(before)


def test_an_entry_of_an_unfinished_turn_has_no_replay(dora: Child, anything: Assignment) -> None:
    hand = Hand(begin(dora, anything, seed=5))
    version = hand.draw().game.version
    for entry in (0, 1, version, 99):
        with pytest.raises(NotFound):
            replay(hand.attempt, entry, "")


def test_a_replay_repeats_hints_and_rows_taken_back(dora: Child, anything: Assignment) -> None:
    hand = begin_with_a_row(dora, anything)
    hand.draw()
    hand.hint()
    hand.lay()
    hand.take_back()
    hand.lay()
    hand.end()
    look_for_dirty()
    chance = Chance.objects.filter(child=dora).first()
    texts = [scene.text for scene in replay(hand.attempt, chance.entry, chance.row).scenes]
    assert "I asked for hint number 1." in texts
    assert "I took my row back." in texts


def test_a_replay_shows_no_hidden_card(alice: User, dora: Child, anything: Assignment) -> None:
    """The page has the table, the child's hand and the open card, but no bot's hand."""
    hand = begin_with_a_row(dora, anything)
    hand.play_round(lays=False)
    look_for_dirty()
    chance = Chance.objects.filter(child=dora).first()
    assert chance
    page = client_of(alice).get(url_of(chance))
    scene = page.context["scene"]
    assert text_on(page).count('class="card') <= len(scene.hand) + cards_of(scene) + 1


# A bot's hand stays covered until the round is over, also for the teacher, whom a child may ask.


def entries(hand: Hand) -> list[int]:
    return ends_of_turns(hand.attempt.game_id, seat=1)


def test_a_bots_hand_is_covered_during_the_round(
    alice: User, dora: Child, anything: Assignment
) -> None:
    hand = Hand(begin(dora, anything, seed=5))
    for _ in range(3):
        hand.play_turn(lays=False)
    client, ids = client_of(alice), [dora.school_class_id, dora.pk, hand.attempt.game_id]
    assert entries(hand)
    for entry in entries(hand):
        page = client.get(reverse("classrooms:replay", args=[*ids, entry]))
        scene = page.context["scene"]
        assert (scene.hand, scene.drawn_values, scene.name) == ((), frozenset(), "Bo")
        assert scene.covered_text in text_on(page)
        open_card = scene.open_card is not None
        assert text_on(page).count('<span class="card') == cards_of(scene) + open_card
        assert '<li class="card' not in text_on(page)


def test_a_bots_hand_is_shown_after_the_round(dora: Child, anything: Assignment) -> None:
    hand = Hand(begin(dora, anything, seed=5))
    game_id = hand.attempt.game_id
    hand.play_round(lays=False)
    for entry in entries(hand):
        *scenes, end = replay(Attempt.objects.get(game=game_id), entry, "").scenes
        assert all(scene.hand for scene in scenes)
        assert not any(scene.covered_text for scene in (*scenes, end))
    ended = entries(hand)[0]
    assert hand.look().view.phase == "round over"
    hand.play_turn(lays=False)
    assert replay(Attempt.objects.get(game=game_id), ended, "").scenes[0].hand


# A finished match as a file, offered where the teacher looks at its replay


@pytest.fixture
def assignment(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(school_class=school_class, rounds=1)


@pytest.fixture
def last_match(dora: Child, assignment: Assignment) -> Attempt:
    return round_played(dora, assignment)


def file_of(attempt: Attempt) -> str:
    child = attempt.child
    return reverse("classrooms:record", args=[child.school_class_id, child.pk, attempt.game_id])


def replay_of(attempt: Attempt) -> str:
    child, entry = attempt.child, ends_of_turns(attempt.game_id, seat=0)[0]
    ids = [child.school_class_id, child.pk, attempt.game_id, entry]
    return reverse("classrooms:replay", args=ids)


def test_the_replay_of_a_finished_match_offers_its_file(alice: User, last_match: Attempt) -> None:
    teacher = client_of(alice)
    assert file_of(last_match) in text_on(teacher.get(replay_of(last_match)))
    late = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    Game.objects.filter(pk=last_match.game_id).update(finished_at=late)
    answer = teacher.get(file_of(last_match))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="nmbrs-2026-11-21.txt"'
    assert "no-store" in answer["Cache-Control"]
    assert text_on(answer) == play.game_file(last_match.game)[1]
    assert " winners " in text_on(answer).splitlines()[-1]


def test_a_running_match_offers_no_file(alice: User, dora: Child, last_match: Attempt) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, rounds=2)
    attempt = begin(dora, assignment, seed=1)
    Hand(attempt).play_round()
    teacher = client_of(alice)
    assert teacher.get(file_of(attempt)).status_code == 404
    assert 'id="to-record"' not in text_on(teacher.get(replay_of(attempt)))


def test_a_match_of_another_child_is_not_found(
    alice: User, emil: Child, last_match: Attempt
) -> None:
    ids = [emil.school_class_id, emil.pk, last_match.game_id]
    assert client_of(alice).get(reverse("classrooms:record", args=ids)).status_code == 404


def test_an_open_deal_of_the_class_has_no_replay(alice: User, last_match: Attempt) -> None:
    Game.objects.update(has_shared_deal=True)
    teacher = client_of(alice)
    assert teacher.get(file_of(last_match)).status_code == 404
    Assignment.objects.update(ended_at=timezone.now())
    assert teacher.get(file_of(last_match)).status_code == 200
