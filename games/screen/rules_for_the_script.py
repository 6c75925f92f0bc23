"""The rules of rows for the child's page, which can then tell at once whether chosen cards make a
row.

The server judges every play; the page only tells it sooner. `static/js/at-once.js` reads this.
"""

import json
from functools import lru_cache
from typing import Final

from django.utils.translation import get_language

from games.engine.ruleset import Ruleset
from games.engine.sequences import members
from games.screen.words import FAMILY_NAMES, steps_name, table_name

ANY_NUMBER: Final = 0


def rules_for_the_script(ruleset: Ruleset) -> str:
    """The rules as JSON, in the language of the page. In `names`, `{n}` stands for the number of
    the table or the step."""
    return _rules(ruleset, get_language())


@lru_cache(maxsize=256)
def _rules(ruleset: Ruleset, language: str | None) -> str:
    number = str(ANY_NUMBER)
    names: dict[str, str] = {family: str(FAMILY_NAMES[family]) for family in ruleset.families}
    names["table"] = table_name(ANY_NUMBER).replace(number, "{n}")
    names["steps"] = steps_name(ANY_NUMBER).replace(number, "{n}")
    rules = {
        "highest": ruleset.highest,
        "back": ruleset.counts_back_to,
        "tables": ruleset.tables,
        "families": {name: members(name, ruleset.highest) for name in ruleset.families},
        "keep": 0 if ruleset.may_empty_hand else 1,
        "names": names,
    }
    return json.dumps(rules, separators=(",", ":"), ensure_ascii=False)
