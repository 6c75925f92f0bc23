"""What the game teaches, in pure Python.

`rows` and `times_tables` say what a row is to a child and which is easiest to find. While they
play: `hints`, and `refusals` of cards that make no play. Before: `deals` and `begun_rounds` that
bring rows, `guided_rounds`, `goals`. Afterwards: `chances` finds which rows a child had and took,
`deal_comparison` compares children with the same cards, `rating` says how strong a child plays, and
`statements` what can be said of them, by the model in `mastery`. `questions` is about facts.
"""
