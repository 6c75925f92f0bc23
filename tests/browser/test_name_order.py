"""Names stand as ICU sorts them, the library of PostgreSQL and of browsers: here Chromium's."""

from collections.abc import Callable
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Page

from classrooms.models.name_order import name_order
from tests.counts import times

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXT: Final = """
Aaron Åsa Zoë Zoe Zoé Ängla Ozan Özan Ömer Örjan Øystein Ægir Aegir Æsa Oscar Œuvre Müller Muller
Mueller Mystery Jürgen Jurgen Jyrki Łukasz Lukasz Lucas Đorđe Dorde Dora Ðorun Þór Thor Tor Zorn
Zygmunt Ibrahim İbrahim Işıl Isil Iris Ingrid Ñandu Nando Çağla Cagla Cem Şule Sule Strauß Strauss
Straub Ann Anna Anne Ann-Lea AnnLea Anna-Lena Annalena d'Arcy D'Artagnan Darwin Dana O'Neill Oneill
O'Brien Obrien émile Emile Emil Emily Élodie Elodie Françoise Francoise René Renee Renée Siân Sian
Seán Sean Chloé Chloë Chloe Noël Noel Noèl Inès Ines Inés Wim Vim Wilma Vilma Ylva Üzeyir Uzay Ulf
Ålander Alander Ärlig Arlig Ők Ön Ônda Ęwa Ewa Żaneta Zaneta Ħal Hal Ŋala Nala Björn Bjorn Bjarne
Sören Soren Søren Åke Ake Pär Per Håkan Hakan Jan Jan-Peter Maria Мария Анна Борис Егор Lea Léa Leah
"""
WITH_SPACES: Final = ("Van den Berg", "van der Meer", "De Vries", "Al Amin", "Al-Amin", "Eva 2")
LETTERS: Final = "aáàâäåãāăąæbcçćčdđeéèêëęēfgğhiíìîïıjklłmnñńňoóòôöøõőœprřsśšştțtuúùûüűvwxyýzžźżß"
SORTED: Final = "([names, language]) => [...names].sort(new Intl.Collator(language).compare)"


def at_random() -> list[str]:
    random = Random(7)
    lengths = [random.randrange(2, 6) for _ in range(times(300, 3000))]
    return ["".join(random.choices(LETTERS, k=length)).capitalize() for length in lengths]


@pytest.mark.parametrize("language", ["en", "nl", "de", "sv"])
def test_names_are_sorted_as_icu_sorts_them(pages: Callable[..., Page], language: str) -> None:
    """Each name once, whatever its capitals, as in a class."""
    names = list(
        {name.casefold(): name for name in (*TEXT.split(), *WITH_SPACES, *at_random())}.values()
    )
    page = pages()
    page.goto("about:blank")
    by_icu = page.evaluate(SORTED, [names, language])
    assert sorted(names, key=lambda name: (name_order(name, language), name)) == by_icu
