"""Parts of a page are drawn once for the same data."""

from dataclasses import replace
from unittest.mock import patch

from django.utils.translation import override

from games.engine.ruleset import edition
from games.screen.card_drawing import face
from games.screen.view_models import HandCard
from games.templatetags import drawn_parts


def test_the_same_data_is_drawn_once_in_each_language() -> None:
    card = HandCard(face(1, edition("simplified")), is_chosen=False, is_lit=False)
    drawn_parts.draw.cache_clear()
    with patch.object(
        drawn_parts, "render_to_string", wraps=drawn_parts.render_to_string
    ) as render_to_string:
        first = drawn_parts.drawn_once("games/_hand_card.html", card)
        assert 'id="hand-1"' in first
        assert drawn_parts.drawn_once("games/_hand_card.html", replace(card)) == first
        pages = [call.args[0] for call in render_to_string.call_args_list]
        assert pages.count("games/_hand_card.html") == 1
        with override("nl"):
            drawn_parts.drawn_once("games/_hand_card.html", card)
    pages = [call.args[0] for call in render_to_string.call_args_list]
    assert pages.count("games/_hand_card.html") == 2
