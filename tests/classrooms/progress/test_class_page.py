"""The class page: what to do next, the map, the moves behind a cell, and the facts."""

import html
import re
from datetime import timedelta

import pytest
from django.http import QueryDict
from django.utils import timezone
from django.utils.html import strip_tags

from classrooms.assignments.services import give
from classrooms.downloads.models import Download
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress import table_levels
from classrooms.progress import words as wording
from classrooms.progress.class_page import class_page
from classrooms.progress.given_steps import NextStep
from classrooms.progress.models import RULES, Chance, ChildDay, ProgressLock, TableMastery
from classrooms.progress.rebuild import mark_for_rebuild
from classrooms.progress.tasks import look_for_dirty, rebuild_marked
from tests.classrooms.people import class_page_text, client_of, text_on, url_of
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.playing import Hand, begin
from tests.counts import queries_of_page
from tests.factories import AssignmentFactory, ChildFactory, GroupFactory

SIGN = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
pytestmark = pytest.mark.django_db
MOST_QUERIES = 15


@pytest.fixture
def busy_class(dora: Child, emil: Child, assignment: Assignment) -> SchoolClass:
    """A class in which Dora and Emil find little of the 7 times table."""
    for child in (dora, emil):
        rows(child, 7, found=1, missed=4)
        ChildDay.objects.create(
            child=child,
            school_class=child.school_class,
            day=timezone.localdate(),
            rounds=1,
            last_at=timezone.now(),
        )
    return dora.school_class


def test_a_card_of_facts_has_their_figure_and_leads_to_the_answers(
    alice: User, dora: Child, emil: Child, busy_class: SchoolClass
) -> None:
    for child in (dora, emil):
        for second in (7, 7, 7, 8, 8, 8):
            answer(child, 6, second, right=False)
        answer(child, 6, 8)
    look_for_dirty()
    page = class_page_text(alice, busy_class)
    assert page.count("6 of 7 answers to these facts wrong or with a hint") == 2
    for child, second in ((dora, 7), (dora, 8), (emil, 7), (emil, 8)):
        fact_url = url_of("fact", busy_class, 6, second)
        assert f'<a href="{fact_url}#child-{child.pk}">6{SIGN}{second}</a>' in page


