"""A child's collection: pieces for facts found, its page, and what a round adds."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.assignments import playing
from classrooms.collection.pieces import (
    PIECES,
    Collection,
    Picture,
    collection_of,
    collection_summary,
    growth_in_round,
)
from classrooms.models import Assignment, Attempt, Child
from classrooms.progress.evidence import process_game
from classrooms.progress.models import FactDay, GameEvidence, TableDay, TableMastery
from classrooms.progress.rebuild import mark_for_rebuild
from games.bots.registry import CAST
from games.models import Game, Seat
from games.play.round_story import RoundStory, story_of_round
from games.screen.player_faces import PLAIN_FACE
from tests.classrooms.people import client_of_child, text_on
from tests.classrooms.progress.answering import TODAY, known_before, master_table
from tests.classrooms.progress.playing import Hand, begin, real_round
from tests.classrooms.questions.rounds import round_over, sitting_with
from tests.factories import AssignmentFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SIGN = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"


def know_fact(child: Child, low: int, high: int, *days_ago: int, **counts: int) -> None:
    for days in days_ago:
        FactDay.objects.create(
            child=child,
            school_class=child.school_class,
            low=low,
            high=high,
            day=TODAY - timedelta(days=days),
            asked=1,
            last_at=timezone.now(),
            **(counts or {"recalled": 1}),
        )


def picture_of(collection: Collection, table: int) -> Picture:
    return next(picture for picture in collection.pictures if picture.table == table)


def test_only_rows_found_without_help_uncover_pieces(dora: Child) -> None:
    master_table(dora, 4, at_once=2, later=1, hinted=5, tried=4, missed=3, joker=2)
    picture = picture_of(collection_of(dora), 4)
    assert (picture.pieces, len(picture.covers)) == (3, PIECES - 3)


def test_a_picture_is_whole_with_its_last_piece_and_stays_whole(dora: Child) -> None:
    master_table(dora, 3, at_once=PIECES - 1)
    master_table(dora, 5, at_once=PIECES)
    master_table(dora, 7, at_once=5 * PIECES)
    collection = collection_of(dora)
    whole = {table: picture_of(collection, table).is_whole for table in (3, 5, 7)}
    assert whole == {3: False, 5: True, 7: True}
    assert "Lay cards in the 3 times table 1 more time" in collection_summary(dora).next_step


def test_tables_above_10_appear_with_their_first_row(dora: Child) -> None:
    master_table(dora, 12, at_once=1)
    assert [picture.table for picture in collection_of(dora).pictures] == [*range(2, 11), 12]


@pytest.mark.parametrize(
    ("days_ago", "is_stamp"),
    [((14, 7, 0), True), ((13, 7, 0), False), ((14, 0), False), ((30, 20, 15, 1), True)],
)
def test_a_fact_known_on_three_days_over_two_weeks_is_a_stamp(
    dora: Child, days_ago: tuple[int, ...], is_stamp: bool
) -> None:
    know_fact(dora, 6, 7, *days_ago)
    collection = collection_of(dora)
    assert len(collection.stamps) == is_stamp
    assert len(collection.soon) == (not is_stamp)


def test_a_wrong_answer_takes_no_stamp_away(dora: Child) -> None:
    know_fact(dora, 6, 7, 30, 20, 10)
    know_fact(dora, 6, 7, 0, guessed=3)
    assert len(collection_of(dora).stamps) == 1


def test_a_stamp_is_new_on_the_day_on_which_it_is_earned(dora: Child, clock: Traveller) -> None:
    clock.move_to(datetime.combine(TODAY, time(10), UTC))
    know_fact(dora, 6, 7, 20, 10, 0)
    know_fact(dora, 6, 8, 30, 20, 10, 0)
    know_fact(dora, 7, 8, 30, 20, 10)
    know_fact(dora, 4, 4, 20, 0)
    names = [f"6{SIGN}7", f"6{SIGN}8", f"7{SIGN}8"]
    assert collection_of(dora).stamps == list(zip(names, (True, False, False), strict=True))
    assert collection_summary(dora).new_stamps == f"A new stamp: 6{SIGN}7"
    assert f"A new stamp: 6{SIGN}7" in text_on(client_of_child(dora).get(reverse("classrooms:me")))
    clock.move_to(datetime.combine(TODAY + timedelta(days=1), time(10), UTC))
    assert collection_summary(dora).new_stamps == ""


def test_the_page_says_how_many_rows_of_a_picture_were_found_today(dora: Child) -> None:
    master_table(dora, 4, at_once=7)
    TableDay.objects.create(
        child=dora,
        school_class=dora.school_class,
        table=4,
        day=dora.school_class.today(),
        at_once=2,
        last_at=timezone.now(),
    )
    assert "2 new today" in text_on(client_of_child(dora).get(reverse("classrooms:collection")))


def test_the_page_shows_pictures_and_stamps(dora: Child) -> None:
    master_table(dora, 4, at_once=PIECES)
    know_fact(dora, 6, 7, 20, 10, 0)
    text = text_on(client_of_child(dora).get(reverse("classrooms:collection")))
    assert "4 times table" in text
    assert "Finished!" in text
    assert "1 stamp" in text


def test_the_list_shows_the_picture_that_can_be_finished_next(dora: Child) -> None:
    master_table(dora, 3, at_once=PIECES)
    master_table(dora, 4, at_once=7)
    master_table(dora, 5, at_once=2)
    growing = collection_summary(dora)
    assert growing.picture.table == 4
    of_game = collection_summary(dora, (3, 5)).picture
    assert of_game.table == 5
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert "Lay cards in the 4 times table 5 more times" in text


def test_the_list_names_no_picture_that_its_game_cannot_finish(dora: Child) -> None:
    master_table(dora, 3, at_once=PIECES)
    master_table(dora, 4, at_once=7)
    assert collection_summary(dora, (2, 6)).next_step == ""
    assert collection_summary(dora, (2, 6)).picture == collection_summary(dora).picture
    assert "3 times table" not in collection_summary(dora, (3,)).next_step
    assert "4 times table" not in collection_summary(dora, (3,)).next_step
    assert (
        "Lay cards in the 6 times table 12 more times" in collection_summary(dora, (3, 6)).next_step
    )


# The child's face


def choose_face(child: Child, **parts: str) -> str:
    answer = client_of_child(child).post(reverse("classrooms:face"), parts)
    assert answer.headers["Location"] == reverse("classrooms:face")
    child.refresh_from_db()
    return child.face


def test_each_tap_changes_one_part_and_is_saved(dora: Child) -> None:
    assert choose_face(dora, animal="owl") == "owl"
    assert choose_face(dora, hat="cap") == "owl cap"
    assert choose_face(dora, neck="scarf") == "owl cap scarf"
    assert choose_face(dora, animal="frog") == "frog cap scarf"
    assert choose_face(dora, hat="") == "frog scarf"


@pytest.mark.parametrize("parts", [{"animal": ""}, {"animal": "wolf"}, {"hat": "<b>"}, {}])
def test_an_invalid_choice_changes_nothing(dora: Child, parts: dict[str, str]) -> None:
    choose_face(dora, animal="owl", hat="cap")
    assert choose_face(dora, **parts) == "owl cap"


def test_the_same_face_is_in_the_header_the_list_and_at_the_table(dora: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    client = client_of_child(dora)
    for animal in (PLAIN_FACE.animal, "cat"):
        table = text_on(client.post(reverse("classrooms:start", args=[assignment.pk]), follow=True))
        me = text_on(client.get(reverse("classrooms:me")))
        assert [page.count(f'href="#face-{animal}"') for page in (me, table)] == [2 + 1, 2]
        choose_face(dora, animal="cat")


def test_a_guided_round_seats_the_face_of_the_child(dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    choose_face(dora, animal="hare")
    client_of_child(dora).post(reverse("classrooms:learn"), {"edition": "simplified"})
    assert Seat.objects.get(player=dora.player).face == "hare"


@pytest.mark.parametrize("animal", [face for _, face in CAST])
def test_bots_look_like_the_child_only_if_faces_run_out(animal: str) -> None:
    seats = playing.bot_seats(3, "onlooker", f"{animal} cap")
    assert animal not in {seat.face for seat in seats}


def test_a_finished_picture_can_become_the_tablecloth(dora: Child) -> None:
    master_table(dora, 4, at_once=PIECES)
    master_table(dora, 5, at_once=PIECES - 1)
    hers = client_of_child(dora)
    text = text_on(hers.get(reverse("classrooms:collection")))
    assert [f'name="cloth" value="cloth{n}"' in text for n in (4, 5)] == [True, False]
    hers.post(reverse("classrooms:face"), {"cloth": "cloth4"})
    dora.refresh_from_db()
    game = playing.continue_or_start(dora, AssignmentFactory.create(school_class=dora.school_class))
    assert "#picture-4" in text_on(hers.get(reverse("games:page", args=[game.pk])))
    assert 'name="cloth" value=""' in text_on(hers.get(reverse("classrooms:collection")))
    assert choose_face(dora, animal="hare") == "hare cloth4"
    hers.post(reverse("classrooms:face"), {"cloth": ""})
    dora.refresh_from_db()
    assert dora.face == "hare"


# What a round adds


def story_of(**rows: int) -> RoundStory:
    """A round in which these rows were found without help: `t5=2` means two rows of the 5 times
    table."""
    return RoundStory(found_alone_by_table={int(name[1:]): n for name, n in rows.items()})


def growth_texts(attempt: Attempt, story: RoundStory) -> list[str]:
    return [piece.text for piece in growth_in_round(attempt, story)]


def pictures(attempt: Attempt, story: RoundStory) -> list[Picture]:
    grown = [piece.drawing for piece in growth_in_round(attempt, story)]
    return [piece for piece in grown if isinstance(piece, Picture)]


def count_all(attempt: Attempt) -> None:
    """Count the game so far, as a worker would."""
    game = Game.objects.get(pk=attempt.game_id)
    GameEvidence.objects.update_or_create(
        game=game,
        defaults={"upto_entry": game.version, "upto_at": timezone.now(), "rounds": game.round},
    )


def test_rows_found_without_help_are_new_pieces(attempt: Attempt) -> None:
    assert growth_texts(attempt, story_of(t4=1, t5=2)) == [
        "A new piece for your picture of the 4 times table! 11 to go!",
        "2 new pieces for your picture of the 5 times table! 10 to go!",
    ]
    assert [
        (picture.pieces, picture.new) for picture in pictures(attempt, story_of(t4=1, t5=2))
    ] == [
        (1, 1),
        (2, 2),
    ]


def test_no_picture_is_mentioned_while_a_round_is_not_counted(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    other = round_over(dora, assignment)
    assert growth_texts(attempt, story_of(t5=1)) == []
    Game.objects.filter(pk=other.game_id).update(phase="play")
    assert growth_texts(attempt, story_of(t5=1)) != []
    Game.objects.filter(pk=other.game_id).update(phase="match over")
    count_all(other)
    assert growth_texts(attempt, story_of(t5=1)) != []
    Game.objects.filter(pk=attempt.game_id).update(round=2)
    attempt.refresh_from_db()
    assert growth_texts(attempt, story_of(t5=1)) == []
    count_all(attempt)
    assert growth_texts(attempt, story_of(t5=1)) != []


def test_the_page_says_the_same_before_and_after_counting(
    dora: Child, assignment: Assignment
) -> None:
    attempt, story = real_round(dora, assignment)
    before = list(growth_in_round(attempt, story))
    assert before
    assert process_game(attempt.game_id)
    assert list(growth_in_round(attempt, story)) == before
    levels = TableMastery.objects.filter(child=dora).values_list("table", "at_once", "later")
    rows = {table: once + later for table, once, later in levels}
    assert {picture.table: picture.rows for picture in pictures(attempt, story)} == {
        table: rows[table] for table in story.found_alone_by_table
    }


def test_rows_with_a_hint_make_no_piece(dora: Child, assignment: Assignment) -> None:
    for seed in range(100):
        hand = Hand(begin(dora, assignment, seed))
        hand.draw()
        if hand.rows():
            break
    hand.hint(4)
    hand.lay()
    while hand.look().view.phase != "round over":
        hand.play_turn(lays=False)
    hand.attempt.game.refresh_from_db()
    story = story_of_round(hand.attempt.game, 2, 0)
    assert story.rows
    assert not story.found_alone_by_table
    assert not list(growth_in_round(hand.attempt, story))


def round_page(attempt: Attempt) -> str:
    return text_on(client_of_child(attempt.child).get(f"/games/{attempt.game_id}/"))


def test_the_page_shows_the_picture_with_its_new_pieces(
    dora: Child, assignment: Assignment
) -> None:
    attempt, story = real_round(dora, assignment)
    text = round_page(attempt)
    assert "for your picture of the" in text
    new = sum(rows for table, rows in story.found_alone_by_table.items() if table <= 12)
    assert text.count('class="cover uncovered"') == new
    mark_for_rebuild([dora.pk])
    assert "for your picture of the" not in round_page(attempt)


def page_after_answer(attempt: Attempt, answer: str) -> str:
    """The text of the page after this answer to the round's only question, 7 × 6."""
    sitting_with(attempt, ("fact", (7, 6)))
    url = reverse("classrooms:check", args=[attempt.game_id])
    return text_on(client_of_child(attempt.child).post(url, {"number": "0", "answer": answer}))


