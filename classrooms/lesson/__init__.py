"""A lesson with the whole class.

`live` is the board that shows who plays and who is stuck, from `lesson_log` and `live_sql`, with
the tables of several children (`live_tables`). `pause` blanks all screens. `one_deal` gives
everyone the same cards, `hands` shows everyone one hand, `talks` finds positions to discuss, all on
the `big_screen`. `game_hooks` adds what the school knows to a child's game, in a lesson or not.
"""
