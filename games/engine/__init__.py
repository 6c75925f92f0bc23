"""The rules of nmbrs! in pure Python: no Django, no I/O, no clock, no global random state.

`ruleset` has the editions, `cards` and `sequences` the deck and the valid rows. `table` has lines
and islands; `plays` and `play_generation` find plays, `play_application` makes one. `round` applies
`actions`, `match` settles scores, and `view` is what a seat may see. `text` writes and replays
logs, `layout` places the cards.

A turn: take the open card, look at the legal plays, lay a row.

>>> from games.engine.match import apply, new_match
>>> from games.engine.plays import legal_plays
>>> from games.engine.ruleset import edition
>>> from games.engine.text.notation import parse_action, parse_cards
>>> rules = edition("simplified", tables=[2, 5, 10])
>>> deck = parse_cards("10 20 30 40 41 42 43 1 3 7 9 11 13 17 5 50 6 8 12 14".split(), rules)
>>> state = apply(new_match(rules, 2, deck, starter=0), parse_action("draw open", rules))
>>> [str(play) for play in legal_plays(state.position(0))]
['10 20 30', '20 30 40', '10 20 30 40']
>>> state = apply(state, parse_action("10 20 30", rules))
>>> str(state.table.lines[0]), state.scores
('10-20-30', (26, 20))
>>> apply(state, parse_action("41 42 43", rules))
Traceback (most recent call last):
games.engine.errors.ActionRefused: not-a-sequence
"""

VERSION = "1"
"""Changes whenever an old log would replay to another state; a game keeps the version that it was
started with."""