def test_the_title_of_a_childs_card_leads_to_the_rows_of_its_figure(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    rows(dora, 4, found=1, missed=9)
    of_dora = url_of("moves", busy_class, dora.pk, 4)
    link = f'<a href="{of_dora}?period=month">4 times table</a>'
    assert link in class_page_text(alice, busy_class)


def test_what_the_whole_class_can_play_is_on_its_page(
    alice: User, emil: Child, assignment: Assignment
) -> None:
    # Nobody has played yet.
    AssignmentFactory.create(school_class=emil.school_class, options={"tables": [9]})
    ended = AssignmentFactory.create(school_class=emil.school_class, options={"tables": [8]})
    Assignment.objects.filter(pk=ended.pk).update(ended_at=timezone.now())
    (of_all,) = re.findall(
        r"The whole class has now:</strong>(.*)", class_page_text(alice, emil.school_class)
    )
    assert "9 times table" in of_all
    assert "8 times table" not in of_all


@pytest.fixture
def class_that_forgets(dora: Child, emil: Child, busy_class: SchoolClass) -> SchoolClass:
    """Dora and Emil were secure in the 4 times table, and 10 days ago missed all its rows."""
    for child, missed in ((dora, 8), (emil, 9)):
        for ago in (80, 78):
            rows(child, 4, found=6, ago=ago)
        rows(child, 4, found=0, missed=missed, ago=10)
    AssignmentFactory.create(school_class=busy_class, options={"tables": [4]})
    return busy_class


def test_a_table_to_refresh_is_shown_with_its_rows(
    alice: User, class_that_forgets: SchoolClass
) -> None:
    cards = class_page_text(alice, class_that_forgets, "?period=all").split("need-refreshing")[1]
    figure = "found 24 of 41 rows without help, all time"
    assert f"fewer than before; {figure}" in cards
    cards = class_page_text(alice, class_that_forgets).split("need-refreshing")[1]
    assert '<a href="?period=month&amp;sort=t4#map">4 times table</a>' in cards
    assert "found 0 of 17 rows without help, last 4 weeks" in cards


def test_a_cell_opens_the_moves_behind_it_each_with_a_replay(
    alice: User, dora: Child, school_class: SchoolClass
) -> None:
    anything = AssignmentFactory.create(school_class=school_class, options={"offers": False})
    Hand(begin(dora, anything, seed=5)).play_round(lays=False)
    look_for_dirty()
    missed = Chance.objects.filter(child=dora, table=0).order_by("-at", "-entry", "-pk")[0]
    page = class_page_text(alice, school_class, f"?child={dora.pk}&table=0")
    replay = url_of("replay", school_class, dora.pk, missed.game_id, missed.entry)
    assert replay in page
    assert " ".join(map(str, missed.numbers)) in page


def test_a_cell_of_a_foreign_child_stays_closed(alice: User, busy_class: SchoolClass) -> None:
    finn = ChildFactory.create(name="Finn")
    page = class_page_text(alice, busy_class, f"?child={finn.pk}&table=7")
    assert "Finn" not in page


def test_behind_a_cell_its_level_has_the_figure_of_all_weeks(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    for ago in (50, 40, 2):
        rows(dora, 4, found=6, ago=ago)
    look_for_dirty()
    page = class_page_text(alice, busy_class, f"?child={dora.pk}&table=4")
    assert re.search(
        r"✓ Finds most rows[^(]* \(all time: 18 of 18\)\. The child almost certa", page
    )
    assert '<span class="map-figure">6 of 6</span>' in page


def test_the_map_shows_the_requested_period(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    rows(dora, 3, found=4, missed=1, ago=60)
    cell = f"?child={dora.pk}&amp;table=3&amp;"
    assert cell not in class_page_text(alice, busy_class)
    assert "4 of 5" in class_page_text(alice, busy_class, "?period=all")
    assert cell not in class_page_text(alice, busy_class, "?period=week")
    assert cell in class_page_text(alice, busy_class, "?period=all")


def test_the_figure_above_the_moves_is_that_of_the_cell(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    rows(dora, 7, found=5, ago=60)
    url = url_of("moves", busy_class, dora.pk, 7)
    figure = '<span class="map-figure">{}</span> <span class="soft">{}</span>'
    assert figure.format("6 of 10", "all time") in text_on(
        client_of(alice).get(f"{url}?period=all")
    )
    month = text_on(client_of(alice).get(url))
    assert figure.format("1 of 5", "last 4 weeks") in month
    assert 'href="?period=all"' in month
    assert 'href="?period=month" aria-current="true"' in month


def test_only_what_is_certain_has_a_sign(
    school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    finn = ChildFactory.create(school_class=school_class)
    for ago in (3, 1):
        rows(dora, 5, found=9, ago=ago)
    rows(emil, 5, found=3)
    rows(finn, 5, found=3, missed=9)
    for child in (dora, emil, finn):
        for _ in range(3):
            answer(child, 2, 3)
            if child == dora:
                answer(child, 2, 4)
    look_for_dirty()
    page = class_page(school_class, QueryDict())
    figures = {line.child: cells[0].figure for line, cells in page.map.lines}
    assert figures == {dora: "18 of 18 ✓", emil: "3 of 3", finn: "3 of 12 !"}
    assert page.facts.sums[2, 4].is_unsure
    assert not page.facts.sums[2, 3].is_unsure


def test_the_map_is_sorted_by_the_weakest_in_a_table(
    alice: User, dora: Child, emil: Child, busy_class: SchoolClass
) -> None:
    rows(dora, 3, found=4)
    rows(emil, 3, found=1, missed=3)
    page = class_page_text(alice, busy_class, "?sort=t3")
    lines = page[page.index("<tbody") : page.index("<tfoot")]
    assert lines.index("Emil") < lines.index("Dora")


def test_the_page_of_a_fact_shows_how_each_child_found_it(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for ago in (2, 1, 0):
        answer(dora, 6, 8, at=timezone.now() - timedelta(days=ago))
    look_for_dirty()
    for url in ((6, 8), (8, 6)):
        page = text_on(client_of(alice).get(url_of("fact", school_class, *url)))
        assert "3 of 3 right without help." in page
        assert "are shown." not in page
        assert "Not asked yet: Emil" in " ".join(strip_tags(page).split())


def test_a_fact_page_shows_answers_and_reason(
    alice: User, dora: Child, school_class: SchoolClass
) -> None:
    for number in range(11):
        answer(dora, 6, 8, hinted=number == 10)
    look_for_dirty()
    page = text_on(client_of(alice).get(url_of("fact", school_class, 6, 8)))
    assert "The last answer to a short question was not right without help." in page
    assert "10 of 11 right without help." in page
    assert "The last 9 are shown." in page
    assert (page.count("move-found"), page.count("move-hinted")) == (8, 1)


def test_a_childs_page_has_the_figures_of_the_class(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    rows(dora, 7, found=7, ago=60)
    of_child = text_on(client_of(alice).get(url_of("progress", busy_class, dora.pk)))
    for page in (class_page_text(alice, busy_class), of_child):
        assert "1 of 5" in page
        assert "last 4 weeks" in page
    assert "8 of 12" not in class_page_text(alice, busy_class)
    chip = of_child.split("table-chips")[1].split("</ul>")[0]
    assert "1 of 5 <small>finds too few rows without help so far · last practised " in chip
    assert "8 of 12" not in chip


def test_the_figure_behind_a_cell_names_the_period_of_the_map(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    for name, label in (("month", "last 4 weeks"), ("week", "last 7 days"), ("all", "all time")):
        page = class_page_text(alice, busy_class, f"?child={dora.pk}&table=7&period={name}")
        assert f'1 of 5</span> <span class="soft">{label}</span>' in page


def test_the_page_says_so_until_the_class_is_rebuilt(alice: User, busy_class: SchoolClass) -> None:
    notice = "All figures are being counted again."
    assert notice not in class_page_text(alice, busy_class)
    dora = busy_class.children.first()
    assert dora
    for column, value in (("to_rebuild", True), ("rules", RULES - 1)):
        ProgressLock.objects.update_or_create(child=dora, defaults={column: value})
        assert notice in class_page_text(alice, busy_class)
        rebuild_marked()
        assert notice not in class_page_text(alice, busy_class)


def test_any_class_needs_the_same_few_queries(
    alice: User, emil: Child, busy_class: SchoolClass
) -> None:
    client, url = client_of(alice), url_of("class", busy_class)
    steps = {
        NextStep(9).choice: list(busy_class.children.all()),
        NextStep(facts=((6, 7),)).choice: [emil],
    }
    give(busy_class, steps)
    counts = []
    for _ in range(2):
        counts.append(queries_of_page(client, url))
        for child in ChildFactory.create_batch(3, school_class=busy_class):
            rows(child, 7, found=0, missed=3)
            answer(child, 6, 8, right=False)
            give(busy_class, {NextStep(8).choice: [child]})
        look_for_dirty()
    assert counts[0] == counts[1] <= MOST_QUERIES


def test_stuck_children_are_named_with_the_chances_behind_it(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    rows(dora, 8, found=3, missed=27)
    page = " ".join(class_page_text(alice, busy_class).split())
    assert '<strong>Finds fewer than half</strong> <span class="soft">last 4 weeks</span>' in page
    moves = url_of("moves", busy_class, dora.pk, 8)
    link = f'<a href="{moves}?period=month" translate="no">Dora</a>'
    behind = f'{link} <span class="stuck-figure">3 of 30</span>'
    assert f'<strong>8 times table:</strong> <span class="stuck-child">{behind}' in page


def test_facts_asked_three_times_have_a_figure(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    for _ in range(3):
        answer(dora, 6, 8)
    answer(dora, 8, 9)
    look_for_dirty()
    url = url_of("fact", busy_class, 6, 8)
    page = class_page_text(alice, busy_class)
    assert re.search(rf'<a href="{url}"\s+aria-label="6{SIGN}8:\s+not certain">\?</a>', page)
    no_figure = " ".join(re.sub("<[^>]+>", "", page).split())
    assert "–8 × 9: fewer than 3 answers" in no_figure
    assert " 7 × 8: none yet" in no_figure
    of_child = text_on(client_of(alice).get(url_of("progress", busy_class, dora.pk)))
    assert f"6{SIGN}8: not certain" in of_child


def test_a_table_on_a_childs_page_has_the_colour_of_its_level(alice: User, dora: Child) -> None:
    rows(dora, 5, found=4)
    rows(dora, 7, found=3, missed=9)
    for ago in (2, 1):
        rows(dora, 3, found=6, ago=ago)
    own = url_of("progress", dora)
    page = text_on(client_of(alice).get(own))
    assert re.findall(r'class="chip ([^"]*)"[^>]*>\s*<strong>(\d+)', page) == [
        ("level-secure", "3"),
        ("", "5"),
        ("misses-some", "7"),
    ]


def test_rows_with_a_joker_are_shown_beside_the_figure(alice: User, dora: Child) -> None:
    rows(dora, 7, found=1, missed=2, joker=13)
    moves = text_on(client_of(alice).get(url_of("moves", dora, 7)))
    assert "not counted: 13 rows with a joker" in moves


@pytest.mark.parametrize("days", [{9: (3, 3), 2: (3, 3)}, {0: (1, 2)}], ids=["many", "few"])
def test_low_figures_that_may_be_chance_are_called_so(
    alice: User, dora: Child, assignment: Assignment, days: dict[int, tuple[int, int]]
) -> None:
    for ago, (found, missed) in days.items():
        rows(dora, 7, found=found, missed=missed, ago=ago)
    played = {"child": dora, "school_class": dora.school_class, "last_at": timezone.now()}
    ChildDay.objects.create(day=dora.school_class.today(), rounds=1, **played)
    own = url_of("progress", dora)
    for page in (class_page_text(alice, dora.school_class), text_on(client_of(alice).get(own))):
        assert "last 4 weeks; may be chance" in page
        assert "Nothing stands out" not in page
        assert "Nothing to practise stands out" not in page
        assert "few possible rows" not in page


def test_facts_of_a_single_child_are_among_the_needs(
    alice: User, dora: Child, emil: Child, busy_class: SchoolClass
) -> None:
    for _ in range(4):
        answer(dora, 6, 7, right=False)
    look_for_dirty()
    needs = class_page_text(alice, busy_class).split('class="row notes"')[0]
    assert f"6{SIGN}7" in needs.split("need-fact")[1]
    assert "4 of 4 answers to this fact wrong or with a hint" in needs
    assert "Nothing" not in needs


def test_an_open_deal_is_on_the_page_with_its_board(
    alice: User, dora: Child, busy_class: SchoolClass
) -> None:
    deal = AssignmentFactory.create(school_class=busy_class, deal_seed=1)
    board = url_of("deal", busy_class, deal.pk)
    assert board in class_page_text(alice, busy_class)
    deal.ended_at = timezone.now()
    deal.save()
    assert board not in class_page_text(alice, busy_class)


# The map of a class limited to a group


def map_in(page: str) -> str:
    return page.split('id="map"')[1].split("</section>")[0]


@pytest.fixture
def robins(dora: Child, emil: Child, busy_class: SchoolClass) -> str:
    """The key of a group with Dora in it. Dora and Emil have rows of the 7 times table."""
    rows(dora, 2, found=3)
    group = GroupFactory.create(school_class=busy_class, name="Robins", children=[dora])
    return str(group.pk)


def test_a_map_of_a_group_has_its_children_and_its_totals(
    alice: User, busy_class: SchoolClass, robins: str
) -> None:
    whole, narrow = (
        map_in(class_page_text(alice, busy_class, query)) for query in ("", f"?group={robins}")
    )
    assert "Emil" in whole
    assert "2 of 10" in whole.split("<tfoot")[1]
    assert "Emil" not in narrow
    foot = narrow.split("<tfoot")[1]
    assert "Robins" in foot
    assert "1 of 5" in foot
    assert "2 of 10" not in foot


def test_needs_of_a_group_are_those_of_the_whole_class(
    alice: User, busy_class: SchoolClass, robins: str
) -> None:
    whole, narrow = (
        class_page_text(alice, busy_class, query) for query in ("", f"?group={robins}")
    )
    before = [page.split('id="report-heading"')[1].split('id="map"')[0] for page in (whole, narrow)]
    assert before[0] == before[1]


def test_period_order_cells_and_group_keep_each_other(
    alice: User, dora: Child, busy_class: SchoolClass, robins: str
) -> None:
    query = f"?group={robins}&period=week&sort=-t7"
    class_map = map_in(class_page_text(alice, busy_class, query)).replace("&amp;", "&")
    assert f"?child={dora.pk}&table=7&period=week&group={robins}&sort=-t7#behind" in class_map
    assert f'href="?group={robins}&period=all&sort=-t7#map"' in class_map
    assert 'href="?group=&period=week&sort=-t7#map"' in class_map
    assert f'href="?group={robins}&period=week&sort=t7#map"' in class_map


def test_a_group_can_get_an_assignment_from_its_map(
    alice: User, busy_class: SchoolClass, robins: str
) -> None:
    link = f"{url_of('assign', busy_class)}?groups={robins}"
    assert f'href="{link}">Assign to Robins</a>' in class_page_text(
        alice, busy_class, f"?group={robins}"
    )
    assert client_of(alice).get(link).context["audience_form"].names == ["Robins"]
    assert "Assign to Robins" not in class_page_text(alice, busy_class)


def test_a_cell_without_rows_in_the_period_keeps_its_level(
    alice: User, class_that_forgets: SchoolClass
) -> None:
    page = class_page_text(alice, class_that_forgets, "?period=week")
    cell = '<td class="refreshing"><span class="none" aria-hidden="true">– ↓</span>'
    label = '<span class="visually-hidden">none in this period, finds fewer rows lately</span>'
    assert page.count(f"{cell}{label}</td>") == 2
    assert "none in this period" not in class_page_text(alice, class_that_forgets, "?period=all")


@pytest.fixture
def player(dora: Child, anything: Assignment) -> Child:
    hand = Hand(begin(dora, anything, seed=5))
    for _ in range(2):
        hand.play_round(lays=False)
    look_for_dirty()
    return dora


def moves_url(child: Child, table: int = 0) -> str:
    return url_of("moves", child, table)


def test_the_level_and_its_reason_are_shown_above_the_rows(alice: User, dora: Child) -> None:
    for ago in (2, 1):
        rows(dora, 4, found=6, ago=ago)
    look_for_dirty()
    page = text_on(client_of(alice).get(moves_url(dora, 4)))
    assert "The child almost certainly finds about two in three of its rows or more." in page
    assert "level-secure" in page or "level-fluent" in page


def test_a_level_stored_by_an_earlier_release_is_continued(alice: User, dora: Child) -> None:
    rows(dora, 4, found=6, ago=2)
    look_for_dirty()
    mastery = TableMastery.objects.get(child=dora, table=4)
    del mastery.known["lately"]
    mastery.save()
    assert client_of(alice).get(moves_url(dora, 4)).status_code == 200
    table_levels.update_table_levels({dora.pk: [mastery.day]})
    assert "lately" in TableMastery.objects.get(child=dora, table=4).known


@pytest.mark.parametrize(
    ("outcome", "mark"),
    [
        ("at once", "found"),
        ("later", "found"),
        ("with a hint", "hinted"),
        ("after tries", "hinted"),
        ("with a joker", "apart"),
        ("missed", "missed"),
        ("taken up", "apart"),
    ],
)
def test_only_counted_rows_are_marked_as_found(
    alice: User, player: Child, outcome: str, mark: str
) -> None:
    Chance.objects.filter(table=0).update(outcome=outcome, hint_step=2)
    page = text_on(client_of(alice).get(moves_url(player)))
    marks = {mark: page.count(f"move-{mark}") for mark in ("found", "hinted", "missed", "apart")}
    assert marks == {"found": 0, "hinted": 0, "missed": 0, "apart": 0} | {
        mark: Chance.objects.filter(table=0).count()
    }


def test_the_way_back_from_a_replay_leads_to_the_same_period(alice: User, player: Child) -> None:
    client = client_of(alice)
    page = text_on(client.get(f"{moves_url(player)}?period=week"))
    (address, *_others) = re.findall(r'href="([^"]+)" aria-label="Replay of', page)
    replay = text_on(client.get(html.unescape(address)))
    assert f'href="{moves_url(player)}?period=week"' in replay
    assert "</span> Rows of Dora that are not in any times table up to 12</a>" in replay
    assert "at=1&amp;period=week" in replay


@pytest.mark.parametrize("page", ["moves", "fact", "talk"])
def test_a_page_with_figures_says_that_they_are_being_counted_again(
    alice: User, player: Child, page: str
) -> None:
    pages: dict[str, list[object]] = {"moves": [player.pk, 0], "fact": [3, 4], "talk": []}
    url = url_of(page, player.school_class, *pages[page])
    assert wording.rebuilding() not in text_on(client_of(alice).get(url))
    mark_for_rebuild([player.pk])
    assert wording.rebuilding() in text_on(client_of(alice).get(url))


def test_files_about_a_child_are_requested_from_their_page(alice: User, dora: Child) -> None:
    client = client_of(alice)
    page = client.get(url_of("progress", dora))
    data = {"kind": "child-everything", "child": str(dora.pk), "language": "sv"}
    text = page.content.decode()
    assert "All data about Dora" in text
    assert f'name="child" value="{dora.pk}"' in text
    client.post(url_of("downloads", dora.school_class), data)
    download = Download.objects.get()
    assert (download.child, download.language) == (dora, "sv")


def test_a_table_or_a_fact_that_no_page_shows_is_missing(alice: User, dora: Child) -> None:
    client = client_of(alice)
    assert client.get(moves_url(dora, table=13)).status_code == 404
    fact = url_of("fact", dora.school_class, 7, 13)
    assert client.get(fact).status_code == 404
