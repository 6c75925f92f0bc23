"""Check-ups as the templates write them."""

from datetime import date

from django import template

from classrooms.checkups import words
from classrooms.checkups.models import CheckUp

register = template.Library()

register.filter("title_of", words.title)
register.filter("conditions_of", words.conditions)
register.filter("tables_of", words.tables_of)
register.filter("between_words", words.between)
register.filter("growth_words", words.growth)
register.filter("class_growth_words", words.class_growth)
register.filter("verdict_words", words.verdict)
register.filter("mean_words", words.mean)
register.filter("mean_between_words", words.mean_between)
register.filter("wrong_words", words.wrong)


@register.filter
def is_over(check_up: CheckUp, today: date) -> bool:
    return check_up.is_over(today)
