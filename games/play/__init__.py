"""A game in play.

`services` reads a game and moves in it, `moves` says what each move does, `stored_game` and `log`
read and store, and `hooks` is what a school adds. At a table of several children, `news` says how
often waiting pages ask, `presence` who is away, and `tables` does what is due.
"""
