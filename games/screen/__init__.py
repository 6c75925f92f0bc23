"""Prepares for the templates what a player sees.

`board` makes a page's `Board` from `view_models`. `card_drawing`, `garden`, `hint_pictures` and
`player_faces` draw. `turn_strip`, `speech`, `others_steps`, `round_end` and `guided_words` say what
happens now; `hint_words` and `refusal_words` put the coach into words, and `words` has the words
that all share. `help_pages` and `replay` have pages of their own.
"""