STAMP = "A new stamp: 6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7"


@pytest.mark.parametrize(
    ("days_ago", "is_new"),
    [((20, 10), True), ((13, 7), False), ((20,), False), ((30, 20, 10), False)],
)
def test_a_new_stamp_is_shown_after_questions_and_after_a_round(
    attempt: Attempt, dora: Child, days_ago: tuple[int, ...], is_new: bool
) -> None:
    known_before(dora, *days_ago)
    assert (STAMP in page_after_answer(attempt, "42")) == is_new
    assert (STAMP in growth_texts(attempt, story_of())) == is_new


def test_a_stamp_is_new_only_once_a_day(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    known_before(dora, 20, 10)
    page_after_answer(attempt, "42")
    later = round_over(dora, assignment)
    assert STAMP not in page_after_answer(later, "42")
    assert STAMP in growth_texts(attempt, story_of())
    assert STAMP not in growth_texts(later, story_of())


def test_new_pieces_are_added_to_the_earlier_ones(attempt: Attempt, dora: Child) -> None:
    master_table(dora, 5, at_once=3, later=1, hinted=7)
    (picture,) = pictures(attempt, story_of(t5=2))
    assert (picture.pieces, picture.new, len(picture.covers)) == (6, 2, PIECES - 6)
    assert picture.uncovered == [(30, 60), (60, 60)]


def test_a_round_says_which_picture_is_nearly_finished(attempt: Attempt, dora: Child) -> None:
    master_table(dora, 5, at_once=PIECES - 3)
    assert growth_texts(attempt, story_of(t5=2)) == [
        "2 new pieces for your picture of the 5 times table! 1 to go!"
    ]
    assert growth_texts(attempt, story_of()) == [
        "Lay cards in the 5 times table 3 more times by yourself to finish its picture."
    ]


def test_a_picture_becomes_whole_once(attempt: Attempt, dora: Child) -> None:
    master_table(dora, 5, at_once=PIECES - 1)
    assert growth_texts(attempt, story_of(t5=3)) == [
        "Your picture of the 5 times table is finished!"
    ]
    (picture,) = pictures(attempt, story_of(t5=3))
    assert (picture.pieces, picture.new) == (PIECES, 1)


def test_a_round_begins_with_the_picture_that_is_nearly_whole(dora: Child) -> None:
    attempt = begin(dora, AssignmentFactory.create(school_class=dora.school_class), 3)
    page = client_of_child(dora)
    assert "of 12 pieces" not in text_on(page.get(f"/games/{attempt.game_id}/"))
    master_table(dora, 5, at_once=PIECES - 1)
    master_table(dora, 2, at_once=3)
    master_table(dora, 7, at_once=PIECES)
    assert "5 times table: 11 of 12 pieces" in text_on(page.get(f"/games/{attempt.game_id}/"))
