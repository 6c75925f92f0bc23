"""What a class is given to play, and the games that its children play of it.

A teacher's form (`forms`) becomes a `choice`; `services` gives it to an `audience`, unless they
have it already (`given_once`), and repeats it each week (`series`); `editing` changes it. `presets`
names games. A child sees `status` on their page (`child_views`); `playing` begins a game with bots
at the right `pace`, `tables` one with classmates, `riddles` the riddle of the day. `table_offers`
is what a child sees of the tables, `table_care` what a teacher does with them.
"""
