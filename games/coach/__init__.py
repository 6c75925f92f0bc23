"""What the game teaches, in pure Python.

For a move: `hints`, `refusals`, and `sample_rows` that show what a rule means, on the ground of
`rows` and `times_tables`. For a deal: `deals` (kind ones), `guided_rounds`, `begun_rounds` and
`goals`. From the log: `chances`, `deal_comparison`, `rating` and `mastery`. `questions` are short
questions and check-ups, `statements` what may be said about a child.
"""
