"""A game in play.

`starting` begins a game, `services` shows it and moves in it, `posted_move` reads a move from a
post, and `moves` says what each move does. `stored_game`, `log` and `sql` read and store; `hooks`
is what a school adds. At a table of several children, `news` says how often waiting pages ask,
`presence` who is away, and `shared_table` does what is due. `past_answers` and `round_story` look
back.
"""
