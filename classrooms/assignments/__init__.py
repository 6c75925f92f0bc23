"""What a class is given to play, and the games that its children play of it.

A teacher's form (`forms`) becomes a `choice`. `services` gives it to an `audience`, except to
children who have it already, and repeats it each week; `editing` changes it. `presets` names games.
A child sees the `status` of their assignments on their page (`child_views`). `playing` begins a
game with bots at the right pace, `tables` one with classmates, `riddles` the riddle of the day.
`table_offers` shows the tables to a child; a teacher acts on them in `table_care`.
"""
